#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rows.sh: what the command $vat takes, as rows for bash.awk and zsh.awk, which
# have a tab between their fields:
#   command   a subcommand, and what it does
#   option    of which command, its letter, its names with commas between them,
#             its value, the kind of that, words that may stand for it, "yes"
#             where it may be left out, and what the option does
#   argument  of which command, its name, the kind and the words
# Kinds are "none"; "choice", one of the words; "list", some of them with commas
# between them; "files", "folders", "program"; and "other".
set -eu
here=$(cd "${0%/*}" && pwd)
doc=${here%/*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
. "$doc/help_table.sh"
. "$here/words.sh"

kind() { # kind VALUE WORDS
  case $2,$1 in
    ?*,*,...) echo list ;;
    ?*,*) echo choice ;;
    ,FILE* | ,*.json* | ,RESULTS | ,TRACE) echo files ;;
    ,DIR) echo folders ;;
    ,PROG) echo program ;;
    *) echo other ;;
  esac
}

# Of all usage lines, which of a model may be those of `vat model`: what follows
# no option.
arguments_of() {
  sed -n "s/^usage${tab}vat $*//p; t
    s/^usage${tab}vat $1 .* MODEL//p" "$work/table" | tr ' ' '\n' |
    sed 's/^\[//; s/\.*\]*$//; s/^ARG$//; s/^--$//' |
    awk '/^-/ { getline; next } NF && !seen[$0]++ && $0 != "OPTION"'
}

# rows_of COMMAND...: its options and arguments
rows_of() {
  help_table "$@" >"$work/table"
  arguments_of "$@" >"$work/arguments"
  awk -F '\t' '$1 == "option" && $4 != "" { print $4 }' "$work/table" |
    sort -u - "$work/arguments" >"$work/names"
  while read -r value; do
    words=$(words "$value" "$@" | tr '\n' ' ')
    printf '%s\t%s\t%s\n' "$value" "$(kind "$value" "$words")" "${words% }"
  done <"$work/names" >"$work/values"
  awk -v command="$*" '
    BEGIN { FS = OFS = "\t" }
    FILENAME ~ /values$/ { kind[$1] = $2; words[$1] = $3; next }
    FILENAME ~ /arguments$/ { print "argument", command, $1, kind[$1], words[$1]; next }
    $1 == "option" {
      print "option", command, $2, $3, $4, $4 == "" ? "none" : kind[$4], words[$4],
        $5, $6
    }' "$work/values" "$work/table" "$work/arguments"
}

commands >"$work/commands"
sed 's/^/command	/' "$work/commands"
for command in $(cut -f 1 "$work/commands"); do rows_of "$command"; done
for model in $(list models); do rows_of model "$model"; done
