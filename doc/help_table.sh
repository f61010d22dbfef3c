# SPDX-License-Identifier: GPL-3.0-or-later
# What manual pages and completions are made of: the command's own tables, as it
# prints them, so that there is no second copy.  Set vat to the command, and
# doc to the folder of this file.
# shellcheck shell=sh

# Every option on a line of its own: argp takes its margins from the environment.
ARGP_HELP_FMT=no-dup-args-note,rmargin=8000,opt-doc-col=120
LC_ALL=C
export ARGP_HELP_FMT LC_ALL

# help_table [COMMAND...]: the table that help_table.awk describes.
help_table() {
  "$vat" "$@" --help >"$work/help" && awk -f "$doc/help_table.awk" "$work/help"
}

# The subcommands: a name, a tab and what it does.
commands() {
  "$vat" --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1	\2/p'
}

# Models that have a command line of their own, as `vat model --help` names them.
calculators() {
  help_table model | sed -n 's/.*see vat model \([a-z]*\) --help.*/\1/p'
}
