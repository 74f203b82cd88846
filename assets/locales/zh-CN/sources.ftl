# 公式与常数的来源。文献在各语言中均按原样引用。

## Memory
source-traced = 真实训练步的存储跟踪（torch 2.15、transformers 5.24），见 docs/engine.md
source-traced-backward = 跟踪得到的反向传播中张量产生与释放的顺序；为估计值
source-traced-fsdp = 跟踪得到的 FSDP2 训练步中聚合与规约的顺序；单层反向内为上限估计
source-nccl-buffers = NVIDIA/nccl issue 964：每个通信组，A100；NCCL 自身的通道数与对端数随拓扑而异
source-contexts = 按架构实测的上下文（内核延迟加载；见目录 overheads）
source-cublas-workspace = PyTorch 为每个句柄和流默认分配的 cuBLAS 工作区（pytorch pull 89027、175344）
source-allocator = PyTorch 缓存分配器：未占满的内存段，以及反复分配与释放造成的碎片（比例为选定值，未经拟合）
source-ddp-buckets = torch DistributedDataParallel：梯度之外另有桶（gradient_as_bucket_view 默认关闭）
source-flash-kernel = FlashAttention 2 反向传播在内核中分配的缓冲区
source-deepspeed-bucket = DeepSpeed 配置默认值：reduce_bucket_size 5e8
source-deepspeed-live = DeepSpeed 配置默认值：stage3_max_live_parameters 1e9
source-sequence-parallel = Korthikanti et al. 2022, arXiv:2205.05198，第 4.2 节：聚合的输入及其梯度
source-pipeline-messages = 阶段之间接收一份激活、发送一份梯度
source-parameter-shapes = 定义；参数形状取自参考实现
source-weight-format = 该格式连同缩放因子的存储大小；只量化线性层
source-lora = Hu et al. 2021, arXiv:2106.09685：每个带适配器的线性层为 r·(输入 + 输出)
source-gradients = 定义：每个参与训练的参数一个梯度，冻结的参数没有
source-optimizer-states = 由各库自身代码（torch、bitsandbytes、torchao）产生的状态大小
source-master-weights = Micikevicius et al. 2017, arXiv:1710.03740，第 3.1 节
source-kv-cache = 定义：每个词元、每一层各一个键和一个值（或一个潜向量）；滑动窗口层只保留窗口内的部分
source-serving-workspace = 单层中最大的中间张量，2·(4·h + (2·A + 2·K + 3·f)/t)；超过 8,192 个词元的提示词分块处理
source-serving-logits = 最后位置的 logits，16 位与 32 位各一份

source-offload = 正在使用的一层与下一层；词嵌入与输出头常驻
source-megatron-runs = 公布了存活张量峰值的 Megatron 与 Transformer Engine 运行

## Speed
source-definition = 定义
source-roofline = Williams, Waterman, Patterson 2009, Roofline
source-ring = nccl-tests, Performance：环算法
source-pipeline = Narayanan et al. 2021, arXiv:2104.04473；Qi et al. 2024, arXiv:2401.10241
source-utilisation = Chowdhery et al. 2022, arXiv:2204.02311，附录 B
source-catalogue-price = 目录中的标价，为显卡发布当年的价格
source-power = 功耗上限的比例：Chung 等 2026，arXiv:2601.22076；Ma 等 2026，arXiv:2605.11999；通信的比例为假设
source-micro-benchmarks = mamf-finder（ml-engineering）、gpu_benchmark 扫描、BabelStream、gpu-benches、FlashAttention-2 基准测试
source-link-benchmarks = 互联目录中的 nccl-tests 数据
source-assumed = 假设
