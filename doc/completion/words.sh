# SPDX-License-Identifier: GPL-3.0-or-later
# What completions offer, beside help_table.sh, which see.
# shellcheck shell=sh

# The first column of `vat list TABLE`, a word a line.
list() {
  "$vat" list "$1" | sed '1d; s/ .*//'
}

# words VALUE [COMMAND...]: what may stand for VALUE, as options and usage lines
# of COMMAND have it; nothing where it is a file, a number, ...  Of a list,
# "VALUE,...", the words of one item.
words() {
  value=${1%,...}
  shift
  case $value in
    [a-z][a-z]*) echo "$value" | tr '|' '\n' ;;
    ALGO) algos "$@" ;;
    ARCH) items 'GPUs|Machines' "$@" ;;
    CASE) [ $# = 1 ] || items "Cases of $2 .*" "$@" ;;
    COUNTER) printf 'auto\nnone\n'; list counters ;;
    DEVICE) list devices ;;
    FORMAT) list formats ;;
    GENERATOR)
      [ "$*" != run ] || echo all
      generators
      ;;
    KIND)
      case $* in
        run | calibrate) echo all && list pages ;;
        compare) list pages ;;
        *) list pages | grep -v '^thp-' ;; # vat exec does not give these
      esac
      ;;
    MODEL) list models ;;
    POLICY) list policies ;;
    SET) list sets ;;
    TABLE) items Tables "$@" ;;
    TERM) "$vat" "$@" --help | sed -n '/^Terms:/,$s/^  \([a-z-]*\): .*/\1/p' ;;
    TREE) list trees ;;
    WHAT) items 'What it tells.*' "$@" ;;
  esac
}

# items SECTION COMMAND...: those that its --help lists under that heading.
items() {
  section=$1
  shift
  help_table "$@" | awk -F '\t' -v section="^($section)\$" '
    $1 == "section" { inside = $2 ~ section }
    $1 == "item" && inside { print $2 }'
}

# Those that the command takes: it bounds, or has a model of, not all.
algos() {
  case $* in
    predict) list bounds ;;
    sim | trace) "$vat" list algos | awk '$2 ~ /cpu/ { print $1 }' ;;
    'model tmm') items Algorithms model tmm ;;
    model*) "$vat" list algos | awk '$2 ~ /emu/ { print $1 }' ;;
    *) list algos ;;
  esac
}

generators() {
  "$vat" list generators | sed '1d; s/^[^ ]* *//' | tr -d ' ' | tr ',' '\n' |
    sort -u
}
