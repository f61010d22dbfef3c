#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How `vat exec` behaves within and around a program: in a sandbox, around fork,
# on small stacks, in programs of another C library and with another malloc; what
# it inherits, when it stops, and what is refused.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
cc=${CC:-cc}
run() { # run PROGRAM...: below `vat exec $how`, of bounded time
  timeout 20 "$vat" exec $how -- "$@" >out 2>err
}

# --- sandboxes -------------------------------------------------------------------
$cc -O1 -g -o sandbox "$here/sandbox.c" || exit 99
for way in prctl syscall asks; do
  for how in '--huge site=make' '--huge site=make,site=main,mappings,data --report report.json'; do
    run ./sandbox $way
    check "a program in a sandbox lives on ($way, $how)" [ $? = 0 ]
    check "and does its work ($way, $how)" says done out
  done
done

# --- fork ------------------------------------------------------------------------
$cc -O1 -g -DLIBRARY -fPIC -shared -o libhandlers.so "$here/fork_handlers.c" &&
  $cc -O1 -g -pthread -o forks "$here/fork_handlers.c" ./libhandlers.so || exit 99
how='--huge site=make'
run ./forks
check "handlers of fork that allocate, older than the library's" says forked out

# --- another C library -------------------------------------------------------------
if command -v musl-gcc >/dev/null; then
  cat >musl.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *block = malloc(5 << 20); block = realloc(block, 9 << 20); free(block); puts("from musl"); return 6; }
C
  musl-gcc -O1 -o musl musl.c || exit 99
  for how in '--huge site=main' '--huge site=main,mappings --report report.json'; do
    run sh -c './musl; echo $?'
    check "a program of musl below one of glibc ($how)" [ "$(cat out)" = "from musl
6" ]
  done
fi

# --- another malloc ----------------------------------------------------------------
cat >allocx.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *mallocx(size_t, int), *rallocx(void *, size_t, int);
size_t sallocx(const void *, int), xallocx(void *, size_t, size_t, int);
void dallocx(void *, int), sdallocx(void *, size_t, int);
__attribute__((noinline)) static void *make(size_t bytes) { void *volatile at = malloc(bytes); return memset(at, 1, bytes); }
int main(void) {
  for (size_t bytes = 1000; bytes < 100 << 20; bytes *= 40) {
    char *block = make(bytes);
    if (sallocx(block, 0) < bytes || xallocx(block, bytes, 0, 0) < bytes) return 1;
    dallocx(block, 0);
    sdallocx(make(bytes), bytes, 0);
    block = rallocx(make(bytes), bytes * 2, 0x40 | 12);
    if ((size_t)block % 4096 || block[bytes - 1] != 1 || block[bytes * 2 - 1]) return 2;
    dallocx(block, 0);
    block = mallocx(bytes, 0);
    free(rallocx(block, bytes / 2, 0));
  }
  puts("freed");
  return 0;
}
C
if $cc -O1 -o allocx allocx.c -ljemalloc 2>err || $cc -O1 -o allocx allocx.c -l:libjemalloc.so.2 2>err; then
  how='--huge site=make'
  run ./allocx
  check "blocks of malloc that the program's jemalloc frees" says freed out
fi

# --- all of another malloc ----------------------------------------------------------
cat >grown.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* MiB of memory of no file that are not on huge pages, of 60 and more. */
int main(void) {
  unsigned long start, end, kib, all = 0, huge = 0;
  char line[4096];
  int inside = 0, used;
  for (int i = 0; i < 60000; i++) {
    char *volatile block = malloc(1000);
    memset(block, 1, 1000);
  }
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (smaps && fgets(line, sizeof line, smaps))
    if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &end, &used) == 2)
      inside = end - start >= 2 << 20 && !line[used];
    else if (inside && sscanf(line, "Rss: %lu", &kib) == 1)
      all += kib;
    else if (inside && sscanf(line, "AnonHugePages: %lu", &kib) == 1)
      huge += kib;
  printf("%lu of %lu\n", (all - huge) >> 10, all >> 10);
  return all >> 10 < 58;
}
C
if $cc -O1 -o grown grown.c -l:libjemalloc.so.2 2>err; then
  how='--huge heap'
  run ./grown
  check "60 MiB of jemalloc's heap" [ $? = 0 ]
  check "all of jemalloc's heap, but $(cat out) MiB" [ "$(sed 's/ .*//' out)" -le 2 ]
  $cc -O1 -pthread -o je_stress "$here/malloc_stress.c" -l:libjemalloc.so.2 || exit 99
  # jemalloc 5.3 leaves a lock taken in one of 1000 forks beside other threads,
  # without vat, too.
  for conf in thp:default retain:false,dirty_decay_ms:0,muzzy_decay_ms:0; do
    MALLOC_CONF=$conf run ./je_stress $$ 1500 0
    check "blocks are as they were written ($conf, seed $$)" [ $? = 0 ]
  done
fi
# --- blocks that are less than a huge page, or lie across two -----------------------
cat >again.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
/* Page faults of 20 blocks of 1 MiB, and of one of 2.5 MiB that is freed and
 * allocated again, 20 times; calloc()'s is zero. */
