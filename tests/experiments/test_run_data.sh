#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat run` on data of one's own, on inputs of other generators, and on none.
. "${0%/*}/checks.sh"

# refused ARGUMENTS...: exits with 2 and says why in one line.
refused() {
  "$vat" "$@" >out 2>err
  got=$?
  [ $got = 2 ] || { echo "    exit $got, not 2: vat $*"; return 1; }
  [ "$(grep -vc '^vat: note: ' err)" = 1 ] && grep -q '^vat' err
}

# ran ARGUMENTS...: on 4 KiB pages, into a new results file, r.jsonl.
ran() {
  rm -f r.jsonl
  "$vat" run --pages 4k --reps 2 --counters none -o r.jsonl "$@" >out 2>err
}

samples() { grep -c '"record": *"sample"' "$1"; }

awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++)
  printf "%d%d\n", rand() * 1e9, rand() * 1e9 }' >keys.txt
sort -n keys.txt >sorted.txt
printf '2 3\n1 2 3\n4 5 6\n' >matrix.txt
printf '2 2\n1 1\n1 0\n\n2 3\n1 2 3\n4 5 6\n' >two.txt

# --- what is refused ---------------------------------------------------------
printf '1\nx\n' >bad.txt
printf '1234567' >bad.u64
printf '1 1\nnan\n' >nan.txt
printf '1 1\n2 -inf\n' >inf.txt
printf '1\n0\n' >cycle.txt
printf '0.1 0\n' >double.txt
: >empty.txt
mkdir dir
while read -r arguments; do
  eval "set -- $arguments"
  check "refused: vat run $arguments" refused run "$@"
done <<'END'
heapsort --input nosuch.txt
heapsort --input dir
heapsort --input bad.txt
heapsort --input bad.u64
heapsort --input matrix.txt
transpose_rows --input nan.txt
hull2d --input nan.txt
andrew_hull --input inf.txt
hull2d_float --input double.txt
list_ranking_seq --input cycle.txt
list_ranking_nodes --input cycle.txt
transpose_rows --input two.txt
transpose_rows --input empty.txt
matmul_rows --input matrix.txt
--input keys.txt
heapsort introsort --input keys.txt
heapsort --input keys.txt --sizes 10
heapsort --input keys.txt --generator sorted
heapsort --input keys.txt --output dir
heapsort --input keys.txt --output nosuch/answer
heapsort --input keys.txt --output new/
heapsort --input keys.txt --output ''
heapsort --input ''
heapsort introsort --sizes 10 --output answer
heapsort --sizes 10,20 --output answer
heapsort --output answer
--output answer
heapsort --sizes 10 --generator nosuch
binary_search --sizes 10 --generator sorted
--sizes 10 --generator sorted
END
check "nothing is measured nor left by what is refused" \
  [ "$(ls | sort | tr '\n' ' ')" = "bad.txt bad.u64 cycle.txt dir double.txt \
empty.txt err inf.txt keys.txt matrix.txt nan.txt out sorted.txt two.txt " ]
"$vat" run heapsort --sizes 10 --generator nosuch 2>err
check "an unknown generator is told which there are" \
  grep -q 'heapsort has random, sorted, reversed, equal, few, killer$' err
"$vat" run heapsort --input bad.txt 2>err
check "a bad line is named" grep -q '^vat: bad.txt:2: ' err
"$vat" run hull2d_float --input double.txt 2>err
check "and so is a point that is none for the algorithm" \
  grep -q '^vat: double.txt: .*: line 1: x = 0.1.* float; .*without _float' err
"$vat" run heapsort --output '' 2>err
check "a name that is none is told" grep -q "^vat: --output: '' is no" err
"$vat" run heapsort --input '' 2>err
check "of an input, too" grep -q "^vat: --input: '' is no" err
# A file system without room, for which a limit of 0 bytes stands.
(cd dir && ulimit -f 0 && "$vat" run heapsort --sizes 10 --pages 4k \
  --counters none 2>&1; echo $?) | cat >out
