#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What do huge pages buy programs that people run?  `vat compare` on some of
# Debian's and some of our own, each on an input made here from fixed seeds,
# some seconds a run.  Which they are: --list.  With a calibration: what would
# `vat profile --what-if` have said?
set -euf
usage() {
  cat <<EOF
usage: tests/bench/programs.sh [OPTION]... [PROGRAM]...
  -o DIR   results: PROGRAM.json, PROGRAM.runs.jsonl, PROGRAM.cmd, and in
           programs.jsonl the machine and all that were measured (default: .)
  -i DIR   make inputs here and leave them (default: a temporary directory)
  -n RUNS  rounds (default: 11)
  -p KINDS kinds of page (default: 4k,thp)
  -w FILE  a calibration, of which what neighbours change is measured anew
           before and after each program (PROGRAM.before.json, .after.json);
           then profile each (PROGRAM.saved) and predict by it, by the time on
           base pages that was measured and by both of these calibrations, or
           FILE where there are none: PROGRAM.profile.json; what-if/ is a report
           of prediction and measurement side by side, and a table tells how far
           predictions are off without each of their terms
  -t SEC   each of these calibrations takes so long (default: 40)
  -m SIZE  and so much memory of each kind: a power of two as large as what the
           programs have is enough, and the less, the more often it is drawn
  -T SHAPE TLBs that are simulated (default: here, as the processor tells)
  --only PART  of that: \`series\`, which needs the machine to itself;
           \`profiles\`, which may run beside other work; \`table\`, from both
  -r       go on: what DIR has already is not made again
  -c       print the command lines only, once their inputs are made
  --list   print the names of the programs
The environment's VAT is the command (default: experiments/vat), FLAGS are more
options of \`vat compare\`.
EOF
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/bench.sh
. "$here/bench.sh"
# shellcheck source=tests/bench/measured_programs.sh
. "$here/measured_programs.sh"

names=$all_programs
out=. inputs='' rounds=11 pages=4k,thp print='' machine='' parts='' go_on=''
refresh_flags='--time-budget 40' tlb=here
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2 && shift ;;
    -i) inputs=$2 && shift ;;
    -n) rounds=$2 && shift ;;
    -p) pages=$2 && shift ;;
    -w) machine=$2 && shift ;;
    -t) refresh_flags="$refresh_flags --time-budget $2" && shift ;;
    -T) tlb=$2 && shift ;;
    -m) refresh_flags="$refresh_flags --memory $2" && shift ;;
    --only) parts=$2 && shift ;;
    -r) go_on=yes ;;
    -c) print=yes ;;
    --list) echo "$names" && exit ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
# With contiguous frames (doc/comparing.md), larger pages are compared with them.
kind_width=5
case ,$pages, in *,4k-contiguous,*) kind_width=13 ;; esac
[ -n "$parts" ] || parts=${machine:+series profiles table}
parts=${parts:-series}
case $parts in
  series | profiles | table | 'series profiles table') ;;
  *) usage >&2 && exit 2 ;;
esac
case $parts,$machine in *table,)
  fail 2 "a table needs a calibration: -w FILE" ;;
esac
absolute() { mkdir -p "$1" && (cd "$1" && pwd); }
find_vat
out=$(absolute "$out")
[ -z "$machine" ] || machine=$(realpath "$machine")
if [ -n "$inputs" ]; then
  inputs=$(absolute "$inputs")
else
  inputs=$(mktemp -d)
  trap 'rm -rf "$inputs"' EXIT
  trap 'exit 130' INT TERM HUP
fi
cd "$inputs"
show() {
  printf 'cd %s && LC_ALL=C PERL_HASH_SEED=0 PYTHONHASHSEED=0 ' "$inputs"
  printf 'vat compare --pages %s --runs %s' "$pages" "$rounds"
  for word in ${FLAGS:-} --input "$input" ${metric:+--metric "$metric"}; do
    printf " '%s'" "$word"
  done
  printf ' -- %s\n' "$words"
}

definitions='
  def ratio: if . then . * 1000 | round / 1000 else "-" end;
  def middle: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;'

row() { # row FILE: of the table
  jq -r "$definitions"'
    def interval: if . then "[\(.[0] | ratio), \(.[1] | ratio)]" else "-" end;
    . as $all | .pages[0] as $base | .pages[1:][] |
    [$all.program, .kind, "\(.runs)", "\($base.user_s * 100 | round / 100)",
     "\(($base.peak_bytes // 0) / 1048576 | round)",
     (if .granted.share then "\(.granted.share * 100 | round)" else "-" end),
     "\(.user_ratio | ratio)", (.user_ci | interval), .user_verdict,
     "\(.ratio | ratio)", (.ci | interval), .verdict,
     (if .metric then "\(.metric.ratio | ratio)" else "-" end),
     (if .metric then (.metric.ci | interval) else "-" end),
     "\($all.control.user_ratio | ratio)",
     (.translation.user_ratio // .control.user_ratio | ratio),
     (.translation.user_ci // .control.user_ci | interval),
     (if .translation then "translation" elif .control then "control" else "" end)] |
    @tsv' "$1" | line
}

line() {
  awk -F '\t' -v kind="$kind_width" '{
    row = sprintf("%-10s %-*s %4s %7s %7s %5s  %6s %-14s %-11s  %6s %-14s %-11s  %6s %-14s  %6s",
      $1, kind, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    if (kind > 5) row = row sprintf("  %6s %-14s  %s", $16, $17, $18)
    sub(/ +$/, "", row)
    print row
  }'
}

header() {
  printf 'program\tpages\truns\tuser\tpeak\thuge\tuser\t95 %%\tuser\twall\t95 %%\twall\tmetric\t95 %%\tcontrol\tuser\t95 %%\twhich\n' | line
  printf '\t\t\ts, 4k\tMiB\t%%\t/ 4k\tinterval\tverdict\t/ 4k\tinterval\tverdict\t/ 4k\tinterval\tuser\t/ near\tinterval\tis\n' | line
}

there() { # is that already made, and to be left?
  [ -n "$go_on" ] && [ -s "$1" ]
}

# What is known of the machine as it is right now.
refresh() { # refresh FILE: as the calibration that was given, but measured anew
  # shellcheck disable=SC2086
  "$vat" calibrate --refresh "$machine" --reserve $refresh_flags -o "$1" \
    >/dev/null ||
    tell "$1: vat calibrate: exit $?"
}

latest='' # the calibration that was made last, if nothing ran since
before() {
  if [ -s "$latest" ]; then cp "$latest" "$1"; else refresh "$1"; fi
}

series() {
  if there "$out/$1.json"; then row "$out/$1.json" && return; fi
  is_right "$1" || return 0
  show >"$out/$1.cmd"
  rm -f "$out/$1.runs.jsonl" "$out/$1.json"
  [ -z "$machine" ] || before "$out/$1.before.json"
  # shellcheck disable=SC2086
  "$vat" compare --json --pages "$pages" --runs "$rounds" ${FLAGS:-} \
    --input "$input" ${metric:+--metric "$metric"} -o "$out/$1.runs.jsonl" -- $words >"$out/$1.part" || {
    tell "$1: vat compare: exit $?"
    latest=''
    return
  }
  latest=$out/$1.after.json
  [ -z "$machine" ] || refresh "$latest"
  jq -c --arg program "$1" '{$program} + .' "$out/$1.part" >"$out/$1.json"
  rm "$out/$1.part"
  row "$out/$1.json"
}

profiles() {
  there "$out/$1.saved" && return
  # shellcheck disable=SC2086
  "$vat" profile --tlb "$tlb" --save "$out/$1.part" -o "$out/$1.profile.txt" -- $words \
    <"$input" >/dev/null || {
    tell "$1: vat profile: exit $?"
    rm -f "$out/$1.part"
    return
  }
  mv "$out/$1.part" "$out/$1.saved"
}

predict() { # predict PROGRAM OUTPUT [OPTION]...: by what was measured
  program=$1 file=$2
  shift 2
  if [ -s "$out/$program.before.json" ] && [ -s "$out/$program.after.json" ]; then
    set -- --machine "$out/$program.before.json" \
      --machine "$out/$program.after.json" "$@"
  else
    set -- --machine "$machine" "$@"
  fi
  "$vat" profile --from "$out/$program.saved" --what-if "$@" \
    --timed "$out/$program.runs.jsonl" --json -o "$file" || {
    tell "$program: vat profile --from: exit $?"
    return 1
  }
}

table() {
  for file in "$1.runs.jsonl" "$1.json" "$1.saved"; do
    [ -s "$out/$file" ] || {
      tell "$1: $file is absent: not in the table"
      return
    }
  done
  predict "$1" "$out/$1.profile.json" || return 0
}

# How far predictions are off, and would be without each of the terms.
terms() {
  all=$("$vat" profile --help |
    sed -n '/^Terms:/,/^$/s/^  \([a-z-]*\): .*/\1/p')
  for term in none $all; do
    for name in $names; do
      if [ ! -s "$name.json" ] || [ ! -s "$name.profile.json" ]; then
        continue
      fi
      file=$name.profile.json
      if [ "$term" != none ]; then
        file=$name.without.json
        predict "$name" "$file" --without "$term" || continue
      fi
      jq -c -n --arg term "$term" --slurpfile measured "$name.json" \
        --slurpfile predicted "$file" '
        ($measured[0].pages[] | select(.kind == "thp") | .user_ratio) as $m |
        $predicted[0].what_if["2m"].user_ratio as $p |
        select($m and $p) | {$term, off: ($p - $m)}'
      rm -f "$name.without.json"
    done
  done >terms.part
  jq -rs "$definitions"'
    def at($share): sort | .[(length * $share | ceil) - 1];
    ["without", "programs", "median", "p90", "worst", "mean"],
    (group_by(.term | if . == "none" then "" else . end)[] |
     [.[0].term] + (map(.off) | . as $off | map(fabs) |
      [length, (middle | ratio), (at(.9) | ratio), (max | ratio),
       ($off | add / length | ratio)])) | @tsv' terms.part |
    awk -F '\t' '{ printf "%-13s %8s %7s %7s %7s %7s\n", $1, $2, $3, $4, $5, $6 }'
  rm terms.part
}

# What each saves by translation alone: predicted beside measured.
translations() {
  for name in $names; do
    [ ! -s "$name.json" ] || [ ! -s "$name.profile.json" ] ||
      jq -n --arg program "$name" --slurpfile measured "$name.json" \
        --slurpfile predicted "$name.profile.json" '
        ($measured[0].pages[] | select(.kind == "thp") | .translation) as $m |
        {$program, measured: $m.user_ratio, ci: $m.user_ci,
         predicted: $predicted[0].what_if["2m"].translation.user_ratio,
         placement: ($measured[0].pages[] | select(.kind == "4k-contiguous") |
                     .user_ratio)}'
  done | jq -rs "$definitions"'
    map(select(.measured and .predicted) | .off = .predicted - .measured) |
    map(.off | fabs) as $off |
    (["program", "translation", "95 % interval", "predicted", "off", "placement"],
     (.[] | [.program, (.measured | ratio),
             (if .ci then "\(.ci | map(ratio))" else "-" end),
             (.predicted | ratio), (.off | ratio), (.placement | ratio)]),
     ["median", "", "", "",
      (if $off == [] then "-" else $off | middle | ratio end), ""]) | @tsv' |
    awk -F '\t' '{
      row = sprintf("%-10s %11s  %-16s %9s %7s %9s", $1, $2, $3, $4, $5, $6)
      sub(/ +$/, "", row)
      print row
    }'
}

[ $# -gt 0 ] || eval "set -- $names"
[ -n "$print" ] && parts=print
[ "$parts" = profiles ] || [ "$parts" = table ] || [ -n "$print" ] || header
for part in $parts; do
  for name; do
    command_of "$name"
    case $part in series | profiles | print) prepare "$name" ;; esac
    if [ "$part" != table ] && ! is_there "$name"; then
      continue
    elif [ "$part" = print ]; then
      show
    else
      $part "$name"
    fi
  done
done
cd "$out"
case $parts in series*)
  measured=''
  for name in $names; do [ ! -s "$name.json" ] || measured=$name; done
  [ -n "$measured" ] || exit $failed
  {
    jq -c 'select(.record == "machine")' "$measured.runs.jsonl"
    for name in $names; do [ ! -s "$name.json" ] || cat "$name.json"; done
  } >programs.jsonl
  ;;
esac
case $parts in *table) ;; *) exit $failed ;; esac
set --
for name in $names; do
  [ ! -s "$name.json" ] || [ ! -s "$name.profile.json" ] ||
    set -- "$@" --profiled "$name.profile.json" --compared "$name.json"
done
[ $# -eq 0 ] || "$vat" report -o what-if "$@" || failed=1
case ,$pages, in
  *,4k-contiguous,*) translations ;;
esac
[ $# -eq 0 ] || terms
exit $failed
