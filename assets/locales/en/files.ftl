# Reading and writing presets.

file-error-syntax = Line { $line }, column { $column }, field “{ $field }”: { $detail }; correct this place and open the file again
file-error-unknown-field = Line { $line }, column { $column }: there is no field “{ $field }” here; correct or remove it. Closest first, there are: { $known }
file-error-missing-field = Line { $line }, column { $column }: the field “{ $field }” is missing before this place; add it
file-error-repeated-field = Line { $line }, column { $column }: the field “{ $field }” stands there twice; remove one of the two
file-error-unknown-choice = Line { $line }, column { $column }: “{ $found }” is not a choice here; correct it. Closest first, there are: { $known }
file-error-no-version = The file does not say its format version, so it may not be a preset; if it is one, add “version: 1” as its first field
file-error-newer-version = The file has format version { $found }, and this vramplan reads versions up to { $known }; open it with a newer vramplan
file-error-unknown-version = There is no format version { $found }; the first one is 1, so check the field “version”
file-error-too-large = { $path } is larger than 1 MiB, so it cannot be a preset; choose another file
file-error-not-text = { $path } is not text in UTF-8, so it cannot be a preset; choose another file, or convert it to UTF-8
file-error-not-found = { $path } does not exist; check its name or choose another file
file-error-is-folder = { $path } is a folder; choose a file in it
file-error-read-denied = You may not read { $path }; change its permissions or choose another file
file-error-read = { $path } cannot be read: { $detail }; check the disk or choose another file
file-error-no-folder = { $path } cannot be saved, because its folder does not exist; create the folder or save elsewhere
file-error-write-denied = { $path } was not saved, because you may not write there; change the permissions or save elsewhere
file-error-disk-full = { $path } was not saved, because the disk is full; free some space or save elsewhere
file-error-write = { $path } was not saved: { $detail }; check the disk or save elsewhere
files-no-thread = The system has no room for another thread, so files cannot be opened or saved; close other programs and start again
