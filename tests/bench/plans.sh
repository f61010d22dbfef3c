#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Does a plan save what `vat plan` predicts, at the cost that it predicts, and
# more than the same memory given to the largest allocations?  Six programs that
# people run, five budgets each, one `vat compare` with all of their plans.  Or
# many programs, and of each some layouts that are drawn (doc/prediction.md).
set -euf
usage() {
  cat <<EOF2
usage: tests/bench/plans.sh -w MACHINE.json [OPTION]... [PROGRAM]...
  -w FILE  a calibration (vat calibrate -o FILE), required for the series
  -o DIR   inputs, profiles, plans and results (default: plans); what DIR has
           already is not made again
  -n RUNS  rounds of vat compare (default: 7)
  -l N     N layouts of each program instead of budgets
  -r RUNS  rounds of the runs on base pages that the predictions are made with
           (default: 5)
  -t SEC   before each program, measure anew for so long what neighbours change
           of the calibration (default: 40; 0: take FILE as it is)
  -m SIZE  memory of that (default: 1G)
  --only PART  \`inputs\`; \`profiles\`, which may run beside other work;
           \`series\`, which needs the machine to itself; or \`table\`, the rows
           again from what was measured
  --list   print the names of the programs
The environment's VAT is the command (default: experiments/vat).
EOF2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/bench/bench.sh
. "$here/bench.sh"
# shellcheck source=tests/bench/measured_programs.sh
. "$here/measured_programs.sh"

names="redis postgres sqlite python map bwa" layouts=''
budgets="10 25 50 75 100" # % of what everything that saves time takes
out=plans rounds=7 timed_rounds=5 machine='' seconds=40 memory=1G
parts="inputs profiles series table"
while [ $# -gt 0 ]; do
  case $1 in
    -w) machine=$2 && shift ;;
    -o) out=$2 && shift ;;
    -n) rounds=$2 && shift ;;
    -l) layouts=$2 && shift ;;
    -r) timed_rounds=$2 && shift ;;
    -t) seconds=$2 && shift ;;
    -m) memory=$2 && shift ;;
    --only) parts=$2 && shift ;;
    --list) parts=list ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
# Those that have the memory, and the walks, to differ by what is on larger pages.
[ -z "$layouts" ] || names="$names sort perl lua mawk node gcc cadical join search
  gups grid btree spmv bfs pagerank components"
if [ "$parts" = list ]; then
  echo "$names"
  exit
fi
case $parts in
  inputs | profiles | series | table | "inputs profiles series table") ;;
  *) usage >&2 && exit 2 ;;
esac
case $parts,$machine in
  *series*,) fail 2 "no calibration; fix: vat calibrate -o m.json, then -w m.json" ;;
esac
find_vat
[ -z "$machine" ] || machine=$(realpath "$machine")
mkdir -p "$out"
cd "$out"

inputs() {
  say "$1: inputs"
  prepare "$1"
}

profiles() {
  [ ! -s "$1.saved" ] || return 0
  say "$1: profile"
  began=$(date +%s)
  # shellcheck disable=SC2086
  "$vat" profile --tlb here --save "$1.saved.part" -o "$1.profile.txt" -- $words \
    <"$input" >/dev/null 2>"$1.profile.log" || {
    tell "$1: vat profile: exit $?: $(tail -n 1 "$1.profile.log")"
    rm -f "$1.saved.part"
    return 0
  }
  mv "$1.saved.part" "$1.saved"
  say "$1: profiled in $(($(date +%s) - began)) s"
}

# --- plans and baselines --------------------------------------------------------
plan() { # plan PROGRAM FILE [OPTION]...
  program=$1 file=$2
  shift 2
  "$vat" plan --from "$program.saved" --machine "$program.machine.json" \
    --timed "$program.timed.jsonl" -o "$file" "$@" >/dev/null \
    2>"$program.plan.log" || {
    tell "$program: vat plan: exit $?: $(tail -n 1 "$program.plan.log")"
    return 1
  }
}

# plans PROGRAM: p10.json ..., and b10.json ..., which give as much to the
# largest choices first, in a folder of its own.
plans() {
  say "$1: plans"
  mkdir -p "$1.plans"
  plan "$1" "$1.plans/all.json" || return 1
  from=all
  all=$(jq .everything.bytes "$1.plans/all.json")
  [ "$all" -gt 0 ] || {
    tell "$1: no memory of it is worth larger pages"
    return 1
  }
  # If the heap as a whole is the best, its sites are what fits in a page less.
  if jq -e 'any(.choices[]; .what == "heap")' "$1.plans/all.json" >/dev/null; then
    plan "$1" "$1.plans/sites.json" --budget $((all - 2097152)) || return 1
    from=sites
  fi
  for percent in $budgets; do
    budget=$((all * percent / 100 / 2097152 * 2097152))
    [ $budget -gt 0 ] || budget=2097152
    if [ "$percent" = 100 ]; then
      jq -c ".budget_bytes = $all" "$1.plans/all.json" >"$1.plans/p100.json"
    else
      plan "$1" "$1.plans/p$percent.json" --budget $budget || return 1
    fi
    jq -c --argjson budget $budget -f "$here/largest_first.jq" \
      "$1.plans/$from.json" >"$1.plans/b$percent.json" || return 1
  done
}

# The plans that choose something, and the baselines that differ from them.
arms_of() {
  for percent in $budgets; do
    for letter in p b; do
      file=$1.plans/$letter$percent.json
      jq -e '.choices != []' "$file" >/dev/null || continue
      [ $letter = p ] || ! same "$1.plans/p$percent.json" "$file" || continue
      echo "--plan $file"
    done
  done
}

same() { # do two plans choose the same?
  [ "$(jq -cS "$chosen" "$1")" = "$(jq -cS "$chosen" "$2")" ]
}
chosen='[.choices[] | [.where, .what, .from, .to, .chains]] | sort'

compare() { # compare PROGRAM OUTPUT.json RUNS.jsonl OPTION...: of $words
  program=$1 json=$2 runs=$3
  shift 3
  rm -f "$runs"
  # shellcheck disable=SC2086
  "$vat" compare --json --input "$input" -o "$runs" "$@" -- $words \
    >"$json.part" 2>"$program.compare.log" || {
    code=$?
    tell "$program: vat compare: exit $code: $(tail -n 1 "$program.compare.log")"
    rm -f "$json.part"
    return 1
  }
  mv "$json.part" "$json"
}

# Where free memory is in pieces, programs take longer, and larger pages save
# more than a calibration of much more memory tells.
compact() {
  [ -w /proc/sys/vm/compact_memory ] || {
    say "$1: free memory may be in pieces: only root can have it compacted"
    return 0
  }
  sync
  echo 3 >/proc/sys/vm/drop_caches
  echo 1 >/proc/sys/vm/compact_memory
}

series() {
  [ -s "$1.saved" ] || {
    tell "$1: no profile: no series"
    return 0
  }
  result=$1.compared.json
  [ -z "$layouts" ] || result=$1.mosaic.json
  [ ! -s "$result" ] || return 0
  compact "$1"
  if [ "$seconds" = 0 ]; then
    cp "$machine" "$1.machine.json"
  else
    say "$1: calibration"
    "$vat" calibrate --refresh "$machine" --reserve --time-budget "$seconds" \
      --memory "$memory" -o "$1.machine.json" >/dev/null || {
      tell "$1: vat calibrate: exit $?"
      return 0
    }
  fi
  say "$1: runs on base pages"
  compare "$1" "$1.timed.json" "$1.timed.jsonl" --pages 4k \
    --runs "$timed_rounds" || return 0
  if [ -n "$layouts" ]; then
    mosaic "$1"
    return 0
  fi
  plans "$1" || return 0
  arms=$(arms_of "$1")
  say "$1: $rounds rounds of 4k twice, thp and $(echo "$arms" | wc -l) plans"
  began=$(date +%s)
  # shellcheck disable=SC2086
  compare "$1" "$1.compared.json" "$1.runs.jsonl" --runs "$rounds" $arms ||
    return 0
  # A plan that is alone is called so.
  [ "$(echo "$arms" | wc -l)" != 1 ] ||
    sed -i "s/\"kind\":\"plan\"/\"kind\":\"$(basename -- "$arms" .json)\"/" \
      "$1.compared.json" "$1.runs.jsonl"
  say "$1: measured in $(($(date +%s) - began)) s"
}

mosaic() {
  say "$1: $rounds rounds of 4k twice, thp and $layouts layouts"
  began=$(date +%s)
  compare "$1" "$1.mosaic.json" "$1.mosaic.jsonl" --runs "$rounds" \
    --layouts "$layouts" --from "$1.saved" --machine "$1.machine.json" \
    --timed "$1.timed.jsonl" || return 0
  say "$1: measured in $(($(date +%s) - began)) s"
}

# --- the table ------------------------------------------------------------------
# One object for each budget.
rows_of() {
  for percent in $budgets; do
    jq -c -n --arg program "$1" --arg percent "$percent" \
      --slurpfile plan "$1.plans/p$percent.json" \
      --slurpfile baseline "$1.plans/b$percent.json" \
      --slurpfile compared "$1.compared.json" \
      --slurpfile runs "$1.runs.jsonl" -f "$here/plans_row.jq"
  done
}

table() {
  [ -z "$layouts" ] || return 0
  [ -s "$1.compared.json" ] || {
    tell "$1: not measured: not in the table"
    return 0
  }
  rows_of "$1" >"$1.rows.jsonl"
}

[ $# -gt 0 ] || eval "set -- $names"
for name; do
  command_of "$name"
  is_there "$name" || continue
  for part in $parts; do $part "$name"; done
done
case $parts in *table) ;; *) exit $failed ;; esac
if [ -n "$layouts" ]; then
  set --
  for name in $names; do
    [ ! -s "$name.mosaic.json" ] || set -- "$@" "$name.mosaic.json"
  done
  [ $# -gt 0 ] || fail 1 "nothing was measured"
  "$vat" validate --mosaics "$@" || failed=1
  exit $failed
fi
set --
for name in $names; do
  [ ! -s "$name.rows.jsonl" ] || set -- "$@" "$name.rows.jsonl"
done
[ $# -gt 0 ] || fail 1 "nothing was measured"
jq -rs -f "$here/plans_table.jq" "$@"
exit $failed
