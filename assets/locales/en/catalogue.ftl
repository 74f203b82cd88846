# What can be wrong with a person's own catalogue files.

catalogue-problem-folder = The catalogue folder { $folder } cannot be listed: { $reason }; check that it is a folder and that you may read it
catalogue-problem-read = { $file } cannot be read: { $reason }; check that it is a text file in UTF-8 and that you may read it
catalogue-problem-syntax = { $file }, line { $line }, column { $column }, field “{ $field }”: { $reason }; correct this place, nothing of the file was loaded
catalogue-problem-unknown-field = { $file }, line { $line }, column { $column }: there is no field “{ $field }” here, only { $known }; correct or remove it, nothing of the file was loaded
catalogue-problem-missing-field = { $file }, line { $line }, column { $column }: the field “{ $field }” is missing; add it, nothing of the file was loaded
catalogue-problem-repeated-field = { $file }, line { $line }, column { $column }: the field “{ $field }” is given twice; remove one of the two, nothing of the file was loaded
catalogue-problem-entry = { $file }, line { $line }, column { $column }, “{ $entry }”: the field “{ $field }” { $rule }; correct it, this entry was left out
catalogue-rule-not-empty = must not be empty
catalogue-rule-positive = must be a number above 0
catalogue-rule-fraction = must lie above 0 and not above 1
catalogue-rule-probability = must lie from 0 on and below 1
catalogue-rule-divides-heads = must divide the number of query heads without remainder
catalogue-rule-at-most-experts = must not be above the number of experts
catalogue-rule-at-most-layers = must not be above the number of layers
