#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sorts and hulls of `vat run --device emu` on data of one's own: the answer is
# that of the processor, or of sort(1), and what is no data is refused.
. "${0%/*}/checks.sh"

# emulated ARGUMENTS...: into a new results file, r.jsonl.
emulated() {
  rm -f r.jsonl
  "$vat" run "$@" --device emu --counters none --reps 1 -o r.jsonl >out 2>err
}

# refused CODE PATTERN ARGUMENTS...: in one line, and before anything is begun.
refused() {
  want=$1 pattern=$2
  shift 2
  emulated "$@"
  got=$?
  [ $got = "$want" ] || { echo "    exit $got, not $want: vat run $*"; return 1; }
  [ "$(wc -l <err)" = 1 ] && grep -q -e "^vat: $pattern" err && [ ! -e r.jsonl ]
}

# What r.jsonl says of how many passed.
positives() { grep -o '"positives": *[0-9]*' r.jsonl; }

if ! "$vat" run copy --device emu --sizes 100 --counters none --reps 1 \
  -o emu.jsonl >out 2>err; then
  echo "SKIPPED --device emu: $(cat err)"
  exit 77
fi

# --- keys, the least and the largest among them ------------------------------
awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) {
  printf "%d%d\n", rand() * 1e9, rand() * 1e9
  if (i % 9 == 0) print "0\n18446744073709551615" } }' >keys.txt
sort -n keys.txt >sorted.txt
for algo in k_merge two_phase_merge_sort k_quicksort quicksort_gpu; do
  check "$algo runs on a file" emulated $algo --input keys.txt --output answer
  check "$algo sorts it" cmp -s answer sorted.txt
  check "$algo writes numbers" emulated $algo --input keys.txt \
    --output sorted.u64
  check "$algo reads them" emulated $algo --input sorted.u64 --output answer
  check "$algo keeps what is sorted" cmp -s answer sorted.txt
done
check "a run without an answer" emulated k_merge --input keys.txt
rm answer
"$vat" run --resume -o r.jsonl --input keys.txt --output answer >out 2>err
check "is resumed where nothing is left but that" [ $? = 0 ]
check "on the device, once more" cmp -s answer sorted.txt
check "k_partition runs on a file" emulated k_partition --input keys.txt \
  --output answer
sort -n answer >again
check "k_partition loses no key" cmp -s again sorted.txt
: >none.txt
check "no keys at all" emulated k_merge --input none.txt --output answer
check "are none" [ ! -s answer ]
printf '1\n-2\n' >minus.txt
check "a key that is none" refused 2 'minus.txt:2: ' k_merge --input minus.txt

# --- points ------------------------------------------------------------------
awk 'BEGIN { srand(3); for (i = 0; i < 4000; i++)
  printf "%d %d\n", rand() * 300, rand() * 200 - 100 }' >grid.txt
awk 'BEGIN { srand(5); for (i = 0; i < 4000; i++)
  printf "%.17g %.17g\n", rand(), rand() * rand() }' >doubles.txt
for points in grid doubles; do
  "$vat" run andrew_hull --pages 4k --reps 1 --counters none --input $points.txt \
    --output expected -o cpu.jsonl >out 2>err
  rm cpu.jsonl
  check "a hull of $points.txt" emulated hull_gpu --input $points.txt \
    --output answer
  check "as on the processor" cmp -s answer expected
done
check "floats run on a file" emulated hull_gpu_float --input grid.txt \
  --output answer
"$vat" run hull2d_float --pages 4k --reps 1 --counters none --input grid.txt \
  --output expected -o cpu.jsonl >out 2>err
check "as on the processor" cmp -s answer expected
for algo in hull_gpu hull_gpu_float; do
  check "$algo of no points" emulated $algo --input none.txt --output answer
  check "has no vertices" [ ! -s answer ]
  echo '3 -4' >one.txt
  check "$algo of a point" emulated $algo --input one.txt --output answer
  check "is that point" cmp -s answer one.txt
done
printf '1 1\nnan 2\n' >nan.txt
printf '1 1\n3 4\n2 -inf\n' >inf.txt
printf '1 1\n0.1 0\n' >double.txt
for algo in hull_gpu hull_gpu_float; do
  check "$algo: what is no number" refused 2 'nan.txt:2: ' \
    $algo --input nan.txt
  check "$algo: what is infinite" refused 2 'inf.txt:3: ' $algo --input inf.txt
