#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The contract of `vat exec` from outside: what is chosen and nothing else is on
# huge pages, by the program's own smaps; the program is as without vat; what is
# refused; what is left behind.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
alone_with_the_pools
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
cc=${CC:-cc}
thp=/sys/kernel/mm/transparent_hugepage/enabled

refused() { # refused CODE WORDS ARGUMENTS...
  want=$1 words=$2
  shift 2
  "$vat" exec "$@" >out 2>err
  [ $? = "$want" ] && [ "$(grep -c '^vat: ' err)" = 1 ] && grep -q -e "$words" err
}
says() { grep -q -e "$1" "${2:-err}"; }

for name in deep malloc_stress; do
  $cc -O1 -g -pthread -Wl,--build-id -o $name "$here/$name.c" || exit 99
done

# --- refusals ------------------------------------------------------------------
echo 'int main(void) { return 7; }' >seven.c
$cc -o seven seven.c
$cc -static -o static seven.c 2>/dev/null
check "no program" refused 2 'no program' --huge heap
check "nothing chosen" refused 2 'nothing is chosen' -- ./seven
check "a WHAT that is none" refused 2 "'code'" --huge code -- ./seven
check "a size that is none" refused 2 "'big' is not a byte count" --huge 'mappings>=big' -- ./seven
check "a site without a name" refused 2 'site=FUNCTION' --huge site= -- ./seven
check "a WHAT twice" refused 2 'twice' --huge heap,heap -- ./seven
check "a program that is not there" refused 2 'not found' --huge heap -- nosuchprogram
check "a plan that is not there" refused 2 'nosuch.json' --plan nosuch.json -- ./seven
check "base pages" refused 2 'no larger page' --huge heap --pages 4k -- ./seven
check "data on a pool" refused 2 'pages of a pool' --huge data --pages 2m -- ./seven
check "a report to standard output" refused 2 'name a file' --huge heap --report - -- ./seven
check "--reserve without a pool" refused 2 'have no pool' --huge heap --reserve=2M -- ./seven
if [ -x static ]; then
  check "a static program" refused 3 'by itself$' --huge data -- ./static
  check "which cannot report either" refused 3 'heap, .*, without --report$' --huge data --report report.json -- ./static
  "$vat" exec --huge heap -- ./static
  check "but its heap, by its glibc" [ $? = 7 ]
fi
if command -v musl-gcc >/dev/null && musl-gcc -o musl seven.c 2>/dev/null; then
  check "sites of musl" refused 3 'not linked to' --huge site=main -- ./musl
  "$vat" exec --huge mappings,data -- ./musl
  check "but mappings and data" [ $? = 7 ]
fi
cp seven setuid
if [ "$(id -u)" = 0 ] && chown nobody setuid 2>/dev/null && chmod u+s setuid; then
  check "a setuid program" refused 2 'setuid' --huge heap -- ./setuid
fi
printf '{"record":"page-plan","schema":1}' >damaged.json
check "a damaged plan" refused 2 'damaged.json' --plan damaged.json -- ./seven

# --- the program is as without vat ------------------------------------------------
mkfifo pipe
check "a pipe is no place for a report" refused 2 'is a pipe' --huge heap --report pipe -- ./seven
cp seven copy
check "nor is the program" refused 2 'vat exec reads this' --huge heap --report copy -- ./copy
check "which stays" cmp -s seven copy

