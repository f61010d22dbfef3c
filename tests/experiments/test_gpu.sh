#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat run --device emu` and `cuda` from outside: what is refused and how, and
# that what is counted is what can be computed.
. "${0%/*}/checks.sh"

# exits CODE PATTERN ARGUMENTS...: with CODE, saying one line like PATTERN.
exits() {
  want=$1 pattern=$2
  shift 2
  "$vat" "$@" >out 2>err
  got=$?
  [ $got = "$want" ] || { echo "    exit $got, not $want: vat $*"; return 1; }
  [ "$(wc -l <err)" = 1 ] && grep -q -e "^vat: $pattern" err
}

# counter FILE NAME: its value in the last sample of the file.
counter() { tail -n 1 "$1" | sed "s/.*\"$2\": *\([0-9a-z]*\).*/\1/"; }

# of KIND NAME: the counter in the sample of all.jsonl on that kind of input, or
# of the usual one ('').
of() {
  grep '"sample"' all.jsonl | if [ "$1" ]; then
    grep "\"generator\": *\"$1\""
  else
    grep -v '"generator"'
  fi | sed "s/.*\"$2\": *\([0-9a-z]*\).*/\1/"
}

is() { [ "$1" = "$2" ] || { echo "    $1 is not $2"; return 1; }; }

emu=yes
"$vat" run copy --device emu --sizes 100 --counters none --reps 1 \
  -o emu.jsonl >out 2>err || emu=$(cat err)
counts=yes
"$vat" run copy --device emu --sizes 100 --counters lines --reps 1 \
  -o counts.jsonl >out 2>err || counts=$(cat err)

# --- refused -----------------------------------------------------------------
[ "$emu" != yes ] || check "a device algorithm is not for the processor" exits 2 \
  "reduce does not run on --device cpu, only on emu" run reduce
check "an algorithm of the processor is not for devices" exits 2 \
  "heapsort does not run on --device emu, only on cpu" run heapsort --device emu
check "nor for cuda, whether there is a GPU or not" exits 2 \
  "heapsort does not run on --device cuda, only on cpu" run heapsort --device cuda
if [ "$emu" = yes ]; then
  for device in emu cuda; do
    check "half a name on $device is told the rest" exits 2 \
      "matmul: unknown algorithm; did you mean matmul_tiled? see" \
      run matmul --device $device
    check "and another algorithm that of $device" exits 2 \
      "list_ranking_seq does not run on --device $device, only on cpu; list_ranking_hj does$" \
      run list_ranking_seq --device $device
  done
  check "what is like none is told no other" exits 2 \
    "zzz: unknown algorithm; see .vat list algos.$" run zzz --device emu
fi
check "there are three devices" exits 2 \
  "--device: 'gpu' is not a device; choose cpu, emu or cuda" run reduce --device gpu
check "threads of the emulator are no others'" exits 2 \
  "--emu-threads: only with --device emu" run heapsort --emu-threads 2 --sizes 100 --pages 4k
check "no emulator without a thread" exits 2 "--emu-threads 0: " \
  run reduce --device emu --emu-threads 0
[ "$emu" != yes ] || check "what a GPU runs has no address stream" exits 2 \
  "--algo reduce: runs on GPUs only" sim --algo reduce --n 9
check "blocks are threads of a GPU" exits 2 \
  "--block-threads: heapsort has no choice of blocks; leave it out" \
  run heapsort --block-threads 64 --sizes 100 --pages 4k
check "shared memory, too" exits 2 \
  "--dummy-shared: heapsort has no choice of blocks; leave it out" \
  run heapsort --dummy-shared 64 --sizes 100 --pages 4k
check "blocks have no more threads than that" exits 2 \
  "--block-threads 1025: not numbers from 1 to 1024" \
  run reduce --device emu --block-threads 1025
[ "$emu" != yes ] || check "also where there is no GPU to ask" exits 2 \
  "--emu-threads: only with --device emu" run copy --device cuda --emu-threads 2
[ "$emu" != yes ] || check "nor to measure at such sizes" exits 2 "--sizes x: not a size" \
  run copy --device cuda --sizes x
