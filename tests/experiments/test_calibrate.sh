#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat calibrate` from outside, on so little memory that it takes a moment.
. "${0%/*}/checks.sh"
alone_with_the_pools

# refused CODE ARGUMENTS...: exits with CODE and says why in one line.
refused() {
  want=$1
  shift
  "$vat" calibrate "$@" >out 2>err
  got=$?
  [ $got = "$want" ] || { echo "    exit $got, not $want: $*"; return 1; }
  [ "$(wc -l <err)" = 1 ] && grep -q '^vat: ' err
}

little="--pages 4k --memory 1M --time-budget 0.1"

# shellcheck disable=SC2086
"$vat" calibrate $little -o m.json >out 2>err
check "it ends well" [ $? = 0 ]
check "with a table" grep -q '^L1 .*ns\|^memory ' out
check "and one object in the file" [ "$(wc -l <m.json)" = 1 ]
check "of this schema" grep -q '^{"record":"calibration","schema":1,' m.json
check "with curves" grep -q '"name":"page_chase","pages":"4k"' m.json
check "also of pages as programs have them" \
  grep -q '"name":"page_chase","pages":"given"' m.json
check "as far as what-if needs these" [ "$(grep -o '"name":"[a-z_]*",'\
'"pages":"given"' m.json | wc -l)" = 2 ]

check "whether contiguous frames share TLB entries, or why it is not known" \
  grep -q '"coalescing":{"absent":\("it takes .* of memory; fix: \|null,"proof":"\)' m.json
check "which the table says, too" \
  grep -q '^reach with contiguous frames.*not measured: it takes .* of memory' out

# --- measured anew, a part of it ------------------------------------------------
curve() { # curve FILE NAME KIND: its points
  grep -o '"name":"'"$2"'","pages":"'"$3"'",[^{}]*' "$1"
}
reach() { # reach FILE NAME KIND: x of the last point
  curve "$@" | grep -o '\[[^][]*\]\]$\|\[[^][]*\]\]}*$' | grep -o '[0-9.]*' |
    head -n 1
}
# shellcheck disable=SC2086
"$vat" calibrate --refresh m.json --memory 2M --time-budget 0.1 -o new.json \
  >out 2>err
check "--refresh ends well" [ $? = 0 ]
check "and says what it did" grep -q '^measured anew: ' out
check "its curves are of the memory that it took" \
  [ "$(reach new.json page_chase given)" = 512 ]
check "where they were of another" [ "$(reach m.json page_chase given)" = 256 ]
check "those of other pages are the file's" \
  [ "$(curve new.json page_chase 4k)" = "$(curve m.json page_chase 4k)" ]
check "and so are those that do not change" \
  [ "$(curve new.json stream_read 4k)" = "$(curve m.json stream_read 4k)" ]
check "none is there twice" \
  [ "$(curve new.json page_chase given | wc -l)" = 1 ]
check "nor is the rest another" [ "$(grep -o '"levels":\[.*\],"pages":\[' new.json)" = \
  "$(grep -o '"levels":\[.*\],"pages":\[' m.json)" ]
check "nor what frames show" [ "$(grep -o '"coalescing":{[^}]*}' new.json)" = \
  "$(grep -o '"coalescing":{[^}]*}' m.json)" ]
cp new.json same.json
check "a file may be refreshed in its place" "$vat" calibrate --refresh \
  same.json --memory 1M --time-budget 0.1 -o same.json
check "and has all curves then" [ "$(grep -o '"x_unit"' same.json | wc -l)" = \
  "$(grep -o '"x_unit"' m.json | wc -l)" ]
check "a file that is not there is an exit 2" refused 2 --refresh no.json
check "and one of another machine" refused 2 \
  --refresh "${0%/*}/what_if_machine.json"
check "and page kinds, which the file tells" \
  refused 2 --refresh m.json --pages 4k
# shellcheck disable=SC2086
"$vat" calibrate $little --json >out 2>err
check "--json prints the object alone" \
  sh -c '[ "$(wc -l <out)" = 1 ] && grep -q "^{\"record\":\"calibration\"" out'
# shellcheck disable=SC2086
"$vat" calibrate $little -o - >out 2>err
check "-o - is standard output, and nothing else goes there" [ "$(wc -l <out)" = 1 ]

# shellcheck disable=SC2086
"$vat" calibrate $little -o /dev/full >out 2>err
check "a full disk is an exit 3" [ $? = 3 ]
check "which one line says" [ "$(grep -c '/dev/full: cannot be written' err)" = 1 ]
check "and loses nothing" grep -q '^{"record":"calibration","schema":1,.*}$' out
check "but says no more" [ "$(wc -l <out)" = 1 ]

check "an unknown page kind is an exit 2" refused 2 --pages 3k
check "a size that is none, too" refused 2 --memory much
check "and too little memory" refused 2 --memory 4k
check "and a time that is none" refused 2 --time-budget soon
check "and a processor that is none" refused 2 --memory 1M --pages 4k --pin 99999
check "and an argument" refused 2 here
check "and a file in a folder that is not there" \
  refused 2 --memory 1M -o no/m.json
check "more memory than there is is an exit 3" refused 3 --pages 4k --memory 2^50

rm -f m.json
"$vat" calibrate --pages 4k --memory 16M --time-budget 100 -o m.json >out 2>err &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid 2>/dev/null
check "SIGTERM is what it dies of" [ $? = 143 ]
check "and no file is left" [ ! -e m.json ]

pool=/sys/kernel/mm/hugepages/hugepages-2048kB
if [ "$(id -u)" = 0 ] && [ -w $pool/nr_hugepages ]; then
  found=$(cat $pool/nr_hugepages)
  "$vat" calibrate --pages 4k,2m --memory 16M --reserve --time-budget 100 >out 2>err &
  pid=$!
  sleep 0.5
  kill -TERM $pid
  wait $pid 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(cat $pool/nr_hugepages)" = "$found" ] && break
    sleep 0.3
  done
  check "after SIGTERM the pool is as found" \
    [ "$(cat $pool/nr_hugepages)" = "$found" ]
else
  echo "SKIPPED pools: only root may grow them"
fi

echo "test_calibrate: $passed passed, $failed failed"
[ "$failed" = 0 ]
