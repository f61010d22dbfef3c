#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The contract of `vat compare` from outside: exit codes, the one line of an
# error, what is verified, and that nothing is left behind.
. "${0%/*}/checks.sh"
alone_with_the_pools

# --- programs of our own -------------------------------------------------------
cc=${CC:-cc}
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
cat >memory.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* memory HOW: 64 MiB by malloc, mmap or bss, read at random. */
static unsigned char bss[64 << 20];
int main(int argc, char **argv) {
  size_t bytes = 64 << 20, sum = 0;
  unsigned x = 1;
  const char *how = argc > 1 ? argv[1] : "malloc";
  unsigned char *memory =
      !strcmp(how, "bss") ? bss
      : !strcmp(how, "mmap")
          ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          : malloc(bytes);
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  for (int i = 0; i < 1 << 18; i++) {
    x = x * 1664525u + 1013904223u;
    sum += memory[x % bytes];
  }
  printf("figure: %d ops\nfigure: 42.5 ops\nsum %zu\n", 7, sum);
  if (argc > 2 && !strcmp(argv[2], "unmap")) munmap(memory, bytes);
  if (argc > 2 && !strcmp(argv[2], "linger")) usleep(1500000);
  return 0;
}
C
cat >shared.c <<'C'
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
/* Four processes with the same 64 MiB, and none of their own. */
int main(void) {
  char *memory = mmap(0, 64 << 20, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 3; i++)
    if (!fork()) {
      memset(memory, i, 64 << 20);
      return 0;
    }
  memset(memory, 9, 64 << 20);
  while (wait(0) > 0) continue;
  return 0;
}
C
cat >thread.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused) {
  volatile char *memory = malloc(8 << 20);
  for (int i = 0; i < 8 << 20; i += 4096) memory[i] = 1;
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  return 0;
}
C
cat >fork.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int seen;
static void on_signal(int number) { seen = number; }
int main(void) {
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 3; i++)
    if (!fork()) {
      volatile char *memory = malloc(16 << 20);
      for (int k = 0; k < 16 << 20; k += 4096) memory[k] = 1;
      kill(getppid(), SIGUSR1);
      raise(SIGSTOP);
      return 0;
    }
  for (int left = 3, status; left;) {
    pid_t pid = waitpid(-1, &status, WUNTRACED);
    if (pid > 0 && WIFSTOPPED(status)) kill(pid, SIGCONT);
    if (pid > 0 && WIFEXITED(status)) left--;
  }
  return seen == SIGUSR1 ? 0 : 9;
}
C
cat >remap.c <<'C'
#define _GNU_SOURCE
#include <sys/mman.h>
/* Mappings cut at the head, the tail and inside, grown and shrunk. */
static char *map(unsigned long bytes) {
  return mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
              0);
}
int main(void) {
  unsigned long mib = 1 << 20, odd = 12 * mib + 5000, bad = 0;
  char *at = map(odd);
  at[odd - 1] = 9;
  at = mremap(at, odd, 3 * odd, MREMAP_MAYMOVE);
  if (at == MAP_FAILED || at[odd - 1] != 9) return 4;
  at[3 * odd - 1] = 5;
  at = mremap(at, 3 * odd, odd, MREMAP_MAYMOVE);
  if (at == MAP_FAILED || at[odd - 1] != 9) return 5;
  at = mremap(at, odd, 3 * odd, MREMAP_MAYMOVE);
  for (unsigned long i = odd; at != MAP_FAILED && i < 3 * odd; i++)
    if (at[i]) return 7; /* what was given up is lost */
  if (at == MAP_FAILED || at[odd - 1] != 9) return 8;
  bad |= munmap(at, 3 * odd);
  for (int round = 0; round < 2000; round++) { /* more than are remembered */
    at = map(odd);
    if (at == MAP_FAILED) return 2;
    at[5 * mib] = 7;
    bad |= munmap(at, 4096) | munmap(at + 11 * mib, odd - 11 * mib);
    bad |= munmap(at + 4096, 3 * mib) | munmap(at + 8 * mib, mib);
    if (at[5 * mib] != 7) return 3;
    bad |= munmap(at + 4096 + 3 * mib, 8 * mib - 4096);
  }
  return bad ? 6 : 0;
}
C
cat >arenas.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
/* Memory taken as Python takes it, a MiB at a time, some given back, some moved
 * to grow; by three threads, and all of it is zero at first and nobody else's.
 * What may not move cannot grow, whatever the others do meanwhile. */