check "a start without room fails" [ "$(tail -n 1 out)" = 2 ]
check "and leaves nothing behind" [ -z "$(ls -A dir)" ]
mkdir -p dir/vat-results/other
(cd dir && ulimit -f 0 && "$vat" run heapsort --sizes 10 --pages 4k \
  --counters none 2>&1) | cat >out
check "but what was there" [ "$(ls dir/vat-results)" = other ]
rm -r dir/vat-results

# --- a limit -----------------------------------------------------------------
# limited ARGUMENTS...: with little address space exits with 3 and names it.
limited() {
  (ulimit -v 200000; exec "$vat" "$@" >out 2>err)
  [ $? = 3 ] && [ "$(grep -c 'ulimit -v unlimited' err)" = 1 ]
}
# A sanitizer takes all the addresses there are.
if ! grep -q __asan_init "$vat"; then
  truncate -s 400M large.u64
  check "a file too large for ulimit -v" limited run introsort \
    --input large.u64 -o limit.jsonl
  rm large.u64
  "$vat" sim --algo permute --n 10 >out 2>err && {
    check "a stream too large for ulimit -v" limited sim --algo heapsort \
      --n 2^25
    check "a policy that keeps too much for ulimit -v" limited sim \
      --algo permute --n 2^23 --policy min --tc-nodes 10 --memory 2G
  }
fi

# --- answers -----------------------------------------------------------------
for algo in heapsort introsort binary_search bplus_search; do
  check "$algo runs on a file" ran $algo --input keys.txt --output answer
  check "$algo sorts it" cmp -s answer sorted.txt
done
for algo in permute heapify veb_search eytzinger_search eytzinger_prefetch; do
  check "$algo runs on a file" ran $algo --input keys.txt --output answer
  sort -n answer >again
  check "$algo loses no key" cmp -s again sorted.txt
  check "$algo has an order of its own" \
    sh -c '! cmp -s answer sorted.txt && ! cmp -s answer keys.txt'
done
seq 20 >twenty.txt
ran veb_search --input twenty.txt --output answer
check "the van Emde Boas order is as documented" [ "$(tr '\n' ' ' <answer)" = \
  "16 8 4 2 6 1 3 5 7 12 10 14 9 11 13 15 20 18 17 19 " ]
printf '4294967296\n7\n' >few.txt
ran sequential_scan --input few.txt --output answer
check "sequential_scan has the sum" [ "$(cat answer)" = 4294967303 ]
# The difference: which of the two comes last depends on the seed.
ran random_scan --input few.txt --output answer
check "random_scan has the sum with signs" [ "$(cat answer)" = 4294967289 ]
for algo in transpose_rows transpose_recursive transpose_morton; do
  ran $algo --input matrix.txt --output answer
  check "$algo transposes" [ "$(tr '\n' ,  <answer)" = "3 2,1 4,2 5,3 6," ]
done
for algo in matmul_rows matmul_recursive; do
  ran $algo --input two.txt --output answer
  check "$algo multiplies" [ "$(tr '\n' , <answer)" = "2 3,5 7 9,1 2 3," ]
done
check "its operations are those of the shapes" \
  grep -q '"n": *3,.*"ram_ops": *12.0' r.jsonl
check "the samples name the input" \
  grep -q '"input": *{"file": *"two.txt","bytes": *29,"hash": *"[0-9a-f]*"}' r.jsonl
check "and so does the report" grep -q 'matmul_recursive of two.txt' \
  r-report/index.html

# A square, points inside it and on its sides, two of them twice.
printf '2 0\n1 1\n0 0\n2 2\n1 0\n0 2\n0.5 1\n2 2\n1 1\n0 1\n' >points.txt
for algo in hull2d hull2d_float andrew_hull andrew_hull_float; do
  ran $algo --input points.txt --output answer
  check "$algo has the corners" [ "$(tr '\n' , <answer)" = "0 0,2 0,2 2,0 2," ]