as_ever() { # as_ever OPTION...: of both ways to run it
  "$vat" exec "$@" -- ./seven >out 2>err
  check "its exit status ($*)" [ $? = 7 ]
  check "and nothing else ($*)" [ ! -s out -a ! -s err ]
  "$vat" exec "$@" -- sh -c 'kill -KILL $$' 2>/dev/null
  check "its death by a signal ($*)" [ $? = 137 ]
  check "its input and arguments ($*)" [ "$(echo in | "$vat" exec "$@" -- sh -c 'cat; echo "$2"' sh a 'b c')" = "in
b c" ]
  "$vat" exec "$@" -- sh -c 'trap "echo got; exit 5" USR2; echo >ready; while :; do sleep .05; done' >out &
  vat_pid=$!
  while [ ! -e ready ]; do sleep .05; done
  kill -USR2 $vat_pid
  wait $vat_pid
  check "signals reach it ($*)" [ $? = 5 ]
  check "once ($*)" [ "$(cat out)" = got ]
  rm -f ready
  "$vat" exec "$@" -- sh -c 'echo $$ >child; exec sleep 60' &
  vat_pid=$!
  while [ ! -s child ]; do sleep .05; done
  kill -KILL $vat_pid
  wait $vat_pid 2>/dev/null
  sleep .2
  # One that nobody has waited for is dead, too.
  check "it does not outlive vat ($*)" sh -c '! grep -s "^State:" /proc/$(cat child)/status | grep -qv Z'
  rm -f child
  "$vat" exec "$@" -- sh -c 'ulimit -v 200000; ./seven'
  check "a limit of addresses ($*)" [ $? = 7 ]
}
as_ever --huge site=allocate,data,stack,mappings
as_ever --huge site=allocate,data,stack,mappings --report report.json
check "no file is left" [ "$(echo report.json*)" = report.json ]
# A sanitizer wants to be the first.
grep -q __asan_init "$vat" || check "LD_PRELOAD of the user is kept" [ "$(LD_PRELOAD=libdl.so.2 "$vat" exec --huge data -- sh -c 'echo ${LD_PRELOAD##*:}')" = libdl.so.2 ]
check "GLIBC_TUNABLES too" [ "$(GLIBC_TUNABLES=glibc.malloc.perturb=0 "$vat" exec --huge heap -- sh -c 'echo $GLIBC_TUNABLES')" = glibc.malloc.perturb=0:glibc.malloc.hugetlb=1 ]

for seed in 1 2 3; do
  timeout 60 "$vat" exec --huge site=allocate_chosen -- ./malloc_stress $seed 1500 >out 2>err
  check "malloc and its like, by threads and forks, seed $seed" says good out
done

# --- what is on huge pages ------------------------------------------------------
if ! grep -q '\[madvise\]' $thp 2>/dev/null; then
  echo "SKIPPED what is on huge pages: $thp is not madvise"
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
  exit
fi

# huge WHAT HOT COLD: of hot and cold memory, kB at least; 0: none
huge() {
  awk -v what="$1:" -v hot="$2" -v cold="$3" '
    $1 == what { good = (hot ? $3 >= hot : $3 <= 0) && (cold ? $5 >= cold : $5 <= 0) }
    END { exit !good }' out
}
field() { # field FILE CHOICE KEY
  tr -d ' ",' <"$1" | awk -F: -v n="$2" -v key="$3" '$1 == "where" { i++ } i == n && $1 == key { print $2 }'
}
granted() { # granted CHOICE LEAST MOST: MiB, and as much as was asked
  bytes=$(field report.json "$1" granted_bytes)
  [ "$bytes" -ge $(($2 << 20)) ] && [ "$bytes" -le $(($3 << 20)) ]
}

"$vat" exec --huge site=hot --report report.json -- ./deep 10 67108864 >out 2>err
check "large blocks that a function's callees allocate" huge blocks 65536 0
check "small ones are no function's but their caller's" huge nodes 0 0
check "and reported" granted 1 64 64
if $cc -O1 -g -fno-pie -no-pie -o fixed "$here/deep.c" 2>/dev/null; then
  "$vat" exec --huge site=hot -- ./fixed 10 67108864 >out 2>err
  check "a program at a fixed address that takes the address of malloc" huge blocks 65536 0
fi
"$vat" exec --huge site=allocate@deep --report report.json -- ./deep 200000 >out 2>err
check "small blocks of a function of an object" huge nodes 2048 2048
check "all of them" granted 1 12 32
"$vat" exec --huge site=allocate@libc.so.6 --report report.json -- ./deep 10 67108864 >out 2>err
check "not those of another object" huge blocks 0 0
check "with the reason" says 'no block of this site' report.json
"$vat" exec --huge site=hot -- ./deep 10 10 "$PWD/deep" 10 67108864 >out 2>err
check "what it executes has it, too" huge blocks 65536 0

# A plan: the chain tells hot from cold.
call=$(objdump -d deep | awk '/<allocate>:/ { inside = 1 } inside && /malloc@plt/ { getline; sub(":", "", $1); print $1; exit }')
caller=$(./deep 10 | awk 'NR == 1 { print $1 }')
build=$(readelf -n deep | sed -n 's/.*Build ID: //p')
plan() { # plan BUILD-ID WHAT LEAST FUNCTION
  chain="[{\"object\":\"/x/deep\",\"offset\":$((0x$call)),\"function\":\"$4\"},{\"object\":\"/x/deep\",\"offset\":$caller,\"function\":\"hot\"}]"
  printf '{"record":"page-plan","schema":1,"command":[],"pages":"thp","objects":[{"name":"/x/deep","build_id":"%s"}],"budget_bytes":null,"used_bytes":0,"predicted":{"user_ratio":null,"lo":null,"hi":null},"everything":{"user_ratio":null,"lo":null,"hi":null,"bytes":0},"harm":{"peak_rss_bytes":[null,null],"zeroed_bytes":null,"faults_saved":null},"choices":[{"where":"w","kind":"heap","what":"%s","bytes":0,"saving_s":null,"lo":null,"hi":null,"least_bytes":%s,"chains":[%s],"madvise":null}],"curve":[],"optimum_saving_s":null,"verdict":null,"ways":[]}' \
    "$1" "$2" "$3" "$chain" >plan.json
}
plan "$build" site-large 2097152 allocate
"$vat" exec --plan plan.json --report report.json -- ./deep 200000 67108864 >out 2>err
check "large blocks of a chain" huge blocks 65536 0
check "and no small ones" huge nodes 0 0
check "as reported" granted 1 64 64
sed 's/"choices":\[\(.*\)\("least_bytes":2097152\)\(.*\)\],"curve"/"choices":[\1\2,"from":33554432,"to":58720256\3,\1\2,"to":16777216\3],"curve"/' plan.json >parts.json
"$vat" exec --plan parts.json --report report.json -- ./deep 200000 67108864 >out 2>err
check "two parts of a block, each a mapping: the first" huge blocks 16384 0
check "by the first choice" granted 1 24 24
check "and by the second" granted 2 16 16
sed 's/"least_bytes":2097152/&,"to":16777216/' plan.json >part.json
"$vat" exec --plan part.json --report report.json -- ./deep 200000 8388608 >out 2>err
check "a block that is smaller than its part has a mapping, too" huge blocks 8192 0
"$vat" exec --plan part.json --report report.json -- ./deep 20 8388608+ >out 2>err
check "it grows" says '^blocks: ' out
check "and its part is of the same size" granted 1 16 16
plan 00 site-large 2097152 allocate_chosen
sed 's|/x/deep|/x/malloc_stress|g; s/,{[^}]*"function":"hot"}//
  s/"least_bytes":2097152/&,"from":2097152,"to":4194304/' plan.json >part.json
# What lives when most does may not be touched yet: one run in five has nothing.
for seed in 4 5 6 7 8 9; do
  timeout 60 "$vat" exec --plan part.json --report report.json -- ./malloc_stress $seed 1500 >out 2>err
  check "malloc and its like, where a part is chosen" says good out
  ! says '"granted_bytes": *[1-9]' report.json || break
done
check "which is the case" says '"granted_bytes": *[1-9]' report.json
# Blocks side by side, which the legacy layout of addresses has, and of each of
# which the part is none.
cat >side.c <<'EOF2'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static char *allocate_chosen(size_t bytes) {
  char *at = malloc(bytes);
  if (!at) abort();
  memset(at, (int)(bytes >> 21), bytes);
  return at;
}
/* What it no longer needs goes back to the kernel. */
static int stays_large(void) {
  long pages = 0, ignored;
  char *at = realloc(allocate_chosen((size_t)64 << 20), (size_t)8 << 20);
  FILE *file = fopen("/proc/self/statm", "r");
  if (!at || !file || fscanf(file, "%ld %ld", &ignored, &pages) != 2) abort();
  free(at);
  return fclose(file) || pages > 8192;
}
/* Of 2 MiB to 256 by 64 KiB, an eighth of room at each copy: log(128) of 9/8. */
static int is_copied_often(void) {
  char *at = allocate_chosen(1 << 21), *was;
  int copies = 0;
  for (size_t bytes = 1 << 21; bytes < 256 << 20; bytes += 1 << 16) {
    was = at;
    at = realloc(at, bytes);
    if (!at) abort();
    copies += at != was;
    at[bytes - 1] = 1;
  }
  free(at);
  return copies > 42;
}
int main(void) {
  char *at[8];
  if (stays_large()) return puts("large") >= 0;
  if (is_copied_often()) return puts("copied") >= 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 8; i++) at[i] = allocate_chosen((size_t)(i % 3 + 1) << 21);
    for (int i = 0; i < 8; i += 2) free(at[i]);
    for (int i = 0; i < 8; i += 2) at[i] = allocate_chosen((size_t)4 << 21);
    for (int i = 1; i < 8; i += 2) at[i] = realloc(at[i], (size_t)5 << 21);
    for (int i = 0; i < 8; i++)
      if (at[i][0] != (i % 2 ? i % 3 + 1 : 4)) return 1;
    for (int i = 0; i < 8; i++) free(at[i]);
  }
  return puts("good") < 0;
}
EOF2
$cc -O1 -g -o side side.c
for part in '"from":33554432,"to":67108864' '"to":2097152'; do
  plan 00 site-large 2097152 allocate_chosen
  sed 's|/x/deep|/x/side|g; s/,{[^}]*"function":"hot"}//
    s/"least_bytes":2097152/&,'"$part"'/' plan.json >part.json
  for how in "" "setarch -L"; do
    $how true 2>err || {
      echo "SKIPPED blocks side by side, $part: $(cat err)"
      continue
    }
    $how "$vat" exec --plan part.json -- ./side >out 2>err
    check "blocks side by side, $part, by '$how'" says good out
  done
