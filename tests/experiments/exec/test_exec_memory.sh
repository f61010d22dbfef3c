#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory that vat exec puts on larger pages is as other memory: it can be
# forked, changed in parts, given back and resized; and the report tells kinds
# of pages apart.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
alone_with_the_pools
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
cc=${CC:-cc}
$cc -O1 -g -o memory_cases "$here/memory_cases.c" || exit 99

good() { # good CASE OPTION...
  name=$1
  shift
  "$vat" exec "$@" -- ./memory_cases "$name" >out 2>err
  [ "$(cat out)" = good ]
}
field() { # field CHOICE KEY, of the report
  tr -d ' ",' <report.json | awk -F: -v n="$1" -v key="$2" '$1 == "where" { i++ } i == n && $1 == key { print $2 }'
}
mib() { # mib CHOICE KEY LEAST MOST
  bytes=$(field "$1" "$2")
  [ "$bytes" -ge $(($3 << 20)) ] && [ "$bytes" -le $(($4 << 20)) ]
}

# Where glibc's switch hangs on what lies on the stack (2.36), it is off here.
$cc -O1 -Wl,-z,now -o stack_filled "$here/stack_filled.c" || exit 99
check "all of malloc, whatever lies on the stack" [ "$("$vat" exec --huge heap -- ./stack_filled)" -ge 60000 ]
check "so in the arm thp of vat compare" sh -c "'$vat' compare -r 1 --warmup 0 --show-output -- ./stack_filled 2>&1 | grep -q '^6[0-9][0-9][0-9][0-9]'"

# glibc leaves the first 2 to 4 MiB of its heap on base pages.
$cc -O1 -o small_blocks "$here/small_blocks.c" || exit 99
check "all of a heap from its begin on" [ "$("$vat" exec --huge heap -- ./small_blocks)" -ge 65536 ]
printf '#include <stdlib.h>\nvoid *kept;\n__attribute__((constructor)) static void begin(void) { kept = malloc(70000); }\n' >early.c
$cc -shared -fPIC -o early.so early.c || exit 99
$cc -O1 -Wl,--no-as-needed -o small_blocks_early "$here/small_blocks.c" ./early.so || exit 99
check "also where a library began it" [ "$("$vat" exec --huge heap -- ./small_blocks_early)" -ge 65536 ]

# What it maps begins anywhere in a huge page.
$cc -O1 -o large_blocks "$here/large_blocks.c" || exit 99
large() { # large [VARIABLE=VALUE] [ARGUMENT]
  env "$1" "$vat" exec --huge heap -- ./large_blocks ${2:+"$2"} >out 2>&1
  [ "$(cat out)" = good ]
}
check "large blocks are aligned" large A=b
check "so beside sites" sh -c "'$vat' exec --huge heap,site=nobody -- ./large_blocks | grep -qx good"
check "which blocks are mapped is up to the program" large A=b mallopt
tunables=GLIBC_TUNABLES=glibc.malloc.mmap_threshold=8388608
check "and to the user" sh -c "! env $tunables '$vat' exec --huge heap -- ./large_blocks | grep -qx good"

# Nor does it advise the heaps of threads; of each the first 2 MiB stay as they
# are, so threads that allocate little take as much memory as before.
threads() { # threads ARGUMENT...
  "$vat" exec --huge heap -- ./thread_blocks "$@"
}
$cc -O1 -pthread -o thread_blocks "$here/thread_blocks.c" || exit 99
check "memory of threads" [ "$(threads 3 40960)" -ge 110000 ]
check "not if it is little" [ "$(threads 20 100 resident)" -le 16000 ]
if (ulimit -l unlimited) 2>/dev/null; then
  check "not if it is locked" sh -c "ulimit -l unlimited; [ \$('$vat' exec --huge heap -- ./thread_blocks 20 100 resident locked) -le 32000 ]"
else
  echo "SKIPPED locked memory: the limit cannot be raised; fix: sudo make check"
fi
grep -q __asan_init "$vat" ||
  check "not if memory is limited" sh -c "ulimit -d 250000; '$vat' exec --huge heap -- ./thread_blocks 8 1000"

check "small mappings leave nothing" good small --huge mappings
check "a block grows" good grow --huge site=make
# A sanitizer takes more addresses than any limit has.
grep -q __asan_init "$vat" ||
  check "within a limit of addresses that two of it exceed" \
    sh -c "ulimit -v 200000; '$vat' exec --huge site=make -- ./memory_cases grow | grep -q good"
check "a block shrinks" good shrink --huge site=make

# Blocks of 449 bytes to 4 KiB are cut from slabs.
$cc -O1 -pthread -o node_blocks "$here/node_blocks.c" || exit 99
nodes() { # nodes CASE
  timeout 60 "$vat" exec --huge site=make -- ./node_blocks "$1" >out 2>err
  [ "$(cat out)" = good ]
}
check "blocks of a size are in most sets of a cache" nodes sets
check "what is freed of them goes back" nodes back
check "few of them take no huge page, many do" nodes few
check "they cross threads and forks" nodes threads