done
# With an edge of length 0, and two ways of the same length.
printf '%s\n' 'p sp 5 6' 'a 1 2 3' 'a 2 3 4' 'a 3 1 1' 'a 1 3 7' 'a 3 4 0' \
  'a 4 3 0' >graph.gr
ran apsp_floyd --input graph.gr --output answer
check "apsp_floyd has the distances" [ "$(tr '\n' , <answer)" = \
  "0 3 7 7 inf,5 0 4 4 inf,1 4 0 0 inf,1 4 0 0 inf,inf inf inf inf 0," ]
printf 'p sp 2 1\na 1 2 -3\n' >negative.gr
check "but none of negative lengths" \
  refused run apsp_floyd --input negative.gr
check "and says so" grep -q 'has length -3: it takes no negative ones' err
printf '1 0\n0 1\n-1 0\n0 -1\n' >signal.txt
ran fft_radix2 --input signal.txt --output answer
check "fft_radix2 has the one frequency" awk 'NR == 2 {
    exit !($1 > 3.999999 && $1 < 4.000001 && $2 < 1e-9 && $2 > -1e-9) }' answer
head -n 3 signal.txt >three.txt
check "but no signal of three points" refused run fft_radix2 --input three.txt
check "and says so" grep -q '3 points are no power of two' err
rm -f graph.gr negative.gr signal.txt three.txt
# 4 -> 0 -> 3 -> 1 -> 2.
printf '3\n2\n-1\n1\n0\n' >list.txt
for algo in list_ranking_seq list_ranking_nodes; do
  ran $algo --input list.txt --output answer
  check "$algo ranks" [ "$(tr '\n' , <answer)" = "3,1,0,2,4," ]
done
for alloc in arena jemalloc glibc workspace; do
  ran list_ranking_nodes --input list.txt --output answer --alloc $alloc
  # Some vats are built without jemalloc.
  [ $? = 3 ] || check "nodes of $alloc are ranked" \
    [ "$(tr '\n' , <answer)" = "3,1,0,2,4," ]
  rm -f answer
done

printf '\003\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000' >in.u64
ran introsort --input in.u64 --output out.u64
check "binary keys come out binary" [ "$(od -An -tx1 out.u64 | tr -d ' \n')" = \
  01000000000000000300000000000000 ]
ran introsort --input in.u64 --output answer
check "or as text, by the name" [ "$(tr '\n' , <answer)" = "1,3," ]
check "an answer takes the place of its input" sh -c \
  'cp keys.txt same.txt; rm -f r.jsonl; "$0" run heapsort --input same.txt \
  --output same.txt --pages 4k --reps 1 -o r.jsonl >out 2>err &&
  cmp -s same.txt sorted.txt' "$vat"
check "a generated input has an answer, too" \
  ran introsort --sizes 1000 --output answer
check "which is sorted" sh -c '[ $(wc -l <answer) = 1000 ] && sort -nc answer'
check "no input is an input" ran heapsort --input empty.txt --output answer
check "whose answer is empty" [ -f answer -a ! -s answer ]

# --- pipes and devices -------------------------------------------------------
rm -f r.jsonl
"$vat" run heapsort --input - --output - --pages 4k --reps 1 -o r.jsonl \
  <keys.txt 2>err | cmp -s - sorted.txt
check "it is a filter" [ $? = 0 ]
check "whose table is on standard error" grep -q '^heapsort of standard input ' err
check "/dev/stdout is standard output" ran heapsort --input keys.txt \
  --output /dev/stdout
check "and has the answer alone" cmp -s out sorted.txt
mkfifo fifo.in fifo.out
cat keys.txt >fifo.in &
cat fifo.out >answer &
check "FIFOs are read and written" ran heapsort --input fifo.in --output fifo.out
wait
check "as files are" cmp -s answer sorted.txt
rm -f r.jsonl
"$vat" run heapsort --input keys.txt --output /dev/full --pages 4k --reps 1 \
  -o r.jsonl >out 2>err
