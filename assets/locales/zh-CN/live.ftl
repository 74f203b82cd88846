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
live-replay-time = { $path } 第 { $line } 行：此采样早于前一个
live-remedy-replay = 请选择另一份记录，或修正文件后重试
