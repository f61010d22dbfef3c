#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What vat has to do without: room on the disk, the right to write, /proc,
# memory, a terminal, somebody who reads its output.
. "${0%/*}/../experiments/checks.sh"
mkdir tmp disk
export TMPDIR="$work/tmp" vat
runs=0
run="run permute random_scan --sizes 2^10:2^13*1.2 --pages 4k --json"

judge() { # judge CODES CODE: of a vat that left its words in err
  runs=$((runs + 1))
  case " $1 " in *" $2 "*) ;; *) echo "    exit $2, not $1"; return 1 ;; esac
  [ -z "$(ls -A tmp)" ] || { echo "    left: $(ls -A tmp)"; return 1; }
  # A constructor of that library is called before vat is.
  grep -v '^libhugetlbfs: ' err >words
  ! grep -qv '^vat: ' words || return 1
  case $2 in
    0 | 141) [ "$(grep -cv '^vat: note: \|^vat: results: ' words)" = 0 ] ;;
    *) [ "$(grep -cv '^vat: note: \|^vat: results: ' words)" = 1 ] ;;
  esac
}

"$vat" trace --algo permute --n 20000 --format text -o long.txt >out 2>err
"$vat" $run --reps 2 -o whole.jsonl >out 2>err
check "what the others need is there" [ -s long.txt -a -s whole.jsonl ]

# What writes files, each to DIR/o (or a name that begins so).
writers() { # writers DIR
  cat <<E
run random_scan --sizes 1000 --pages 4k --reps 300 --json -o $1/o.jsonl
trace --from long.txt --format text -o $1/o.txt
report whole.jsonl -o $1/o
calibrate --pages 4k --memory 4M --time-budget 0.01 --json -o $1/o.json
compare --runs 2 --pages 4k --json -o $1/o.jsonl -- true
profile --json -o $1/o.json -- true
profile --save $1/o.save -- true
E
}

# --- standard output that takes nothing -------------------------------------------
again() { rm -f r.jsonl m.json; }
while read -r line; do
  # shellcheck disable=SC2086
  "$vat" $line >/dev/full 2>err
  check "a full standard output: vat $line" judge "2 3" $?
  again
  # shellcheck disable=SC2086
  "$vat" $line >&- 2>err
  check "a closed one: vat $line" judge 2 $?
  again
  # shellcheck disable=SC2086
  "$vat" $line 2>&- >out
  code=$?
  : >err
  check "closed standard error is no matter: vat $line" judge 0 $code
  again
  # shellcheck disable=SC2086
  (trap '' PIPE; "$vat" $line 2>err; echo $? >code) | :
  check "nobody reads, SIGPIPE ignored: vat $line" judge "0 2" "$(cat code)"
  again
  # shellcheck disable=SC2086
  ("$vat" $line 2>err; echo $? >code) | :
  check "nobody reads: vat $line" judge "0 2 141" \
    "$(cat code)"
  again
done <<'E'
list algos
doctor
sim long.txt --json
predict --algo permute --n 500
trace --algo permute --n 500
model maxsum matmul --n 512
report whole.jsonl --json
run permute --sizes 1000 --pages 4k --reps 1 --json -o r.jsonl
compare --runs 1 --pages 4k --json -- true
profile --json -- true
calibrate --pages 4k --memory 4M --time-budget 0.01 --json -o m.json
E

# --- memory -------------------------------------------------------------------
# Limits below which not even `vat --version` gets to main() are the loader's.
for mib in 1 32 64 80 96 128 192 256; do
  (ulimit -v $((mib * 1024)) && exec "$vat" --version) >out 2>err || continue
  while read -r line; do
    # shellcheck disable=SC2086
    (ulimit -v $((mib * 1024)) && exec "$vat" $line) >out 2>err
    check "$mib MiB: vat $line" judge "0 3" $?
    rm -f r.jsonl
  done <<'E'
list algos
sim long.txt --json
run permute --sizes 2^20 --pages 4k --reps 1 --json -o r.jsonl
E
done 2>/dev/null # the shell's words of what was killed

