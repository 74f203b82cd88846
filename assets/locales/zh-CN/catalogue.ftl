# 用户自己的目录文件可能出现的问题。

catalogue-problem-folder = 无法列出目录文件夹 { $folder }：{ $reason }；请检查它是否为文件夹以及您是否有读取权限
catalogue-problem-read = 无法读取 { $file }：{ $reason }；请检查它是否为 UTF-8 文本文件以及您是否有读取权限
catalogue-problem-syntax = { $file } 第 { $line } 行第 { $column } 列，字段“{ $field }”：{ $reason }；请改正此处，该文件的内容均未载入
catalogue-problem-unknown-field = { $file } 第 { $line } 行第 { $column } 列：此处没有字段“{ $field }”，只有 { $known }；请改正或删除，该文件的内容均未载入
catalogue-problem-missing-field = { $file } 第 { $line } 行第 { $column } 列：缺少字段“{ $field }”；请补上，该文件的内容均未载入
catalogue-problem-repeated-field = { $file } 第 { $line } 行第 { $column } 列：字段“{ $field }”出现了两次；请删除其中一个，该文件的内容均未载入
catalogue-problem-entry = { $file } 第 { $line } 行第 { $column } 列，“{ $entry }”：字段“{ $field }”{ $rule }；请改正，该条目未载入
catalogue-rule-not-empty = 不能为空
catalogue-rule-positive = 必须是大于 0 的数
catalogue-rule-fraction = 必须大于 0 且不超过 1
catalogue-rule-probability = 必须不小于 0 且小于 1
catalogue-rule-divides-heads = 必须能整除查询头数
catalogue-rule-at-most-experts = 不能超过专家数
catalogue-rule-at-most-layers = 不能超过层数
