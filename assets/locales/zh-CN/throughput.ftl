## Headline figures
speed-title = 速度
speed-note = 由屋顶线模型得出的估计；所依据的达成比例列在下方
speed-does-not-fit = 此方案放不进显存，因此以下数值都达不到。它们表示在速度相同而显存更大的显卡上的表现。
speed-why = 这些数值的算法
speed-unknown = 未知
speed-per-gpu = 每个 GPU
speed-per-gpu-hint = 每秒训练的词元数除以 GPU 数。
speed-in-all = 合计
speed-in-all-hint = 所有 GPU 每秒训练的词元数。
speed-step = 步时间
speed-step-hint = 一次优化器步骤，含其全部微批次。
speed-mfu = MFU
speed-mfu-hint = 模型算力利用率：每参数每词元 6 次运算加上注意力，占显卡峰值的比例。
speed-hfu = HFU
speed-hfu-hint = 硬件算力利用率：在上述基础上计入重计算。
speed-time = 训练时间
speed-time-hint = 不含重启、评测和数据加载。
speed-gpu-hours = GPU 小时
speed-gpu-hours-hint = 训练时间乘以 GPU 数。
speed-energy = 能耗
speed-energy-hint = 按板卡功耗上限计算；上限未知时无法给出。
speed-cost = 费用
speed-cost-hint = 方案中每 GPU 小时的价格乘以 GPU 小时；未填价格时无法给出。
speed-cost-value = { $cost } 美元
speed-cost-unset = 请填写“{ $field }”
speed-decode = 生成，所有序列
speed-decode-hint = 所有序列每秒生成的词元数。
speed-per-user = 生成，单个用户
speed-per-user-hint = 单个序列每秒得到的词元数。
speed-token-latency = 每个词元
speed-token-latency-hint = 同一序列相邻两个生成词元的间隔。
speed-first-token = 首个词元
speed-first-token-hint = 单个请求看到首个生成词元的时间。
speed-prefill = 提示词
speed-prefill-hint = 每秒处理的提示词的词元数。
speed-decode-ceiling = 上限，所有序列
speed-decode-ceiling-hint = 显存带宽全部用满时的极限，不是估计。
speed-bound-by = 受限于：{ $bound }。

## Step time
time-title-step = 一步的时间去向：{ $total }
time-title-token = 生成一个词元的时间去向：{ $total }
time-part = 时间份额
time-row = { $part }：{ $time }，{ $share }。{ $why }
step-description = 步时间 { $total }，按份额
step-segment = { $part } { $time }，{ $share }
time-compute = 计算
time-compute-hint = 受显卡算力限制的矩阵乘法和注意力。
time-memory = 显存带宽
time-memory-hint = 等待显存的操作：归一化、激活函数、损失，以及推理时读取权重和缓存。
time-recompute = 重计算
time-recompute-hint = 因激活检查点而在反向传播中重复的前向计算。
time-communication = 未掩盖的通信
time-communication-hint = 没有被计算掩盖的 GPU 间通信。
time-bubble = 流水线气泡
time-bubble-hint = 各阶段在首个微批次之前和末个微批次之后的等待。
time-optimizer = 优化器步骤
time-optimizer-hint = 读写参数、梯度和状态。
time-host = 主机传输
time-host-hint = 没有被计算掩盖的主机内存传输。
time-launch = 内核启动
time-launch-hint = 等待主机启动的小操作。

## What bounds the speed
bound-compute = 算力
bound-compute-hint = 算力更高的显卡、更窄的数值格式或更少的重计算可以改善。
bound-memory = 显存带宽
bound-memory-hint = 带宽更高的显卡、更大的批次、融合内核或更小的权重可以改善。
bound-communication = 通信
bound-communication-hint = 更快的互联、更少的跨节点分片、更大的微批次或更多的梯度累积可以改善。
bound-bubble = 流水线气泡
bound-bubble-hint = 更多的微批次、更少的阶段或交错调度可以改善。
bound-host = 主机链路
bound-host-hint = 减少卸载或使用更快的主机链路可以改善。
bound-launch = 启动延迟
bound-launch-hint = 更大的批次、编译模型或 CUDA Graphs 可以改善。

## Roofline
roofline-title = 屋顶线
roofline-note = 拐点左侧的操作等待显存，右侧的等待算力；点越大，占用的时间越多。没有矩阵运算的操作不画点：只计其搬运的字节。
roofline-x = 每搬运一字节的 FLOPs
roofline-y = TFLOPS
roofline-bandwidth = 显存 { $bandwidth }
roofline-ceiling = { $dtype } { $peak }
roofline-hover = { $name }：每字节 { $intensity } FLOPs，{ $rate }

## Operations
operations-name = 操作
operations-time = 时间
operations-flops = TFLOP
operations-bytes = 搬运
operations-intensity = FLOPs/字节
operations-bound = 受限于
operations-row = { $name }：{ $time }，{ $share }，受限于{ $bound }
op-matmul = 矩阵乘法
op-matmul-hint = 与各层权重的乘积。
op-attention = 注意力
op-attention-hint = 分数、softmax 与加权求和。
op-elementwise = 逐元素操作
op-elementwise-hint = 归一化、激活函数、残差相加和旋转位置编码：计算少，搬运多。
op-head = 输出头
op-head-hint = 与词表的乘积。
op-loss = 损失
op-loss-hint = 对词表的 softmax 与交叉熵。
op-dequantise = 解包权重
op-dequantise-hint = 相乘之前把量化权重还原为 16 位。
op-optimizer = 优化器
op-optimizer-hint = 读写参数、梯度和状态。

## Achieved fractions
fractions-title = 估计所依据的比例
fractions-note = 没有硬件能达到标称峰值；这些比例在类似硬件上测得，来源标为“假设”的为假设值
fractions-of = 比例
fractions-value = 达成
fractions-source = 来源
fractions-row = { $name }：{ $value }。{ $source }
table-cell-tip = { $title }：{ $text }
fraction-matmul = 占峰值算力（矩阵乘法）
fraction-attention = 占峰值算力（注意力）
fraction-bandwidth = 占显存带宽
fraction-node-link = 占节点内互联带宽
fraction-network = 占节点间网络带宽
fraction-overlap = 被掩盖的通信比例

## Traffic between GPUs
traffic-title = GPU 间通信
traffic-note = 最忙的 GPU 每步（或每个生成词元）的通信；被计算掩盖的部分不占时间
traffic-group = 通信组
traffic-ranks = GPU 数
traffic-hidden = 已掩盖
traffic-exposed = 未掩盖
traffic-link = 链路
traffic-across-nodes = 跨节点
traffic-inside-node = 节点内
traffic-row = { $group }，{ $ranks } 个 GPU：{ $time }，其中未掩盖 { $exposed }
