#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# vat-fleet.sh on machines that are folders here: an ssh of this test's own runs
# what parallel sends to the named one, and that called broken fails.
script=$(cd "${0%/*}/../../experiments/cluster" && pwd)/vat-fleet.sh
. "${0%/*}/../experiments/checks.sh"

for tool in parallel rsync; do
  command -v $tool >/dev/null || {
    echo "SKIPPED the fleet: $tool is missing: ./bootstrap --install-cluster-deps"
    exit 77
  }
done

# ssh [OPTION...] MACHINE COMMAND...
cat >ssh <<'END'
#!/bin/sh
folder=${0%/*}
while :; do
  case $1 in
    -l | -p | -o) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
machine=$1
shift
[ "$1" != -- ] || shift
[ "$machine" != broken ] || exit 255
echo "$machine" >>"$folder/used"
mkdir -p "$folder/home-$machine"
cd "$folder/home-$machine" && HOME=$PWD exec sh -c "$*"
END
chmod +x ssh
PARALLEL_SSH=$work/ssh RSYNC_RSH=$work/ssh HOME=$work/home VAT=$vat
export PARALLEL_SSH RSYNC_RSH HOME VAT
mkdir home

keys() { # of every sample, sorted
  grep -h '"record":"sample"' "$@" |
    sed 's/.*"algo":"\([^"]*\)".*"n":\([0-9]*\).*"pages_asked":"\([^"]*\)".*"rep":\([0-9]*\).*"seed":\([0-9]*\).*/\1 \2 \3 \4 \5/' |
    sort
}

sweep='permute heapsort --sizes 100,200,300 --pages 4k --reps 2 --counters none'
# shellcheck disable=SC2086
"$vat" run $sweep --json -o alone.jsonl >out 2>err
printf '%s\n' first second broken >logins
# shellcheck disable=SC2086
check "shards on three machines, one of them broken" \
  sh "$script" 4 shards logins run $sweep >out 2>err
check "are four files" [ "$(ls shards | tr '\n' ' ')" = "shard-1.jsonl shard-2.jsonl shard-3.jsonl shard-4.jsonl " ]
check "of both machines" [ "$(sort -u used | tr '\n' ' ')" = "first second " ]
check "which keep nothing" [ -z "$(find home-first home-second -name '*.jsonl')" ]
check "they are merged" "$vat" merge shards/shard-*.jsonl -o merged.jsonl >out 2>err
keys alone.jsonl >want
keys merged.jsonl >got
check "and have all samples, each once" cmp -s want got

rm shards/shard-2.jsonl used
# shellcheck disable=SC2086
check "once more" sh "$script" 4 shards logins run $sweep >out 2>err
check "does what is missing" test -e shards/shard-2.jsonl
check "alone" "$vat" merge shards/shard-*.jsonl -o merged.jsonl >out 2>err

printf '%s\n' '# two' first second >logins
check "a sweep on each" sh "$script" each both logins run permute --sizes 100 --pages 4k --reps 2 \
  --generator 'random' >out 2>err || cat err
check "has a file of each" [ "$(ls both | tr '\n' ' ')" = "machine-first.jsonl machine-second.jsonl " ]
check "and a simulation in shards" sh "$script" 2 sims logins sim --algo heapsort --n 100 \
  --tc-nodes 8,16 >out 2>err
check "has a point in each" [ "$(cat sims/shard-1.json sims/shard-2.json | wc -l)" = 2 ]
sh "$script" 2 sims nowhere run permute >out 2>err
check "machines that nobody named" [ $? = 2 ]
printf 'broken\n' >logins
sh "$script" each none logins run permute --sizes 100 >out 2>err
check "a fleet that fails" [ $? = 1 ]
printf 'first\nsecond' >logins
check "a last line without an end" sh "$script" each ended logins run permute --sizes 100 \
  --pages 4k --reps 2 >out 2>err
check "is a machine, too" [ "$(ls ended | tr '\n' ' ')" = "machine-first.jsonl machine-second.jsonl " ]
printf '%s\n' first me@second '# second' you@second >logins
sh "$script" each same logins run permute --sizes 100 >out 2>err
check "two machines of one name" [ $? = 2 ]
check "are both told" grep -q '^vat-fleet.sh: me@second and you@second: machine-second' err
check "before anything is done" [ ! -e same ]

# A vat that ends amid its results, on machines that are well.
cat >dying <<END
#!/bin/sh
[ -e "$work/healed" ] && exec "$vat" "\$@"
"$vat" "\$@"
code=\$?
for file in *.part; do
  [ ! -s "\$file" ] || dd if=/dev/null of="\$file" bs=1 seek=400 2>/dev/null
done
exit \$((code ? code : 137))
END
chmod +x dying
printf '%s\n' first second >logins
dies() { # dies DIR ARG...: to be done again, and nothing is there
  VAT=$work/dying sh "$script" "$@" >out 2>err
  [ $? = 1 ] && [ -z "$(ls "$2" | grep -v '^joblog')" ]
}
# shellcheck disable=SC2086
check "shards whose vat dies are not there" dies 2 dead logins run $sweep
check "nor simulations" dies 2 dead-sims logins sim --algo heapsort --n 100 --tc-nodes 8,16
# shellcheck disable=SC2086
check "nor sweeps on each" dies each dead-both logins run $sweep
VAT=$work/absent sh "$script" 2 absent logins sim --algo heapsort --n 100 --tc-nodes 8,16 \
  >out 2>err
check "a vat that is absent is told" [ $? = 1 ]
check "and leaves nothing" [ -z "$(ls absent | grep -v '^joblog')" ]
check "nor do they there" [ -z "$(find home-first home-second -name '*.part')" ]
: >healed
# shellcheck disable=SC2086
VAT=$work/dying sh "$script" 2 dead logins run $sweep >out 2>err
check "the same again" [ $? = 0 ]
check "does them" "$vat" merge dead/shard-1.jsonl dead/shard-2.jsonl -o healed.jsonl >out 2>err
keys healed.jsonl >got
check "all of them" cmp -s want got

echo "test_fleet: $passed passed, $failed failed"
[ "$failed" = 0 ]
