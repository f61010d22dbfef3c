#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat profile --plan` from outside: programs whose misses are known, and the
# same counts from `vat sim --layout` on the trace of the same run.
top=$PWD
data=$(cd "${0%/*}" && pwd)
. "${0%/*}/checks.sh"
program=$top/tests/experiments/planned

"$vat" profile --json true >out 2>err
[ $? != 3 ] || {
  echo "SKIPPED test_profile_plan: $(cat err)"
  exit 77
}

kept() { # kept NAME OPTION...: to kept and out
  name=$1
  shift
  "$vat" profile "$@" --save kept -- "$program" "$name" >out 2>err
}

walk='
  /^object/ { object = substr($0, 8) }
  /^function/ { function_ = substr($0, 10) }
  /^tree / { layers[trees + 0] = $3; tree[$2] = trees++ }
  /^site / { kind = $2; callers = 0; inner = ""; site = $0 }
  /^caller / { if (!callers++) inner = function_ }'

# misses TREE FUNCTION: LEAF NODES of the sites whose innermost caller it is.
misses() {
  awk -v t="$1" -v want="$2" "$walk"'
    function add(   n, at, i) {
      split(site, n, " ")
      at = 6 + trees
      for (i = 0; i < tree[t]; i++) at += layers[i]
      for (i = 1; i <= layers[tree[t]]; i++) {
        leaf += n[at + i]
        nodes += i * n[at + i]
      }
    }
    /^sizes / && inner == want { add() }
    END { print leaf + 0, nodes + 0 }' kept
}

