# 读取与保存预设。

file-error-syntax = 第 { $line } 行第 { $column } 列，字段“{ $field }”：{ $detail }；请更正此处后重新打开
file-error-unknown-field = 第 { $line } 行第 { $column } 列：此处没有字段“{ $field }”；请更正或删除。可用字段（最接近的在前）：{ $known }
file-error-missing-field = 第 { $line } 行第 { $column } 列：此处之前缺少字段“{ $field }”；请补上
file-error-repeated-field = 第 { $line } 行第 { $column } 列：字段“{ $field }”出现两次；请删除其一
file-error-unknown-choice = 第 { $line } 行第 { $column } 列：“{ $found }”不是此处的选项；请更正。可用选项（最接近的在前）：{ $known }
file-error-no-version = 文件没有注明格式版本，可能不是预设；如果是，请在开头加上“version: 1”
file-error-newer-version = 文件的格式版本为 { $found }，此 vramplan 最高支持 { $known }；请用更新版本的 vramplan 打开
file-error-unknown-version = 不存在格式版本 { $found }；最早的是 1，请检查字段“version”
file-error-too-large = { $path } 超过 1 MiB，不可能是预设；请选择其他文件
file-error-not-text = { $path } 不是 UTF-8 文本，不可能是预设；请选择其他文件，或转换为 UTF-8
file-error-not-found = { $path } 不存在；请检查名称或选择其他文件
file-error-is-folder = { $path } 是文件夹；请选择其中的文件
file-error-read-denied = 没有读取 { $path } 的权限；请更改权限或选择其他文件
file-error-read = 无法读取 { $path }：{ $detail }；请检查磁盘或选择其他文件
file-error-no-folder = 无法保存 { $path }，因为其文件夹不存在；请创建文件夹或保存到别处
file-error-write-denied = 未保存 { $path }，因为没有写入权限；请更改权限或保存到别处
file-error-disk-full = 未保存 { $path }，因为磁盘已满；请释放空间或保存到别处
file-error-write = 未保存 { $path }：{ $detail }；请检查磁盘或保存到别处
files-no-thread = 系统无法再创建线程，不能打开或保存文件；请关闭其他程序后重新启动
