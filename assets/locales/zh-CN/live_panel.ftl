# 实时面板：本机（或集群）显卡的实际使用，与计划并列。

action-show-live = 实时标签页
tab-live = 实时

live-source = 数据来源
live-source-machine = 本机
live-source-machine-hint = 本机的 NVIDIA 显卡，数据由驱动程序提供
live-source-recording = 录制文件…
live-source-recording-hint = 回放在本机或其他机器上录制的数据
live-source-prometheus = Prometheus 服务器
live-source-prometheus-hint = 从抓取 NVIDIA DCGM 导出器的 Prometheus 服务器读取多台机器的数据
live-source-example = 示例：8 张满载显卡
live-source-example-hint = 程序自带的虚构录制
live-server = Prometheus 服务器地址
live-connect = 连接

live-status-stopped = 未在读取
live-status-starting = 等待第一次采样
live-status-running = 运行中
live-status-paused = 已暂停
live-status-waiting = 已 { $secs } 秒没有应答
live-status-failed = 无法读取
live-pause = 暂停
live-resume = 继续

live-record = 录制
live-record-stop = 停止录制
live-format-replay = 用于回放（.jsonl）
live-format-replay-hint = 读到的全部数据，可在本面板回放
live-format-csv = 表格（.csv）
live-format-csv-hint = 每张显卡每次采样一行，供电子表格使用；不含进程
live-recording-to = 正在录制到 { $file }
live-recorded = 已录制 { $count } 次采样到 { $file }

live-interval = 间隔
live-interval-hint = 两次采样之间的时间
live-alert = 警告线
live-alert-hint = 显存占用超过此比例时警告；100 % 表示从不警告
live-reset-peaks = 重置峰值
live-reset-peaks-hint = 竖线标出至今的最高占用；点此重新开始
live-driver = 驱动
live-cuda = CUDA

live-position = 位置
live-position-of = { $at } / { $length }
live-speed = 回放速度
live-loop = 循环

live-fault-goes-on = 其他标签页中的计划照常进行。
live-retry = 重试
live-without-title = 本机没有显卡时
live-example-text = 用一份虚构的示例看看面板如何工作。
live-open-example = 显示 8 张满载显卡
live-recording-text = 回放在另一台机器上用本面板录制的数据。
live-open-recording = 打开录制文件…
live-prometheus-text = 查看集群中的显卡，前提是有 Prometheus 服务器抓取 NVIDIA DCGM 导出器。
live-use-prometheus = 使用 Prometheus 服务器
live-no-sample = 第一次采样即将到来。
live-last-sample = 以下是最后一次读到的数据。

live-alert-line = 显存占用超过 { $line }：{ $gpus }
live-alert-gpu = { $gpu }（{ $share }）
live-alert-more = 另有 { $count } 张

live-unknown-gpu = 未命名显卡
live-gpu-index = GPU { $index }
live-gpu-on-host = { $host } GPU { $index }
live-selected-gpu = { $place }：{ $name }
live-gpu-sentence = { $place }，{ $name }：显存 { $memory }，繁忙 { $compute }，{ $state }
live-gpu-lost = 此显卡不再应答：它已从总线上掉线
live-gpu-lost-remedy = 此显卡不再应答：它已从总线上掉线，下面是它最后的数据。请在系统日志中查找“Xid”；需要重置显卡或重启机器后才能再用。
live-used-of-total = { $used } / { $total } GiB
live-column-gpu = GPU
live-column-temperature = 温度

live-health-fine = 正常
live-health-held-back = 降频
live-health-errors = 显存错误
live-health-alert = 将满
live-health-lost = 掉线

live-fleet-state = 状态
live-fleet-host = 主机
live-fleet-gpu = GPU
live-fleet-name = 显卡
live-fleet-memory = 显存
live-fleet-compute = 繁忙
live-fleet-temperature = 温度
live-fleet-power = 功率
live-fleet-filter = 筛选
live-fleet-filter-prompt = 主机、显卡或 UUID
live-fleet-count = { $all } 张显卡中的 { $shown } 张
live-fleet-sort = 按{ $column }排序
live-fleet-sentence = { $place }：{ $memory }，{ $state }

live-history-title = 历史
live-window-minute = 1 分钟
live-window-five-minutes = 5 分钟
live-window-quarter = 15 分钟
live-window-hour = 1 小时
live-plot-memory = 已用显存：{ $now }
live-plot-memory-peak = 已用显存：{ $now }，峰值 { $peak }
live-plot-compute = 繁忙：{ $now }
live-peak = 峰值
live-now = 现在
live-secs-ago = −{ $secs } 秒
live-minutes-ago = −{ $minutes } 分

live-fact-used = 已用
live-fact-used-hint = 进程占用的显存
live-fact-free = 空闲
live-fact-reserved = 保留
live-fact-reserved-hint = 驱动程序和固件自用的显存
live-fact-total = 总量
live-fact-compute = 繁忙
live-fact-compute-hint = 有内核运行的时间比例；并不说明显卡用得多好
live-fact-memory-busy = 显存繁忙
live-fact-memory-busy-hint = 读写显存的时间比例
live-fact-temperature = 温度
live-fact-power = 功率与上限
live-fact-sm-clock = 频率
live-fact-memory-clock = 显存频率与上限
live-fact-pcie = PCIe 发送与接收
live-fact-nvlink = NVLink 发送与接收
live-fact-ecc = 显存错误
live-fact-ecc-hint = 自驱动程序加载以来：已纠正的无害，未纠正的会破坏结果
live-fact-capability = 计算能力
live-fact-bus-width = 显存位宽
live-fact-bus-id = 总线号
live-fact-throttling = 降频原因
live-fact-uuid = UUID
live-fact-name = 名称
live-traffic = { $sent }，{ $received }
live-errors = 已纠正 { $corrected }，未纠正 { $uncorrected }
live-bits = { $bits } 位
live-not-throttled = 无
live-mig-title = 此显卡的实例

live-processes-title = 进程
live-no-processes = 没有程序使用此显卡。
live-processes-all = 此显卡上共 { $count } 个，全部与计划比较；勾选若干个则只比较它们
live-processes-chosen = 选中的 { $count } 个与计划比较
live-processes-reset = 比较全部
live-process-counted = 比较
live-process-pid = 编号
live-process-name = 名称
live-process-user = 用户
live-process-kind = 类型
live-process-memory = 显存
live-process-count-it = 将进程 { $pid } 与计划比较
live-process-compute = 计算
live-process-graphics = 图形

path-recording-heading = 回放录制
path-record-heading = 录制到文件
path-record = 录制
dialog-filter-recording = vramplan 录制