done
plan "$build" site-small 2097152 allocate
"$vat" exec --plan plan.json --report report.json -- ./deep 1000000 67108864 >out 2>err
check "small blocks of a chain" huge nodes 2048 0
check "10^6 of them" granted 1 30 48
check "and no large ones" huge blocks 0 0
sed 's/"least_bytes":2097152/&,"to":16777216/' plan.json >part.json
"$vat" exec --plan part.json --report report.json -- ./deep 1000000 >out 2>err
check "the first bytes of small blocks" granted 1 15 29
sed 's/"choices":\[\(.*\)\],"curve"/"choices":[\1,\1],"curve"/; s/"least_bytes":2097152/&,"to":16777216/
  s/\(.*\)site-small/\1site-large/' plan.json >both.json
"$vat" exec --plan both.json --report report.json -- ./deep 1000000 67108864 >out 2>err
check "the first bytes of small blocks, beside large ones" granted 1 15 29
check "which are chosen when those are spent, too" granted 2 63 66
cat >memory.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char data[24 << 20];
int main(int argc, char **argv) {
  size_t bytes = 32 << 20;
  char stack[4 << 20];
  char *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *heap = malloc(bytes);
  memset(mapping, 1, bytes);
  memset(heap, 1, bytes);
  memset(data, 1, sizeof data);
  memset(stack, argc, sizeof stack);
  __asm__ volatile("" ::"r"(stack), "r"(data) : "memory");
  if (argc > 1) {
    puts("ready");
    fflush(stdout);
    sleep(30);
  }
  return argv[0][0] == 'x';
}
C
$cc -O1 -o memory memory.c || exit 99
"$vat" exec --huge data,stack,mappings --report report.json -- ./memory
check "static data" granted 1 20 24
check "the stack" granted 2 4 8
check "mappings" granted 3 32 34
"$vat" exec --huge heap --report report.json -- ./memory
check "the heap" granted 1 30 34
"$vat" exec --huge 'mappings>=40M' --report report.json -- ./memory
check "no smaller mappings" [ "$(field report.json 1 asked_bytes)" = 0 ]