enum { ARENA = 1 << 20, ARENAS = 24 };
static pthread_barrier_t all;
static void *work(void *mark) {
  static char zero[ARENA];
  char *at[ARENAS];
  for (int i = 0; i < ARENAS; i++) {
    at[i] = mmap(0, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
    if (at[i] == MAP_FAILED || memcmp(at[i], zero, ARENA)) exit(7);
    memset(at[i], *(char *)mark, ARENA);
    if (i % 5 == 4 && munmap(at[i], ARENA)) exit(7);
    if (i % 7 || i % 5 == 4) continue;
    at[i] = mremap(at[i], ARENA, 3 * ARENA / 2, MREMAP_MAYMOVE);
    if (at[i] == MAP_FAILED || memcmp(at[i] + ARENA, zero, ARENA / 2))
      exit(7);
    memset(at[i] + ARENA, *(char *)mark, ARENA / 2);
    at[i] = mremap(at[i], 3 * ARENA / 2, ARENA, MREMAP_MAYMOVE);
  }
  pthread_barrier_wait(&all);
  for (int round = 0; round < 10000; round++)
    if (mremap(at[2], ARENA, ARENA + ARENA / 2, 0) != MAP_FAILED)
      mremap(at[2], ARENA + ARENA / 2, ARENA, 0);
    else if (errno != ENOMEM)
      exit(7);
  for (int i = 0; i < ARENAS; i++)
    for (int k = 0; i % 5 < 4 && k < ARENA; k++)
      if (at[i][k] != *(char *)mark) exit(7);
  return 0;
}
int main(void) {
  static char marks[] = "abc";
  pthread_t threads[3];
  int failed = pthread_barrier_init(&all, 0, 3);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, &marks[i]);
  for (int i = 0; i < 3; i++) failed |= pthread_join(threads[i], 0);
  return failed ? 7 : 0;
}
C
cat >no_pool.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
/* Before page_shim.so: where it asks for hugetlb pages it is given others, as
 * aligned.  What it does with them is so tested without a pool. */
long syscall(long number, ...) {
  long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  long a[6], huge = 2 << 20;
  va_list args;
  va_start(args, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(args, long);
  va_end(args);
  if (number != SYS_mmap || !(a[3] & MAP_HUGETLB))
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  long at = real(number, a[0], a[1] + huge, a[2], MAP_PRIVATE | MAP_ANONYMOUS,
                 a[4], a[5]);
  if (at == -1) return at;
  long start = (at + huge - 1) & ~(huge - 1);
  if (start > at) real(SYS_munmap, at, start - at);
  real(SYS_munmap, start + a[1], at + huge - start);
  return start;
}
C
cat >forbid.c <<'C'
#include <stdlib.h>
#include <sys/prctl.h>
/* As redis does. */
int main(void) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  volatile char *memory = malloc(32 << 20);
  for (int i = 0; i < 32 << 20; i += 4096) memory[i] = 1;
  return 0;
}
C
cat >spawn.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
/* A process that a thread starts, and that is gone before it can be sampled. */
static void *work(void *unused) {
  if (!fork()) {
    volatile char *memory = malloc(32 << 20);
    for (int i = 0; i < 32 << 20; i += 4096) memory[i] = 1;
    _exit(0);
  }
  wait(0);
  return unused;
}
int main(void) {
  pthread_t thread;
  usleep(200000);
  pthread_create(&thread, 0, work, 0);
  return pthread_join(thread, 0);
}
C
cat >crash.c <<'C'
#include <stdlib.h>
int main(void) { abort(); }
C
for program in memory shared thread fork remap arenas forbid spawn crash; do
  $cc -O1 -pthread -o $program $program.c 2>err ||
    { echo "SKIPPED: $cc cannot build programs; install the package gcc"; exit 77; }
