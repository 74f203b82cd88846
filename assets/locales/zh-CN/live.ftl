# 本机与集群的 GPU：为何没有读数、读不到来源时怎么办。

live-missing-not-supported = 此显卡或其驱动模式没有这个传感器
live-missing-no-permission = 没有读取权限；管理员可以放开
live-missing-function = 驱动太旧：缺少 { $function }
live-missing-gpu-lost = GPU 不再回应：已从总线上掉线
live-missing-not-available = 驱动在这里不提供此值（Windows、WSL 和容器会隐藏它）
live-missing-not-reported = 数据来源没有报告此值
live-missing-code = 驱动返回了未知的代码：{ $code }

live-throttle-idle = 没有任务运行，所以频率低
live-throttle-application-clocks = 有人设置了较低的频率
live-throttle-power-cap = 频率受功率上限限制
live-throttle-hardware = 硬件降频（温度、供电或故障）
live-throttle-sync-boost = 与同组的其他 GPU 保持同步
live-throttle-thermal-software = 驱动为防止过热而降频
live-throttle-thermal-hardware = 温度过高，硬件已降频
live-throttle-power-brake = 电源要求降频
live-throttle-display-clocks = 受显示频率限制
live-throttle-unknown = 其他未知原因

live-fault-no-gpus = 驱动正常，但没有找到 NVIDIA GPU
live-remedy-no-gpus = 请检查显卡是否插好并通电，以及此容器或会话是否可以看到它；然后重试
live-fault-no-library = NVIDIA 的库没有安装或无法加载：{ $reason }
live-remedy-no-library = 请安装 NVIDIA 驱动（Debian：nvidia-driver；容器：启动时允许访问 GPU），然后重试
live-fault-driver-not-loaded = NVIDIA 的库存在，但驱动没有加载
live-remedy-driver-not-loaded = 请加载驱动（“modprobe nvidia”）或重新启动计算机，然后重试
live-fault-version-mismatch = NVIDIA 的库与已加载的驱动版本不同，通常发生在更新之后
live-remedy-version-mismatch = 请重新启动计算机，或重新加载驱动模块，然后重试
live-fault-no-permission = 没有访问 NVIDIA 驱动的权限
live-remedy-no-permission = 请申请访问 /dev/nvidia*（通常是“video”或“render”组，或容器的 GPU 选项），然后重试
live-fault-old-library = 加载的库不是 NVIDIA 的，或者太旧：{ $reason }
live-remedy-old-library = 请更新 NVIDIA 驱动后重试
live-fault-code = NVIDIA 驱动返回了未知的代码：{ $code }
live-fault-driver = 无法读取 NVIDIA 驱动：{ $reason }
live-remedy-code = 请查看“nvidia-smi”的输出；如果它也失败，请重新启动计算机，然后重试
live-fault-without-nvml = 此 vramplan 构建时没有包含读取 NVIDIA GPU 的功能
live-remedy-without-nvml = 请使用带有“nvml”功能的版本，或播放一份记录
live-fault-no-thread = 系统无法再创建线程：{ $reason }
live-remedy-no-thread = 请关闭其他程序后重试
live-fault-worker-ended = 读取 GPU 的部分意外停止了
live-remedy-worker-ended = 请重试；计划仍可继续使用
live-fault-no-prometheus = 此 vramplan 不能读取 Prometheus 服务器
live-remedy-no-prometheus = 请读取本机的 GPU，或播放一份记录

live-record-not-started = 没有在读取，无法记录；请先开始读取
live-record-failed = 记录已结束，因为 { $path } 无法写入：{ $reason }。请释放空间或选择另一个文件

live-replay-unreadable = 无法读取 { $path }：{ $reason }
live-replay-other = { $path } 不是 vramplan 的记录
live-replay-version = { $path } 的格式版本是 { $found }，此 vramplan 只能读取版本 { $known }
live-replay-empty = { $path } 中没有采样
live-replay-line = { $path } 第 { $line } 行第 { $column } 列：{ $reason }
live-remedy-replay = 请选择另一份记录，或修正文件后重试

live-hardware-found = 这是目录中的 { $name }
live-hardware-other-memory = 名称与 { $name } 相同，但显存不同：{ $found }，而不是 { $known }。速率取自目录，显存以驱动报告为准
live-hardware-described = 目录中没有 { $name }，因此按驱动报告的数据描述：{ $equation }
live-hardware-no-rates = 它的计算速度未知，在您输入速率之前不估算速度
live-hardware-no-name = 此 GPU 没有报告名称，无法使用；请在目录中选择显卡
live-hardware-no-memory = { $name } 没有报告显存大小；请在目录中选择显卡
live-hardware-no-bandwidth = 目录中没有 { $name }，它也没有报告显存位宽或频率；请手动描述为自定义显卡

live-calibrate-no-process = 进程 { $pid } 已不再使用此 GPU；请选择另一个
live-calibrate-hidden = 驱动没有提供此进程占用多少显存，无法用它测量
live-calibrate-not-idle = 此进程占用 { $bytes }；只有上下文的进程占用 { $least } 到 { $most }。请启动 Python，运行“torch.cuda.init()”，然后选择该进程
live-calibrate-below-plan = 运行占用 { $measured }，少于计划中除上下文之外的部分（共 { $planned }），因此不能说明本机的开销；请先让计划与运行一致

live-bar-tensors = 存活的张量
live-bar-reserve = 分配器保留
live-bar-context = 上下文和库
live-bar-run = 运行的进程
live-bar-others = 其他进程
live-bar-unlisted = 已用，但驱动没有列出
live-bar-driver = 驱动保留
live-bar-free = 空闲

