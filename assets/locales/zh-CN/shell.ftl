# 窗口外框：菜单、状态栏、命令面板、对话框、消息、帮助。

menu-file = 文件
menu-edit = 编辑
menu-view = 视图
menu-help = 帮助
menu-recent = 最近打开
menu-examples = 示例
menu-reset = 重置分组
menu-language = 语言
menu-palette = { $keys } 命令

action-new = 新建方案
action-open = 打开…
action-save = 保存
action-save-as = 另存为…
action-edit-title = 标题和备注…
action-clear-recent = 清除最近文件
action-quit = 退出
action-undo = 撤销
action-redo = 重做
action-pin = 固定方案以便对比
action-unpin = 取消固定
action-restore-pinned = 恢复到固定的方案
action-palette = 命令面板…
action-show-memory = 显存页
action-show-throughput = 吞吐量页
action-zoom-in = 放大
action-zoom-out = 缩小
action-zoom-reset = 缩放到 100 %
action-theme-system = 跟随系统主题
action-theme-light = 浅色主题
action-theme-dark = 深色主题
action-toggle-advanced = 高级设置
action-show-log = 消息日志
action-clear-log = 清空消息日志
action-show-help = 使用指南
action-show-about = 关于 vramplan

tab-memory = 显存
tab-throughput = 吞吐量

title-automatic = { $model }，{ $count } × { $gpu }
title-unknown-gpu = 未知 GPU
title-heading = 标题和备注
title-title = 标题
title-note = 备注

status-estimate = 估算用时 { $time }
status-estimate-hint = 最近一次估算（包括窗口显示的全部内容）所用的时间
status-catalogue = 目录 { $date } · { $gpus } 种 GPU，{ $models } 个模型
status-catalogue-hint = 内置数据的日期与目录中的条目数，包括您自己添加的条目
status-gib = GiB = 2³⁰ 字节
status-messages = 消息
status-unread = { $count } 条新消息
status-unread-one = 1 条新消息

narrow-plan = 方案
narrow-answer = 结果
narrow-invalid = 无法运行

palette-field = 输入命令
palette-nothing = 没有匹配的命令
palette-example = 示例：{ $title }
palette-reset = 重置分组：{ $group }
palette-language = 语言：{ $language }
language-english = 英语（英文）
language-chinese = 中文（简体汉语）

dialog-ok = 确定
dialog-cancel = 取消
dialog-filter = vramplan 方案

unsaved-heading = 有未保存的更改
unsaved-question = 要保存对“{ $title }”的更改吗？
unsaved-save = 保存
unsaved-discard = 不保存

toast-close = 关闭消息
note-close = 关闭备注
message-saved = 已保存 { $file }
message-not-opened = 未能打开 { $file }：{ $reason }
message-plan-not-restored = 此版本无法读取上次的方案，因此显示默认方案：{ $reason }

log-heading = 消息
log-empty = 没有消息
level-info = 提示
level-warning = 警告
level-error = 错误

help-heading = 使用指南
help-plan-heading = 1. 说明您有什么、想做什么
help-plan-text = 在左侧选择模型、GPU 及其数量，以及训练或推理的方式。将鼠标停在标签上即可查看说明。其余选项在“高级”中。
help-verdict-heading = 2. 查看结论
help-verdict-text = 顶部的卡片说明方案能否放入负载最重的 GPU 的显存、还剩多少或还差多少、运行速度如何，以及受什么限制。“紧张”表示结果取决于估算本身的误差。
help-memory-heading = 3. 查看显存由什么占用
help-memory-text = 每个条形代表一类 GPU。指向某一部分，或用 Tab 和方向键移到该部分，即可看到代入了您的数值的公式及其出处。虚线表示进程可用的显存容量。
help-speed-heading = 4. 查看时间花在哪里
help-speed-text = “吞吐量”页将一步分解为各个部分，并绘制该卡的 roofline 图。这是估算：所依据的实际利用率均已列出。
help-pin-heading = 对比
help-pin-text = 固定一个方案后再作修改：固定的方案会以虚影显示在条形旁，并标出差值。
help-share-heading = 保存与分享
help-share-text = 保存会写出一个小的文本文件，其中包含您自定义的 GPU 和模型，他人可以直接打开。将这样的文件拖到窗口上即可打开。下次启动时会恢复上次的方案。
help-limits-heading = 任何方案都看不到的部分
help-limits-text = 张量泄漏、多种形状交替造成的碎片、之后启动的其他程序，以及加载检查点时的峰值都不包含在估算中。
help-keys-heading = 快捷键

about-heading = 关于 vramplan
about-version = vramplan { $version }
about-what = 用于规划 Transformer 模型的 GPU 显存与吞吐量。所有计算都在本机完成，不会向外发送任何数据。
about-sources-heading = 数据来源
about-sources = 目录收录 { $gpus } 种 GPU 和 { $models } 个模型，每个数值都注明出处。每个公式在其说明处注明来源。
about-licence-heading = 许可证
about-licence = vramplan 依据 { $licence } 许可证发布。
about-font-heading = 中文字体
about-font = Noto Sans CJK SC 的子集，© Adobe，依据 SIL Open Font License 1.1 发布：