check "a full device is an exit 3" [ $? = 3 ]
check "which is told" grep -q '^vat: /dev/full: cannot be written: No space' err
cp few.txt answer
rm -f r.jsonl
(ulimit -f 8; exec "$vat" run heapsort --input keys.txt --output answer \
  --pages 4k --reps 1 --counters none -o r.jsonl >out 2>err)
check "a limit of size leaves the older file" cmp -s answer few.txt
check "and nothing beside it" sh -c '! ls -A | grep -q "^\.answer"'

# --- where a name leads ------------------------------------------------------
one() { # one ARGUMENTS...: the least to measure
  "$vat" run heapsort --input keys.txt --pages 4k --reps 1 --counters none "$@"
}
kept() { # kept FILE ARGUMENTS...: refused, and FILE stays what it is
  cp "$1" was
  shown=$1
  shift
  refused run heapsort --input keys.txt "$@" && cmp -s was "$shown"
}
rm -f r.jsonl
ln -s r.jsonl link
for name in r.jsonl ./r.jsonl "$PWD/dir/../r.jsonl" link; do
  check "$name is refused as both answer and results" \
    refused run heapsort --input keys.txt -o r.jsonl --output "$name"
  check "and told so" grep -q 'is also the results file' err
  check "before anything is made" [ ! -e r.jsonl ]
done
one -o r.jsonl >out 2>err
ln r.jsonl hard
for name in r.jsonl ./r.jsonl link hard; do
  check "$name keeps its measurements" \
    kept r.jsonl -o r.jsonl --output "$name" --resume
done
cp r.jsonl was
one -o r.jsonl --output - --resume >>r.jsonl 2>err
check "and so they do where standard output is the results" [ $? = 2 ]
check "which gets nothing" cmp -s r.jsonl was
rm -f r.jsonl link hard was

echo older >appended
{ echo older; cat sorted.txt; } >wanted
for name in /dev/stdout /dev/fd/1 appended; do
  echo older >appended
  rm -f r.jsonl
  one -o r.jsonl --output $name >>appended 2>err
  check "$name is appended to where standard output is" \
    cmp -s appended wanted
done
printf '7\n' >trace.txt
echo older >appended
"$vat" trace --from trace.txt --format text -o /dev/stdout >>appended 2>err
check "and so is a trace" [ "$(tr '\n' , <appended)" = "older,0x7," ]
echo older >appended
"$vat" trace --from trace.txt --format text -o /dev/stderr 2>>appended >out
check "and one to standard error" [ "$(tr '\n' , <appended)" = "older,0x7," ]
for name in - /dev/stdout; do
  check "results cannot go to standard output, $name" refused run heapsort \
    --sizes 10 --pages 4k --reps 1 -o $name
  check "which is told" grep -q "^vat: -o $name: standard output is for the table.*fix: " err
  check "before a file is made" [ ! -e ./- ]
done
rm -f appended wanted

touch behind mounted
if unshare -rm mount --bind behind mounted 2>/dev/null; then
  # mounted SCRIPT: runs it where one file is mounted on another.
  mounted() {
    unshare -rm sh -c 'mount --bind behind mounted; vat=$0; '"$1" "$vat"
  }
  check "a mounted file is refused" mounted '"$vat" run heapsort --sizes 10 \
    --pages 4k --reps 1 -o m.jsonl --output mounted 2>err; [ $? = 2 ]'
  check "before anything is measured" [ ! -e m.jsonl ]
  check "and told" grep -q 'mounted.*busy' err
  check "by vat trace, too" mounted '"$vat" trace --from trace.txt -o mounted \
    2>err; [ $? = 2 ]'
else
  echo "SKIPPED mounted files: nothing may be mounted"
fi
rm -f behind mounted

