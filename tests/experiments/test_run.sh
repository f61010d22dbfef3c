#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The contract of `vat run` from outside: exit codes, the one line of an error,
# and that a results file survives whatever happens to the run.
. "${0%/*}/checks.sh"
alone_with_the_pools

# says TEXT ARGUMENTS...: it is bad usage, and the one line begins with TEXT.
says() {
  text=$1
  shift
  refused 2 "$@" && [ ! -s out ] && grep -q -e "^vat: $text" err
}

# The identity of every sample of a file, sorted.
keys() {
  grep '"record": *"sample"' "$1" |
    sed 's/.*"algo": *"\([^"]*\)".*"n": *\([0-9]*\).*"pages_asked": *"\([^"]*\)".*"rep": *\([0-9]*\).*"seed": *\([0-9]*\).*/\1 \2 \3 \4 \5/' |
    sort
}

same_keys() {
  keys "$1" >keys.a
  keys "$2" >keys.b
  [ -s keys.a ] && cmp -s keys.a keys.b
}

samples() { grep -c '"record": *"sample"' "$1"; }

within_10_s() { # within_10_s COMMAND: it holds by then
  for _ in $(seq 100); do
    "$1" && return 0
    sleep 0.1
  done
  return 1
}

pool=/sys/kernel/mm/hugepages/hugepages-2048kB
grown() { [ "$(cat $pool/nr_hugepages)" -gt "$found" ]; }
as_found() { [ "$(cat $pool/nr_hugepages)" = "$found" ]; }

# reserved_until SIGNAL: the pool grows for a run and shrinks after its end.
reserved_until() {
  found=$(cat $pool/nr_hugepages)
  rm -f pool.jsonl
  "$vat" run heapsort --sizes 2^22 --pages 4k,2m --reserve --reps 500 \
    -o pool.jsonl >out 2>err &
  pid=$!
  within_10_s grown
  grew=$?
  kill -$1 $pid
  wait $pid 2>/dev/null
  within_10_s as_found && [ $grew = 0 ]
}

# Others may resize the pool meanwhile, but hardly each time.
at_last() { "$@" || "$@" || "$@"; }

