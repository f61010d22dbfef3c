# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of help_table.awk as mdoc(7).  `part` says which rows are wanted:
# "synopsis", "about", "options", "after" or, of a list of commands, "commands".
BEGIN { FS = "\t" }

part == "synopsis" && $1 == "usage" { print_usage($2) }
part == "about" && $1 == "about" { print_text($2) }
part == "commands" { print ".It Xr vat-" $1 " 1"; print_text($2) }

part == "options" && $1 == "group" {
  end_list()
  print ".Ss " escaped($2)
}
part == "options" && $1 == "option" {
  begin_list()
  print_option($2, $3, $4, $5)
  print_text($6)
}

part == "after" && $1 == "section" { end_list(); print ".Ss " escaped($2) }
part == "after" && $1 == "item" {
  begin_list()
  print ".It Cm " $2
  print_text($3)
}
part == "after" && $1 == "after" { end_list(); print ".Pp"; print_text($2) }
END { end_list() }

function begin_list() {
  if (!listed) print ".Bl -tag -width Ds"
  listed = 1
}
function end_list() {
  if (listed) print ".El"
  listed = 0
}

# Names, the last with the value; a letter before.
function print_option(letter, names, value, optional,   name, count, i) {
  count = split(names, name, /,/)
  printf ".It"
  if (letter != "") printf " Fl %s%s", letter, count ? " ," : ""
  for (i = 1; i <= count; i++) printf " Fl -%s%s", name[i], i < count ? " ," : ""
  if (value != "" && optional != "") printf " Ns Oo = Ns Ar %s Oc", value
  else if (value != "") printf " Ns = Ns Ar %s", value
  print ""
}

# "vat sim [OPTION...] --algo ALGO", a word a line
function print_usage(line,   word, count, i, name, optional) {
  count = split(line, word, / /)
  name = word[1]
  for (i = 2; i <= count && word[i] ~ /^[a-z]+$/; i++) name = name " " word[i]
  print ".Nm \"" name "\""
  for (; i <= count; i++) {
    optional = word[i] ~ /^\[.*\]$/
    gsub(/^\[|\]$/, "", word[i])
    sub(/\.\.\.$/, " ...", word[i])
    if (word[i] == "OPTION ...") word[i] = "option ..."
    printf ".%s%s\n", optional ? "Op " : "", marked(word[i])
  }
}
function marked(word) {
  if (word == "--") return "Fl -"
  if (word ~ /^--/) return "Fl " substr(word, 2)
  return (word ~ /^[a-z]+$/ ? "Cm " : "Ar ") word
}

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  while (sub(/`/, "\\(oq", text)) sub(/`/, "\\(cq", text)
  while (match(text, /(^|[ ("])--?[a-z]/)) {
    text = substr(text, 1, RSTART - 1) dashes(substr(text, RSTART, RLENGTH)) \
           substr(text, RSTART + RLENGTH)
  }
  return text
}
function dashes(text) { gsub(/-/, "\\-", text); return text }

# Filled, a sentence on a new line.
function print_text(text,   word, count, i, line) {
  count = split(escaped(text), word, / +/)
  for (i = 1; i <= count; i++) {
    if (line != "" && length(line " " word[i]) > 76) { print line; line = "" }
    line = line (line == "" ? "" : " ") word[i]
    if (line ~ /^[.']/) line = "\\&" line
    if (word[i] ~ /[a-z0-9)][.]$/ && word[i + 1] ~ /^[A-Z]/) { print line; line = "" }
  }
  if (line != "") print line
}
