#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat validate` from outside: of a machine with little caches that never was,
# whose recorded times are what FULL predicts for it.
data=$(cd "${0%/*}" && pwd)
. "${0%/*}/checks.sh"
cp "$data/validate_machine.json" m.json
cp "$data/validate_results.jsonl" r.jsonl

# refused CODE TEXT ARGUMENTS...: exits with CODE and says TEXT in one line
# beside notes, and nothing else.
refused() {
  want=$1 text=$2
  shift 2
  "$vat" validate "$@" >out 2>err
  got=$?
  [ $got = "$want" ] || { echo "    exit $got, not $want: $*"; return 1; }
  grep -v '^vat: note: ' err >lines
  [ ! -s out ] && [ "$(wc -l <lines)" = 1 ] && grep -q -e "$text" lines
}

# --- bad input ---------------------------------------------------------------
check "no results are an exit 2" refused 2 'no results file; name one' --machine m.json
check "and no machine" refused 2 'vat calibrate -o' r.jsonl
check "and two results files" refused 2 'only one results file' --machine m.json r.jsonl r.jsonl
check "and a file that is not there" refused 2 no.jsonl --machine m.json no.jsonl
check "and a machine that is not there" refused 2 no.json --machine no.json r.jsonl
check "and an unknown term" \
  refused 2 "'caches' is not a term" --without caches --machine m.json r.jsonl
sed '1s/"schema":1/"schema":99/' r.jsonl >other.jsonl
check "and results of another schema" refused 2 other.jsonl --machine m.json other.jsonl
sed '5s/"ns":/"sn":/' r.jsonl >bad.jsonl
check "and damaged ones" refused 2 bad.jsonl:5 --machine m.json bad.jsonl
for n in 100000000000 1000000000000000000 9223372036854775807; do
  sed "s/permute\(.*\)\"n\":131072,/permute\1\"n\":$n,/" r.jsonl >huge.jsonl
  check "and more than the machine's memory holds, $n" \
    refused 2 'huge.jsonl:33: permute of n = .*fix: ' --machine m.json huge.jsonl
done
sed 's/"schema":1/"schema":99/' m.json >schema.json
check "and a machine file of another schema" \
  refused 2 schema.json --machine schema.json r.jsonl
head -c 900 m.json >cut.json
check "and one that is cut" refused 2 cut.json --machine cut.json r.jsonl
sed 's/"levels"/"labels"/' m.json >damaged.json
check "and one without levels" refused 2 damaged.json --machine damaged.json r.jsonl
for bytes in 1 512 5000 1e12 1e18; do
  sed "s/\"page_bytes\":2097152/\"page_bytes\":$bytes/" m.json >pages.json
  check "and pages of $bytes bytes" refused 2 \
    '^vat: pages.json: "page_bytes" of thp pages must .* power of two' --machine pages.json r.jsonl
  sed "s/\"granularity_bytes\":4096/\"granularity_bytes\":$bytes/" m.json >pages.json
  check "and TLB entries that map $bytes bytes" refused 2 \
    '^vat: pages.json: "granularity_bytes" of 4k pages must' --machine pages.json r.jsonl
done
check "and a pipe of a cut one" \
  sh -c 'cat cut.json | "$0" validate --machine /dev/stdin r.jsonl 2>&1 |
    grep -q "^vat: /dev/stdin:1: cut off: "' "$vat"
check "and a folder in its place" refused 2 '\.: Is a directory' --machine . r.jsonl
check "and results in its place" refused 2 r.jsonl --machine r.jsonl r.jsonl
: >empty
check "and an empty one" refused 2 empty --machine empty r.jsonl
check "and empty results" refused 2 empty --machine m.json empty

grep -v '"n":32768,"pages_asked":"thp"' r.jsonl |
  grep -v 'permute.*thp\|scan.*thp\|search.*thp' >few.jsonl
check "and fewer than three pairs of pages" \
  refused 2 '2 sizes can be compared.*fix: vat run' --machine m.json few.jsonl
grep -v '"sample".*"n":\(1024\|2048\|3072\|4096\),' r.jsonl >none.jsonl
check "and no size in the cache" \
  refused 2 '^vat: .*: only 0 sizes' --machine m.json none.jsonl
check "where each program is named" \
  [ "$(grep -c 'note: .* is left out: no size .*second-level' err)" = 4 ]

