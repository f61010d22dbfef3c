// SPDX-License-Identifier: GPL-3.0-or-later
// A program or library with 10 MiB of code, which runs through all of it and
// tests what depends on where code is: answers, exceptions, backtraces,
// signals, fork.  Prints "good", and the kB of its code that are on huge pages
// and that are there.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

enum { FUNCTIONS = 340 };

struct odd : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/* 32 KiB each, of which most does nothing. */
template <int N>
__attribute__((noinline)) long step(long x) {
  __asm__ volatile(".balign 32768");
  if (x < 0) throw odd("from " + std::to_string(N));
  return x * 3 % 1000003 + N;
}

using function = long (*)(long);

template <int... N>
constexpr std::array<function, FUNCTIONS> table(
    std::integer_sequence<int, N...>) {
  return {step<N>...};
}

const auto steps = table(std::make_integer_sequence<int, FUNCTIONS>());

volatile sig_atomic_t signals;
volatile long wrong;

bool answers() {
  long x = 1, expected = 1;
  for (int i = 0; i < FUNCTIONS; i++) {
    x = steps[(size_t)i](x);
    expected = expected * 3 % 1000003 + i;
  }
  return x == expected;
}

bool catches() {
  for (int i = 0; i < FUNCTIONS; i += 7) {
    try {
      steps[(size_t)i](-1);
      return false;
    } catch (const odd &error) {
      if (error.what() != "from " + std::to_string(i)) return false;
    }
  }
  return true;
}

/* Its frames are found, and their names where the program exports them. */
bool traces() {
  void *frames[64];
  int count = backtrace(frames, 64);
  Dl_info info;
  return count >= 3 && dladdr(frames[0], &info) && info.dli_fname &&
         dladdr(reinterpret_cast<void *>(steps[300]), &info);
}

/* In the midst of everything, through all of it. */
void on_signal(int) {
  signals = signals + 1;
  wrong = wrong + (steps[(size_t)(signals * 37 % FUNCTIONS)](2) !=
                   6 + signals * 37 % FUNCTIONS);
}

void begin_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, nullptr);
}

bool signalled() {
  begin_signals();
  int least = signals + 50;
  for (int i = 0; i < 100000 && signals < least; i++)
    if (!answers()) return false;
  itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
  return signals >= least && !wrong;
}

bool forks() {
  for (int i = 0; i < 4; i++) {
    pid_t child = fork();
    if (child == 0) _exit(answers() && catches() ? 0 : 1);
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
      return false;
  }
  return true;
}

/* Of the mappings that have `steps`, without W and X at once anywhere. */
bool print_huge() {
  char line[512];
  unsigned long start, end, kb, huge = 0, rss = 0;
  bool inside = false, good = true;
  unsigned long first = ~0UL, last = 0;
  for (function step : steps) {
    unsigned long at = reinterpret_cast<unsigned long>(step);
    if (at < first) first = at;
    if (at > last) last = at;
  }
  FILE *smaps = fopen("/proc/self/smaps", "re");
  while (smaps && fgets(line, sizeof line, smaps)) {
    char rights[8];
    if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3) {
      inside = start <= last && end > first;
      good &= !strchr(rights, 'w') || !strchr(rights, 'x');
      good &= !inside || !strcmp(rights, "r-xp");
    } else if (inside && sscanf(line, "AnonHugePages: %lu", &kb) == 1) {
      huge += kb;
    } else if (inside && sscanf(line, "FilePmdMapped: %lu", &kb) == 1) {
      huge += kb;
    } else if (inside && sscanf(line, "Rss: %lu", &kb) == 1) {
      rss += kb;
    }
  }
  if (smaps) fclose(smaps);
  printf("%lu of %lu kB\n", huge, rss);
  return good;
}

}  // namespace

/* As a library that the user preloads, in the program of that name: before
 * vat's begins its work. */
__attribute__((constructor)) static void begin_early() {
  const char *where = getenv("BIG_TEXT_SIGNALS");
  if (where && !strcmp(where, program_invocation_short_name)) begin_signals();
}

/* big_text [exec PROG ARG... | wait]: then become PROG, or wait for the end of
 * the input. */
extern "C" int big_text(int argc, char **argv);
int big_text(int argc, char **argv) {
  bool good = answers() && catches() && traces() && signalled() && forks();
  good = print_huge() && good;
  puts(good ? "good" : "bad");
  fflush(stdout);
  if (argc > 2 && !strcmp(argv[1], "exec")) execvp(argv[2], argv + 2);
  if (argc > 1 && !strcmp(argv[1], "wait"))
    while (getchar() != EOF) continue;
  return !good;
}

int main(int argc, char **argv) { return big_text(argc, argv); }