if [ "$emu" = yes ]; then
  check "its arrays end somewhere, and that is said" exits 2 \
    "copy: n = 8589934592 is too large on a GPU, the maximum is 2147483648; choose" \
    run copy --device emu --sizes 2^33
  check "a transform is of a power of two points" exits 2 \
    "fft_stockham: n = 1000 is an unsupported size; it takes powers of two, the next smaller one is 512" \
    run fft_stockham --device emu --sizes 1000
  printf '1 0\n0 1\n1 0\n' >signal.txt
  check "also one of a file" exits 2 "fft_stockham: n = 3 is an unsupported size" \
    run fft_stockham --device emu --input signal.txt
  printf 'mississippi\n' >text.txt
  printf 'si\r\nissips\ni' >queries.txt
  printf 'si\nxi\n' >other.txt
  check "something is sought in a text" exits 2 \
    "--input: suffix_tree also takes queries; name a file with --queries" \
    run suffix_tree --device emu --input text.txt
  check "and only in a text" exits 2 "--queries: merge seeks nothing" \
    run merge --device emu --input text.txt --queries queries.txt
  check "which has to be there" exits 2 "--queries: there is no text to search" \
    run suffix_tree --device emu --queries queries.txt
  check "by its own letters" exits 2 \
    "text.txt and other.txt: not for suffix_array: query 1 has the letter 'x', which is none" \
    run suffix_array --device emu --input text.txt --queries other.txt
  : >none.txt
  check "of which there is one at least" exits 2 \
    "text.txt and none.txt: not for suffix_tree: there are no queries; write one a line" \
    run suffix_tree --device emu --input text.txt --queries none.txt
  printf '0: 3 6\n1:\n2: 1 4 7 10\n' >places.txt
  for algo in suffix_array suffix_tree; do
    "$vat" run $algo --device emu --input text.txt --queries queries.txt \
      --output found.txt >out 2>err
    check "$algo writes where queries are" cmp -s found.txt places.txt
  done
  "$vat" run suffix_tree --device emu --input text.txt --queries queries.txt \
    --reps 2 -o text.jsonl >out 2>err
  sed -i '$d' text.jsonl
  "$vat" run --resume -o text.jsonl --input text.txt --queries queries.txt \
    >out 2>err
  check "a file is sought in again on its device" is "$?" 0
  check "once more" is "$(grep -c '"sample"' text.jsonl)" 2
  printf '1\n2\n-1\n' >list.txt
  for algo in list_ranking_wyllie list_ranking_hj; do
    "$vat" run $algo --device emu --input list.txt --output ranks.txt >out 2>err
    check "$algo ranks a list of one's own" [ "$(echo $(cat ranks.txt))" = "2 1 0" ]
  done
  check "counters of the processor are not the emulator's" exits 2 \
    "--counters cycles: unknown counter of --device emu" \
    run reduce --device emu --sizes 100 --counters cycles
  check "no counters are said by none" exits 2 "--counters: the list is empty" \
    run reduce --device emu --sizes 100 --counters ''
  check "nothing of it is simulated" exits 2 "--simulate: only with --device cpu" \
    run reduce --device emu --sizes 100 --simulate
  "$vat" run copy --device emu --counters none --reps 1 --time-budget 2 \
    -o bounded.jsonl >out 2>err
  check "without sizes they end where an emulator can" grep -q \
    '^vat: note: sizes on emu are limited to 8 MiB and 2 s in total; fix: choose others with --sizes$' err
  # A word of copy is 8 bytes: 2^14 * 1.4^12 words are 7.1 MiB.
  check "and do" grep -q '928873\]' bounded.jsonl
  check "more memory than the device has" exits 2 "scan: n = " \
    run scan --device emu --sizes 2^40
  # Seven tenths of what is free, twice; if that were begun, a limit would end
  # it before the machine's memory does.  A word of copy is 8 bytes.
  free=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  twice() (
    ulimit -v $((free / 10 * 9))
    exits 3 "the largest size needs .* and on the emulated device, .* free" \
      run copy --device emu --sizes $((free / 10 * 7 * 128)) --reps 1 &&
      exits 3 "copy: n = .* needs 2 x .* is free; choose a smaller --n" \
        model maxsum --algo copy --n $((free / 10 * 7 * 128))
  )
  if grep -q __asan_init "$vat"; then
    echo "SKIPPED too much memory for emu: a sanitizer takes all addresses"
  elif [ $((free / 10 * 7 * 128)) -lt 2147483648 ]; then
    check "what is emulated has its memory from the host" twice
  else
    echo "SKIPPED too much memory for emu: $free KiB is more than it can ask for"
  fi
fi

# --- cuda: there, or said why not --------------------------------------------
if "$vat" run reduce --device cuda --sizes 1e6 --reps 2 -o cuda.jsonl >out 2>err
then
  check "the machine record has the GPU" grep -q '"copy_bytes_per_s"' cuda.jsonl
  check "what nobody counts is null" is "$(counter cuda.jsonl sectors_read)" null
  check "and absent where it is named" exits 3 "--counters: lines_read is absent" \
    run reduce --device cuda --sizes 100 --counters lines
else
  echo "SKIPPED --device cuda: $(cat err)"
  check "without a GPU it is told with its fix" exits 3 "--device cuda: .*; fix: " \
    run reduce --device cuda --sizes 1e6
fi

# --- emulated ----------------------------------------------------------------
if [ "$emu" = yes ]; then
  check "transfers are timed apart" grep -q '"upload_ns":' emu.jsonl
  check "the plan knows its device" grep -q '"device": *"emu"' emu.jsonl
  samples=$(grep -c '"sample"' emu.jsonl)
  "$vat" run --resume -o emu.jsonl >out 2>err
  check "a run is resumed on its device" is "$?" 0
  check "and has nothing left to do" is "$(grep -c '"sample"' emu.jsonl)" "$samples"
  "$vat" run copy --resume -o emu.jsonl >out 2>err
  check "so it is where the algorithm is named" is "$?" 0
  check "not on another" exits 2 "emu.jsonl: was started with different --device" \
    run --resume -o emu.jsonl --device cpu
  "$vat" run copy scan --device emu --emu-threads 2 --sizes 1e5 --counters none \
    --reps 1 -o threads.jsonl >out 2>err
  check "several processors emulate" is "$?" 0
  check "that is kept" grep -q '"emu_threads":2' threads.jsonl
  "$vat" run --resume -o threads.jsonl --emu-threads 2 >out 2>err
  check "and resumed" is "$?" 0
  check "by as many only" exits 2 \
    "threads.jsonl: was started with different --emu-threads" \
    run --resume -o threads.jsonl --emu-threads 1
  sed 's/"emu_threads": *2/"emu_threads":1000/' threads.jsonl >many.jsonl
  check "nor by more than there can be" exits 2 \
    "--emu-threads 1000: .*; choose fewer" run --resume -o many.jsonl
  check "nor by others than one where none were asked for" exits 2 \
    "emu.jsonl: was started with different --emu-threads" \
    run --resume -o emu.jsonl --emu-threads 2
  "$vat" run apsp_matmul --device emu --block-threads 64 --dummy-shared 46080 \
    --sizes 50 --counters none --reps 1 -o blocks.jsonl >out 2>err
  check "blocks are as asked for" is "$?" 0
  check "which is kept" grep -q '"block_threads": *64' blocks.jsonl
  check "with what is left of shared memory" \
    grep -q '"dummy_shared": *46080' blocks.jsonl
  check "and shown" \
    grep -q '^apsp_matmul on emu, blocks of 64, 46080 bytes less  *50 ' out
  "$vat" run --resume -o blocks.jsonl --block-threads 64 >out 2>err
  check "and resumed" is "$?" 0
  check "nothing was left to do" is "$(grep -c '"sample"' blocks.jsonl)" 1
  check "by the same blocks only" exits 2 \
    "blocks.jsonl: was started with different --block-threads" \
    run --resume -o blocks.jsonl --block-threads 128
  check "not where none were asked for" exits 2 \
    "emu.jsonl: was started with different --dummy-shared" \
    run --resume -o emu.jsonl --dummy-shared 64
  check "which blocks there are is said" exits 2 \
    "--block-threads: not for apsp_matmul: its blocks have 32, 64, 128, " \
    run apsp_matmul --device emu --block-threads 48 --sizes 50
  check "and that others have no choice" exits 2 \
    "--block-threads: copy has no choice of blocks; leave it out" \
    run copy --device emu --block-threads 64 --sizes 50
  "$vat" run apsp_matmul --device emu --block-threads 64,128 --sizes 50 \
    --counters none --reps 1 -o several.jsonl >out 2>err
  check "several numbers of threads are measured each" is "$?" 0
  check "in blocks of the first" grep -q '^apsp_matmul on emu, blocks of 64 ' out
  check "and of the second" grep -q '^apsp_matmul on emu, blocks of 128 ' out
  "$vat" run --resume -o several.jsonl --block-threads 64,128 >out 2>err
  check "and resumed likewise" is "$?" 0
  check "with nothing left" is "$(grep -c '"sample"' several.jsonl)" 2
  check "by all of them only" exits 2 \
    "several.jsonl: was started with different --block-threads" \
    run --resume -o several.jsonl --block-threads 64
  "$vat" run hash_random --device emu --grid-blocks 8..24+8 --sizes 2^10 \
    --counters none --reps 1 --passes 2 -o grids.jsonl >out 2>err
  check "a range of blocks" is "$(grep -c '"grid_blocks": *\(8\|16\|24\)' grids.jsonl)" 4
  sed '/"plan"/s/"grid_blocks": *8/"grid_blocks":-8/' grids.jsonl >wrong.jsonl
  check "a plan of blocks that are none" exits 2 \
    "wrong.jsonl: its plan has unsupported blocks for hash_random" \
    run --resume -o wrong.jsonl
  threads=$([ "$counts" = yes ] && echo --counters threads)
  "$vat" run hash_random --device emu --grid-blocks 15 --sizes 2^14 \
    --generator all $threads --reps 1 -o grid.jsonl >out 2>err
  check "blocks are as many as asked for" is "$?" 0
  check "which is kept, too" grep -q '"grid_blocks": *15' grid.jsonl
  [ "$counts" != yes ] ||
    check "each of 256 threads" grep -q '"threads": *3840' grid.jsonl
  check "as many only" exits 2 \
    "grid.jsonl: was started with different --grid-blocks" \
    run --resume -o grid.jsonl --grid-blocks 30
  sed 's/"grid_blocks": *15/"parameters":"k=99"/' grid.jsonl >parameters.jsonl
  check "and no parameters that others have written" exits 2 \
    "parameters.jsonl: its plan has parameters or blocks that hash_random " \
    run --resume -o parameters.jsonl
  check "where there is a choice" exits 2 \
    "--grid-blocks: copy has no choice of how many blocks; leave it out" \
    run copy --device emu --grid-blocks 15 --sizes 50
  "$vat" list algos >out 2>err
  check "what runs where is listed" grep -q '^scan  *emu' out
else
  echo "SKIPPED --device emu: $emu"
fi

# --- stopped -------------------------------------------------------------------
# stopped ARGUMENTS...: dies of a signal after a second, and says one line.
stopped() {
  rm -rf long*
  timeout --preserve-status -s TERM 1 "$vat" run "$@" --device emu \
    --counters none -o long.jsonl >out 2>err
  got=$?
  [ $got = 143 ] || { echo "    exit $got, not 143: vat run $*"; return 1; }
  [ "$(wc -l <err)" = 1 ] && grep -q '^vat: stopped; [0-9]* samples are in ' err
}
if [ "$emu" = yes ]; then
  check "a run is no failure where it is stopped within" \
    stopped bellman_ford --sizes 1000 --reps 1
  check "nor where one ends each moment" stopped suffix_tree --reps 100000 \
    --time-budget 1000 --input text.txt --queries queries.txt
  check "how to go on is said in full" grep -q \
    ' --resume --input text.txt --queries queries.txt, or see ' err
fi

# --- graphs --------------------------------------------------------------------
# answer ALGO TEXT: of graph.gr.
answer() {
  rm -f graph.jsonl
  "$vat" run "$1" --device emu --input graph.gr --output - --reps 1 \
    --counters none -o graph.jsonl >out 2>err || return 1
  [ "$(cat out)" = "$2" ] || { cat out; return 1; }
}
printf '%s\n' 'c four vertices' 'p sp 4 4' 'a 1 2 3' 'a 2 3 4' 'a 3 1 1' \
  'a 1 3 9' >graph.gr
printf 'p sp 2 1\na 1 2 -3\n' >negative.gr
printf 'p sp 40000 1\na 1 2 20000\n' >many.gr
printf 'p sp 2 2\na 1 2 -3\na 2 1 2\n' >cycle.gr
printf 'p sp 2 1\na 1 2 nan\n' >nan.gr
if [ "$emu" = yes ]; then
  for algo in apsp_matmul johnson_array johnson_heap bellman_ford; do
    check "distances by $algo" answer $algo "$(printf '%s\n' '0 3 7 inf' \
      '5 0 4 inf' '1 4 0 inf' 'inf inf inf 0')"
    check "no graph for $algo" exits 2 "nan.gr:2: 'nan' is not a number that fits here; an " \
      run $algo --device emu --input nan.gr
  done
  check "more vertices than it takes" exits 2 \
    "johnson_array: n = 40000 is too large on a GPU, the maximum is 32768; choose a smaller input than many.gr" \
    run johnson_array --device emu --input many.gr
  check "components" answer connected_components "$(printf '1\n1\n1\n4')"
  check "forest" answer mst_boruvka "$(printf 'total 4\n1 2 3\n3 1 1')"
  for algo in johnson_array johnson_heap; do
    check "no negative edges for $algo" exits 2 \
      "negative.gr: not for $algo: the edge from 1 to 2 has length -3: " \
      run $algo --device emu --input negative.gr
  done
  for algo in apsp_matmul bellman_ford; do
    check "no negative cycles for $algo" exits 2 \
      "cycle.gr: not for $algo: a cycle of negative length leads to vertex " \
      run $algo --device emu --input cycle.gr
  done
fi

# --- as the processor has it ---------------------------------------------------
# alike ALGO ALGO FILE: the distances are the same, and points to 12 digits.
alike() {
  rm -f graph.jsonl there.jsonl
  "$vat" run "$1" --input "$3" --output here.txt --reps 1 --counters none \
    -o graph.jsonl >out 2>err &&
    "$vat" run "$2" --device emu --input "$3" --output there.txt --reps 1 \
      --counters none -o there.jsonl >out 2>err || return 1
  paste here.txt there.txt | awk '{ n = NF / 2
    for (i = 1; i <= n; i++) {
      if ($i == $(i + n)) continue
      off = $i - $(i + n)
      if (off > 1e-12 * NR_OF || off < -1e-12 * NR_OF) exit 1 }
    } END { exit NR < 8 }' NR_OF=256
}
if [ "$emu" = yes ]; then
  awk 'BEGIN { srand(5); print "p sp 60 240"
    for (i = 1; i <= 60; i++) for (k = 1; k <= 4; k++)
      print "a", i, (i + k * k + 6) % 60 + 1, int(rand() * 9) }' >random.gr
  for algo in apsp_matmul johnson_array; do
    check "distances of $algo are apsp_floyd's" alike apsp_floyd $algo random.gr
  done
  awk 'BEGIN { srand(6); for (i = 0; i < 256; i++)
    print rand() - 0.5, 2 * rand() }' >points.txt
  check "the transform is fft_radix2's" alike fft_radix2 fft_stockham points.txt
fi

# --- models --------------------------------------------------------------------
kernels() { # kernels PATTERN TEXT: refused before anything is printed
  echo "$2" >kernels.json
  exits 2 "$1" model maxsum histogram --from kernels.json && [ ! -s out ]
}
check "the second kernel is wrong" kernels "kernels.json: kernel 2: n: " \
  '[{"n":100},{"n":"x"}]'
check "a key is there twice" kernels "kernels.json:1: not JSON: duplicate" \
  '{"n":100,"n":200}'
check "by two names" kernels "kernels.json: kernel 1: blocks_per_sm: .* twice" \
  '{"n":100,"blocks-per-sm":2,"blocks_per_sm":3}'
echo '{"blocks":1,"threads":32,"comp":62.5}' >kernels.json
"$vat" model maxsum kernel --from kernels.json >out 2>err
check "numbers that are not whole are printed so" grep -q ' 62\.5 ' out
"$vat" model maxsum list_ranking --n 2^22 --arch gtx280 >out 2>err
check "a case that is no algorithm's name" grep -q '^  *4194304 ' out
if [ "$emu" = yes ]; then
  sed 's/"record": *"machine",/&"gpu":{"name":"G\\u001b[31mPU","sms":4,"clock_khz":1000000,"compute_capability":[9,0]},/' \
    emu.jsonl >named.jsonl
  "$vat" model maxsum list_ranking --n 2^22 --arch ./named.jsonl >out 2>err
  check "names of GPUs do not steer the terminal" grep -q 'G?\[31mPU' out
fi

# --- counted -----------------------------------------------------------------
if [ "$counts" = yes ]; then
  # All kinds of input in one file.  Warps of 2^16 words: 2048.  A load of a warp
  # reads 32, 16, 8, 4 sectors.
  "$vat" run coalescing --device emu --generator all --counters sectors,lines \
    --sizes 2^16 --reps 1 --json -o all.jsonl >out 2>err
  check "coalescing runs on all kinds of input" is "$?" 0
  for triple in -1:32:32 -2:16:16 -4:8:8 -8:4:4 -16:4:2 :4:1; do
    stride=${triple%%:*} rest=${triple#*:}
    kind=${stride:+stride$stride}
    check "sectors at ${kind:-the usual stride}" is \
      "$(of "$kind" sectors_read)" $((2048 * ${rest%:*}))
    check "lines at ${kind:-the usual stride}" is \
      "$(of "$kind" lines_written)" $((2048 * ${rest#*:}))
  done
  mv all.jsonl strides.jsonl
  "$vat" run bank_conflicts --device emu --sizes 2^16 --reps 1 --json \
    --generator bank-2,bank-3,bank-1,bank-8,bank-16 --counters bank_waves \
    -o all.jsonl >out 2>err
  for pair in :1 bank-2:2 bank-3:1 bank-8:8 bank-16:16; do
    kind=${pair%%:*}
    check "waves of ${kind:-the usual kind}" is \
      "$(of "$kind" bank_waves)" $((2048 * 33 * ${pair#*:}))
  done
  "$vat" run -o all.jsonl --resume --json >out 2>err
  check "a resumed run knows them" is "$(grep -c '"sample"' all.jsonl)" 5
  check "and takes no others" exits 2 \
    "all.jsonl: was started with a different --generator" \
    run bank_conflicts --device emu -o all.jsonl --resume \
    --generator bank-2,bank-1
  "$vat" run coalescing bank_conflicts --device emu --generator all \
    --sizes 2^12 --reps 1 --json -o both.jsonl \
    --counters accesses,lines,bank_waves,warp_instructions >out 2>err
  check "several algorithms, each on all of its own" is \
    "$(grep -c '"sample"' both.jsonl)" 22
  if command -v gnuplot >/dev/null; then
    "$vat" report both.jsonl -o both >out 2>err
    check "of which experiment 1 is drawn" [ -s both/fig-gpu-3a.png ]
    check "and experiment 2" [ -s both/fig-gpu-3b.png ]
  else
    echo "SKIPPED figures of experiments 1 and 2: no gnuplot (apt-get install gnuplot-nox)"
  fi
  "$vat" run list_ranking_hj --device emu --sizes 1000 --reps 1 -o list.jsonl \
    >out 2>err
  "$vat" model maxsum list_ranking --results list.jsonl >out 2>err
  check "a case of a model is counted by what does it" \
    grep -q '^list_ranking_hj  *1000 ' out
  check "which is named where nothing was" exits 2 \
    "counts.jsonl: some counts .* vat run list_ranking_hj --device emu" \
    model maxsum list_ranking --results counts.jsonl
  printf '{"record":"sam' >>list.jsonl
  "$vat" model maxsum --results list.jsonl >out 2>err
  check "half a line is left out" is "$?" 0
  check "and said to be" grep -q 'an incomplete last line' err
else
  echo "SKIPPED counts of --device emu: $counts"
fi
[ "$emu" != yes ] || check "kinds of input are those that there are" exits 2 \
  "--generator stride-3: coalescing has stride-32, " \
  run coalescing --device emu --sizes 100 --generator stride-1,stride-3

echo "test_gpu: $passed passed, $failed failed"
[ "$failed" = 0 ]
