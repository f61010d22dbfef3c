#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat exec` on transparent huge pages of the sizes between: what is granted of
# what is chosen, who proves it, and that the switches are as before, also if it
# is killed.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
. "$here/../sizes.sh"
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
number() { # number KEY: its first value in the report
  grep -o "\"$1\": [0-9]*" report.json | head -n 1 | sed 's/.* //'
}
on_size() { # on_size KIND WHAT HOW: 24 MiB are, but for an end
  timeout 60 "$vat" exec --pages "$1" --reserve --huge "$2" --report report.json -- ./memory "$3" >out 2>err
  check "$1, $2: runs" [ $? = 0 ]
  check "$1, $2: the report has the kind" grep -q "\"pages\": \"$1\"" report.json
  check "$1, $2: is on them" between 23e6 "$(number granted_bytes)" "$(number asked_bytes)"
  check "$1, $2: and is all" between 25e6 "$(number asked_bytes)" 28e6
}

# --- granted, by frames ----------------------------------------------------------
for kind in $("$vat" list pages | grep -o '^thp-[0-9]*[km]'); do
  on_size "$kind" site=main malloc
done
on_size thp-64k mappings mmap
on_size thp-64k data bss
case $(cat $thp/enabled) in
  *'[madvise]'*) on_size thp-64k heap malloc ;;
  *)
    refused 3 exec --pages thp-64k --reserve --huge heap -- ./memory malloc
    check "heap needs the switch of all sizes" says 'enabled is at madvise'
    ;;
esac
check "the switches are as found" as_found
# What cannot be had is refused as for thp.
${CC:-cc} -O1 -o confined "$here/confined.c" || exit 99
./confined thp "$vat" exec --pages thp-64k --reserve --huge mappings -- ./memory mmap >out 2>err
check "where THP is disabled for the process, it is refused" [ $? = 3 ]
check "and why" says 'PR_SET_THP_DISABLE'
(
  ulimit -n 4
  "$vat" exec --pages thp-64k --reserve --huge mappings -- ./memory mmap
) >out 2>err
check "without a file descriptor, too" [ $? = 3 ]
check "and it does not say --reserve, which was given" \
  says 'Too many open files; fix: raise the limit'
# What is not chosen is on base pages.
timeout 60 "$vat" exec --pages thp-64k --reserve --huge stack,data --report report.json -- ./memory mmap >out 2>err
check "nothing but the choice is on them" between 0 "$(number granted_bytes)" 9e6
sed 's/ 24 << 20;/ 100 << 10;/;s/memory\[i\] = 1;/memory[i] = 1; if (memory[0] != 1) return 1;/' memory.c >small.c
${CC:-cc} -O1 -o small small.c || exit 99
timeout 60 "$vat" exec --pages thp-16k --reserve --huge 'mappings>=64K' --report report.json -- ./small mmap >out 2>err
check "a mapping of less than 2 MiB has pages of the size" between 65536 "$(number granted_bytes)" 102400

# --- refused -----------------------------------------------------------------------
check "without --reserve, the switch has to be on" refused 3 exec --pages thp-64k --huge data -- ./memory bss
check "which names it" says 'echo madvise | .*/hugepages-64kB/enabled'
check "code has no such pages" refused 2 exec --pages thp-64k --reserve --huge text -- ./memory bss
check "which says so" says 'text cannot be on pages of this size'
check "nor have files" refused 2 exec --pages thp-64k --reserve --huge file=x -- ./memory bss
check "there is no pool" refused 2 exec --pages thp-64k --reserve=2M --huge data -- ./memory bss
check "which says so, too" says 'reserve without a size'
check "a size that is none" refused 2 exec --pages thp-63k --huge data -- true
check "is told from those" says "'thp-63k' is none of thp, thp-16k to thp-1m"

# --- who sees no frames goes by the faults that the kernel counts ---------------------
if $nobody test -r "${vat%/*}/exec/page_shim.so" 2>err; then
  chmod 755 "$work" memory
  mkdir -m 777 theirs
  check "only root sets switches" \
    [ "$($nobody "$vat" exec --pages thp-64k --reserve --huge data -- ./memory bss >out 2>err; echo $?)" = 3 ]
  huge=$(sed 's/.*\[//;s/\].*//' $thp/hugepages-2048kB/enabled)
  echo madvise >$thp/hugepages-64kB/enabled
  check "a larger size must not be on" refused 3 exec --pages thp-64k --huge data -- ./memory bss
  check "which names it, too" says 'echo never | .*/hugepages-2048kB/enabled'
  echo never >$thp/hugepages-2048kB/enabled
  timeout 60 $nobody "$vat" exec --pages thp-64k --huge data --report theirs/report.json -- ./memory bss >out 2>err
  code=$?
  echo "$huge" >$thp/hugepages-2048kB/enabled
  echo never >$thp/hugepages-64kB/enabled
  cp theirs/report.json . 2>/dev/null
  check "without rights, on switches that are right" [ $code = 0 ]
  check "faults prove the pages" between 23e6 "$(number granted_bytes)" "$(number asked_bytes)"
fi

# --- a run waits for who has the switches, and says so -----------------------------------
"$vat" exec --huge heap --pages thp-64k --reserve -- sleep 30 &
holder=$!
for i in $(seq 100); do
  [ "$(settings)" = "$found" ] || break
  sleep 0.05
done
: >waits
"$vat" run random_scan --sizes 2^19 --pages thp-64k --reserve --reps 1 \
  --counters none -o waits.jsonl 2>waits &
run=$!
for i in $(seq 100); do
  ! grep -q waits waits || break
  sleep 0.05
done
begun=$(date +%s%N)
kill -TERM $run
wait $run
code=$?
took=$((($(date +%s%N) - begun) / 1000000))
check "a run that waits for another vat says so" \
  grep -q '^vat: note: waits until another vat .*process [0-9]' waits
guardian=$(sed -n 's/.*process \([0-9]*\)).*/\1/p' waits)
check "and for whom" \
  grep -aq "holds the switches for 64 kB pages alone" "/proc/$guardian/cmdline"
check "in one line" [ "$(wc -l <waits)" = 1 ]
check "SIGTERM ends it" [ $code = 143 ]
check "at once" [ $took -lt 3000 ]
kill $holder
wait $holder 2>/dev/null
check "and the settings are as found" as_found

# --- killed ----------------------------------------------------------------------------
(exec "$vat" exec --pages thp-64k --reserve --huge data -- ./memory bss 20 8<&-) >out 2>err &
killed_midway $!
check "and no program" [ -z "$(processes ./memory bss 20)" ]
echo "test_exec_sizes: $passed passed, $failed failed"
[ "$failed" = 0 ]
