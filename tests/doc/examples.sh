#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# examples.sh PAGE FIRST [BLOCK]: the examples of a manual page as a reader sees
# them, without their indentation; FIRST is how the first line begins.  Of
# several blocks with text between them all, or the one of that number.  Exits 3
# where nothing is at hand that sets pages.
set -eu
if command -v mandoc >/dev/null; then
  set_page() { mandoc -T utf8 "$1"; }
elif command -v man >/dev/null; then
  set_page() { MANWIDTH=160 man -l "$1"; }
else
  exit 3
fi
# A letter, a backspace and the letter again are a bold one.
set_page "$1" | LC_ALL=C awk -v first="$2" -v block="${3-0}" '
  { gsub(/.\010/, "") }
  /^[^ ]/ { inside = $0 == "EXAMPLES"; next }
  !inside { next }
  !NF { blank = blank "\n"; next }
  { match($0, /^ */); depth = RLENGTH }
  !least && index(substr($0, depth + 1), first) == 1 { least = depth }
  !least || depth < least { apart = 1; blank = ""; next }
  { if (apart || !number) number++
    else if (!block || number == block) printf "%s", blank
    apart = 0
    blank = ""
    if (!block || number == block) print substr($0, least + 1) }'
