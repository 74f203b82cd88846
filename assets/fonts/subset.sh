#!/bin/sh
# Makes the two embedded fonts out of Noto Sans CJK SC:
#   noto-sans-sc-subset.otf  the characters of the locale files and the 3,755 characters of
#                            GB 2312 level 1, so that people can type Chinese as well as read it;
#   noto-sans-sc-bold.otf    Latin and the characters of the locale files, for headings.
#
# Usage: assets/fonts/subset.sh FOLDER    (with NotoSansCJK-Regular.ttc and NotoSansCJK-Bold.ttc)
# Needs: pyftsubset (fonttools) on the PATH, or named by PYFTSUBSET; python3.
# The fonts are in Debian's package fonts-noto-cjk (face 2 of a collection is Simplified Chinese).
# tests/locales.rs fails when a text has a character that the embedded fonts lack: run this again.
set -eu

folder=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$here/../locales" "$work" <<'PYTHON'
import pathlib, sys

locales, work = map(pathlib.Path, sys.argv[1:])
texts = set("简体中文，。、；：？！“”‘’（）《》〈〉【】…—～·￥％")
for file in locales.glob("*/*.ftl"):
    texts.update(file.read_text(encoding="utf-8"))
# GB 2312 level 1: rows 16 to 55, 94 cells each, the last row 89.
level_1 = set()
for row in range(16, 56):
    for cell in range(1, 95):
        try:
            level_1.update(bytes([0xA0 + row, 0xA0 + cell]).decode("gb2312"))
        except UnicodeDecodeError:
            pass
latin = {chr(code) for code in [*range(0x20, 0x7F), *range(0xA0, 0x100)]}

def write(name, characters):
    (work / name).write_text("".join(sorted(c for c in characters if c >= " ")), encoding="utf-8")

# Latin text of the regular weight is set in egui's own font.
write("regular", (texts | level_1) - {chr(code) for code in range(0x100)} | set("·×÷±"))
write("bold", texts | latin)
PYTHON

subset() {
    "${PYFTSUBSET:-pyftsubset}" "$folder/$1" --font-number=2 --text-file="$work/$2" \
        --layout-features='' --no-hinting --desubroutinize --name-IDs='0,1,2,4,6,13,14' \
        --output-file="$here/$3"
    ls -l "$here/$3"
}
subset NotoSansCJK-Regular.ttc regular noto-sans-sc-subset.otf
subset NotoSansCJK-Bold.ttc bold noto-sans-sc-bold.otf