rm -f report.json
"$vat" exec --huge mappings --report report.json -- sh -c 'exec env ./memory wait' >pipe &
vat_pid=$!
read -r word <pipe
kill -USR1 $vat_pid
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s report.json ] || sleep .1; done
check "a report while it runs ($word)" granted 1 32 34
check "of one process, whatever it executed before" says '"processes": 1,' report.json
check "which has no status" [ "$(field report.json 1 status)$(tr -d ' ,' <report.json | sed -n 's/"status"://p')" = null ]
kill -TERM $vat_pid
wait $vat_pid
check "then it is ended" [ $? = 143 ]
check "as the last report has it" [ "$(tr -d ' ,' <report.json | sed -n 's/"status"://p')" = 143 ]

# --- C++, and a malloc of its own ---------------------------------------------------
cxx=${CXX:-c++}
cat >nodes.cc <<'C'
#include <cstdio>
#include <new>
struct Node { Node *next; long value[3]; };
struct Table { __attribute__((noinline)) static Node *make() { return new Node(); } };
int main() {
  Node *all = nullptr;
  for (int i = 0; i < 1000000; i++) { Node *node = Table::make(); node->next = all; all = node; }
  try { volatile char *p = new char[(size_t)1 << 46]; p[0] = 1; } catch (std::bad_alloc &) { puts("bad_alloc"); }
  while (all) { Node *next = all->next; delete all; all = next; }
}
C
if $cxx -O1 -o nodes nodes.cc 2>err; then
  "$vat" exec --huge site=Table::make --report report.json -- ./nodes >out 2>err
  check "10^6 nodes of operator new" granted 1 30 48
  check "which still throws" says bad_alloc out