# --- options that no command has, of each command ---
for name in $("$vat" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  for see in "--nosuch: no such option" "-%: no such option" \
    "--help=3: takes no value"; do
    check "vat $name ${see%%:*}" says "$see; see vat $name --help\$" "$name" "${see%%:*}"
  done
  "$vat" "$name" --nosuch --help >out 2>err
  check "what comes first counts, vat $name" [ $? = 2 ]
  for ask in --help --usage --version -? -V --vers; do
    "$vat" "$name" "$ask" --nosuch >out 2>err
    check "vat $name $ask" [ $? = 0 -a -s out -a ! -s err ]
  done
done
"$vat" run --help >asked
# glibc's argp would print for ever.
for format in rmargin=1 'dup-args, rmargin = 20' opt-doc-col=100 rmargin=90,opt-doc-col=80 \
  rmargin=4294967297 opt-doc-col=2147483647 rmargin=2147483647,opt-doc-col=2147483640; do
  (ulimit -t 5; ARGP_HELP_FMT=$format "$vat" run --help >out 2>err)
  check "--help ends with $format" [ $? = 0 ]
  check "and is the usual" cmp -s asked out
done
ARGP_HELP_FMT=rmargin=8000,opt-doc-col=120 "$vat" run --help >out 2>err
check "what argp can print it prints" [ $? = 0 -a "$(wc -l <out)" -lt "$(wc -l <asked)" ]
"$vat" run --help >asked && "$vat" help run >out 2>err
check "vat help run" cmp -s asked out
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 true 2>/dev/null; then
  chmod 711 .
  cp "$vat" setuid && chmod 4755 setuid
  setpriv --reuid 65534 ./setuid list pages >out 2>err
  check "setuid it refuses" [ $? = 2 -a ! -s out ]
  check "and says why" grep -q '^vat: is setuid .*chmod ug-s' err
fi
rm -f asked setuid
check "a value that lacks" says '--reps: needs a value; see vat run --help' run --reps
check "of a letter" says '-o: needs a value; see vat report --help' report -jo
check "a letter behind another" says '-x: no such option' report --json -jx
check "an option cut too short" says '--s: several options begin with this' run --s 5
check "a value too many" says '--json=3: takes no value' list --json=3
check "a word too many" says 'x: unexpected; see vat doctor --help' doctor x
check "a value that is none" says "--reps x: not a whole" run --reps=x
check "no results" says 'name a results file' report -o out
check "no folder" says 'say where to write: -o DIR' report r.jsonl

# --- what is refused ---------------------------------------------------------
while IFS='|' read -r code arguments; do
  # shellcheck disable=SC2086
  check "refused ($code): vat $arguments" refused "$code" $arguments
done <<'EOF'
2|run nosuch
2|run permute permute
2|run permute --pages 5k
2|run permute --pages 4k,4k
2|run permute --pages 4k,
2|run permute --sizes 0:8*2
2|run permute --sizes -5
2|run permute --sizes 2^
2|run permute --sizes 10:5
2|run permute --sizes 1:8*1
3|run permute --sizes 2^60
3|run permute --sizes 2^40
2|run permute --sizes 2^64
3|run introsort --sizes 2305843009213693951 --pages 4k
3|run introsort --sizes 2305843009213600000 --pages thp
3|run introsort --sizes 2305843009213600000 --pages 2m
3|run introsort --sizes 2305843009213693951 --pages 2m --reserve
3|run introsort --sizes 2305843009213600000 --pages 1g
2|run permute --reps -1
2|run permute --reps 0
2|run permute --reps x
2|run permute --seed -1
2|run permute --time-budget 0
2|run permute --time-budget soon
2|run permute --counters nosuch
2|run permute --pin 99999 --sizes 1000 --pages 4k
2|run permute --device gpu
2|run permute --device cuda
2|run permute --nosuch
2|run list_ranking_nodes --alloc nosuch
2|run list_ranking_nodes --alloc
2|run permute --alloc arena
2|run --alloc glibc
2|run list_ranking_nodes --alloc glibc --pages 4k,thp
2|run list_ranking_nodes permute --alloc workspace --sizes 2^60
2|run permute --set thesis
2|run --set thesis --quick
2|run --set thesis --device emu
2|run --set nosuch
2|run --set
2|run permute --resume
2|run permute --passes 0
2|run permute --passes
2|run permute --sizes 1000 --pages 4k -o none/file.jsonl
2|run permute --sizes 1000 --pages 4k -o .
2|nosuch
EOF
check "nothing is left by what is refused" [ -z "$(ls | grep -v '^out$\|^err$')" ]

# --- who it is ---------------------------------------------------------------
is_version() { # is_version ARGUMENTS...: prints one line, the version
  "$vat" "$@" >out 2>err && grep -qx 'vat [0-9].*' out && [ "$(wc -l <out)" = 1 ]
}
for option in -V --version; do
  check "vat $option is the version" is_version $option
  check "and of a subcommand, too" is_version run $option
done

# --- what a kind of page needs -----------------------------------------------
# 8 MiB and something.
"$vat" run heapsort --sizes 2^20 --reps 1 -o missing.jsonl >out 2>err
! grep -q 'note: no 2m pages: the pool' err ||
  check "as many pages are said to be needed as are" \
    grep -q 'no 2m pages: the pool .* of 5 needed pages free' err

# --- a plain run -------------------------------------------------------------
"$vat" run --sizes 1000,2^12 --pages 4k --reps 2 -o all.jsonl >out 2>err
check "a small run that names no program succeeds" [ $? = 0 ]
algos=$("$vat" list algos --json | grep -c '"default": *"yes"')
check "those are the seven classic ones" [ "$algos" = 7 ]
check "every default algorithm, size and repetition is there" \
  [ "$(samples all.jsonl)" = $((algos * 4)) ]
check "it names its report" grep -q '^report: all-report/index.html$' out
check "the report is there" [ -s all-report/index.html ]
check "the first line is the machine" \
  sh -c 'head -n 1 all.jsonl | grep -q "\"record\": *\"machine\""'
"$vat" run permute --sizes 1000 --pages 4k --reps 2 --json >out 2>err
check "--json prints a summary a line" grep -q '"record": *"summary"' out
# A sanitizer's frames are larger.
grep -q __asan_init "$vat" || check "a stack of 64 KiB is enough" \
  sh -c 'ulimit -s 64; "$0" run permute --sizes 1000 --pages 4k --reps 2 \
    --json -o stack.jsonl >out2 2>err' "$vat"
check "--json prints nothing else" [ "$(grep -vc '^{' out)" = 0 ]

check "an existing file is not touched" \
  refused 2 run permute --sizes 1000 --pages 4k -o all.jsonl
check "nor resumed with another plan" \
  refused 2 run permute --sizes 1000 --pages 4k -o all.jsonl --resume
check "the loop that only computes is timed once a size" \
  [ "$(grep -c '"record":"canary"' all.jsonl)" = $((algos * 2)) ]
lines=$(wc -l <all.jsonl)
"$vat" run -o all.jsonl --resume >out 2>err
check "resuming what is done adds nothing" [ "$(wc -l <all.jsonl)" = "$lines" ]

# --- a set -------------------------------------------------------------------
"$vat" run --set thesis --sizes 1000 --pages 4k --reps 2 -o set.jsonl >out 2>err
check "a set is measured" [ $? = 0 ]
check "and nothing but its seven programs" [ "$(samples set.jsonl)" = 14 ]
for algo in permute random_scan binary_search_plain heapify_levels \
  heapsort_topdown sequential_scan; do
  check "$algo is one of them" grep -q "\"algo\":\"$algo\"" set.jsonl
done
check "it is resumed as the same set only" \
  refused 2 run --set default -o set.jsonl --resume
check "which the message says" grep -q 'different --set' err
"$vat" run permute --set thesis >out 2>err
check "a set and a program exclude each other" \
  grep -q 'leave out permute or --set' err

# --- seeds of all 64 bits -----------------------------------------------------
big=18446744073709551615
"$vat" run permute --sizes 1000,2000 --pages 4k --reps 2 --seed $big \
  -o seed.jsonl >out 2>err
check "a seed above 2^63 is text in the plan and in the samples" \
  [ "$(grep -c "\"seed\": *\"$big\"" seed.jsonl)" = 5 ]
sed '$d' seed.jsonl >part.jsonl
"$vat" run -o part.jsonl --resume >out 2>err
check "and resumed, it is the same" same_keys seed.jsonl part.jsonl
check "also where it is named, in hexadecimal" \
  "$vat" run -o seed.jsonl --resume --seed 0xffffffffffffffff >out 2>err
check "but no other is" refused 2 run -o seed.jsonl --resume --seed -0
check "nor one that differs in the last bit" \
  refused 2 run -o seed.jsonl --resume --seed 18446744073709551614
"$vat" run permute --sizes 1000,2000 --pages 4k --reps 2 \
  --seed 18446744073709551614 -o other.jsonl >out 2>err
check "merged, two such seeds stay two" "$vat" merge seed.jsonl other.jsonl \
  -o merged.jsonl >out 2>err
check "of four samples each" [ "$(grep -c '"record":"sample".*"seed":"'$big \
  merged.jsonl)" = 4 ]
check "and one twice is refused" \
  refused 2 merge seed.jsonl part.jsonl -o twice.jsonl

# --- where nodes lie ---------------------------------------------------------
# A vat without jemalloc says so; the default falls back to the workspace.
nodes="run list_ranking_nodes permute --sizes 1000,100000 --reps 2"
# shellcheck disable=SC2086
"$vat" $nodes --pages 4k -o nodes.jsonl >out 2>err
check "nodes come from the default allocator" [ $? = 0 ]
default=arena
grep -q 'note: nodes are allocated by --alloc workspace; .*jemalloc' err &&
  default=workspace
for alloc in arena jemalloc glibc workspace; do
  # shellcheck disable=SC2086
  "$vat" $nodes --alloc $alloc -o $alloc.jsonl >out 2>err
  case $?$default in
    0*) ;;
    3workspace) # built without jemalloc
      check "--alloc $alloc is absent, with the fix" \
        grep -q 'fix: .*libjemalloc-dev.*--with-jemalloc' err
      continue ;;
    *) check "--alloc $alloc" false ;;
  esac
  check "samples of --alloc $alloc say so, where nodes are allocated" \
    [ "$(grep -c "list_ranking_nodes.*\"alloc\": *\"$alloc\"" $alloc.jsonl)" -ge 4 ]
  check "and no others do" [ "$(grep -c 'permute.*"n":.*"alloc"' $alloc.jsonl)" = 0 ]
  check "--alloc $alloc has what it asked for" \
    sh -c '! grep -q "\"granted_ok\": *false" "$0"' $alloc.jsonl