ln -s there dir/second
ln -s dir/second first
check "links to no file yet are followed" ran heapsort --input keys.txt \
  --output first
check "to the end" cmp -s dir/there sorted.txt
check "and stay links" [ -L first -a -L dir/second ]
echo old >dir/there
check "links to a file are followed" ran heapsort --input keys.txt \
  --output first
check "which is replaced" cmp -s dir/there sorted.txt
check "with nothing left beside it" [ "$(ls -A dir | tr '\n' ' ')" = \
  "second there " ]
ln -sf nosuch/there dir/second
check "a link into no folder is refused" refused run heapsort \
  --input keys.txt --output first
ln -sf second dir/second
check "and one around" refused run heapsort --input keys.txt --output first
rm -f first dir/*
if [ "$(id -u)" = 0 ]; then
  echo old >answer
  chmod 640 answer
  chown 65534:65533 answer
  check "the file of another is replaced" ran heapsort --input keys.txt \
    --output answer
  check "which remains theirs" [ "$(stat -c '%u:%g %a' answer)" = \
    "65534:65533 640" ]
  check "with the new answer" cmp -s answer sorted.txt
  rm -f answer
fi

# --- signals -----------------------------------------------------------------
for signal in INT TERM; do
  rm -f r.jsonl answer
  # A shell has the signals of its background ignored: python or perl are not
  # needed where env can undo that.
  env --default-signal=INT "$vat" run heapsort --input keys.txt --output answer \
    --pages 4k --reps 100000 --counters none -o r.jsonl >out 2>err &
  pid=$!
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s r.jsonl ] && break
    sleep 0.1
  done
  kill -$signal $pid
  wait $pid 2>/dev/null
  check "SIG$signal is what it dies of" [ $? -gt 128 ]
  check "before there is an answer" sh -c '! ls -A | grep -q answer'
  check "and says how to go on" grep -q \
    'with -o r.jsonl --resume --input keys.txt --output answer, or' err
done

# Threads of the algorithm's own are not left to the memory that is given back.
rm -f r.jsonl
env --default-signal=INT "$vat" run bloom_blastn_cpu --sizes 1e5 --pages 4k \
  --parameters threads=3,n-sub=1000 --reps 100000 --counters none -o r.jsonl >out 2>err &
pid=$!
begun() { [ "$(samples r.jsonl)" -gt 1 ]; } 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  begun && break
  sleep 0.5
done
kill -INT $pid
wait $pid 2>/dev/null
check "with threads, too, it dies of SIGINT" [ $? = 130 ]
check "having said how to go on" grep -q 'with -o r.jsonl --resume' err

# --- resuming ----------------------------------------------------------------
ran heapsort --input keys.txt
"$vat" run heapsort --input keys.txt --output answer -o r.jsonl --resume \
  >out 2>err
check "what is done is resumed" [ $? = 0 ]
check "adds nothing" [ "$(samples r.jsonl)" = 2 ]
check "and has its answer" cmp -s answer sorted.txt
head -n 3 r.jsonl >part.jsonl
"$vat" run heapsort --input keys.txt -o part.jsonl --resume >out 2>err
check "what is missing is measured" [ "$(samples part.jsonl)" = 2 ]
head -n 3 r.jsonl >part.jsonl
"$vat" run -o part.jsonl --resume --input keys.txt --output answer >out 2>err
check "the algorithm need not be named again" [ $? = 0 ]
check "to measure what is missing" [ "$(samples part.jsonl)" = 2 ]
check "and to answer" cmp -s answer sorted.txt
check "though another is refused" \
  refused run permute --input keys.txt -o part.jsonl --resume
check "and named" grep -q 'started with different algorithms' err
check "an input wants an algorithm where none is known" \
  refused run --input keys.txt -o new.jsonl --resume
check "the input has to be named" refused run heapsort -o r.jsonl --resume
sed '5s/.*/1/' keys.txt >changed.txt
mkdir -p other && cp changed.txt other/keys.txt
check "a changed input is refused" \
  refused run heapsort --input other/keys.txt -o r.jsonl --resume