fi
# What the C++ library's other operators call may be the program's.
cat >operators.cc <<'C'
#include <cstdio>
#include <cstdlib>
#include <new>
static int made, freed;
void *operator new(size_t bytes) { made++; return malloc(bytes); }
void operator delete(void *block) noexcept { freed++; free(block); }
int main() {
  char *volatile some = new char[10], *volatile more = new (std::nothrow) char[10];
  delete[] some;
  delete[] more;
  operator delete(operator new(10), (size_t)10);
  printf("%d made, %d freed\n", made, freed);
}
C
if $cxx -O1 -fno-builtin -o operators operators.cc 2>err; then
  "$vat" exec --huge site=nothing -- ./operators >out 2>err
  check "a program's own operators are called by the others" says '3 made, 3 freed' out
fi
cat >arrays.cc <<'C'
#include <cstdio>
#include <cstdlib>
#include <new>
static int made, freed;
void *operator new[](size_t bytes) { made++; return (char *)malloc(bytes + 16) + 16; }
void operator delete[](void *block) noexcept { freed++; if (block) free((char *)block - 16); }
struct Item { int *volatile number = new int; ~Item() { delete number; } };
int main() {
  Item *volatile items = new Item[3];
  delete[] items;
  printf("%d made, %d freed\n", made, freed);
}
C
if $cxx -O1 -fno-builtin -o arrays arrays.cc 2>err; then
  "$vat" exec --huge site=nothing -- ./arrays >out 2>err
  check "of arrays, too" says '1 made, 1 freed' out
fi
cat >own.c <<'C'
#include <stddef.h>
static char pool[1 << 24];
static size_t used;
void *malloc(size_t bytes) { used = (used + 15) & ~(size_t)15; used += bytes; return used < sizeof pool ? pool + used - bytes : 0; }
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *block, size_t bytes) { (void)block; return malloc(bytes); }
int main(void) { char *volatile block = malloc(4 << 20); return block ? 3 : 4; }
C
$cc -O1 -fno-builtin -o own own.c || exit 99
"$vat" exec --huge site=main --report report.json -- ./own
check "a program with its own malloc keeps it" [ $? = 3 ]
check "and is told so" says 'malloc of its own' report.json

# --- pools ------------------------------------------------------------------------
pool=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
if [ "$(id -u)" = 0 ] && [ -w $pool ]; then
  before=$(cat $pool)
  "$vat" exec --huge site=hot --pages 2m --reserve=68M --report report.json -- ./deep 10 67108864 >out 2>err
  check "hugetlb pages" granted 1 64 66
  check "the pool is restored" [ "$(cat $pool)" = "$before" ]
  "$vat" exec --huge site=hot --pages 2m --reserve=8M -- sh -c 'echo >ready; exec sleep 30' &
  vat_pid=$!
  while [ ! -e ready ]; do sleep .05; done
  kill -KILL $vat_pid
  for _ in 1 2 3 4 5 6 7 8 9 10; do [ "$(cat $pool)" = "$before" ] || sleep .2; done
  check "also where vat is killed" [ "$(cat $pool)" = "$before" ]
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
