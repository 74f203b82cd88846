# 方案中的错误与疑点，以及处理办法。

issue-unknown-model = 目录中没有模型“{ $name }”；请选择已有模型，例如 { $closest }
issue-unknown-gpu = 目录中没有 GPU“{ $name }”；请选择已有型号，例如 { $closest }

# 大小
issue-zero = { $field }过小；请设为 { $least } 或更大
issue-above-limit = { $field }为 { $value }；最大值为 { $limit }
issue-not-positive = { $field }必须是大于 0 且不超过 { $limit } 的数
issue-price = 价格必须是不小于 0 的数；未知时请留空
issue-lora-dropout = 适配器的 dropout 必须是概率：不小于 0 且小于 1
issue-uncountable-model = 该模型将占用超过 64 PiB；请减小宽度、层数或专家数
issue-uncountable = 单个进程将保留超过 64 PiB；请减小序列长度、序列数或层数

# 模型
issue-architecture = 模型字段“{ $name }”{ $rule }；请在模型编辑器中更正
issue-architecture-limit = 模型字段“{ $name }”为 { $value }；最大值为 { $limit }
issue-mla-head-dim = 使用潜在注意力时，头维度等于两部分之和：请将 { $head-dim } 改为 { $sum }
issue-no-positions = 位置表没有任何行；请为每个位置提供一行，或选择旋转位置编码

# 硬件
issue-gpu = GPU 字段“{ $name }”{ $rule }；请在 GPU 编辑器中更正
issue-gpu-limit = GPU 的显存或带宽大得不合理；显存单位为 GB，带宽单位为 GB/s
issue-bandwidth-mismatch = 带宽 { $given } 与“数据速率 × 位宽 / 8 = { $computed }”不符；数据速率指已翻倍的等效速率
issue-memory-in-use = 其他程序已占用 { $used }，共 { $capacity }；请关闭它们或选择显存更大的 GPU
issue-unified-memory = 该 GPU 与处理器和系统共享内存；按 { $capacity } 可用计算，已打开的程序会从中占用
issue-other-vendor = 上下文、分配器和实际利用率均在 NVIDIA 显卡上测得；对 { $vendor } 而言误差范围仅供粗略参考
issue-node-not-full = 最后一个节点只剩 { $rest } 个 GPU；每节点 { $per-node } 个，请让各节点数量相同

# 任务
issue-step-tokens = 单步将处理超过 { $limit } 个词元；请减小微批或梯度累积
issue-beyond-positions = { $tokens } 个词元超过模型的 { $rows } 个位置；请将序列缩短到 { $rows }
issue-beyond-context = { $tokens } 个词元超过模型设计的 { $most }；请缩短，否则效果会变差
issue-lora-rank = 秩 { $rank } 相对宽度 { $hidden } 并不低；请选择 8 到 256，或改用全参数训练
issue-lora-dtype = 适配器不能用 { $dtype } 训练；请选择 fp32、bf16 或 fp16
issue-lora-tied = 该模型的词嵌入与输出头是同一矩阵，因此只训练一次
issue-qlora-plain = QLoRA 指冻结权重为 4 位或 8 位；请选择此类权重格式，或将方法改为 LoRA
issue-lora-quantised = 在量化权重上做 LoRA 即为 QLoRA；请将方法改为 QLoRA，或选择 16 位权重格式
issue-q4km-training = llama.cpp 的格式不能用于训练；请选择 4 位 NormalFloat

# 精度
issue-dtype-missing = { $gpu } 不支持 { $dtype } 矩阵运算；请选择其中之一：{ $instead }
issue-int8-training = 不能用 int8 训练；请选择 bf16，或将 int8 作为 QLoRA 的权重格式
issue-fp4-training = fp4 训练仍属实验性质；估算未计入其方案保留的副本
issue-stored-dtype = 参数和梯度不能以 { $dtype } 保存；请选择 fp32、bf16 或 fp16
issue-reduce-dtype = 梯度不能以 { $dtype } 归约；请选择 fp32、bf16 或 fp16
issue-mixed-none = { $params } 参数不会自动用于 { $compute } 运算；请选择自动混合精度、主权重，或让两者格式一致
issue-pure-16bit = 没有 fp32 副本时，微小更新会被舍入丢失；这样省显存，但可能损失质量
issue-autocast-16bit = 自动混合精度针对 fp32 参数；请选择 fp32 参数，或不用混合精度
issue-autocast-fp32 = 自动转换为 fp32 没有任何作用；请选择 bf16 运算，或不用混合精度
issue-gather-16bit = 聚合时转换针对 fp32 分片；请选择 fp32 参数，或主权重
issue-gather-unsharded = 聚合时转换需要参数分片；请选择 ZeRO-3 / FSDP 分片，或自动混合精度
issue-master-fp32 = fp32 参数不需要主权重副本；请选择 bf16 参数，或不用混合精度
issue-state-dtype = 此处优化器状态不能用 { $dtype } 保存；请选择 fp32、bf16 或 fp16，或使用 8 位优化器
issue-state-dtype-fixed = 该优化器有自己的状态格式；此处的选择无效