done
$cc -O1 -static -o static memory.c 2>err || rm -f static
if $cc -O1 -shared -fPIC -o no_pool.so no_pool.c -ldl 2>err; then
  for program in remap arenas; do
    LD_PRELOAD=$work/no_pool.so:${vat%/*}/exec/page_shim.so VAT_PAGES=2m \
      ./$program >out 2>err
    check "the shim without a pool: $program" [ $? = 0 ]
  done
fi

# On a terminal, from two seconds on; meanwhile others are refused.
script -qec "'$vat' compare -r 1 -- sleep 0.7" terminal >/dev/null 2>&1 &
shown=$!

# --- what must be refused --------------------------------------------------------
check "no program is bad usage" refused 2 compare
check "an absent program" refused 2 compare -- ./absent
check "names it" says 'absent'
env -u PATH "$vat" compare -r 1 --warmup 0 -- true >out 2>err
check "without PATH programs are where the system has them" [ $? = 0 ]
check "an absent program along PATH" refused 2 compare -- no-such-program-here
printf '#!/bin/sh\n' >plain
check "a file that is not executable" refused 2 compare -- ./plain
check "says how to fix it" says 'chmod a+x'
: >plain
check "an executable that is no program" refused 2 compare -- ./plain
check "a directory" refused 2 compare -- /tmp
check "a directory for its input" refused 2 compare --input . -- true
mkfifo pipe
check "a pipe for it" refused 2 compare --input pipe -- cat
check "nothing to --prewarm by" refused 2 compare --prewarm --warmup 0 -- true
check "results without a name" refused 2 compare -o '' -- true
check "nor to standard output" refused 2 compare -o - -- true
check "of which no file is left" [ ! -e - ]
printf '#!/no/such/interpreter\n' >lost
chmod +x lost
check "a script whose interpreter is absent" refused 2 compare -- ./lost
head -c 100 memory >cut && chmod +x cut
check "half an ELF file" refused 2 compare -- ./cut
check "an unknown page kind" refused 2 compare --pages 4k,3m -- true
check "a page kind named twice" refused 2 compare --pages thp,thp -- true
check "no rounds" refused 2 compare --runs 0 -- true
check "a bad regular expression" refused 2 compare --metric '(' -- true
check "an arm whose command is not quoted" \
  refused 2 compare --arm off=./memory 8 --arm on=./memory
check "is told from a program" says "^vat: 8: not used, .*--arm off='./memory ARGS'"
check "one without a group" refused 2 compare --metric 'x' -- true
check "says where the parentheses go" says 'parentheses, for example'
check "input that is absent" refused 2 compare --input ./absent -- true
check "an unknown allocator" refused 2 compare --malloc tcmalloc -- true
check "a processor that is absent" refused 2 compare --pin 100000 -- true
: >there.jsonl
check "an output that is there" refused 2 compare -o there.jsonl -- true

# --- programs that fail -----------------------------------------------------------
check "a status is reported" refused 1 compare -- sh -c 'echo woe >&2; exit 3'
check "which" says 'exited with status 3'
check "with its last words" says 'woe'
check "a crash is reported" refused 1 compare -- ./crash
check "with what to do" says "fix: run it without vat"
check "by its signal" says 'signal 6'
check "a killed program" refused 1 compare -- sh -c 'kill -9 $$'
check "too" says 'signal 9'
check "no figure" refused 1 compare --metric 'none ([0-9]+)' -- ./memory
check "is said" says 'metric'
check "a program that needs a terminal" \
  refused 1 compare -- sh -c 'exec </dev/tty'
"$vat" compare --runs 1 --warmup 0 -i --json -- sh -c 'exit 3' >out 2>err
check "unless they are to count" [ $? = 0 ]
"$vat" compare -o none.jsonl -- sh -c 'exit 3' >out 2>err
check "without a run no file is left" [ ! -e none.jsonl ]
# The third run fails: what there is is shown, and kept.
cat >third <<'S'
#!/bin/sh
echo x >>count
[ "$(wc -l <count)" -lt 7 ]
S
chmod +x third
"$vat" compare --runs 3 -o third.jsonl -- ./third >out 2>err
check "a late failure is one, too" [ $? = 1 ]
check "runs before it are shown" says '^partial' out
check "and kept" [ "$(grep -c '"compare_run"' third.jsonl)" = 4 ]

# --- what is measured ---------------------------------------------------------------
field() { # field KEY: its first value in the JSON of thp
  sed 's/.*"kind":"thp"//' out | grep -o "\"$1\":[^,}]*" | head -n 1 |
    sed 's/.*://'
}
thp=$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)
case $thp in
  *\[always\]* | *\[madvise\]*)
    for how in malloc mmap bss; do
      "$vat" compare --runs 2 --json -- ./memory $how >out 2>err
      check "$how: measured" [ $? = 0 ]
      check "$how: is on huge pages" between 0.85 "$(field share)" 1
      check "$how: with fewer faults" between 0 "$(field minor_faults)" 8000
      check "$how: all runs count" [ "$(field runs)" = 2 ]
    done
    for key in command pages kind runs wall_s user_s sys_s ratio ci user_ratio \
      verdict granted control; do
      check "the contract's $key" says "\"$key\":" out
    done
    "$vat" compare --runs 1 --json -- ./memory mmap unmap >out 2>err
    check "memory given back before the end is seen at its peak, or not at all" \
      [ "$(field runs)" = 1 ]
    "$vat" compare --runs 1 --metric 'figure: ([0-9.]+) ops' --json \
      -o runs.jsonl -- ./memory >out 2>err
    check "the last figure is taken" says '"metric":{"median":42.5' out
    check "the JSON has a verdict on it" says '"verdict":"unknown"}' out
    "$vat" compare --runs 6 --warmup 0 --metric '([0-9]+)' --higher-is-better \
      --arm few='echo 10' --arm many='echo 20' >out 2>err
    check "more of a rate is faster" says "metric: faster, 2.000 times 'few'" out
    check "what is better needs a figure" refused 2 compare --higher-is-better -- true
    check "and is one of two" refused 2 compare --higher-is-better \
      --lower-is-better --metric '(x)' -- true
    check "every run is in the file" [ "$(grep -c '"compare_run"' runs.jsonl)" = 3 ]
    "$vat" compare --runs 1 --prewarm --json -- ./memory >out 2>err
    check "memory can be touched before" says '"prewarm":true' out
    "$vat" compare --runs 1 --json -- ./thread >out 2>err
    check "threads" [ $? = 0 ]
    "$vat" compare --runs 1 --json -- ./fork >out 2>err
    check "children, signals and stops pass" [ $? = 0 ]
    check "memory of children is seen" between 8e6 "$(field open)" 1e9
    "$vat" compare --runs 1 --json -- ./arenas >out 2>err
    check "memory taken by the MiB" [ $? = 0 ]
    check "is on huge pages, but for halves given back" \
      between 0.6 "$(field share)" 1
    "$vat" compare --runs 1 --json -- ./shared >out 2>err
    check "memory that processes share counts once" \
      says '"shared":{"bytes":67108864,' out
    check "at its peak, too" between 64e6 "$(field peak_bytes)" 90e6
    "$vat" compare --runs 1 -- ./shared >out 2>err
    check "and is a part of its own" says '  64 MiB of shared memory, ' out
    "$vat" compare --runs 1 --json -- ./spawn >out 2>err
    # 32 MiB, less the ends; and each of the two processes has a heap of 2 MiB,
    # and where its stack crosses a multiple of 2 MiB, that much of a stack.
    check "a process that a thread starts is seen as it exits" \
      between 31e6 "$(field open)" 43e6
    "$vat" compare --runs 1 --json -- ./forbid >out 2>err
    check "a program that forbids huge pages" [ $? = 0 ]
    check "does not count" [ "$(field runs)" = 0 ]
    check "which the JSON says" [ "$(field forbids_thp)" = true ]
    "$vat" compare --runs 1 -- ./forbid >out 2>err
    check "and the text" says 'the program forbids transparent' out
    "$vat" compare --runs 1 --json -- ./memory >out 2>err
    check "others do not" [ "$(field forbids_thp)" = false ]
    "$vat" compare --runs 1 --json -- sh -c './memory; ./memory' >out 2>err
    check "a script's programs are given huge pages, too" \
      between 0.85 "$(field share)" 1
    if [ -x static ]; then
      "$vat" compare --runs 1 --json -- ./static malloc >out 2>err
      check "a static program" [ $? = 0 ]
      check "is given them by glibc's tunables" between 0.85 "$(field share)" 1
    fi
    ;;
  *) echo "SKIPPED huge pages: transparent ones are off or absent" ;;
esac
# Without glibc: from outside, where Linux (6.1) and our rights allow it.
outside() { # outside PROGRAM
  "$vat" compare --runs 1 --json -- ./$1 malloc linger >out 2>err
  code=$?
  if [ $code = 0 ]; then
    check "$1: by MADV_COLLAPSE" says 'MADV_COLLAPSE from outside' out
    check "$1: is on huge pages" between 0.85 "$(field share)" 1
  else
    check "$1: or it is refused" [ $code = 3 ]
    check "$1: which is said" says 'can only be given to it from outside'
  fi
  check "$1: no hugetlb pages" refused 3 compare --pages 4k,2m -- ./$1
  check "$1: says so" says 'nothing can give it 2m pages'
  if setpriv --bounding-set=-sys_nice true 2>/dev/null; then
    setpriv --bounding-set=-sys_nice "$vat" compare --runs 1 -- ./$1 >out 2>err
    check "$1: refused without the right to" [ $? = 3 ]
    check "$1: with its fix" says 'fix: sudo vat compare'
  fi
}
if command -v musl-gcc >/dev/null; then
  for program in musl musl-static; do
    static=
    [ $program = musl ] || static=-static
    musl-gcc -O1 $static -o $program memory.c 2>err && outside $program
  done
  if "$vat" compare --runs 1 --json -- ./musl mmap >out 2>err; then
    check "musl: its own mappings are the shim's" between 0.85 "$(field share)" 1
  fi
else
  echo "SKIPPED musl: install the package musl-tools"
fi
"$vat" compare --runs 1 --pages 4k --show-output -- sh -c 'echo loud' >out 2>err
check "output is shown when asked" says loud
check "on standard error" sh -c '! grep -q ^loud out'
want=$(nice -n 7 nice)
nice -n 7 "$vat" compare --runs 1 --pages 4k --show-output -- \
  sh -c 'nice; cat /proc/self/autogroup 2>/dev/null || echo "nice $(nice)"' \
  >out 2>err
check "niceness is kept" says "^$want\$"
check "against other sessions, too" says "nice $want\$"
mkdir -p 'with blank/exec'
cp "$vat" 'with blank/vat' && cp "${vat%/*}/exec/page_shim.so" 'with blank/exec'
'with blank/vat' compare --runs 1 --pages 4k --show-output -- \
  cat /proc/self/maps >out 2>err
check "vat may lie in a path with a blank" says 'with blank/exec/page_shim.so'
printf 'hello\n' >in
"$vat" compare --runs 1 --pages 4k --input in -- grep -q hello >out 2>err
check "input is given" [ $? = 0 ]

echo 'for i in $(seq 40); do sh -c "kill -TERM $PPID"; done' >nagging
"$vat" compare --runs 1 --warmup 0 --pages 4k -- sh nagging >signalled 2>err
check "what the program and its children send its parent stops nothing" [ $? = 0 -a -s signalled ]
timeout --foreground -k 20 1 "$vat" compare --runs 1 --pages 4k -- \
  sh -c 'i=0; while [ $((i += 1)) -lt 9999999 ]; do kill -TERM $PPID; done' >signalled 2>err
check "nor does it keep others from stopping it" [ $? = 124 ]
wait $shown
check "progress is shown, and the time left" \
  grep -q '[1-9][0-9] %  0:0[0-9] left  round 1, ' terminal

# --- nothing is left behind --------------------------------------------------------
# No other process sleeps as long as its children, as 1$mark seconds.
export mark=$$
children() { [ -n "$(processes sleep "$1$mark")" ]; }
gone() {
  for _ in $(seq 100); do
    children "$1" || return 0
    sleep 0.1
  done
  return 1
}
"$vat" compare --runs 1 --warmup 0 --pages 4k -- sh -c 'sleep 1$mark & exit 0' \
  >out 2>err
check "a child that outlives the program is ended" gone 1
n=2
for signal in HUP TERM KILL; do
  # Who starts the tests by nohup has SIGHUP ignored, and vat would obey.
  env --default-signal=HUP "$vat" compare --runs 1 --pages 4k -- \
    sh -c "setsid sleep $n$mark & sleep $n$mark" >out 2>err &
  pid=$!
  for _ in $(seq 50); do children $n && break; sleep 0.1; done
  kill -$signal $pid
  wait $pid 2>/dev/null
  code=$?
  check "after SIG$signal no child is left" gone $n
  [ $signal = TERM ] && check "SIGTERM is what it dies of" [ $code = 143 ]
  n=$((n + 1))
done
for signal in INT KILL; do
  env --default-signal=INT "$vat" compare --arm a="setsid sleep $n$mark" \
    --arm b=true >out 2>err &
  pid=$!
  for _ in $(seq 50); do children $n && break; sleep 0.1; done
  kill -$signal $pid
  wait $pid 2>/dev/null
  check "after SIG$signal in the warm-up of an arm no child is left" gone $n
  [ $signal = INT ] && check "and one line says that no round was finished" \
    [ "$(grep -c '^vat: stopped before the first round ended.*fix: ' err)" = 1 -a ! -s out ]
  n=$((n + 1))
done
# Whoever kills the process between vat and the program, it is said.  In the
# second run processes are no longer traced, since they are many: those that the
# kernel does not end with their tracer are left to vat.
cat >many <<'S'
#!/bin/sh
echo x >>runs
for _ in 1 2 3 4 5 6 7 8 9; do /bin/true; done
[ "$(wc -l <runs)" = 1 ] || { setsid sleep 8$mark & sleep 8$mark; }
S
chmod +x many
"$vat" compare --pages 4k -- ./many >out 2>err &
pid=$!
for _ in $(seq 100); do children 8 && break; sleep 0.1; done
# shellcheck disable=SC2046
kill -KILL $(children_of $pid)
wait $pid
check "a supervisor that is killed is an error" [ $? = 1 ]
check "which is said" says 'cannot be run'
check "and leaves no child" gone 8
# At any moment: while it probes, forks, waits, reads, reports.
for k in 1 2 3 4 5 6 7 8 9; do
  case $((k % 3)) in 0) signal=INT ;; 1) signal=TERM ;; *) signal=KILL ;; esac
  env --default-signal=INT "$vat" compare --runs 20 -- \
    sh -c "./memory & ./memory; setsid sleep 9$mark" >out 2>err &
  pid=$!
  sleep "0.$((k * k * 7 % 60 + 10))"
  kill -$signal $pid
  wait $pid 2>/dev/null
  check "after SIG$signal at any time no child is left" gone 9
done
supervised() { [ -n "$(processes "$vat" compare --runs 20)" ]; }
for _ in $(seq 50); do supervised || break; sleep 0.1; done
check "nor a supervisor" eval '! supervised'
check "the setting of transparent pages is as it was" \
  [ "$thp" = "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" ]

# --- arms that the user names ---------------------------------------------------
"$vat" compare --runs 6 --warmup 0 --arm short='sleep 0.01' \
  --arm long='sleep 0.5; echo done' --json >arms.json 2>err
check "two commands are compared" [ $? = 0 ]
check "the first is the baseline" \
  says '"kind":"short","runs":12,.*"verdict":"baseline".*"kind":"long","runs":6' arms.json
check "and the other is slower" says '"kind":"long".*"verdict":"slower"' arms.json
check "which says what each runs" says \
  '"arms":\[{"name":"short","command":"sleep 0.01"},{"name":"long","command":"sleep 0.5; echo done"}\]' arms.json
"$vat" compare --runs 1 --warmup 0 --arm plain: --arm set:WORD=one --arm set:OTHER=two \
  -o arms.jsonl -- sh -c 'test "$WORD$OTHER" = "" || test "$WORD$OTHER" = onetwo' >out 2>err
check "variables are set in one arm, and in no other" [ $? = 0 ]
check "the table has the arms, and a control" says '^plain/plain .*control' out
check "each run names its arm" [ "$(grep -c '"kind":"set"' arms.jsonl)" = 1 ]
"$vat" compare --runs 1 --warmup 0 --arm a=true --arm 'b=exit 7' >out 2>err
check "an arm that fails is named" says '^vat: exit 7 exited with status 7 on arm b' err
for wrong in 'x' '=true' 'a b=true' 'a:WORD' 'a= '; do
  check "--arm '$wrong' is refused" refused 2 compare --arm "$wrong" --arm c=true
done
check "one arm is nothing to compare" refused 2 compare --arm a=true
check "an arm has one command" refused 2 compare --arm a=true --arm a=false
check "an arm without a command needs a program" refused 2 compare --arm a=true --arm b:X=1
check "a program that no arm runs is refused" refused 2 compare --arm a=true --arm b=true -- ls
a="'it'\\''s'"
"$vat" compare --runs 1 --warmup 0 --arm a="test $a = \"it's\"" --arm b:EMPTY= --arm b:X='a=b "c' \
  -- sh -c 'test "${EMPTY-unset}$X" = "a=b \"c"' >out 2>err
check "quotes, '=' and empty values pass" [ $? = 0 ]
sixteen=$(for i in $(seq 16); do printf ' --arm a%s=true' "$i"; done)
# shellcheck disable=SC2086
"$vat" compare --runs 1 --warmup 0 $sixteen --json >out 2>err
check "sixteen arms are compared" [ "$(grep -o '"kind":"a' out | wc -l)" = 16 ]
# shellcheck disable=SC2086
check "a seventeenth is refused" refused 2 compare $sixteen --arm z=true
check "which names it" says 'z=true: more than 16 arms'
check "arms take no page kinds" refused 2 compare --arm a=true --arm b=true --pages 4k

# --- pools, where we may grow them --------------------------------------------------
pool=/sys/kernel/mm/hugepages/hugepages-2048kB
if [ "$(id -u)" = 0 ] && [ -w $pool/nr_hugepages ]; then
  before=$(cat $pool/nr_hugepages)
  [ "$(cat $pool/free_hugepages)" = 0 ] && check "an empty pool is an exit 3" \
    refused 3 compare --pages 4k,2m -- ./memory && check "with its fix" says nr_hugepages
  for how in malloc mmap; do
    "$vat" compare --runs 1 --pages 4k,2m --reserve --json -- ./memory $how \
      >out 2>err
    check "2m pages: $how" [ $? = 0 ]
    sed 's/.*"kind":"2m"/"kind":"thp"/' out >out.2m && mv out.2m out
    check "2m pages: $how is on them" between 0.85 "$(field share)" 1
  done
  "$vat" compare --runs 1 --pages 4k,2m --reserve --json -- ./arenas >out 2>err
  check "2m pages: memory taken by the MiB" [ $? = 0 ]
  sed 's/.*"kind":"2m"/"kind":"thp"/' out >out.2m && mv out.2m out
  check "2m pages: is on them" between 0.85 "$(field share)" 1
  gib=/sys/kernel/mm/hugepages/hugepages-1048576kB
  gibs=$(cat $gib/nr_hugepages 2>/dev/null)
  "$vat" compare --runs 1 --pages 4k,1g --reserve --json -- ./memory >out 2>err
  code=$?
  sed 's/.*"kind":"1g"/"kind":"thp"/' out >out.1g && mv out.1g out
  if [ $code = 0 ]; then
    check "1g pages: measured" [ "$(field runs)" = 1 ]
    check "1g pages: is on them" between 0.85 "$(field share)" 1
  else
    check "1g pages: or there are none to be had" [ $code = 3 ]
  fi
  check "1g pages: the pool is as it was" \
    [ "$gibs" = "$(cat $gib/nr_hugepages 2>/dev/null)" ]
  "$vat" compare --runs 1 --pages 4k,2m --reserve -- ./remap >out 2>err
  check "2m pages: mappings are cut and grown" [ $? = 0 ]
  "$vat" compare --runs 50 --pages 4k,2m --reserve -- ./memory >out 2>err &
  pid=$!
  for _ in $(seq 100); do
    [ "$(cat $pool/nr_hugepages)" -gt "$before" ] && break
    sleep 0.1
  done
  check "the pool grows for the run" [ "$(cat $pool/nr_hugepages)" -gt "$before" ]
  kill -KILL $pid
  wait $pid 2>/dev/null
  for _ in $(seq 100); do
    [ "$before" = "$(cat $pool/nr_hugepages)" ] && break
    sleep 0.1
  done
  check "the pool is as it was" [ "$before" = "$(cat $pool/nr_hugepages)" ]
else
  echo "SKIPPED pools: only root may grow them"
fi

echo "test_compare: $passed passed, $failed failed"
[ "$failed" = 0 ]