done
check "a point that is no float" refused 2 'double.txt: .*line 2: x = 0.1' \
  hull_gpu_float --input double.txt

# --- DNA -----------------------------------------------------------------------
# w-mers of the query, and of its second record, stand in the database; one has
# an N in it, and one is of two lines.
printf '>q1 one\nACGTACGTTGCAACGT\n>q2\nTTTTTGGGGGCCCCC\n' >query.fa
printf '>d0\r\n>d1\r\nnnacgtacgttgcNNTTTTTGG\r\nGGGCC\r\n>d2\r\nTTTTTGGNGGCCCCC\r\n' \
  >database.fa
printf '1\t2\n1\t15\n1\t16\n' >expected
check "hits in FASTA" emulated bloom_blastn --database=database.fa \
  --query query.fa --output answer
check "are the w-mers of the query" cmp -s answer expected
check "what is skipped is counted" grep -q '"skipped_w_mers": *19[,}]' r.jsonl
rm answer
"$vat" run bloom_blastn_cpu --pages 4k --reps 1 --counters none \
  --database database.fa --query query.fa --parameters threads=2 \
  --output answer -o threads.jsonl >out 2>err
check "on the processor, too" cmp -s answer expected
check "by parameters that are kept" grep -q '"parameters": *"threads=2"' threads.jsonl
"$vat" run bloom_blastn_cpu --pages 4k --reps 1 --sizes 1e4 \
  --parameters threads=2 -o counted.jsonl >out 2>err
check "what counts one thread does not count" grep -q 'count one thread' counted.jsonl
"$vat" run bloom_blastn_cpu --pages 4k --reps 1 --sizes 1e4 \
  --parameters threads=2 --counters page_faults >out 2>err
check "nor where it is asked for" [ $? = 3 ]
check "which is said" grep -q 'page_faults is absent: .*fix: leave out threads=' err
rm answer
gzip <database.fa >database.fa.gz
check "hits in what is packed" emulated bloom_blastn \
  --database database.fa.gz --query query.fa --output answer \
  --parameters k=9,m=64K --grid-blocks 3 --block-threads 64
check "are the same" cmp -s answer expected
# A database in parts: w-mers reach from one into the next.
for chunk in "" ,chunk=64 ,chunk=1024 ,chunk=65536; do
  rm -f answer
  check "DNA in parts$chunk" emulated bloom_blastn --sizes 2500 --seed 3 \
    --parameters k=2,m=1K$chunk --output answer
  [ "$chunk" ] || { mv answer expected; counts=$(positives); }
  [ ! "$chunk" ] || check "has the same hits" cmp -s answer expected
  check "and as many of each sub-query" [ "$(positives)" = "$counts" ]
done
# Or in as many as fit in the memory that it may have.
for room in 6K 8K 12K 1G; do
  rm -f answer
  check "DNA in $room" emulated bloom_blastn --sizes 2500 --seed 3 \
    --parameters k=2,m=1K --device-memory $room --output answer
  check "has the same hits" cmp -s answer expected
  check "and as many of each sub-query" [ "$(positives)" = "$counts" ]
  parts=0
  [ $room = 1G ] || parts=1
  check "parts are told" \
    [ "$(grep -c '^vat: note: bloom_blastn, n = 2500, is processed in parts of' err)" = $parts ]
done
check "too little for what parts share" refused 3 \
  'bloom_blastn, n = 2500: even parts of 64 need ' bloom_blastn --sizes 2500 \
  --device-memory 4K
"$vat" run bloom_blastn_cpu --sizes 1000 --device-memory 1M >out 2>err
check "the processor has no parts" [ $? = 2 ]
check "and says so" grep -q \
  '^vat: --device-memory: only with --device emu or cuda$' err
check "memory that is none" refused 2 "--device-memory 0: not a number of at least 1" \
  bloom_blastn --device-memory 0
check "parts that are no words" refused 2 \
  '--parameters chunk=100: not for bloom_blastn: .* a multiple of 64' \
  bloom_blastn --sizes 1000 --parameters chunk=100
head -c 40 database.fa.gz >cut.fa.gz
check "what is cut off" refused 2 'cut.fa.gz:.*the gzip data is cut off' \
  bloom_blastn --database cut.fa.gz --query query.fa
printf '>a\nACGT\n+\n' >quality.fa
check "what is no DNA" refused 2 "quality.fa:3: '+' is not a letter of DNA" \
  bloom_blastn --database database.fa --query quality.fa