# plan WHAT LEAST FROM TO FUNCTION...: a plan of the calls in kept; without
# FUNCTION, by rule.
plan() {
  what=$1 least=$2 from=$3 to=$4
  shift 4
  objects=$(sed -n '1s/.*"objects":\(\[[^]]*\]\).*/\1/p' kept)
  chains=$(awk -v want=" $* " "$walk"'
    /^frame / && index(want, " " inner " ") {
      printf "%s{\"object\":\"%s\",\"offset\":", $2 ? "," : any++ ? "],[" : "[",
             object
      system("printf %d 0x" $3)
      printf "}"
    }
    END { if (any) print "]" }' kept)
  cat <<JSON
{"record":"page-plan","schema":1,"command":["$program"],"pages":"thp",
 "objects":$objects,"budget_bytes":null,"used_bytes":8388608,
 "predicted":{"user_ratio":0.9,"lo":0.8,"hi":1.0},
 "everything":{"user_ratio":0.8,"lo":0.7,"hi":0.9,"bytes":8388608},
 "harm":{"peak_rss_bytes":[1e8,1e8],"zeroed_bytes":0,"faults_saved":8000},
 "choices":[{"where":"it","kind":"heap","what":"$what","bytes":8388608,
  "saving_s":0.1,"lo":0,"hi":0.2,"least_bytes":$least,"from":$from,"to":$to,
  "chains":[$chains],"madvise":null}],
 "curve":[[0,1]],"optimum_saving_s":0.1,"verdict":null,"ways":[]}
JSON
}

# by_layer: what the profile says of the plan's tree; layers: what vat sim says.
by_layer() {
  sed -n 's/^plan: .* by layer of the 4k tree \(.*\)/\1/p' out
}
layers() {
  "$vat" sim "$1" --tree amd64-4k --layout "$2" $3 2>err |
    awk '/^layer/ { on = 1; next } /^all/ { on = 0 } on { print $(NF - 1) }' |
    tr '\n' ' ' | sed 's/ $//'
}

# same NAME PLAN: for each kind of cache, to the digit.
same() {
  for caches in "--tc 64" "--tc 700" "--tc 64 --policy lru" \
    "--tc 1536 --policy lru" "--tlb l1=64x4,l2=512x8,pwc=32x4" "--tlb l1=16x4"; do
    # shellcheck disable=SC2086 # some have two words
    "$vat" profile $caches --plan "$2" --trace trace -- "$program" "$1" >out 2>err ||
      return 1
    simulated=$(layers trace trace.layout "$(echo "$caches" | sed 's/--tc/--tc-nodes/')")
    [ "$(by_layer)" = "$simulated" ] || {
      echo "    $caches: $(by_layer), but vat sim: $simulated"
      return 1
    }
  done
}

# --- by hand -----------------------------------------------------------------
# With 40 nodes and LRU each sweep of base pages misses each of them, and leaves
# nothing of the 4 larger pages before.  With larger pages alone, all stay.
kept turns --policy lru --tc 40
plan site-large 2097152 0 0 hot >hot.json
check "a plan is taken" kept turns --policy lru --tc 40 --plan hot.json
check "all is missed on base pages" [ "$(misses 4k hot | cut -d' ' -f1)" = 20480 ]
check "as is what the plan leaves there" [ "$(misses plan cold | cut -d' ' -f1)" = 20480 ]
check "what it chooses is missed in each turn" [ "$(misses plan hot | cut -d' ' -f1)" = 40 ]
check "and but once with large pages alone" [ "$(misses 2m hot | cut -d' ' -f1)" = 4 ]
check "the table has the tree" says '^plan  *40 ' out
check "which pages miss is told" says '^plan: 40 of the leaf misses on pages of 2 MiB' out
cp out before
check "it is saved" "$vat" profile --from kept -o out
check "and read as it was" cmp -s before out
"$vat" profile --from kept --json -o out 2>err
check "the JSON has the tree" says '"plan":\[' out
check "and what is on larger pages" says '"plan":{"page_bytes":2097152,"large_leaf_misses":40,' out

# --- vat sim has the same ----------------------------------------------------
check "a layout is written" same turns hot.json
check "with the ranges of 2 MiB" [ "$(awk '$2 == "2m" {
  split($1, a, "-"); print a[1] != a[2] }' trace.layout)" = 1 ]
plan site-large 2097152 2097152 6291456 hot >part.json
check "so are parts of blocks" same turns part.json
kept turns --policy lru --tc 40 --plan part.json
check "the rest of the block is on base pages" \
  [ "$(misses plan hot | cut -d' ' -f1)" = $((10 * (1024 + 2))) ]
plan site-large 2097152 0 2097152 hot >begin.json
plan site-large 2097152 6291456 8388608 hot >end.json
{
  sed '/"madvise":null/q' begin.json | sed 's/"madvise":null}\],/"madvise":null},/'
  sed -n '/"choices":/,$s/.*"choices":\[//;/"where"/,$p' end.json
} >parts.json
check "and two parts of a block" same turns parts.json
kept turns --policy lru --tc 40 --plan parts.json
check "what is between them is on base pages" \
  [ "$(misses plan hot | cut -d' ' -f1)" = $((10 * (1024 + 2))) ]
kept random # the calls that lead to hot() are others than those of turns
plan site-large 2097152 0 0 hot >random.json
plan site-large 16777216 0 0 hot >large.json
check "random reads: as vat sim has them" same random random.json
check "some of which miss on pages of 2 MiB" says '^plan: [1-9]' out
check "both blocks are chosen" [ "$(grep -c ' 2m$' trace.layout)" = 2 ]
check "or one by its size: as vat sim has it" same random large.json
check "but not the other" [ "$(grep -c ' 2m$' trace.layout)" = 1 ]
sed 's/"pages":"thp"/"pages":"thp-64k"/' random.json >between.json
check "pages of a size between: as vat sim has them" same random between.json
check "and they miss" says '^plan: [1-9][0-9]* of the leaf misses on pages of 64 KiB' out

# --- nothing, and all --------------------------------------------------------
sed 's/"choices":\[.*/"choices":[],/;/"saving_s"/d;/"chains"/d' hot.json >empty.json
kept random --plan empty.json
check "an empty plan is base pages" [ "$(sed -n 's/^plan  *[0-9]* //p' out)" = \
  "$(sed -n 's/^4k  *[0-9]* //p' out)" ]
kept random
plan site-large 2097152 0 0 hot cold >both.json
kept random --plan both.json
check "what is chosen misses as on 2m, where there is room" \
  [ "$(misses plan hot; misses plan cold)" = "$(misses 2m hot; misses 2m cold)" ]

# --- addresses that change hands ---------------------------------------------
kept places --policy lru --tc 40
plan site-large 2097152 0 0 hot_at >hot_at.json
kept places --policy lru --tc 40 --plan hot_at.json
check "what comes after a chosen mapping is not chosen" \
  [ "$(misses plan cold_at | cut -d' ' -f1)" = $((1 + 3 * 2 * 2048)) ]
check "what comes after another one is" \
  [ "$(misses plan hot_at | cut -d' ' -f1)" = $((3 * 4)) ]
"$vat" profile --tc 40 --plan hot_at.json --trace trace -- "$program" places >out 2>err
check "the layout says that it cannot have both" \
  says '^# 4 larger pages of addresses had base pages' trace.layout
# A TC that is large enough for pages that were used lately not to be looked up.
for program_name in changes changes-elsewhere; do
  kept $program_name --tc 1536
  plan site-large 2097152 0 0 hot_at >changes.json
  kept $program_name --tc 1536 --plan changes.json
  check "$program_name: a page that was used is looked up as what it is now" \
    [ "$(misses plan hot_at | cut -d' ' -f1) $(misses plan cold_at | cut -d' ' -f1)" = "16 16" ]
done

# --- other memory ------------------------------------------------------------
kept mappings --policy lru --tc 40
plan site-large 2097152 0 0 hot_at >mapped.json
kept mappings --policy lru --tc 40 --plan mapped.json
check "mappings, shared and moved ones, too" \
  [ "$(misses plan hot_at | cut -d' ' -f1)" = 6 ]
check "others are not" [ "$(misses plan cold_at | cut -d' ' -f1)" = 2048 ]
check "vat sim has these" same mappings mapped.json
plan shared 2097152 0 0 >shared.json
kept mappings --policy lru --tc 40 --plan shared.json
check "shared memory by rule" \
  [ "$(misses plan hot_at | cut -d' ' -f1)" = $((2 + 4 * 1024)) ]
kept nodes --policy lru --tc 40
plan site-small 0 0 0 hot_node >small.json
kept nodes --policy lru --tc 40 --plan small.json
check "small blocks" [ "$(misses plan hot_node | cut -d' ' -f1)" -lt 100 ]
check "of one site alone" [ "$(misses plan cold_node | cut -d' ' -f1)" -gt 9000 ]
plan site-small 0 0 2048000 hot_node >first.json
kept nodes --policy lru --tc 40 --plan first.json
check "the first half of them" between 4900 "$(misses plan hot_node | cut -d' ' -f1)" 6000
plan heap 0 0 0 >heap.json
kept nodes --policy lru --tc 40 --plan heap.json
check "all of the heap" [ "$(misses plan cold_node | cut -d' ' -f1)" -lt 100 ]
plan data 0 0 0 >data.json
kept statics --policy lru --tc 40 --plan data.json
check "static data, where a page has room" \
  between 100 "$(misses plan '' | cut -d' ' -f1)" 5200

kept giant
check "a block of 1 GiB is a large one" grep -q '^sizes 1073741824 1073741824 1 1073741824' kept

kept again
check "a mapping made again counts once at its peak" grep -q '^site mapping 5 20971520 4194304 ' kept
check "and when all memory was most" awk '/^site mapping 5 / { on = 1 } on && /^live/ { exit $NF != 4194304 } ' kept

# --- processes ---------------------------------------------------------------
kept forked
plan site-large 2097152 0 0 hot >forked.json
"$vat" profile --tc 64 --plan forked.json --trace trace -- "$program" forked >out 2>err
check "a child has a layout, with what is chosen" \
  [ "$(grep -l ' 2m$' trace.*.layout | wc -l)" = 1 ]

"$vat" profile --plan hot.json -- true >out 2>err
check "a plan of another program is told" says '^vat: note: hot.json: no memory of this run'

# --- what if -----------------------------------------------------------------
"$vat" profile --what-if --user-time 0.1 --tc 64 --plan random.json \
  --machine "$data/what_if_machine.json" -- "$program" random >out 2>err
check "what if has the plan" says '^plan  *0\.[0-9]* (' out
check "and what it says itself" says '^  *0\.900 (0\.800-1\.000) .* says the plan' out
"$vat" profile --what-if --user-time 0.1 --tc 64 --plan between.json \
  --machine "$data/what_if_machine.json" -- "$program" random >out 2>err
check "a size between: what is missing" \
  says '^plan: user time is not known: the calibration does not tell .*; fix: vat calibrate' out
of_1='{"value":1000,"lo":900,"hi":1100}' none='{"value":null,"lo":null,"hi":null}'
reach="{\"1\":$of_1,\"2\":$of_1,\"4\":$of_1,\"8\":$of_1,\"16\":$none}"
found="{\"absent\":null,\"proof\":null,\"page_bytes\":4096,\"points\":[],"
found="$found\"tlb\":[{\"entries\":$of_1,\"reach\":$reach,\"joined\":1}]}"
sed "s/\"noise\":/\"coalescing\":$found,&/" "$data/what_if_machine.json" >joins_none.json
"$vat" profile --what-if --user-time 0.1 --tc 64 --plan between.json \
  --machine joins_none.json --json -- "$program" random 2>err | grep -o '"what_if":{.*' >out
check "where no entries are joined, user time stays" \
  says '"plan":{"user_ratio":1.0,"lo":1.0,"hi":1.0,"saved_s":0.0,"covered":0.4' out
check "and nothing is missing" says '"plan_why":null' out

# --- what is refused ---------------------------------------------------------
echo '{"record":"page-plan"}' >broken.json
check "no plan" refused 2 profile --plan broken.json -- true
check "no file" refused 2 profile --plan absent.json -- true
sed 's/"build_id":[^}]*/"build_id":"00"/g' hot.json >other.json
check "another build" refused 2 profile --plan other.json -- true
sed 's/"pages":"thp"/"pages":"gigantic"/' hot.json >kind.json
check "a kind of no known size" refused 2 profile --plan kind.json -- true
sed 's/"object":"/&a\\nb/' hot.json >lines.json
check "a name of two lines" refused 2 profile --plan lines.json -- true
check "four page sizes beside it" refused 2 profile --plan hot.json --pages 4k,64k,2m,1g -- true
check "with --code" refused 2 profile --plan hot.json --code -- true
check "with --from" refused 2 profile --plan hot.json --from kept
check "its own file is not written over" refused 2 profile --plan hot.json -o hot.json -- true

echo "test_profile_plan: $passed passed, $failed failed"
[ "$failed" = 0 ]
