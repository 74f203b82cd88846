# 随程序附带的示例方案：标题与说明。

example-qlora-8b-24gb = 在一块 24 GB 显卡上用 QLoRA 微调 8B
example-qlora-8b-24gb-note = 在家里能微调 Llama 3.1 8B 吗？基础权重用 4 位存储，每个线性层都带适配器，放得下且绰绰有余。不断增大序列长度直到放不下，看看是哪一部分在增长。
example-full-7b-24gb = 在一块 24 GB 显卡上全量微调 7B：为什么不行？
example-full-7b-24gb-note = 7B 模型的 16 位权重占 13 GiB，为什么全量微调在 24 GB 里放不下？参数只是小头：梯度、两个 Adam 矩和 fp32 主副本，每个参数还要再占 14 字节。与纯 bf16 加 8 位优化器比较，再与 QLoRA 比较。
example-qlora-70b-48gb = 在一块 48 GB 显卡上用 QLoRA 微调 70B
example-qlora-70b-48gb-note = 仔细看看 QLoRA 论文的说法：4 位的各层占 33 GiB，但嵌入层和输出层仍为 16 位，又增加将近 4 GiB。剩下的显存决定序列能有多长。
example-gpt2-small = GPT-2 small：拖动滑块来学习
example-gpt2-small-note = 这个模型小到任何显卡都能放下，并且不做任何重计算，因此每一部分都看得见。把微批量加倍：激活值和 logits 加倍，其余不变。改回 4，把注意力换成 eager：这时会保留注意力分数。再把序列长度加倍到 1,024，即 GPT-2 支持的最大长度：注意力分数变为四倍，显卡就满了。
example-fsdp-8b-8xh100 = 在 8 块 H100 上用 FSDP 预训练 8B（torchtitan）
example-fsdp-8b-8xh100-note = torchtitan 的第一个配方：单节点上的完全分片数据并行，fp32 分片在聚合时转换为 bf16，每隔一个矩阵乘法保留其结果。128k 词表的 logits 是最大的部分之一：试试分块损失。
example-pretrain-70b-256xh100 = 在 256 块 H100 上预训练 70B：TP 8、PP 4
example-pretrain-70b-256xh100-note = 节点内张量并行，四个流水线阶段，八个数据并行副本，配合分布式优化器。什么都不需要重计算。第一个阶段同时持有四个微批次，最后一个阶段只有一个：看看它们的占用有多么不同。
example-pretrain-405b-1024xh100 = 在 1024 块 H100 上预训练 405B：126 层分到 16 个阶段
example-pretrain-405b-1024xh100-note = 126 不能被 16 整除，也不必整除：第一个阶段还持有嵌入层，最后一个阶段还持有输出层，所以这两个阶段各 7 层，其余各 8 层。关闭重计算，最前面的几个阶段就会溢出：它们最多同时持有 16 个微批次。
example-mixtral-expert-parallel = 在 64 块 H100 上用专家并行训练 Mixtral 8x7B
example-mixtral-expert-parallel-note = 每个词元只用到 470 亿参数中的 130 亿，但全部参数都得有地方存放。八个进程各持有每层的一个专家。把专家并行设为 1，每个 GPU 就要持有全部八个专家。
example-deepseek-v3-2048xh800 = 在 2048 块 H800 上训练 DeepSeek-V3
example-deepseek-v3-2048xh800-note = 依据其技术报告（arXiv:2412.19437）：61 层分为 16 个流水线阶段，专家分布在 64 个进程上，不用张量并行，矩阵乘法用 fp8，Adam 矩用 bf16。词元对每个节点只跨网络一次，并隐藏在另一个微批次的计算之后，与其 DualPipe 调度相同；其余部分以一前一后（1F1B）调度代替，以整块重计算代替其选择性重计算。估算比报告中预训练所用的 266 万 GPU 小时高四分之一；每个词元最多发往四个节点的限制没有建模。
example-serve-8b-64-users = 在一块 48 GB 显卡上为 64 个用户部署 8B 推理
example-serve-8b-64-users-note = 权重只付一次，缓存则每个用户都要付。还能再容纳多少用户，每个用户还能分到多快的速度？试试 fp8 缓存和更长的回答。
example-serve-70b-4bit-2x24gb = 在两块 24 GB 显卡上以 4 位部署 70B 推理
example-serve-70b-4bit-2x24gb-note = 家用的热门选择：每块显卡持有每一层的一半。仅权重就占去大部分显存，因此能商量的只有对话的长度。没有桥接器时，两块显卡经由 PCI Express 通信。
example-custom-13b-and-card = 自己的 13B 模型与自己的显卡
example-custom-13b-and-card-note = 模型和显卡都不在目录中：两者都写在这个文件里。如果有人造出一块 64 GB、GDDR7、512 位总线的显卡，LoRA 放得下吗？
