#!/bin/sh
# Makes noto-sans-sc-subset.otf: the characters of the locale files, the CJK punctuation and the
# 3,755 characters of GB 2312 level 1, so that people can type Chinese as well as read it.
#
# Usage: assets/fonts/subset.sh NotoSansCJK-Regular.ttc
# Needs: pyftsubset (fonttools) on the PATH, or named by PYFTSUBSET; python3.
# The font is in Debian's package fonts-noto-cjk (face 2 of the collection is Simplified Chinese).
# tests/locales.rs fails when a text has a character that the embedded fonts lack: run this again.
set -eu

font=$1
here=$(cd "$(dirname "$0")" && pwd)
characters=$(mktemp)
trap 'rm -f "$characters"' EXIT

python3 - "$here/../locales" > "$characters" <<'PYTHON'
import pathlib, sys

wanted = set()
for file in pathlib.Path(sys.argv[1]).glob("*/*.ftl"):
    wanted.update(file.read_text(encoding="utf-8"))
# GB 2312 level 1: rows 16 to 55, 94 cells each, the last row 89.
for row in range(16, 56):
    for cell in range(1, 95):
        try:
            wanted.update(bytes([0xA0 + row, 0xA0 + cell]).decode("gb2312"))
        except UnicodeDecodeError:
            pass
wanted.update("简体中文，。、；：？！“”‘’（）《》〈〉【】…—～·￥％")
sys.stdout.write("".join(sorted(c for c in wanted if c >= "\u0100" or c in "·×÷±")))
PYTHON

"${PYFTSUBSET:-pyftsubset}" "$font" --font-number=2 --text-file="$characters" \
    --layout-features='' --no-hinting --desubroutinize --name-IDs='0,1,2,4,6,13,14' \
    --output-file="$here/noto-sans-sc-subset.otf"
ls -l "$here/noto-sans-sc-subset.otf"
