## 需要通信的并行维度
group-tensor = 张量并行
group-tensor-hint = 每个块的每次前向或反向都有两次全规约，无法隐藏，因此该组最好位于同一节点内。
group-context = 上下文并行
group-context-hint = 键和值沿环传递，同时注意力对已到达的部分进行计算。
group-expert = 专家并行
group-expert-hint = 在每个含专家的块中，词元被发送到各自的专家再返回。
group-pipeline = 流水线阶段
group-pipeline-hint = 激活发送到下一阶段，其梯度再传回来。
group-data = 数据并行
group-data-hint = 各副本的梯度求和，分片的参数按需收集；大部分隐藏在计算之后。

## 主要数字的由来
term-tokens-per-sec = 全部 GPU 每秒词元数
term-tokens-per-sec-per-gpu = 单个 GPU 每秒词元数
term-model-flops = 一步的模型 FLOPs：每个激活参数和词元 6 次（各块与输出头，不含嵌入），注意力按完整计算，不因因果掩码减半
term-model-flops-frozen = 一步的模型 FLOPs：冻结参数不需要权重梯度，每个计 4 次，适配器参数每个计 6 次，注意力按完整计算，不因因果掩码减半
term-mfu = 模型 FLOPs 利用率：模型 FLOPs 与 GPU 标称算力之比，不计重计算
term-hfu = 硬件 FLOPs 利用率：同上，计入重计算
term-time-to-train = 全部训练词元所需时间
term-peak-fallback = 峰值算力：该卡不支持此计算格式，改用其支持的最接近格式
term-decode = 每秒生成词元数，全部序列
term-decode-per-user = 每秒生成词元数，单个序列
term-decode-ceiling = 上限：以全部显存带宽读取权重和缓存
term-first-token = 单个提示的首个词元时间
term-prefill = 每秒提示词元数
term-cards = 全部显卡的标价
term-bandwidth = 单个 GPU 每秒与显存之间搬运的字节
term-power = 单个 GPU 的平均功耗
term-energy = 全部训练词元的 GPU 能耗，kWh
term-energy-per-million = 每生成一百万词元的 GPU 能耗，kWh
term-cost = 全部训练词元的费用
term-cost-per-million = 每生成一百万词元的费用