# Blocks by 80 callers of one function, each chosen by a chain of its own.
{
  echo '#include <stdlib.h>'
  echo '__attribute__((noinline)) static char *make(size_t n) { char *volatile p = malloc(n); if (p) p[0] = 1; return p; }'
  i=0
  while [ $i -lt 80 ]; do
    echo "__attribute__((noinline)) int s$i(void); int s$i(void) { char *volatile p = make(1 << 20); return p != 0; }"
    i=$((i + 1))
  done
  echo 'int main(void) { return !('
  i=0
  while [ $i -lt 80 ]; do
    echo "s$i() +"
    i=$((i + 1))
  done
  echo '0); }'
} >many.c
$cc -O1 -Wl,--build-id -o many many.c || exit 99
build=$(readelf -n many | sed -n 's/.*Build ID: //p')
# OFFSET FUNCTION of what each call of $1 returns to
calls() {
  objdump -d many | awk -v to="<$1" '/^[0-9a-f]+ </ { inside = $2 } found { sub(":", "", $1); print $1, inside; found = 0 } index($0, "call") && index($0, to) { found = 1 }'
}
first=$(calls malloc | awk '{ print $1; exit }')
chains=$(calls 'make>' | while read -r offset _; do
  printf ',[{"object":"/x/many","offset":%d},{"object":"/x/many","offset":%d}]' "0x$first" "0x$offset"
done)
printf '{"record":"page-plan","schema":1,"command":[],"pages":"thp","objects":[{"name":"/x/many","build_id":"%s"}],"budget_bytes":null,"used_bytes":0,"predicted":{"user_ratio":null,"lo":null,"hi":null},"everything":{"user_ratio":null,"lo":null,"hi":null,"bytes":0},"harm":{"peak_rss_bytes":[null,null],"zeroed_bytes":null,"faults_saved":null},"choices":[{"where":"w","kind":"heap","what":"site-large","bytes":0,"saving_s":null,"lo":null,"hi":null,"least_bytes":1048576,"chains":[%s],"madvise":null}],"curve":[],"optimum_saving_s":null,"verdict":null,"ways":[]}' \
  "$build" "${chains#,}" >plan.json
"$vat" exec --plan plan.json --report report.json -- ./many >out 2>err
check "80 chains of one function" [ $? = 0 ]
check "are all of them recognised" mib 1 asked_bytes 80 94

if ! grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; then
  echo "SKIPPED what is on huge pages: transparent_hugepage/enabled is not madvise"
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
  exit
fi

good both --huge heap,mappings --report report.json
check "blocks of malloc are heap" mib 1 asked_bytes 34 37
check "and mappings are mappings" mib 2 asked_bytes 16 16
good shrink --huge site=make --report report.json
check "a block that was large is reported as it was then" mib 1 granted_bytes 96 98
for what in mappings site=map_piece; do
  good pieces --huge $what --report report.json
  check "mappings smaller than a huge page are asked for ($what)" mib 1 asked_bytes 46 47
  check "where they have room beside another, they are granted ($what)" mib 1 granted_bytes 16 18
  check "where they have none, the report says so ($what)" says '[0-9]* bytes lie in mappings smaller than a huge page; fix' report.json
done
good carve --huge heap,mappings --report report.json
check "parts of mappings that go, or are mapped anew, count once" mib 2 asked_bytes 24 24
"$vat" exec --huge mappings --report report.json -- sh -c './memory_cases both; ./memory_cases both; ./memory_cases both' >out 2>err
check "sums are of several processes" mib 1 asked_bytes 48 52
check "whose number is reported" says '"processes": 3' report.json

# --- pools ------------------------------------------------------------------------
pool=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
if [ "$(id -u)" = 0 ] && [ -w $pool ]; then
  before=$(cat $pool)
  pooled() { # pooled SIZE CASE OPTION...
    size=$1 name=$2
    shift 2
    good "$name" --pages 2m --reserve="$size" --report report.json "$@"
  }
  check "a child writes though the pool is empty" pooled 56M fork --huge site=make,mappings
  check "its parent keeps its pages" mib 1 granted_bytes 30 34
  check "and this is reported" says 'children that fork made have no pages of the pool; fix: --pages thp; [0-9]* bytes are on transparent' report.json
  check "also of the heap" pooled 42M fork --huge heap
  check "parts of huge pages" pooled 10M parts --huge mappings
  check "small mappings leave no page of the pool" pooled 6M small --huge mappings
  check "a plan whose pool was empty is told apart" pooled 20M both --huge site=make,mappings
  check "what of it was granted" mib 1 granted_bytes 0 0
  check "and where the rest is" says 'was used up; fix: --reserve SIZE, or a larger pool; 35651584 bytes are on transparent' report.json
  check "the pool is restored" [ "$(cat $pool)" = "$before" ]
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
