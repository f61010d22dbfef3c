#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat compare` on transparent huge pages of the sizes between: what is granted,
# who proves it, and that the switches are as before.  VAT_KILLS=100 kills it
# more often.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/checks.sh"
. "$here/sizes.sh"
kills=${VAT_KILLS:-3}
field() { # field KIND KEY: its first value in the JSON of that kind
  sed "s/.*\"kind\":\"$1\"//" out | grep -o "\"$2\":[^,}]*" | head -n 1 |
    sed 's/.*://'
}

# --- granted, as whom ------------------------------------------------------------
sizes=$("$vat" list pages | grep -o '^thp-[0-9]*[km]')
all=4k,$(echo "$sizes" | tr '\n' ',')thp
"$vat" compare --runs 1 --pages "$all" --reserve --json -- ./memory malloc >out 2>err
check "a program on every size" [ $? = 0 ]
for kind in $sizes; do
  kib=$(echo "$kind" | sed 's/thp-//;s/[km]$//')
  case $kind in *m) kib=$((kib * 1024)) ;; esac
  check "$kind: its memory is on them" between 0.98 "$(field "$kind" share)" 1
  # 24 MiB, and where a mapping lies behind them, a page more.
  check "$kind: in bytes" between 23e6 "$(field "$kind" "$kind")" 27e6
  check "$kind: a page fault each" \
    between $((24 * 1024 / kib)) "$(field "$kind" minor_faults)" \
    $((24 * 1024 / kib + 1024 + kib / 2))
  check "$kind: the run counts" [ "$(field "$kind" runs)" = 1 ]
done
check "the others are as ever" between 0.9 "$(field thp share)" 1
check "and the switches are as found" as_found
"$vat" compare --runs 2 --warmup 0 --pages 4k,thp-64k --reserve -o runs.jsonl -- ./memory mmap 1 >out 2>err
check "each run says what it was granted" \
  [ "$(grep -c '"kind":"thp-64k".*"granted_at_exit":{[^}]*"thp-64k":2[0-9]*,' runs.jsonl)" = 2 ]
for how in mmap bss; do
  "$vat" compare --runs 1 --pages 4k,thp-64k --reserve --json -- ./memory $how >out 2>err
  check "$how: is on them" between 0.98 "$(field thp-64k share)" 1
done
if ${CC:-cc} -O1 -static -o static memory.c 2>err; then
  GLIBC_TUNABLES='' "$vat" compare --runs 1 --pages 4k,thp-64k --reserve --json -- ./static malloc >out 2>err
  check "a static program is on them" between 0.98 "$(field thp-64k share)" 1
fi
if command -v musl-gcc >/dev/null && musl-gcc -O1 -static -o musl memory.c 2>err; then
  "$vat" compare --runs 1 --pages 4k,thp-64k --reserve --json -- ./musl malloc >out 2>err
  check "so is one that asks for nothing" between 0.98 "$(field thp-64k share)" 1
  check "which is said" says "the kernel's switches" out
fi

# Contiguous frames, each base page translated by an entry of its own.
cat >busy.c <<'C'
#include <stdlib.h>
int main(void) {
  enum { BYTES = 24 << 20 };
  volatile unsigned char *memory = malloc(BYTES);
  for (unsigned long i = 0, x = 1; i < 60000000; i++)
    memory[(x = x * 6364136223846793005 + 1442695040888963407) >> 40] = 1;
  return 0;
}
C
${CC:-cc} -O1 -o busy busy.c || exit 99
"$vat" compare --runs 3 --pages 4k,4k-contiguous,thp --reserve --json -o near.jsonl -- ./busy >out 2>err
check "contiguous frames" [ $? = 0 ]
check "its memory has them" between 0.9 "$(field 4k-contiguous share)" 1
check "and no huge page" [ "$(field 4k-contiguous transparent)" = 0 ]
check "they are run twice" [ "$(field 4k-contiguous runs)" = 6 ]
check "and have a control" grep -q '"kind":"4k-contiguous".*"control":{"ratio":[0-9].*"kind":"thp"' out
check "larger pages are compared with them" grep -q '"translation":{"user_ratio":' out
check "each run proves them" \
  [ "$(grep -c '"kind":"4k-contiguous".*"granted_at_exit":{[^}]*"thp-1m":[12][0-9]*,.*"transparent":0,' near.jsonl)" = 6 ]
check "one size of pages is one arm" refused 2 compare --pages 4k,thp-1m,4k-contiguous -- ./memory malloc
check "and the switches are as found once more" as_found

# Who sees no frames goes by the faults that the kernel counts.
check "without --reserve, the switches have to be right" \
  refused 3 compare --pages 4k,thp-64k -- ./memory malloc
check "which is said" says 'the switch of 64 KiB pages is not at madvise'
if $nobody test -r "${vat%/*}/exec/page_shim.so" 2>err; then
  $nobody "$vat" compare --runs 1 --pages 4k,thp-64k --reserve -- /bin/true >out 2>err
  check "only root sets them" [ $? = 3 ]
  chmod 755 "$work" memory
  case $(cat $thp/enabled) in
    *'[madvise]'*)
      inherits=$(sed 's/.*\[//;s/\].*//' $thp/hugepages-2048kB/enabled)
      echo madvise >$thp/hugepages-64kB/enabled
      check "a larger size must not be on" \
        refused 3 compare --pages 4k,thp-64k -- ./memory malloc
      check "which is said, too" says 'the switch of 2 MiB pages is on'
      echo never >$thp/hugepages-2048kB/enabled
      $nobody "$vat" compare --runs 1 --pages 4k,thp-64k --json -- ./memory malloc >out 2>err
      code=$?
      echo "$inherits" >$thp/hugepages-2048kB/enabled
      echo never >$thp/hugepages-64kB/enabled
      check "without rights, on switches that are right" [ $code = 0 ]
      check "faults prove the pages" between 0.9 "$(field thp-64k share)" 1
      ;;
  esac
fi

# --- killed at random moments --------------------------------------------------------
changed=0 restored=0
for i in $(seq "$kills"); do
  moment=$(awk -v i="$i" -v seed="${VAT_SEED:-$$}" \
    'BEGIN { srand(seed * 1000 + i); printf "%.4f", 1.5 * rand() }')
  (exec "$vat" compare --runs 3 --pages 4k,thp-16k,thp-64k --reserve -- ./memory malloc 8<&-) >/dev/null 2>&1 &
  run=$!
  sleep "$moment"
  [ "$(settings)" = "$found" ] || changed=$((changed + 1))
  kill -9 $run 2>/dev/null
  wait $run 2>/dev/null
  if as_found; then restored=$((restored + 1)); else
    echo "    killed after $moment s, and 10 s later:"
    settings
    break
  fi
done
echo "killed $kills times, $changed of them with a switch changed; restored $restored times"
check "killed at a random moment, it leaves the settings as found" [ $restored = "$kills" ]
[ "$kills" -lt 100 ] || check "some were killed in the middle" [ $changed -gt 0 ]
# One that is certainly in the middle.
(exec "$vat" compare --runs 1 --warmup 0 --pages 4k,thp-64k --reserve -- ./memory malloc 5 8<&-) >out 2>err &
killed_midway $!
echo "test_compare_sizes: $passed passed, $failed failed"
[ "$failed" = 0 ]