check "and named" grep -q 'r.jsonl was started with another' err
ran heapsort --sizes 100 --generator sorted
check "another generator is refused" refused run heapsort --sizes 100 \
  --generator few -o r.jsonl --resume
check "and an input where there was none" \
  refused run heapsort --input keys.txt -o r.jsonl --resume
check "without its algorithm, too" \
  refused run --input keys.txt -o r.jsonl --resume
check "which is what is told" grep -q 'started without --input' err
"$vat" run -o r.jsonl --resume >out 2>err
check "the generator need not be named again" [ $? = 0 ]
check "and nothing is measured twice" [ "$(samples r.jsonl)" = 2 ]

# --- generators --------------------------------------------------------------
for generator in sorted reversed equal few; do
  check "$generator keys" ran permute heapsort --sizes 0,1,1000 \
    --generator $generator
  check "are named in each sample" \
    [ "$(grep -c "\"generator\": *\"$generator\"" r.jsonl)" = 13 ]
  check "and in the table" grep -q "^heapsort, $generator " out
done
ran heapsort --sizes 100 --generator random
check "the usual one is not" sh -c '! grep -q generator r.jsonl'
ran heapsort --sizes 5 --generator sorted --output first
ran permute --sizes 5 --generator equal --output same
check "equal keys are equal" [ "$(sort -u same | wc -l)" = 1 ]
ran introsort --sizes 5 --generator reversed --output second
check "reversed keys are the sorted ones" cmp -s first second
{ sed 1,2d r.jsonl; } >more
ran introsort --sizes 5 --generator sorted
cat more >>r.jsonl
"$vat" report r.jsonl -o both >out 2>err
check "generators are reported apart" sh -c \
  'grep -q "introsort, sorted  " both/table.txt &&
  grep -q "introsort, reversed  " both/table.txt &&
  grep -q "<h3>introsort, sorted<" both/index.html &&
  grep -q "<h3>introsort, reversed<" both/index.html'
if "$vat" trace --algo heapsort --n 100 --format text -o usual.trace 2>err; then
  "$vat" trace --algo heapsort --n 100 --generator sorted --format text \
    -o sorted.trace
  check "a generator changes the addresses" \
    sh -c '! cmp -s usual.trace sorted.trace'
  "$vat" sim --algo heapsort --n 100 --generator sorted >out 2>err
  check "and what is simulated" grep -q "^$(wc -l <sorted.trace) accesses" out
fi
check "an unknown one has no stream" \
  refused sim --algo heapsort --n 100 --generator nosuch
check "nor has one without an algorithm" refused sim --generator sorted x.trace

# --- none, and one -----------------------------------------------------------
algos=$("$vat" list algos | awk '$2 == "cpu" { print $1 }')
# shellcheck disable=SC2086
check "every algorithm runs on none and on one" ran $algos --sizes 0,1
check "each is in the file" [ "$(samples r.jsonl)" = $(($(echo $algos | wc -w) * 4)) ]
check "and reported" sh -c '"$0" report r.jsonl -o none >out 2>err' "$vat"
for algo in $algos; do
  check "$algo on none is in the table" \
    grep -q "^$algo\(, [a-z]*\)*  *0 " none/table.txt
done
# shellcheck disable=SC2086
check "none alone runs" ran $algos --sizes 0
check "resuming it adds nothing" sh -c \
  'before=$(wc -l <r.jsonl); "$0" run -o r.jsonl --resume >out 2>err &&
  [ $(wc -l <r.jsonl) = $before ]' "$vat"
check "none does not spend the time of the others" \
  ran permute --sizes 0,2^20 --time-budget 20
check "which are there" [ "$(samples r.jsonl)" = 4 ]

echo "test_run_data: $passed passed, $failed failed"
[ "$failed" = 0 ]
