## Headline figures
speed-title = 速度
speed-note = 由屋顶线模型得出的估计；所依据的达成比例列在下方
speed-does-not-fit = 此方案放不进显存，因此以下数值都达不到。它们表示在速度相同而显存更大的显卡上的表现。
speed-why = 这些数值的算法
speed-unknown = 未知
speed-per-gpu = 每个 GPU
speed-per-gpu-hint = 每秒训练的词元数除以 GPU 数。序列的每个位置都计入，包括填充。
speed-in-all = 合计
speed-in-all-hint = 所有 GPU 每秒训练的词元数。序列的每个位置都计入，包括填充。
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
speed-energy-hint = 仅显卡，按平均功耗计算；主机和散热另计。功耗上限未知时无法给出。
speed-power = 单个 GPU 功耗
speed-power-of-limit = { $limit } 的 { $share }
speed-power-hint = 整步的平均值：受算力限制时接近上限，受显存带宽限制时明显更低，等待时最低。公式列在下方。
speed-energy-million = 每百万词元能耗
speed-energy-million-hint = 仅显卡，每生成一百万词元；提示词、主机和散热另计。
speed-cost-million = 每百万词元费用
speed-cost-million-hint = 生成一百万词元所用 GPU 小时的价格；提示词另计。未填价格时无法给出。
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
roofline-bandwidth = { $memory } { $bandwidth }
roofline-memory = 显存
roofline-host = 经 { $link } 访问主机内存，{ $bandwidth }
roofline-ceiling = { $dtype } { $peak }
roofline-hover = { $name }：每字节 { $intensity } FLOPs，{ $rate }

## What the roofline teaches
lesson-title = 这说明什么
lesson-intensity = 计算强度等于 FLOPs 除以搬运的字节数。按 { $peak } 和 { $bandwidth }，此卡在一个字节到达的时间里能算 { $ridge } FLOPs：这就是拐点。左侧的操作等待字节，右侧的等待算力。
lesson-operation-left = { $name }，占操作时间的 { $share }：每字节 { $intensity } FLOPs，在拐点左侧。受限于：{ $bound }。
lesson-operation-right = { $name }，占操作时间的 { $share }：每字节 { $intensity } FLOPs，在拐点右侧。受限于：{ $bound }。
lesson-operation-bytes = { $name }，占操作时间的 { $share }：搬运字节而几乎没有计算，远在拐点左侧。受限于：{ $bound }。
lesson-stacked = HBM 与 GDDR：此卡的 { $memory } 为 { $bandwidth }；目录中最快的 GDDR 显卡（{ $card }，{ $other-memory }）为 { $other-bandwidth }。等待字节的操作在那里要用 { $times } 倍的时间。
lesson-not-stacked = HBM 与 GDDR：此卡的 { $memory } 为 { $bandwidth }；目录中最快的 HBM 显卡（{ $card }，{ $other-memory }）为 { $other-bandwidth }。等待字节的操作在这里要用 { $times } 倍的时间。
lesson-host = 显存与主机内存：{ $link } 为 { $bandwidth }。读取一遍权重（{ $weights }）从 { $memory } 需要 { $near }，如果权重放在主机内存则需要 { $far }：按标称速率是 { $times } 倍。
lesson-host-shared = 显存与主机内存：CPU 与 GPU 共用这块内存，中间没有链路。
lesson-cache = L2 缓存（{ $size } MB）比这些都快，但厂商不公布其带宽，因此没有画线。

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