done
check "the default is $default" \
  grep -q "list_ranking_nodes.*\"alloc\": *\"$default\"" nodes.jsonl
check "ordinary allocators are measured on base pages" \
  sh -c '! grep -q "\"pages_asked\": *\"thp\"" glibc.jsonl'
check "a run is not resumed with another allocator" \
  refused 2 run -o nodes.jsonl --resume --alloc glibc
lines=$(wc -l <glibc.jsonl)
head -n $((lines - 2)) glibc.jsonl >resumed.jsonl
"$vat" run -o resumed.jsonl --resume --alloc glibc >out 2>err
check "but with its own" same_keys glibc.jsonl resumed.jsonl
check "and goes on there" [ "$(grep -c '"alloc": *"glibc"' resumed.jsonl)" = \
  "$(grep -c '"alloc": *"glibc"' glibc.jsonl)" ]
for alloc in $default glibc; do
  "$vat" run list_ranking_nodes --sizes 2^10,2^21 --pages 4k --reps 20 \
    --alloc $alloc -o stopped-$alloc.jsonl >out 2>err &
  pid=$!
  sleep 0.3
  kill -TERM $pid
  wait $pid 2>/dev/null
  check "a run that allocates from $alloc can be stopped" [ $? = 143 ]
done

# --- what the time budget goes into -------------------------------------------
"$vat" run permute --sizes 2^23 --pages 4k --reps 1 --time-budget 0.01 \
  -o touched.jsonl >out 2>err
