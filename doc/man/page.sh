#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh PAGE.in [HEADER...]: the manual page, written by hand but for what the
# command $vat says of itself, of $version, which debian/changelog ($changelog)
# gives its date.  In PAGE.in lines that are indented are an example, @docdir@ is
# $docdir, and a line @WHAT@ stands for
#   @title@     the title
#   @head@      that, NAME and SYNOPSIS of a subcommand
#   @about@     what the command does, as --help says it
#   @options@   its options, and what --help says after them
#   @commands@  the subcommands (vat.1)
#   @models@    the models that have a command line of their own (vat-model.1)
#   @exit@      the exit codes
#   @headers@   each HEADER, by its first line (libvat.3)
#   @file PATH@  an example that is a file of doc/
set -eu
page=$1
shift
man=$(cd "${0%/*}" && pwd)
doc=${man%/*}
file=${page##*/}
title=${file%.in}
section=${title##*.}
title=${title%.*}
command=${title#vat}
command=${command#-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$doc/help_table.sh"

part() { # part WHAT [COMMAND...]: of its table, or of that on standard input
  what=$1
  shift
  if [ $# -gt 0 ]; then
    help_table "$@" >"$work/table"
    awk -v part="$what" -f "$man/mdoc.awk" "$work/table"
  else
    awk -v part="$what" -f "$man/mdoc.awk"
  fi
}

# That of the version: "November 23, 2026"
date_of_version() {
  sed -n 's/^ -- .*  [A-Z][a-z]*, 0*\([0-9]*\) \(...\) \(....\) .*/\1 \2 \3/p' "$changelog" |
    awk 'BEGIN { split("January February March April May June July August " \
                       "September October November December", months, " ") }
      { for (i = 1; i <= 12; i++)
          if (substr(months[i], 1, 3) == $2) print months[i], $1 ", " $3
        exit }'
}

print_title() {
  echo ".Dd $(date_of_version)"
  echo ".Dt $(echo "$title" | tr '[:lower:]' '[:upper:]') $section"
  echo ".Os vat $version"
}

head_of_command() {
  print_title
  printf '.Sh NAME\n.Nm %s\n.Nd ' "$title"
  commands | awk -F '\t' -v name="$command" '$1 == name { print $2 }'
  echo '.Sh SYNOPSIS'
  part synopsis "$command"
  if [ "$command" = model ]; then
    for model in $(calculators); do part synopsis model "$model"; done
  fi
}

print_models() {
  for model in $(calculators); do
    echo ".Sh VAT MODEL $(echo "$model" | tr '[:lower:]' '[:upper:]')"
    part about model "$model"
    part options model "$model"
    part after model "$model"
  done
}

print_exit() {
  cat <<'END'
.Sh EXIT STATUS
.Bl -tag -width Ds -compact
.It 0
all is fine
.It 1
a check or a validation failed
.It 2
bad usage or bad input
.It 3
this machine does not have what was asked for
.El
.Pp
Each but 0 comes with a line on standard error, which says what is wrong and
what fixes it.
A command that is interrupted exits by the signal: 130 in a shell after Ctrl-C,
143 after
.Xr kill 1 .
END
}

# "vat/tc.h -- a translation cache" of each
print_headers() {
  echo '.Bl -tag -width Ds'
  sed -n 's/^\/\* vat\/\([a-z]*\.h\) -- \(.*\)$/.It In vat\/\1\n\2/p' "$@"
  echo '.El'
}

# Indented lines as an example, of which nothing is typeset: who copies it wants
# what was typed.
set_examples() {
  awk '
    function verbatim(text) {
      gsub(/\\/, "\\e", text)
      gsub(/\047/, "\\(aq", text)
      gsub(/`/, "\\(ga", text)
      gsub(/-/, "\\-", text)
      gsub(/\^/, "\\(ha", text)
      gsub(/~/, "\\(ti", text)
      if (text ~ /^[.]/) text = "\\&" text
      return text
    }
    /^    / { if (!inside++) print ".Bd -literal -offset indent"
              print verbatim(substr($0, 5)); next }
    inside { print ".Ed"; inside = 0 }
    { print }
    END { if (inside) print ".Ed" }'
}

while IFS= read -r line; do
  case $line in
    @title@) print_title ;;
    @head@) head_of_command ;;
    @about@) part about "$command" ;;
    @options@)
      echo '.Sh OPTIONS'
      part options "$command"
      part after "$command"
      ;;
    @commands@) echo '.Bl -tag -width Ds'; commands | part commands; echo '.El' ;;
    @models@) print_models ;;
    @exit@) print_exit ;;
    @headers@) print_headers "$@" ;;
    @file\ *) file=${line#@file }; sed 's/^/    /' "$doc/${file%@}" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$page" >"$work/page"
sed "s|@docdir@|$docdir|" "$work/page" | set_examples