static long faults(void) {
  struct rusage now;
  getrusage(RUSAGE_SELF, &now);
  return now.ru_minflt;
}
int main(void) {
  size_t bytes = 5 << 19;
  memset(malloc(1 << 20), 1, 1 << 20);
  long before = faults(), then;
  for (int i = 0; i < 20; i++) memset(malloc(1 << 20), 1, 1 << 20);
  then = faults();
  printf("%ld ", then - before);
  for (int i = 0; i < 21; i++) {
    if (i == 1) then = faults();
    char *block = i % 2 ? calloc(bytes, 1) : malloc(bytes);
    for (size_t at = 0; i % 2 && at < bytes; at++)
      if (block[at]) return 1;
    memset(block, 1, bytes);
    free(block);
  }
  printf("%ld\n", faults() - then);
  return 0;
}
C
$cc -O1 -fno-builtin -o again again.c || exit 99
how='--huge heap'
run ./again
check "blocks of 1 MiB are on huge pages, but for $(cat out) faults" \
  [ "$(sed 's/ .*//' out)" -lt 100 ]
if $cc -O1 -fno-builtin -o je_again again.c -l:libjemalloc.so.2 2>err; then
  MALLOC_CONF=dirty_decay_ms:0 run ./je_again
  check "what jemalloc has given back is zero" [ $? = 0 ]
  check "and on huge pages, but for $(cat out) faults" [ "$(sed 's/.* //' out)" -lt 100 ]
fi
$cc -O1 -pthread -o own_malloc "$here/own_malloc.c" || exit 99
how='--huge heap'
for seed in $(seq 8); do
  run ./own_malloc $(($$ + seed)) $((seed * seed))
  check "memory that is mapped and unmapped is as it was written (seed $(($$ + seed)))" [ $? = 0 ]
done

# --- stacks ------------------------------------------------------------------------
# What the dynamic linker takes for the first call is in both.
$cc -O1 -g -o small_stack "$here/small_stack.c" || exit 99
plain=$(./small_stack | cut -d ' ' -f 1)
for how in '--huge site=make,site=resize' '--huge site=make,site=resize --report report.json'; do
  run ./small_stack
  check "malloc takes little more stack than $plain bytes ($how)" [ "$(cut -d ' ' -f 1 <out)" -le $((plain + 1024)) ]
done

# --- what the program inherits ---------------------------------------------------------
for how in '--huge data' '--huge data --report report.json'; do
  (
    trap '' XFSZ
    run grep SigIgn /proc/self/status
  )
  check "SIGXFSZ stays ignored ($how)" grep -q '[13579bdf]000000$' out
  run grep SigIgn /proc/self/status
  check "and as it is, if it is not ($how)" grep -q '[02468ace]000000$' out
  timeout 20 "$vat" exec $how -- sh -c '[ -e /proc/$$/fd/0 ]' <&-
  check "a closed standard input stays closed ($how)" [ $? = 1 ]
done
long=$(awk 'BEGIN { while (i++ < 1200) printf "/nowhere/library%d.so:", i; print "/nowhere/last.so" }')
how='--huge data'
# A sanitizer wants to be the first.
if ! grep -q __asan_init "$vat"; then
  LD_PRELOAD=$long run sh -c 'unset LD_PRELOAD; tr "\0" "\n" </proc/$$/environ | grep ^LD_PRELOAD='
  check "a long LD_PRELOAD of the user is kept whole" says ":$long\$" out
  how='--huge mappings --report outer.json'
  run "$vat" exec --huge site=nothing --report report.json -- sh -c 'echo "$LD_PRELOAD"'
  check "one library of vat's at a time" [ "$(grep -o '_shim.so' out | wc -l)" = 1 ]
fi

# --- stopping ------------------------------------------------------------------------
timeout 20 "$vat" exec --huge data --report report.json -- sh -c 'echo $$ >child; while [ ! -e go ]; do sleep .02; done; exit 5' &
vat_pid=$!
tries=0
until [ -s child ] || [ $((tries += 1)) -gt 500 ]; do sleep .02; done
child=$(cat child)
above=$(sed -n 's/^PPid:.//p' "/proc/$child/status")
kill -STOP "$child"
state() { sed -n 's/^State:.\(.\).*/\1/p' "/proc/$1/status"; }
for _ in 1 2 3 4 5 6 7 8 9 10; do [ "$(state "$above")" = T ] || sleep .1; done
check "vat stops when the program stops" [ "$(state "$above")" = T ]
kill -CONT "$child"
touch go
wait $vat_pid
check "and goes on when the program alone is continued" [ $? = 5 ]

# --- refusals ------------------------------------------------------------------------
echo 'int main(void) { return 7; }' >seven.c
if $cc -static -o static seven.c 2>err; then
  "$vat" exec --huge heap --report report.json -- ./static 2>err
  check "no report of a static program" [ $? = 3 ]
  check "with the reason" says 'is static'
fi
echo '{"record":"exec-report","schema":1}' >report.json
"$vat" exec --huge heap --report report.json -- ./nosuchprogram 2>err
check "a report of an earlier run does not stay" [ ! -e report.json ]
echo '{"record":"mine"}' >report.json
"$vat" exec --huge heap --report report.json -- ./nosuchprogram 2>err
check "another file does" [ -s report.json ]
(
  ulimit -n 4
  exec timeout 20 "$vat" exec --huge data --report report.json -- true
) 2>err
check "where files cannot be opened, that is the cause" says 'open files'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