check "touching memory is told where it takes of the time budget" \
  grep -q '^vat: note: .* of 0.01 s of the time budget .* 64 MiB on 1 kind of pages; fix: ' err
"$vat" run permute --sizes 2^20 --pages 4k --reps 1 --time-budget 1e6 \
  -o untold.jsonl >out 2>err
check "and else not" sh -c '! grep -q "time budget" err'

# --- files that are no results ------------------------------------------------
sed '1s/"schema": *1/"schema": 99/' all.jsonl >schema.jsonl
check "another schema is refused" refused 2 run -o schema.jsonl --resume
sed '1s/"host_cpu": *"[^"]*"/"host_cpu":"another"/' all.jsonl >other.jsonl
check "nor is another machine's gone on with" refused 2 run -o other.jsonl --resume
check "which is said with what to do" \
  grep -q '^vat: other.jsonl: was .* another machine; fix: .* new -o.*; vat merge' err
sed '3s/.$//' all.jsonl >line.jsonl
check "nor is one with a damaged line" refused 2 run -o line.jsonl --resume
check "which it names, and how to drop it" grep -q 'sed -i 3d line.jsonl$' err
sed -i 3d line.jsonl
"$vat" run -o line.jsonl --resume >out 2>err
check "and without which it is complete again" same_keys all.jsonl line.jsonl
head -c 100000 /dev/urandom >garbage.jsonl
check "garbage is refused" refused 2 run -o garbage.jsonl --resume
: >empty.jsonl
"$vat" run permute --sizes 1000 --pages 4k --reps 1 --resume -o empty.jsonl \
  >out 2>err
check "an empty file is begun" [ "$(samples empty.jsonl)" = 1 ]
head -n 1 all.jsonl >machine.jsonl
exec 9<>machine.jsonl # as a writer that has yet to write its plan
flock -n 9 && check "a file being begun is not begun anew" \
  refused 2 run permute --sizes 1000 --pages 4k --resume -o machine.jsonl
check "and left as it is" [ "$(wc -l <machine.jsonl)" = 1 ]
exec 9<&-
"$vat" run permute --sizes 1000 --pages 4k --reps 1 --resume -o machine.jsonl \
  >out 2>err
check "one with a machine alone is" [ "$(samples machine.jsonl)" = 1 ]
"$vat" run permute --sizes 1000 --pages 4k --reps 1 >out 2>err 2>&- >&-
check "lost output is no success" [ $? = 2 ]
head -n 5 all.jsonl >cut.jsonl
printf '{"record":"sample","al' >>cut.jsonl
"$vat" run -o cut.jsonl --resume >out 2>err
check "half a line is dropped, said, and measured again" \
  sh -c 'grep -q "an incomplete line" err'
check "and the set of samples is whole" same_keys all.jsonl cut.jsonl
# --- passes ------------------------------------------------------------------
order() { # of sizes and repetitions in a file, as they came
  grep '"record": *"sample"' "$1" |
    sed 's/.*"n": *\([0-9]*\).*"rep": *\([0-9]*\).*/\1:\2/' | tr '\n' ' '
}
"$vat" run permute --sizes 1000,2000 --pages 4k --reps 3 --passes 2 \
  -o passes.jsonl >out 2>err