# --- where there are address streams -----------------------------------------
"$vat" validate --machine m.json r.jsonl >out 2>err
code=$?
if [ $code = 3 ]; then
  check "without address streams, one line says so" \
    [ "$(grep -c 'without address streams' err)" = 1 ]
  echo "test_validate: $passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
fi
check "what FULL predicts holds" [ $code = 0 ]
check "and there is nothing to say" [ ! -s err ]
check "with a line for each program" \
  [ "$(grep -c '^permute \|^random_scan \|^binary_search \|^introsort ' out)" = 8 ]
# The results are what FULL predicts of programs that gcc compiled; another
# compiler's have other streams.
check "FULL is not far off" \
  awk '/^all, 90 of 100/ && $NF < 10 { found = 1 } END { exit !found }' out
check "c and overlap are found" \
  awk '/^binary_search/ && $(NF - 2) > 4.5 && $(NF - 2) < 5.5 && $(NF - 1) > 0.7 && $(NF - 1) < 0.9 { found = 1 }
    END { exit !found }' out
check "and noise" grep -q 'vary by 1\.0 % in the median' out
check "and there is a verdict" [ "$(grep -c '^holds: ' out)" = 1 ]
check "with no model nearer" [ "$(grep -c 'is nearer' out)" = 0 ]
for ns in 1 1.1 3; do
  (cat r.jsonl && for n in 1 1 1 1 1 1 1 1 1 $ns; do
    echo '{"record":"canary","pass":0,"ns_per_op":'$n'}'
  done) >sung.jsonl
  "$vat" validate --machine m.json sung.jsonl >sung 2>err
  grep '^canary: ' sung
done >canaries
check "what a loop that computes took is told" \
  [ "$(sed 's/.*varied by \([0-9.]*\) %.*/\1/' canaries | tr '\n' ' ')" = '0.0 5.5 110.0 ' ]
check "and where it is much, that no model knows" \
  [ "$(grep -n 'during the run, which no model' canaries | cut -d: -f1)" = 3 ]
mv out first
mkfifo pipe
cat m.json >pipe &
"$vat" validate --machine pipe r.jsonl >out 2>err
check "the machine file may be a pipe" cmp -s first out
"$vat" validate --machine m.json r.jsonl >out 2>err
check "a second time it says the same" cmp -s first out

sed 's/"thp"/"2m"/g' m.json >as_large.json
"$vat" validate --machine as_large.json r.jsonl >out 2>err
check "pages as large stand in for those not calibrated" cmp -s first out
check "which is said once" [ "$(grep -c 'thp pages were not calibrated; the costs of 2m' err)" = 1 ]
check "and nothing else" [ "$(wc -l <err)" = 1 ]

"$vat" validate --exchange --machine m.json r.jsonl >out 2>err
check "with programs exchanged it fails" [ $? = 1 ]
check "and says so" grep -q '^does not hold: ' out
check "and that fewer terms do better" grep -q '^EM is nearer with fewer' out
"$vat" validate --without sets --without streams --machine m.json r.jsonl \
  >without 2>err
check "without terms it is another table" \
  sh -c 'grep -q "^permute" without && ! cmp -s first without'

"$vat" validate --json --machine m.json r.jsonl >out 2>err
check "--json is one line" [ $? = 0 -a "$(wc -l <out)" = 1 ]
check "with a verdict" grep -q '"holds":true,"verdict":"holds: ' out
check "and a point for each row" \
  [ "$(grep -o '"measured_ns":' out | wc -l)" = 68 ]
for term in sets streams in-flight granularity table-lines walk-overlap elements; do
  check "and the ablation of $term" grep -q "\"without\":\"$term\"" out
  check "which --help names" sh -c "'$vat' validate --help | grep -q $term"
done
if command -v python3 >/dev/null; then
  check "it is JSON" python3 -c 'import json; json.load(open("out"))'
  # The first of "all" and "large", and per term, are what is printed.
  cat >printed.py <<'END'
import json
v, cells = json.load(open("out")), lambda values: [
    "-" if x is None else "%.1f" % (100 * x) for x in values]
lines = [line.split() for line in open("first")]
models = ["ram", "em", "vat", "em_vat", "full"]
def row(part, key): return cells(v[part][key][m] for m in models)
keys = ["median_error", "p90_error", "ratio_error_median", "ratio_error_p90"]
begin = next(i for i, words in enumerate(lines) if words[:2] == ["all,", "median"])
shown = [words[-5:] for words in lines[begin:begin + 8]]
assert shown == [row(part, key) for pair in (keys[:2], keys[2:])
                 for part in ("all", "large") for key in pair], shown
