# SPDX-License-Identifier: GPL-3.0-or-later
# Rows of rows.sh as the tables of vat.bash.in: the options of a command, and
# what completes the value of each ("": its arguments).
BEGIN { FS = "\t" }

$1 == "command" { commands = commands " " $2 }
$1 == "option" {
  if (!($2 in options)) order[++commanded] = $2
  count = split($4, name, /,/)
  for (i = 1; i <= count; i++) {
    options[$2] = options[$2] " --" name[i] ($6 == "none" || $8 == "yes" ? "" : "=")
    add($2 " --" name[i])
  }
  if ($3 != "") add($2 " -" $3)
}
$1 == "argument" && $4 != "other" {
  place = $2 " "
  if (!(place in action)) set(place, "_vat_" $4)
  if ($5 != "") action[place] = action[place] " " $5
}

END {
  print "_vat_commands='" substr(commands, 2) "'\n"
  print "_vat_options() { # COMMAND\n  case $1 in"
  for (i = 1; i <= commanded; i++)
    print "    '" order[i] "') echo '" substr(options[order[i]], 2) "' ;;"
  print "  esac\n}\n"
  print "# Sets what completes it; false where nothing is taken."
  print "_vat_action() { # COMMAND OPTION\n  case \"$1 $2\" in"
  for (i = 1; i <= placed; i++)
    print "    '" places[i] "') action=(" action[places[i]] ") ;;"
  print "    *) return 1 ;;\n  esac\n}"
}

# What may be left out is no word of its own.
function add(place) {
  if ($6 != "none" && $8 != "yes") set(place, "_vat_" $6 ($7 == "" ? "" : " " $7))
}
function set(place, what) {
  places[++placed] = place
  action[place] = what
}