live-compare-no-stage = 计划中没有这个流水线阶段；请选择另一个
live-compare-no-memory = 此 GPU 没有报告已用显存，无法比较
live-compare-no-process = 所选进程已不再使用此 GPU；请选择另一个进程或整个 GPU
live-compare-hidden = 驱动没有提供所选进程占用多少显存；请改为比较整个 GPU

live-cause-within-band = 与计划一致
live-cause-loading = 仍在加载
live-cause-not-at-peak = 还没有到峰值
live-cause-other-process = 另一个进程
live-cause-unlisted = 未列出的使用者
live-cause-growing = 占用在增长
live-cause-fragmentation = 碎片
live-cause-micro-batch = 另一个微批大小
live-cause-sequence = 另一个序列长度
live-cause-concurrency = 另一个并发数
live-cause-larger-reserve = 分配器保留更多
live-cause-smaller-reserve = 分配器保留更少
live-cause-context = 另一个上下文大小
live-cause-old-driver = 旧驱动

live-why-within-band = { $measured } 在估算允许的 { $low } 到 { $high } 之间
live-why-loading = 运行占用 { $measured }，而计划在步与步之间就保留 { $idle }：权重或优化器状态还没有全部加载
live-why-not-at-peak = 运行占用 { $measured }，在空闲时的 { $idle } 与计划峰值 { $peak } 之间：开始观察以来可能还没有到峰值
live-why-other-process = 另有 { $count } 个进程占用此 GPU 的 { $bytes }；选择运行自己的进程即可排除它们
live-why-other-process-drawing = 另有 { $count } 个进程占用此 GPU 的 { $bytes }（其中绘图：{ $drawing }）；选择运行自己的进程即可排除它们
live-why-unlisted = { $bytes } 由驱动没有列出的使用者占用，例如另一个容器
live-why-growing = 占用在 { $minutes } 分钟内增长了 { $bytes }：碎片、更长的输入，或误保留的张量
live-why-fragmentation = 长度变化且内存段不能扩展，释放的块常常不适合下一次请求；{ $bytes } 可能是这样的空隙。“expandable_segments:True”可以避免
live-why-micro-batch = 如果微批是 { $other } 而不是 { $now }，计划将占用 { $bytes }
live-why-sequence = 如果序列长度是 { $other } 而不是 { $now } 个 token，计划将占用 { $bytes }
live-why-concurrency = 如果同时服务 { $other } 个而不是 { $now } 个序列，计划将占用 { $bytes }
live-why-larger-reserve = 计划中分配器保留 { $planned }；{ $needed } 就能解释差异。“torch.cuda.memory_reserved()”可以查看
live-why-smaller-reserve = 计划中分配器保留 { $planned }；{ $needed } 就能解释差异
live-why-context = 计划中上下文和库占用 { $planned }；{ $needed } 就能解释差异。用一个空闲进程校准即可知道
live-why-old-driver = 此驱动太旧，不能区分它自己保留的部分；最多 { $bytes } 可能属于它

term-measured-overhead = 上下文和库（实测）
source-measured-here = 在本机测得

live-address-empty = 请输入 Prometheus 服务器的地址，例如 http://prometheus:9090
live-address-no-scheme = 地址没有以 http:// 或 https:// 开头
live-address-scheme = 不能用“{ $scheme }”访问 Prometheus 服务器；请使用 http 或 https
live-address-host = “{ $host }”不是主机名和端口
live-remedy-address = 请更正地址，例如 http://prometheus:9090
live-server-refused = { $host } 拒绝连接：那里没有程序在监听
live-remedy-server-refused = 请检查端口以及 Prometheus 是否在那里运行，然后重试
live-server-timeout = { $host } 没有及时回答
live-remedy-server-timeout = 请检查地址和网络，或允许更长的时间，然后重试
live-server-unknown-host = 没有主机 { $host }
live-remedy-server-address = 请检查地址和网络，然后重试
live-server-tls = 与 { $host } 的加密连接失败：{ $reason }
live-remedy-server-tls = 如果服务器没有加密，请使用 http://；否则请在本系统安装其机构的证书，然后重试
live-server-failed = 无法访问 { $host }：{ $reason }
live-server-denied = { $host } 需要名称和密码，或它们不正确（状态 { $status }）
live-remedy-server-denied = 请把它们写进地址，例如 https://name:password@host，然后重试
live-server-redirect = { $host } 把请求转到别处（{ $location }），这里不跟随
live-remedy-server-redirect = 如果信任那个地址，请直接输入它
live-server-not-found = { $host } 的这个路径没有 Prometheus（状态 { $status }）
live-server-status = { $host } 返回状态 { $status }
live-remedy-server-status = 请查看服务器的日志，然后重试
live-server-other = { $host } 有回答，但不是 Prometheus 服务器的回答
live-remedy-server-other = 请检查主机、端口和路径：地址就是 Prometheus 显示自己页面的地址
live-server-query = { $host } 拒绝了查询：{ $reason }
live-server-too-large = { $host } 的回答太大
live-server-no-figures = { $host } 有回答，但没有 GPU 的数据
live-remedy-server-no-figures = 请检查 GPU 机器上是否运行 NVIDIA 的 dcgm-exporter，以及此 Prometheus 是否采集它（其页面 Status，Targets）
live-server-stale = { $host } 最新的数据是 { $age } 之前的

live-cli-host = 驱动 { $driver }，CUDA { $cuda }
live-cli-gpu = GPU { $index } { $name }：已用 { $used }，共 { $total }，空闲 { $free }，利用率 { $compute }，{ $temperature }，{ $power }
live-cli-part = { "  " }{ $name }：已用 { $used }，共 { $total }
live-cli-process = { "  " }{ $pid } { $user }：{ $memory }，{ $name }
