/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which calls are to fail: all that a command reaches, or as many of them as
 * there is time for. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/faults/faults.h"
#include "tests/faults/tree.h"

static void plan(struct faults *all, const struct faulty_command *command,
                 int kind, unsigned nth) {
  if (all->options.kind >= 0 && all->options.kind != kind) return;
  if (all->options.nth && all->options.nth != nth) return;
  if (all->count == all->room) {
    all->room = all->room ? 2 * all->room : 4096;
    all->planned = realloc(all->planned, all->room * sizeof *all->planned);
    if (!all->planned) die("plan");
  }
  all->planned[all->count++] = (struct fault){command, kind, nth};
}

static int ascending(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

/* All allocations where they are few or all are asked for, else the first of
 * each way to them; of ways through libraries that crash by themselves every
 * tenth. */
static void plan_allocations(struct faults *all,
                             const struct faulty_command *command,
                             const struct fault_page *page) {
  enum { FEW = 300 };
  static unsigned firsts[FAULT_PATHS];
  unsigned calls = page->calls[FAULT_MALLOC], count = 0, fragile = 0;
  bool each = calls <= FEW || all->options.every || all->options.nth;
  for (unsigned n = 1; each && n <= calls; n++)
    plan(all, command, FAULT_MALLOC, n);
  if (each) return;
  for (size_t i = 0; i < FAULT_PATHS; i++)
    if (page->paths[i].first &&
        (!page->paths[i].fragile || fragile++ % 10 == 0))
      firsts[count++] = page->paths[i].first;
  qsort(firsts, count, sizeof *firsts, ascending);
  for (unsigned i = 0; i < count; i++)
    plan(all, command, FAULT_MALLOC, firsts[i]);
}

/* What the machine does not have is exit 3; above, the driver could not prepare
 * it. */
static bool is_possible(const struct faulty_command *command,
                        const struct outcome *outcome,
                        const struct traces *clean) {
  int code = WIFEXITED(outcome->status) ? WEXITSTATUS(outcome->status) : 0;
  if (code < 3) return true;
  printf("SKIPPED %s: %s", command->name,
         code == 3 ? clean->err : "it cannot be prepared here\n");
  return false;
}

static void tell_calls(const struct faulty_command *command, double seconds,
                       const struct fault_page *page) {
  printf("%-15s %5.2f s ", command->name, seconds);
  for (int kind = 0; kind < FAULT_KINDS; kind++)
    if (page->calls[kind])
      printf(" %u %s", page->calls[kind], fault_kinds[kind]);
  puts("");
}

static void plan_all(struct faults *all, const struct faulty_command *command,
                     const struct fault_page *page) {
  for (int kind = 0; kind < FAULT_KINDS; kind++) {
    if (all->options.kind < 0 || all->options.kind == kind)
      all->reached[command - faulty_commands][kind] = page->calls[kind];
    if (kind == FAULT_MALLOC)
      plan_allocations(all, command, page);
    else
      for (unsigned n = 1; n <= page->calls[kind]; n++)
        plan(all, command, kind, n);
  }
}

/* The clean run that others are held against, and one that is counted. */
void faults_survey(struct faults *all, const struct faulty_command *command,
                   struct fault_page *page, int fd) {
  static bool said;
  size_t index = (size_t)(command - faulty_commands);
  char directory[2 * PATH_MAX];
  struct outcome outcome;
  struct traces counted, clean;
  snprintf(directory, sizeof directory, "%s/clean", all->base);
  page->kind = FAULT_NONE;
  faults_run(all, command, directory, page, fd, &outcome, &clean);
  if (!is_possible(command, &outcome, &clean)) {
    traces_fini(&clean);
    return;
  }
  all->clean[index] = clean;
  all->seconds[index] = outcome.seconds;
  page->counting = 1;
  faults_run(all, command, directory, page, fd, &outcome, &counted);
  page->counting = 0;
  if (outcome.seconds < all->seconds[index])
    all->seconds[index] = outcome.seconds; /* of a cache that is filled */
  const char *wrong = judge(command, &clean, &counted, &outcome, page);
  if (wrong || outcome.status || *clean.other) {
    printf("FAILED %s without a fault: %s\n    vat %s\n%s", command->name,
           wrong ? wrong : "it fails", command->words, counted.err);
    exit(1);
  }
  if (!outcome.asked && !said)
    puts("SKIPPED faults of system calls: the kernel lets no filter ask");
  said |= !outcome.asked;
  plan_all(all, command, page);
  tell_calls(command, all->seconds[index], page);
  traces_fini(&counted);
}

static size_t index_of(const struct fault *fault) {
  return (size_t)(fault->command - faulty_commands);
}

/* What each command may take at most, so that all take `seconds`: those that
 * need less leave the rest to the others. */
static double fair_share(const double needed[COMMANDS_MAX], double seconds) {
  double share = 0;
  for (double step = seconds; step > 1e-3; step /= 2) {
    double all = 0;
    for (int i = 0; i < COMMANDS_MAX; i++)
      all += needed[i] < share + step ? needed[i] : share + step;
    if (all <= seconds) share += step;
  }
  return share;
}

/* Take some out, of each command that needs more than its share evenly. */
void faults_thin(struct faults *all) {
  double needed[COMMANDS_MAX] = {0}, kept[COMMANDS_MAX] = {0}, sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    needed[index_of(&all->planned[i])] +=
        all->seconds[index_of(&all->planned[i])];
  for (int i = 0; i < COMMANDS_MAX; i++) sum += needed[i];
  double share = fair_share(needed, all->options.seconds);
  for (size_t i = 0; i < all->count; i++) {
    size_t at = index_of(&all->planned[i]);
    kept[at] += needed[at] > share ? share / needed[at] : 1;
    if (kept[at] < 1) continue;
    kept[at] -= 1;
    all->planned[count++] = all->planned[i];
  }
  printf("%zu faults are planned, in %.0f s of one processor; %zu are tried\n",
         all->count, sum, count);
  all->count = count;
}