# 并行
issue-gpus-too-few = { $gpus } 个 GPU 少于 { $tensor }（张量）× { $pipeline }（流水线）× { $context }（上下文）= { $product }；请使用 { $product } 个或降低某个并行度
issue-gpus-not-multiple = { $gpus } 个 GPU 不是 { $tensor }（张量）× { $pipeline }（流水线）× { $context }（上下文）= { $product } 的倍数；请使用 { $below } 或 { $above } 个
issue-tensor-heads = { $heads } 个查询头不能被 { $tensor } 整除；请将张量并行度设为 { $instead }
issue-tensor-kv-heads = { $heads } 个键值头既不能被 { $tensor } 整除，也不能均匀复制；请选择能整除它或被它整除的张量并行度
issue-tensor-kv-copies = { $heads } 个键值头少于 { $tensor } 个进程，因此每个头会保留多份；降低张量并行度可避免
issue-tensor-width = 宽度“{ $name }”为 { $width }，不能被 { $tensor } 整除；请将张量并行度设为 { $instead }
issue-tensor-vocab = 词表大小 { $vocab } 不是 { $tensor } 的倍数；框架会用空行补齐
issue-tensor-node = { $tensor } 个张量并行进程放不进 { $per-node } 个 GPU 的节点，每层都要等待网络；请降低并行度并增加流水线级数
issue-sequence-parallel = { $sequence } 个词元不能平均分给 { $tensor } 个张量并行进程；请更改长度，或关闭序列并行
issue-context-uneven = 长度 { $sequence } 的序列不能平均分给 { $context } 个进程；请使用 { $above } 个词元或其他并行度
issue-context-unbalanced = 因果环形注意力在序列能被 { $pieces } 整除时才均衡；请用 { $above } 个词元代替 { $sequence }
issue-context-attention = 上下文并行需要不写出注意力分数的内核；请选择 flash 注意力
issue-sharding-alone = 只有一个数据并行进程，分片不起作用；请增加 GPU 或关闭分片
issue-replicas-unsharded = 不分片时每个进程都是完整副本；请选择分片方式，或设为 1 个副本
issue-replicas = { $ranks } 个数据并行进程不能分成 { $replicas } 个副本；请选择能整除它的数

# 流水线
issue-pipeline-layers = { $stages } 个流水线级多于 { $layers } 层；每级至少要有一层
issue-stage-layers = 首级和末级占用 { $layers } 层中的 { $taken } 层，中间 { $stages } 级每级不足一层；请减少它们的层数
issue-stage-layers-sum = 只有首级和末级，它们占用 { $layers } 层中的 { $taken } 层；请使总和等于 { $layers }
issue-chunks = { $chunks } 个分块多于 { $layers } 层；请减少每级的分块数或级数
issue-one-chunk = 每级只有一个分块的交错调度就是普通调度；请设为 2 或更多，或选择 1F1B
issue-interleaved-micro-batches = 交错调度以 { $stages } 个微批为一轮；请用 { $above } 代替 { $micro-batches }
issue-few-micro-batches = { $micro-batches } 个微批填不满 { $stages } 级，多数级在等待；请累积 { $stages } 个或更多，最好是四倍

# 专家
issue-expert-without-experts = 该模型没有可分的专家；请将专家并行度设为 1，或选择混合专家模型
issue-expert-uneven = { $experts } 个专家不能平均分给 { $expert } 个进程；请选择 { $instead }
issue-expert-tensor-width = 宽度为 { $width } 的专家不能被 { $tensor } 整除；请选择能整除它的专家张量并行度
issue-expert-ranks = { $expert }（专家）× { $tensor }（专家张量）= { $group } 个进程，不能整除数据、上下文和张量并行的 { $ranks } 个进程；请降低其中之一
issue-expert-node = { $expert } 个专家并行进程跨越每节点 { $per-node } 个 GPU 的多个节点；词元每层要两次经过网络
issue-expert-huggingface = Hugging Face Trainer 没有专家并行；请选择 Megatron、DeepSpeed 或 FSDP2

# 优化器
issue-in-backward-accumulation = 反向传播中更新会立即释放每个梯度，无法累积 { $micro-batches } 个微批；请将梯度累积设为 1
issue-in-backward-clipping = 反向传播中更新看不到全部梯度；请关闭按总范数裁剪
issue-in-backward-framework = DeepSpeed 和 Megatron 使用自己的优化器步骤；请关闭反向传播中更新，或选择其他框架

# 重计算
issue-core-attention-flash = flash 注意力不保留分数，此处没有可重计算的内容；要省显存请选择范围更大的策略
issue-every-nth = { $layers } 层中每 { $every } 层一次等于没有；请选择更小的数

# 框架
issue-huggingface-parallel = Hugging Face Trainer 自身不会这样切分模型；请选择 Megatron、DeepSpeed 或 FSDP2
issue-huggingface-sharding = Hugging Face Trainer 通过 FSDP 或 DeepSpeed 分片；请选择对应框架以计入其缓冲区
issue-huggingface-offload = Hugging Face Trainer 通过 FSDP 或 DeepSpeed 卸载；请选择对应框架
issue-fsdp-zero1 = FSDP2 没有只分片优化器状态的模式；请选择 ZeRO-2 或 ZeRO-3
issue-fsdp-zero2 = 在 FSDP2 中，这相当于前向后不重新分片的完全分片
issue-fsdp-offload = FSDP2 会同时卸载参数、梯度和优化器状态
issue-deepspeed-pipeline = DeepSpeed 的流水线最多配合 ZeRO-1；请选择 ZeRO-1 或单级
issue-deepspeed-param-offload = DeepSpeed 仅在 ZeRO-3 下卸载参数；请选择 ZeRO-3，或只卸载优化器状态
issue-deepspeed-offload = DeepSpeed 在 ZeRO-1 至 3 下卸载优化器状态；请选择分片方式
issue-megatron-sharding = Megatron 的分布式优化器相当于 ZeRO-1；更多分片需使用其 FSDP 版本
issue-megatron-optimizer = Megatron 提供 AdamW、SGD 和 Muon；请选择其一或其他框架
issue-megatron-offload = Megatron 可卸载优化器状态，但不能卸载参数；请选择前者
issue-keep-logits = 该损失不产生完整 logits，因此没有可保留的内容