# --- no terminal ----------------------------------------------------------------
for line in doctor "run permute --sizes 1000 --pages 4k --reps 1 --json -o r.jsonl" \
  "compare --runs 1 --pages 4k -- true"; do
  # shellcheck disable=SC2086
  setsid -w "$vat" $line </dev/null >out 2>err
  check "without a terminal: vat $line" judge 0 $?
done

# --- what takes a mount of its own -----------------------------------------------
if ! unshare -m true 2>/dev/null; then
  echo "SKIPPED full and read-only disks, no /proc: only root may mount"
  echo "surroundings.sh: $runs runs, $passed claims hold, $failed do not"
  [ "$failed" = 0 ]
  exit
fi

# mounted OPTIONS COMMAND: with a file system of its own on disk/
mounted() {
  options=$1
  shift
  unshare -m sh -c 'mount -t tmpfs -o "$0" none disk && exec "$@"' \
    "$options" "$@" >out 2>err
}

while read -r line; do
  # shellcheck disable=SC2086
  mounted ro "$vat" $line
  check "read-only: vat $line" judge "2 3" $?
  # shellcheck disable=SC2086
  mounted size=4k,nr_inodes=100 "$vat" $line
  check "a full disk: vat $line" judge "2 3" $?
  # shellcheck disable=SC2086
  mounted nr_inodes=1 "$vat" $line
  check "no room for a file: vat $line" judge "2 3" $?
done <<E
$(writers disk)
E

# Temporary files, and those that the next run would find.
for line in "profile --json -- true" \
  "sim long.txt --policy min --memory 1 --levels 4"; do
  # shellcheck disable=SC2086
  TMPDIR=disk mounted size=4k "$vat" $line
  check "TMPDIR is full: vat $line" judge "2 3" $?
done

# The disk fills up in the middle, room is made, and the run goes on.
cat >fills <<'S'
mount -t tmpfs -o size=32k none disk
"$vat" $1 --reps 6 -o disk/r.jsonl >/dev/null 2>err
echo $? >code
"$vat" report disk/r.jsonl --json >/dev/null 2>err2 || echo unreadable >code
mount -o remount,size=4m disk
"$vat" $1 --reps 6 -o disk/r.jsonl --resume >/dev/null 2>err2 || cat err2 >code
grep -c '"record":"sample"' disk/r.jsonl >samples
S
unshare -m sh fills "$run"
check "a disk that fills up" judge 3 "$(cat code)"
"$vat" $run --reps 6 -o r6.jsonl >out 2>err
check "once there is room, the run gets to all samples" \
  [ "$(cat samples)" = "$(grep -c '"record":"sample"' r6.jsonl)" ]

while read -r line; do
  # shellcheck disable=SC2086
  "$vat" $line >out.proc 2>err
  # shellcheck disable=SC2086
  unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' - "$vat" $line \
    >out 2>err
  check "without /proc: vat $line" judge 0 $?
  check "it says the same: vat $line" cmp -s out out.proc
done <<'E'
list algos
sim long.txt --json
predict --algo permute --n 500
trace --algo permute --n 500
model maxsum matmul --n 512
report whole.jsonl --json
E
while read -r line; do
  # shellcheck disable=SC2086
  unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' - "$vat" $line \
    >out 2>err
  check "without /proc: vat $line" judge "0 3" $?
  rm -rf p.jsonl p.json
done <<'E'
doctor
run permute --sizes 1000 --pages 4k --reps 1 --json -o p.jsonl
run permute --sizes 1000 --pages 4k,thp --reps 1 --json -o p.jsonl
report whole.jsonl -o page
compare --runs 1 --pages 4k --json -- true
profile --json -o p.json -- true
calibrate --pages 4k --memory 4M --time-budget 0.01 --json -o p.json
E

echo "surroundings.sh: $runs runs, $passed claims hold, $failed do not"
[ "$failed" = 0 ]
