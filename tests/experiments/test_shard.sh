#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The contract of --shard and vat merge from outside: parts that are measured
# one by one, whoever does, are together what one run measures.
. "${0%/*}/checks.sh"

# refused TEXT ARGUMENTS...: bad usage, told in one line that begins so.
refused() {
  text=$1
  shift
  "$vat" "$@" >out 2>err
  [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && grep -q "^vat: $text" err
}

# The identity of every sample of some files, sorted.
keys() {
  grep -h '"record":"sample"' "$@" |
    sed 's/.*"algo":"\([^"]*\)".*"n":\([0-9]*\).*"pages_asked":"\([^"]*\)".*"rep":\([0-9]*\).*"seed":\([0-9]*\).*/\1 \2 \3 \4 \5/' |
    sort
}

for bad in 0/3 4/3 a/b 1/0 1 1/ /3 1/3/5 -1/3 +1/3 ' 1/3' 1/3x 1/99999999 ''; do
  check "run --shard '$bad'" refused "--shard: '$bad' is not a part; write I/N" run --shard "$bad"
  check "sim --shard '$bad'" refused "--shard: '$bad' is not a part; write I/N" sim --shard "$bad"
done
check "a shard of sizes that each machine chooses" \
  refused '--shard 1/2: shards need the sizes' run permute --shard 1/2 -o x
check "more shards than points" \
  refused '--shard 3/3: more shards than the sweep has points .*, 2;' run permute --sizes 8,16 --shard 3/3 -o x
check "nothing was begun" [ ! -e x ]

sweep='permute heapsort --sizes 100,200,300,400 --pages 4k --reps 2 --counters none --json'
# shellcheck disable=SC2086
"$vat" run $sweep -o alone.jsonl >out 2>err
check "one alone" [ $? = 0 ]
for shard in 1 2 3; do
  # shellcheck disable=SC2086
  "$vat" run $sweep --shard $shard/3 -o $shard.jsonl >$shard.out 2>err
  check "shard $shard" [ $? = 0 ]
done
check "a shard is a third" [ "$(wc -l <1.out) $(wc -l <2.out) $(wc -l <3.out)" = '3 3 2' ]

# Resumed, by the shard of the file.
head -n 4 2.jsonl >cut.jsonl
cp cut.jsonl other.jsonl
check "another shard is another sweep" refused 'other.jsonl: was started with different --shard' \
  run --resume --shard 3/3 -o other.jsonl
"$vat" run --resume --json -o cut.jsonl >out 2>err
check "the rest of a shard" [ $? = 0 ]
keys 2.jsonl >want
keys cut.jsonl >got
check "is that of its shard" cmp -s want got

"$vat" merge 1.jsonl 2.jsonl 3.jsonl -o all.jsonl >out 2>err
check "they are merged" [ $? = 0 -a ! -s err ]
keys alone.jsonl >want
keys all.jsonl >got
check "all samples, each once" cmp -s want got
check "16 of them" [ "$(wc -l <got)" = 16 ]
"$vat" merge 1.jsonl 3.jsonl -o some.jsonl >out 2>err
check "one is missing" [ $? = 1 ]
check "and is named" grep -q '^vat: some.jsonl: shard 2 of 3' err
check "a shard twice" refused 'cut.jsonl:[0-9]*: repeats the sample of 2.jsonl:' \
  merge 1.jsonl 2.jsonl 3.jsonl cut.jsonl -o twice.jsonl
check "leaves nothing" [ ! -e twice.jsonl ]
mkfifo pipe
for other in pipe /dev/null .; do
  check "merged to $other" refused "-o $other: is not a regular file; name one" \
    merge 1.jsonl 2.jsonl 3.jsonl -o $other
done
"$vat" report 1.jsonl 2.jsonl -o parts >out 2>err
check "parts of one run are shown as two machines, which is said" [ $? = 0 -a "$(wc -l <err)" = 1 ]
check "and what makes them one" grep -q '^vat: note: .* vat merge 1.jsonl 2.jsonl -o FILE$' err
"$vat" report all.jsonl -o whole >out 2>err
check "a merged file has nothing to say" [ $? = 0 -a ! -s err ]
"$vat" report all.jsonl --json >out 2>err
check "a report of them" [ $? = 0 -a "$(wc -l <out)" = 8 ]
check "what is merged is not resumed" refused 'all.jsonl: is merged from several runs' \
  run --resume -o all.jsonl

# A simulation's points are policies, W and trees.
if "$vat" sim --algo heapsort --n 100 --json >out 2>err; then
  sweep='--algo heapsort --n 1000 --policy lru,islru --tc-nodes 8,16,32 --page-bits 12,16 --json'
  # shellcheck disable=SC2086
  "$vat" sim $sweep >alone.json 2>err
  check "twelve points" [ $? = 0 -a "$(wc -l <alone.json)" = 12 ]
  check "each another" [ "$(sort -u alone.json | wc -l)" = 12 ]
  for shard in 1 2 3 4 5; do
    # shellcheck disable=SC2086
    "$vat" sim $sweep --shard $shard/5
  done >all.json 2>err
  sort alone.json >want
  sort all.json >got
  check "in five shards, each once" cmp -s want got
  "$vat" sim --algo heapsort --n 1000 --tc-nodes 16 --policy islru --page-bits 16 --json >one
  check "as one alone" grep -q -x -F -f one alone.json
  check "of all trees by name" sh -c '
    "$0" sim --algo heapsort --n 1000 --tree amd64-4k,amd64-2m --json | wc -l | grep -q -x 2' "$vat"
  check "more shards than points of it" refused '--shard 2/2: more shards than the sweep has points .*: 1 point;' \
    sim --algo heapsort --n 10 --shard 2/2
else
  echo "SKIPPED shards of vat sim: $(cat err)"
fi
check "standard input is read once" refused '-: standard input can be read only once' sim - --tc-nodes 8,16
check "a policy twice" refused '--policy: lru is named twice' sim x --policy lru,lru
check "W that is none" refused '--tc-nodes' sim x --tc-nodes 0,8
check "a tree twice" refused '--tree: amd64-4k is named twice' sim x --tree amd64-4k,amd64-4k
check "two lists of pages" refused '--page-bits and several' \
  sim x --tree amd64-4k,amd64-2m --page-bits 12,13

echo "test_shard: $passed passed, $failed failed"
[ "$failed" = 0 ]