check "each pass goes over all sizes" [ "$(order passes.jsonl)" = \
  "1000:0 1000:1 2000:0 2000:1 1000:2 2000:2 " ]
head -n 4 passes.jsonl >some.jsonl
"$vat" run -o some.jsonl --resume >out 2>err
check "and a resumed one gets to the same samples" \
  same_keys passes.jsonl some.jsonl
check "with as many passes" refused 2 run -o some.jsonl --resume --passes 1

head -n 4 all.jsonl >half.jsonl
printf '{"record":"sam' >>half.jsonl
check "a file cut in half can be reported" \
  sh -c '"$0" report half.jsonl -o half-report >out 2>err' "$vat"

# --- killed in the middle ----------------------------------------------------
plan="run random_scan introsort --sizes 2^15:2^18*1.4 --pages 4k,thp --reps 5"
# shellcheck disable=SC2086
if "$vat" $plan -o whole.jsonl >out 2>err; then
  for signal in KILL TERM; do
    rm -f part.jsonl
    for delay in 0.05 0.15 0.25; do
      # shellcheck disable=SC2086
      "$vat" $plan -o part.jsonl --resume >out 2>err &
      pid=$!
      sleep $delay
      kill -$signal $pid 2>/dev/null
      wait $pid 2>/dev/null
    done
    # shellcheck disable=SC2086
    "$vat" $plan -o part.jsonl --resume >out 2>err
    check "resumed after SIG$signal, it ends well" [ $? = 0 ]
    check "after SIG$signal every sample is there, once" \
      same_keys whole.jsonl part.jsonl
  done
  # shellcheck disable=SC2086
  "$vat" run heapsort --sizes 2^10,2^22 --pages 4k --reps 50 -o term.jsonl >out 2>err &
  pid=$!
  begun() { grep -qs '"record": *"sample"' term.jsonl; }
  within_10_s begun || within_10_s begun
  kill -TERM $pid
  wait $pid 2>/dev/null
  check "SIGTERM is what it dies of" [ $? = 143 ]
  check "and it says how to go on" grep -q 'continue with -o term.jsonl --resume' err
  check "and shows what it has" grep -q '^heapsort .* 4k ' out
  check "as a part" sh -c 'head -n 1 out | grep -q "^partial result: "'
else
  echo "SKIPPED killed runs: $(cat err)"
fi

# --- what no figure can be drawn of ---------------------------------------------
if command -v gnuplot >/dev/null; then
  "$vat" run bloom_blastn_cpu --sizes 1 --reps 1 --pages 4k -o one.jsonl \
    >out 2>err
  check "a word of no letters is reported, too" grep -q '^report: ' out
fi

# --- pools, where we may grow them -------------------------------------------
if [ "$(id -u)" = 0 ] && [ -w $pool/nr_hugepages ]; then
  for signal in TERM KILL; do
    check "the pool grows, and is as found after SIG$signal" \
      at_last reserved_until $signal
  done
  [ "$(cat $pool/free_hugepages)" = 0 ] && check "an empty pool is an exit 3" \
    refused 3 run permute --sizes 2^20 --pages 4k,2m
  "$vat" run permute --sizes 2^20 --pages 4k,2m --reserve --reps 2 \
    -o granted.jsonl >out 2>err
  check "2m pages are granted" \
    grep -q '"pages_asked": *"2m","pages_granted": *{"2m": *[1-9]' granted.jsonl
else
  echo "SKIPPED pools: only root may grow them"
fi

# --- a first answer -------------------------------------------------------------
"$vat" >out 2>err
check "vat alone names five commands" [ "$?:$(grep -c '^  vat ' out)" = 0:5 ]
"$vat" run --quick --reps 1 -o quick.jsonl >out 2>err
check "vat run --quick" [ $? = 0 ]
check "begins with the machine and its pages" \
  [ "$(sed -n '1s/:.*//p; 2s/:.*//p' out | tr '\n' ,)" = 'machine,huge pages,' ]
check "measures three algorithms" [ "$(grep -c '"sample".*"4k"' quick.jsonl)" -ge 3 ]
check "says what came out" grep -q '^What 3 algorithms cost .*3 repetitions' out
check "and what to try next" grep -q '^next: vat compare' out
check "has algorithms of its own" says "--quick: chooses the algorithms itself" run --quick heapsort
check "and sizes" says "--quick and --sizes exclude each other" run --quick --sizes 100

echo "test_run: $passed passed, $failed failed"
[ "$failed" = 0 ]