# As on machines before 2001.
printf '>a\rACGTACGTACGTACGT\r' >returns.fa
check "lines that end in CR" refused 2 'returns.fa:1: a CR within the line' \
  bloom_blastn --database returns.fa --query query.fa
check "no query" refused 2 '--input: bloom_blastn also takes queries; name a file with --queries' \
  bloom_blastn --database database.fa
# --- reads ---------------------------------------------------------------------
# Of the second reference, of the first from its other strand and in small
# letters, with an unknown letter, of no letters, and of none.
printf '>r1\nACGGTCAATTGCCGATAGGC\nTTAACGCATCGA\n>r2\nTTGACCTAGGACTTCAAGCGTACCAGTTGG\n' \
  >references.fa
printf '%s\n+\n%s\n' '@a
CTAGGACTTCAAGCGTACCA' 'IIIIIIIIIIIIIIIIIIII' '@b
tcgatgcgttaagcctatcggc' '@@@@@@@@@@@@@@@@@@@@@@' '@c
TTGACCTAGGACNTCAAGCGTACC' '!!!!!!!!!!!!!!!!!!!!!!!!' '@d
' '' '@e
GGGGGGGGGGGGGGGGGGGG' '++++++++++++++++++++' | sed 's/$/\r/' >reads.fq
printf '0\t1\t20\t20\n1\t0\t22\t22\n2\t1\t23\t23\n3\t-\t0\t0\n4\t-\t0\t20\n' \
  >expected
check "reads in FASTQ" emulated facs --reads reads.fq \
  --references references.fa --output answer
check "are of these references" cmp -s answer expected
check "what is skipped is counted" grep -q '"skipped_w_mers": *8[,}]' r.jsonl
rm answer
# Parts of reads that begin anywhere in a word, and of one of no letters.
for parts in "--parameters chunk=1" "--parameters chunk=2" \
  "--parameters chunk=3"; do
  check "reads in parts, $parts" emulated facs --reads reads.fq \
    --references references.fa --output answer $parts
  check "are of the same" cmp -s answer expected
  rm answer
done
"$vat" run facs_cpu --pages 4k --reps 1 --counters none --sizes 70000 \
  --output generated -o generated.jsonl >out 2>err
for parts in "--parameters chunk=1" "--parameters chunk=100" \
  "--parameters chunk=467" "--device-memory 64K" "--device-memory 48K"; do
  check "generated reads, $parts" emulated facs --sizes 70000 \
    --output answer $parts
  check "have the same classes" cmp -s answer generated
  rm answer
done
check "parts of none" refused 2 '--parameters chunk=0: not for facs: ' \
  facs --sizes 1000 --parameters chunk=0
gzip <reads.fq >reads.fq.gz
"$vat" run facs_cpu --pages 4k --reps 1 --counters none --input reads.fq.gz \
  --references references.fa --parameters threads=2 --output answer \
  -o facs.jsonl >out 2>err
check "on the processor, and packed, too" cmp -s answer expected
head -c 60 reads.fq.gz >cut.fq.gz
check "what is cut off" refused 2 'cut.fq.gz:.*the gzip data is cut off' \
  facs --reads cut.fq.gz --references references.fa
head -n 7 reads.fq >cut.fq
check "missing quality" refused 2 'cut.fq:8: the last record has 22 quality values too few' \
  facs --reads cut.fq --references references.fa
check "no references" refused 2 \
  '--input: facs also takes references; .*--references$' \
  facs --reads reads.fq
check "references without a record" refused 2 \
  'reads.fq and none.txt: not for facs: there is no reference' \
  facs --reads reads.fq --references none.txt

check "other parameters" refused 2 \
  '--parameters k=11: not for bloom_blastn: it takes k=1 to 10' \
  bloom_blastn --sizes 1000 --parameters k=11
check "parameters where there are none" refused 2 \
  '--parameters: copy has none' copy --sizes 1000 --parameters k=6

# --- more than there is room for ---------------------------------------------
check "more points than there are places" refused 2 \
  'hull_gpu: n = 3000000000 is too large on a GPU, the maximum is 2147483647; ' \
  hull_gpu --sizes 3e9
# Memory may be as large as that somewhere: then nothing is to be seen.
if [ "$(awk '/^MemTotal/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 64 ]
then
  check "more points than memory" refused 3 'the largest size needs .* GiB ' \
    hull_gpu --sizes 2e9
fi

echo "test_gpu_data: $passed passed, $failed failed"
[ "$failed" = 0 ]