for a in v["ablation"]:
    words = next(w for w in lines if w and w[0] == a["without"])
    assert words[1:] == cells(a[k] for k in keys[:2] + [
        "large_" + k for k in keys]), words
full = [v["all"][k]["full"] for k in keys[2:]]
assert full == [v[k] for k in keys[2:]]
END
  check "and has what the table has" python3 printed.py 2>err
else
  echo "SKIPPED parsing JSON: install the package python3"
fi
"$vat" validate --json --exchange --machine m.json r.jsonl >out 2>err
check "also where it fails" [ $? = 1 -a "$(wc -l <out)" = 1 ]

# --- less than all -----------------------------------------------------------
sed 's/"host_cpu":"a small machine"/"host_cpu":"another"/' m.json >other.json
"$vat" validate --machine other.json r.jsonl >out 2>err
check "a machine file of another machine is used" [ $? = 0 ]
check "with a warning" \
  [ "$(grep -c '^vat: warning: other.json and .* are from different machines' err)" = 1 ]
sed 's/"warnings":\[\]/"warnings":["others used\\nmemory","and caches"]/' m.json >warned.json
"$vat" validate --machine warned.json r.jsonl >out 2>err
check "what the calibration warned of is repeated" [ $? = 0 -a "$(cat err)" = \
  "vat: warned.json: warning: others used?memory
vat: warned.json: warning: and caches" ]
grep -v 'permute.*"n":\(2048\|3072\|4096\),' r.jsonl >less.jsonl
"$vat" validate --machine m.json less.jsonl >out 2>err
check "the others go on without a program of too few sizes" [ $? = 0 ]
check "which is named" [ "$(grep -c '^vat: note: permute is left out' err)" = 1 ]
check "and in no table" sh -c '! grep -q ^permute out'
{
  cat r.jsonl
  grep '"n":\(8192\|32768\),"pages_asked":"thp"' r.jsonl |
    sed 's/"thp"/"1g"/'
} >more.jsonl
"$vat" validate --machine m.json more.jsonl >out 2>err
check "pages that were not calibrated are no hindrance" [ $? = 0 ]
check "but named once" \
  [ "$(cat err)" = "vat: note: 1g pages are left out: the calibration does not have this page kind" ]
check "and the table is as without" cmp -s first out
head -c 30100 r.jsonl >cut.jsonl # within a line
"$vat" validate --machine m.json cut.jsonl >out 2>err
check "results that end within a line are used up to it" [ $? = 0 ]

# --- what others did meanwhile -------------------------------------------------
# Of 2048 lines in a cache of 4096 a chase misses m = 0.444, so a line is away
# for -2048 ln m accesses of 40 ns, while 1139 of ours came in.
point='"x_unit":"bytes","step_bytes":64,"chains":1,"points":[[1e9,1,1,1]]'
curves='{"name":"line_chase","pages":"4k",'$point'},'
curves=$curves'{"name":"page_chase","pages":"4k",'$point'},'
sed 's/"curves": *\[/&'"$curves"'/' m.json >chases.json
canary='{"record":"canary","pass":0,"ns_per_op":1,"chase_pages":"4k"'
cp r.jsonl watched.jsonl
for i in 1 2 3 4 5; do
  echo "$canary"',"chase_bytes":131072,"chase_ns":40}' >>watched.jsonl
done
"$vat" validate --machine chases.json watched.jsonl >out 2>err
check "what others brought is told by the results" \
  grep -q 'other programs loaded 2.8[0-9] bytes per ns' out
# A line chase over as much as that cache holds takes 10.91 ns where nothing is
# missed, and memory 68 more: half of it is missed.
cp r.jsonl watched.jsonl
for i in 1 2 3 4 5; do
  echo "$canary"',"chase_bytes":131072,"chase_ns":40,'\
    '"line_chase_bytes":262144,"line_chase_ns":44.90625}' >>watched.jsonl
done
"$vat" validate --json --machine chases.json watched.jsonl >out 2>err
check "and how much of the last cache they left" \
  grep -q '"last_cache_bytes": *131072[.,]' out
"$vat" validate --machine chases.json r.jsonl >out 2>err
check "and nothing by results that do not" \
  sh -c '! grep -q "other programs loaded" out'

echo "test_validate: $passed passed, $failed failed"
[ "$failed" = 0 ]
