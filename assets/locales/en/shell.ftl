# The window's frame: menus, status bar, palette, dialogs, messages, help.

menu-file = File
menu-edit = Edit
menu-view = View
menu-help = Help
menu-recent = Open recent
menu-examples = Examples
menu-reset = Reset group
menu-language = Language
menu-palette = { $keys } commands

action-new = New plan
action-open = Open…
action-save = Save
action-save-as = Save as…
action-edit-title = Title and note…
action-clear-recent = Forget recent files
action-quit = Quit
action-undo = Undo
action-redo = Redo
action-pin = Pin plan for comparison
action-unpin = Drop pinned plan
action-restore-pinned = Go back to pinned plan
action-palette = Command palette…
action-show-memory = Memory tab
action-show-throughput = Throughput tab
action-zoom-in = Zoom in
action-zoom-out = Zoom out
action-zoom-reset = Zoom to 100 %
action-theme-system = System theme
action-theme-light = Light theme
action-theme-dark = Dark theme
action-toggle-advanced = Advanced settings
action-show-log = Message log
action-clear-log = Clear message log
action-show-help = Guide
action-show-about = About vramplan

tab-memory = Memory
tab-throughput = Throughput

title-automatic = { $model } on { $count } × { $gpu }
title-unknown-gpu = unknown GPU
title-heading = Title and note
title-title = Title
title-note = Note

status-estimate = Estimate { $time }
status-estimate-hint = Time that the last estimate took, with everything the window shows of it
status-catalogue = Catalogue { $date } · { $gpus } GPUs, { $models } models
status-catalogue-hint = State of the built-in facts, and entries of the catalogue, your own included
status-gib = GiB = 2³⁰ bytes
status-messages = Messages
status-unread = { $count } new messages
status-unread-one = 1 new message

narrow-plan = Plan
narrow-answer = Answer
narrow-invalid = Cannot run

palette-field = Type a command
palette-nothing = No command has these letters
palette-example = Example: { $title }
palette-reset = Reset group: { $group }
palette-language = Language: { $language }
language-english = English
language-chinese = Simplified Chinese

dialog-ok = OK
dialog-cancel = Cancel
dialog-filter = vramplan presets

unsaved-heading = Unsaved changes
unsaved-question = Save the changes to “{ $title }”?
unsaved-save = Save
unsaved-discard = Don’t save

toast-close = Close message
note-close = Close note
message-saved = Saved { $file }
message-not-opened = { $file } was not opened: { $reason }
message-plan-not-restored = The plan of the last run cannot be read by this version, so the default plan is shown: { $reason }

log-heading = Messages
log-empty = No messages
level-info = Note
level-warning = Warning
level-error = Error

help-heading = Guide
help-plan-heading = 1. Say what you have and what you want
help-plan-text = On the left, choose a model, a GPU, how many of them, and how the model is trained or served. Point at a label to read what it means. The rest stands under Advanced.
help-verdict-heading = 2. Read the verdict
help-verdict-text = The card at the top says whether the plan fits into the memory of the busiest GPU, how much is left or missing, how fast it runs, and what holds it back. “Tight” means that the estimate’s own uncertainty decides.
help-memory-heading = 3. See what fills the memory
help-memory-text = Each bar is one kind of GPU. Point at a part, or move to it with Tab and the arrow keys, to read its equation with your numbers and where it comes from. The dashed line is what a process can use of the card.
help-speed-heading = 4. See where the time goes
help-speed-text = The Throughput tab divides a step into its parts and draws the roofline of the card. It is an estimate: the achieved fractions that it rests on are listed.
help-pin-heading = Compare
help-pin-text = Pin a plan, then change something: the pinned plan stays as a ghost beside the bar, with the differences.
help-share-heading = Keep and share
help-share-text = Save writes a small text file that others can open, with your own GPU and model inside. Drop such a file on the window to open it. The last plan comes back at the next start.
help-limits-heading = What no plan can see
help-limits-text = Leaked tensors, fragmentation after many different shapes, other programs that start later, and the spike while a checkpoint is loaded are not part of the estimate.
help-keys-heading = Keys

about-heading = About vramplan
about-version = vramplan { $version }
about-what = A planner for GPU memory and throughput of transformer models. Everything is computed on this machine; nothing is sent anywhere.
about-sources-heading = Sources
about-sources = The catalogue holds { $gpus } GPUs and { $models } models with the source of each figure. Every equation names its source where it is explained.
about-licence-heading = Licence
about-licence = vramplan may be used under { $licence }.
about-font-heading = Chinese font
about-font = A subset of Noto Sans CJK SC, © Adobe, under the SIL Open Font License 1.1:
