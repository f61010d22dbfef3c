#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat profile --from` on what perf prints of samples, from outside.
. "${0%/*}/checks.sh"

# samples ACCESSES: one in 100 of accesses, by lot, to 1000 pages at random, and
# behind each of these, to the next word of an array.
samples() {
  awk -v accesses="$1" 'BEGIN {
    srand(1)
    print "# cmdline : perf script"
    for (i = 0; i < accesses; i += period) {
      period = 1 + int(-100 * log(1 - rand()))
      printf "prog  7/7  %d.%06d: %10d cpu/mem-loads/P: ", i / 1e6, i % 1e6, period
      if (int(i + period) % 2)
        printf "%16s %16s look_up (/bin/prog)\n",
          sprintf("7f00%05x%03x", int(1000 * rand()), int(512 * rand()) * 8), "401000"
      else printf "%16x %16s fill+0x10 (/bin/prog)\n", 100000000 + 4 * (i + period), "402000"
    }
  }'
}

figure() { # figure SIZE KEY: of all functions
  sed "s/,\"functions\":.*//; s/.*\"$1\":{\([^}]*\)}.*/\1/" out |
    grep -o "\"$2\":[0-9.e+-]*" | cut -d: -f2
}

samples 1000000 >samples
check "samples are estimated" "$vat" profile --from samples >out 2>err
check "without a word" [ ! -s err ]
check "and it is said from how many" grep -q '^10[0-9]*\|^9[0-9]* samples of 1000[0-9]* accesses' out
check "functions have their names" grep -q '^look_up ' out
check "without offsets" grep -q '^fill  ' out
"$vat" profile --from samples --tlb l1=16x4,l2=256x8 --json >out 2>err
# Each second access, to 1000 pages, 255 of which are in the TLB.
check "the interval has the truth" between "$(figure 4k lo)" 373.5 "$(figure 4k hi)"
check "which is near" between 300 "$(figure 4k value)" 430
check "2 MiB pages have few misses" between 0 "$(figure 2m hi)" 1
cp out first
"$vat" profile --json --tlb l1=16x4,l2=256x8 --from /dev/stdin <samples >out 2>err
check "a pipe will do" cmp -s first out
check "--tc is the number of entries, too" "$vat" profile --from samples --tc 256 --json -o out
check "with the same result" cmp -s first out

refused_line() { # refused_line NUMBER WORDS
  refused 2 profile --from bad && grep -q "^vat: bad:$1: $2.*; fix: perf script" err
}
{ head -n 5 samples; echo "prog 7/7 0.5: cpu/mem-loads/P: 7f0000 401000 f (/bin/prog)"; } >bad
check "a line without a period is refused" refused_line 6 'no period'
{ head -n 9 samples; echo "prog 7/7 0.5: 100 cpu/mem-loads/P: main (/bin/prog)"; } >bad
check "or without an address" refused_line 10 'no address'
head -c 500 samples >bad
check "or half a line" refused_line '[0-9]*' 'the line is cut short'
printf 'PERFILE2\0\0\n' >bad
check "or the file of perf record" refused_line 1 ''
echo "7 0.5: 100 ev: 0 401000 f (/bin/prog)" >bad
check "samples without addresses are none" refused 2 profile --from bad
check "which is said" says 'no sample has an address; fix: perf record -d'
check "--what-if needs more" refused 2 profile --from samples --what-if \
  --user-time 1 --machine samples
check "as does --callgrind" refused 2 profile --from samples --callgrind calls
check "a missing file" refused 2 profile --from missing

echo "test_samples: $passed passed, $failed failed"
[ "$failed" = 0 ]
