# SPDX-License-Identifier: GPL-3.0-or-later
# Rows of rows.sh as a completion function for zsh.
BEGIN { FS = "\t"; quote = "\047" }

$1 == "command" { commands[++count] = quoted($2 ":" $3) }
$1 == "option" { add($2, option()) }
$1 == "argument" {
  if ($4 == "program") rest[$2] = "(-)*:::program: _normal"
  else if ($5 == "") rest[$2] = "*:" $3 ":" action($4, "")
  else words[$2] = words[$2] " " $5
}

END {
  print "#compdef vat"
  print "# SPDX-License-Identifier: GPL-3.0-or-later"
  print "# Completion of vat's command line for zsh, made from its own tables.\n"
  print "_vat_commands() {\n  local -a commands=("
  for (i = 1; i <= count; i++) print "    " commands[i]
  print "  )\n  _describe -t commands command commands\n}\n"
  print "_vat() {\n  local curcontext=$curcontext state line command"
  print "  _arguments -C '1:command:_vat_commands' '*::argument:->argument' && return"
  print "  [[ $state == argument ]] || return 1"
  print "  command=$words[1]"
  print "  # A model has options of its own."
  print "  if [[ $command == model ]] && (( CURRENT > 2 )); then"
  print "    command+=\" $words[2]\""
  print "    shift words\n    (( CURRENT-- ))\n  fi"
  print "  case $command in"
  for (i = 1; i <= commanded; i++) {
    command = order[i]
    if (command in words) rest[command] = "*:argument:(" substr(words[command], 2) ")"
    if (command in rest) add(command, quoted(rest[command]))
    print "    " quoted(command) ") _arguments -S" specifications[command] " ;;"
  }
  print "    help) _arguments '1:command:_vat_commands' ;;"
  print "  esac\n}\n\n_vat \"$@\""
}

function add(command, text) {
  if (!(command in specifications)) order[++commanded] = command
  specifications[command] = specifications[command] " \\\n      " text
}

function option(   what, value, names, name, n, i) {
  what = $9
  gsub(/[][\\:]/, "\\\\&", what)
  if ($6 != "none") value = ($8 == "yes" ? "::" : ":") $5 ":" action($6, $7)
  n = split($4, name, /,/)
  for (i = 1; i <= n; i++)
    names = names (names == "" ? "" : " ") \
            quoted("*--" name[i] ($6 == "none" ? "" : $8 == "yes" ? "=-" : "=") "[" what "]" value)
  if ($3 != "" && $3 != "?")
    names = names " " quoted("*-" $3 ($6 == "none" ? "" : "+") "[" what "]" value)
  return names
}

function action(kind, words) {
  if (kind == "choice") return "(" words ")"
  if (kind == "list") return "_sequence compadd - " words
  if (kind == "files") return "_files"
  if (kind == "folders") return "_files -/"
  return " "
}

function quoted(text) {
  gsub(quote, quote "\\\\" quote quote, text)
  return quote text quote
}
