# SPDX-License-Identifier: GPL-3.0-or-later
# `vat COMMAND --help`, each option on one line (help_table.sh), as a table whose
# rows have a tab between their fields:
#   usage    what follows "Usage: "
#   about    what is said before the options
#   example  a command and what it does
#   group    the title of the options that follow
#   option   its letter, its names with commas between them, its value, "yes"
#            where that may be left out, and what it does
#   after    what is said after them
#   section  the title of the items that follow
#   item     a name, and what it is
BEGIN { OFS = "\t" }

/^Usage: / { sub(/^Usage: /, ""); print "usage", $0; next }
/^  or:  / { sub(/^  or:  /, ""); print "usage", $0; next }
!NF { if (place == "" || place == "examples") place = "options"; next }
place == "options" && /^Examples:$/ { place = "examples"; next }
place == "examples" { sub(/^ +/, ""); print "example", $0; next }
place == "" { print "about", $0; next }
/^[^ ]/ { place = "after" }
place == "after" && /^[^ ].*:$/ { sub(/:$/, ""); print "section", $0; next }
place == "after" && /^  [^ ]+: / {
  name = $1
  sub(/^  [^ ]+: /, "")
  sub(/:$/, "", name)
  print "item", name, $0
  next
}
place == "after" { print "after", $0; next }
/^ [^ ]/ { print "group", substr($0, 2); next }
/^ +-/ { print_option($0) }

# "  -o, --results=FILE, --output=FILE   what it does": two spaces or more stand
# before what it does.
function print_option(line,   what, words, count, i, at, letter, names, value,
                      optional) {
  sub(/^ +/, "", line)
  if (match(line, /  +/)) {
    what = substr(line, RSTART + RLENGTH)
    line = substr(line, 1, RSTART - 1)
  }
  count = split(line, words, /, /)
  for (i = 1; i <= count; i++) {
    if (words[i] !~ /^--/) { letter = substr(words[i], 2); continue }
    if (gsub(/\[=|\]$/, "=", words[i])) { optional = "yes"; sub(/=$/, "", words[i]) }
    if ((at = index(words[i], "="))) {
      value = substr(words[i], at + 1)
      words[i] = substr(words[i], 1, at - 1)
    }
    names = names (names == "" ? "" : ",") substr(words[i], 3)
  }
  print "option", letter, names, value, optional, what
}
