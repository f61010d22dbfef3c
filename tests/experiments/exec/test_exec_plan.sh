#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A plan of another program, or of another build of it: what differs is said,
# sites are found by the names of functions, and the rest is refused.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
cc=${CC:-cc}

$cc -O1 -g -Wl,--build-id -o deep "$here/deep.c" || exit 99
echo 'int main(void) { return 7; }' >seven.c
$cc -o seven seven.c || exit 99
call=$(objdump -d deep | awk '/<allocate>:/ { inside = 1 } inside && /malloc@plt/ { getline; sub(":", "", $1); print $1; exit }')
caller=$(./deep 10 | awk 'NR == 1 { print $1 }')
build=$(readelf -n deep | sed -n 's/.*Build ID: //p')
libc=$(readelf -n "$(ldd ./deep | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')" | sed -n 's/.*Build ID: //p')

# choice WHERE [FUNCTION [CALLER]]: blocks of at least 2 MiB of a chain
choice() {
  set -- "$@" '' ''
  printf '{"where":"%s","kind":"heap","what":"site-large","bytes":0,"saving_s":null,"lo":null,"hi":null,"least_bytes":2097152,"chains":[[{"object":"/x/deep","offset":%d%s},{"object":"/x/deep","offset":%d%s}]],"madvise":null}' \
    "$1" "0x$call" "${2:+,\"function\":\"$2\"}" "$caller" "${3:+,\"function\":\"$3\"}"
}
stack='{"where":"","kind":"stack","what":"stack","bytes":0,"saving_s":null,"lo":null,"hi":null,"chains":[],"madvise":null}'
plan() { # plan BUILD-ID CHOICES [COMMAND]
  printf '{"record":"page-plan","schema":1,"command":["%s"],"pages":"thp","objects":[{"name":"/x/deep","build_id":%s},{"name":"/lib/libc.so.6","build_id":"%s"}],"budget_bytes":null,"used_bytes":0,"predicted":{"user_ratio":null,"lo":null,"hi":null},"everything":{"user_ratio":null,"lo":null,"hi":null,"bytes":0},"harm":{"peak_rss_bytes":[null,null],"zeroed_bytes":null,"faults_saved":null},"choices":[%s],"curve":[],"optimum_saving_s":null,"verdict":null,"ways":[]}' \
    "${3:-/x/deep}" "$1" "$libc" "$2" >plan.json
}
run() { "$vat" exec --plan plan.json --report report.json -- "$@" >out 2>err; }
refused_all() { # refused_all PROGRAM...: 2, and nothing was run
  "$vat" exec --plan plan.json -- "$@" >out 2>err
  [ $? = 2 ] && [ ! -s out ]
}
count() { grep -c "$1" err; }
blocks() { grep -q "blocks: hot $1 cold 0" out; }

plan "\"$build\"" "$(choice w allocate hot)"
run ./deep 10 33554432
check "of the same build nothing is said" [ ! -s err ]
cp deep renamed
run ./renamed 10 33554432
check "also where it has another name" [ ! -s err ]

long=$(printf '%064d' 7)
$cc -O1 -g -Wl,--build-id=0x"$long" -o renamed "$here/deep.c" || exit 99
mkdir long
cp renamed long/deep
plan "\"$long\"" "$(choice w allocate hot)"
run long/deep 10 33554432
check "nor of one with a build-id of 32 bytes" [ ! -s err ]
! grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled ||
  check "whose sites are found by addresses" blocks 32768

# A second build: addresses differ, names do not.
sed 's/^static int print_chain/static volatile int unused;\n__attribute__((noinline)) int more(int x);\nint more(int x) { return unused += x; }\n&/; s/^  setvbuf/  more(argc);\n&/' "$here/deep.c" >other.c
$cc -O1 -g -Wl,--build-id -o deep other.c || exit 99
plan "\"$build\"" "$(choice w allocate hot)"
run ./deep 10 33554432
check "another build is said" says "deep is another build than the plan's (build-id .* not $(echo "$build" | cut -c 1-12))"
check "in one line" [ "$(grep -c . err)" = 1 ]
if grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled; then
  check "and its sites are found by names" blocks 32768
  plan "\"$build\"" "$(choice w allocate.constprop.0 hot)"
  run ./deep 10 33554432
  check "whatever the compiler put behind them" blocks 32768
  plan "\"$build\"" "$(choice w allocate)"
  run ./deep 10 33554432
  check "callers without a name are any" says 'blocks: hot 32768 cold 32768' out
  run sh -c './deep 10 33554432'
  check "also in a program that another starts" says 'blocks: hot 32768 cold 32768' out
fi
plan null "$(choice w allocate hot)"
run ./deep 10 33554432
check "a build that the plan does not know is another one" says 'another build.*not unknown'

plan "\"$build\"" "$(choice w gone hot)"
check "no function of that name: refused" refused_all ./deep 10
check "with the choice" says '"w" is left out: deep is another build, and has no function gone()'
check "and the fix" says 'no choice is left for ./deep; fix: vat profile --save'
plan "\"$build\"" "$(choice w allocate gone)"
check "no caller of that name: refused" refused_all ./deep 10
plan "\"$build\"" "$(choice w)"
check "nor is an allocating function without a name guessed" refused_all ./deep 10
check "which is the reason" says 'no name of the function that allocates'
plan "\"$build\"" "$(choice w main hot)"
check "main() alone tells nothing" refused_all ./deep 10
check "and that is said" says 'main() allocates'
mkdir mainly
echo '#include <stdlib.h>
int main(void) { volatile char *volatile p = malloc(40 << 20); p[0] = 1; return 0; }' >mainly.c
$cc -O1 -Wl,--build-id -o mainly/deep mainly.c || exit 99
plan "\"$build\"" "$(choice w main | sed 's/},{"object[^]]*}/}/')"
run sh -c mainly/deep
check "nor where another program starts it" says '"asked_bytes": 0' report.json
check "as the report has it" says 'another build' report.json

plan "\"$build\"" "$(choice first gone hot),$stack,$(choice third lost hot)"
run ./deep 10
check "what is left is carried out" [ $? = 0 ]
check "each choice that is left out is said" [ "$(count 'is left out')" = 2 ]
check "and reported" [ "$(grep -c 'has no function .*(); fix: profile this build' report.json)" = 2 ]

plan "\"$build\"" "$(choice w allocate hot),$stack" ./deep
check "a plan of another program is refused" refused_all ./seven
check "in one line" [ "$(grep -c '^vat: ' err)" = 1 ]
check "that names both" says 'plan of another program, ./deep: ./seven has none of its objects; fix: '
plan "\"$build\"" "$stack" ./deep
check "also where no site is chosen" refused_all ./seven
cp plan.json stack.json
"$vat" compare --runs 1 --plan stack.json -- ./seven >out 2>err
check "vat compare refuses it, too" [ $? = 2 ]
check "as vat exec does" says 'plan of another program'
plan "\"$build\"" "$(choice w gone hot)"
"$vat" compare --runs 1 --plan plan.json -- ./deep 10 >out 2>err
check "and one of which nothing is left" [ $? = 2 ]

echo "$passed passed, $failed failed"
[ $failed = 0 ]
