/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs each command with the n-th call of a kind failing, for each n that it
 * reaches.  Without --every one allocation stands for the others of its way,
 * and where the rest takes longer than --seconds, some n are left out, evenly;
 * at the end it is said of how many calls how many failed. */
#include "tests/faults/faults.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/tree.h"

const char *const fault_kinds[FAULT_KINDS] = {
    "mmap", "write", "fsync", "rename", "fork", "malloc", "PAPI", "hwloc",
};

enum { WORKERS_MAX = 16 };

/* What the workers share. */
struct progress {
  atomic_size_t next;
  atomic_uint injected[COMMANDS_MAX][FAULT_KINDS];
  atomic_uint unreached, failed, fragile, surrounded, codes[4];
};

static void tell(const struct fault *fault, const char *wrong,
                 const struct outcome *outcome, const struct traces *traces,
                 const struct fault_page *page) {
  char text[4096];
  int used = snprintf(
      text, sizeof text, "FAILED %s, %s %u: %s (status %#x)\n    vat %s\n",
      fault->command->name, fault_kinds[fault->kind], fault->nth, wrong,
      outcome->status, fault->command->words);
  if (page->kind < FAULT_SYSCALLS)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "    first argument %d\n", page->fd);
  else
    used += snprintf(text + used, sizeof text - (size_t)used, "    from");
  for (int i = 0; i < FAULT_FRAMES && page->kind >= FAULT_SYSCALLS; i++)
    if (page->frames[i])
      used += snprintf(text + used, sizeof text - (size_t)used, " %#lx",
                       (unsigned long)page->frames[i]);
  used += snprintf(text + used, sizeof text - (size_t)used, "\n%.1000s\n",
                   traces->err);
  (void)!write(STDOUT_FILENO, text, (size_t)used);
}

static void inject(const struct faults *all, const struct fault *fault,
                   const char *directory, struct fault_page *page, int fd,
                   struct progress *progress) {
  struct outcome outcome;
  struct traces traces;
  const char *wrong = NULL;
  char before[SETTINGS_SIZE] = "";
  if (fault->command->flags & FAULTY_POOLS) strcpy(before, settings_read());
  page->kind = fault->kind;
  page->nth = fault->nth;
  faults_run(all, fault->command, directory, page, fd, &outcome, &traces);
  if (!page->fired) {
    progress->unreached++; /* it is not always called as often */
  } else {
    progress->injected[fault->command - faulty_commands][fault->kind]++;
    progress->fragile += page->fragile != 0;
    wrong = judge(fault->command, &all->clean[fault->command - faulty_commands],
                  &traces, &outcome, page);
    if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) < 4)
      progress->codes[WEXITSTATUS(outcome.status)]++;
  }
  if ((fault->command->flags & FAULTY_POOLS) && !settings_are(before))
    wrong = "the kernel's settings were left changed";
  if (!wrong && all->options.tell && page->fired)
    printf("%s, %s %u: exit %d: %s%s", fault->command->name,
           fault_kinds[fault->kind], fault->nth, WEXITSTATUS(outcome.status),
           traces.err, *traces.err ? "" : "\n");
  if (wrong) {
    progress->failed++;
    tell(fault, wrong, &outcome, &traces, page);
  }
  traces_fini(&traces);
}

/* What a process may find around it, from main() on. */
static const struct surrounding {
  const char *name;
  int no_perf, clock;
  uint64_t room;
} surroundings[] = {
    {"perf_event_open fails with EPERM", 1, 0, 0},
    {"the wall clock steps by an hour at every look", 0, 1, 0},
    {"RLIMIT_AS of 1 MiB", 0, 0, 1 << 20},
    {"RLIMIT_AS of 256 MiB", 0, 0, 256 << 20},
};
enum { SURROUNDINGS = sizeof surroundings / sizeof *surroundings };

static void surround(const struct faults *all,
                     const struct faulty_command *command,
                     const struct surrounding *around, struct fault_page *page,
                     int fd, struct progress *progress) {
  char directory[2 * PATH_MAX];
  struct outcome outcome;
  struct traces traces;
  snprintf(directory, sizeof directory, "%s/around", all->base);
  page->kind = FAULT_NONE;
  page->no_perf = around->no_perf;
  page->clock = around->clock;
  page->room = around->room;
  faults_run(all, command, directory, page, fd, &outcome, &traces);
  const char *wrong = judge(command, &all->clean[command - faulty_commands],
                            &traces, &outcome, page);
  /* What is no matter of memory, nobody may notice. */
  if (!wrong && !around->room && outcome.status) wrong = "it failed";
  progress->surrounded++;
  if (wrong || all->options.tell)
    printf("%s%s, %s: %s, status %#x\n%s", wrong ? "FAILED " : "",
           command->name, around->name, wrong ? wrong : "as it should",
           outcome.status, traces.err);
  progress->failed += wrong != NULL;
  traces_fini(&traces);
}

static void surround_all(const struct faults *all, struct fault_page *page,
                         int fd, struct progress *progress) {
  for (const struct faulty_command *c = faulty_commands; c->name; c++)
    for (int i = 0; i < SURROUNDINGS && all->clean[c - faulty_commands].out;
         i++)
      surround(all, c, &surroundings[i], page, fd, progress);
  printf("%u runs under other circumstances:", progress->surrounded);
  for (int i = 0; i < SURROUNDINGS; i++)
    printf("%s %s", i ? ";" : "", surroundings[i].name);
  puts("");
}

/* All that resize no pool, or all that do, with whoever else does the same. */
static void work(const struct faults *all, int number, bool pools,
                 struct progress *progress) {
  int fd;
  char directory[2 * PATH_MAX];
  struct fault_page *page = faults_page(&fd);
  snprintf(directory, sizeof directory, "%s/worker%d", all->base, number);
  for (size_t i; (i = progress->next++) < all->count;)
    if (!(all->planned[i].command->flags & FAULTY_POOLS) != pools)
      inject(all, &all->planned[i], directory, page, fd, progress);
}

static void inject_all(const struct faults *all, struct progress *progress) {
  for (int i = 0; i < all->options.workers; i++) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid) continue;
    work(all, i, false, progress);
    fflush(stdout);
    _exit(0);
  }
  int status;
  while (wait(&status) > 0)
    if (status) progress->failed++;
  progress->next = 0;
  work(all, WORKERS_MAX, true, progress);
}

static bool wanted(const struct faults *all,
                   const struct faulty_command *command) {
  if (all->options.only) return !strcmp(all->options.only, command->name);
  if (!(command->flags & (FAULTY_POOLS | FAULTY_PMU)) ||
      (!geteuid() &&
       !access("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", W_OK)))
    return true;
  printf("SKIPPED %s: only root may resize a pool, or mount\n", command->name);
  return false;
}

/* Whatever failed, the cache that commands share has whole files only. */
static void check_warm(const struct faults *all, struct progress *progress) {
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s/warm", all->base);
  char *files = access(path, F_OK) ? NULL : tree_list(path);
  if (files && judge_cache(files)) {
    printf("FAILED: %s\n%s", judge_cache(files), files);
    progress->failed++;
  }
  free(files);
}

/* "run: mmap 31 of 31, malloc 296 of 2885": so many failed of those reached;
 * added to `sum`, which is {tried, reached}. */
static void tell_tried(const char *name, const atomic_uint tried[FAULT_KINDS],
                       const unsigned reached[FAULT_KINDS], unsigned sum[2]) {
  bool any = false;
  for (int kind = 0; kind < FAULT_KINDS; kind++) {
    if (!reached[kind]) continue;
    printf("%s%s %s %u of %u", any ? "," : name, any ? "" : ":",
           fault_kinds[kind], tried[kind], reached[kind]);
    any = true;
    sum[0] += tried[kind];
    sum[1] += reached[kind];
  }
  if (any) puts("");
}

static int conclude(const struct faults *all, const struct progress *progress) {
  unsigned sum[2] = {0};
  for (const struct faulty_command *c = faulty_commands; c->name; c++)
    tell_tried(c->name, progress->injected[c - faulty_commands],
               all->reached[c - faulty_commands], sum);
  printf(
      "exit codes: %u 0, %u 1, %u 2, %u 3; %u calls were not reached again\n",
      progress->codes[0], progress->codes[1], progress->codes[2],
      progress->codes[3], progress->unreached);
  printf("%u of them were inside hwloc and PAPI, which crash by themselves\n",
         progress->fragile);
  printf("injected %u faults of %u calls reached, ", sum[0], sum[1]);
  if (progress->failed)
    printf("%u NOT survived\n", progress->failed);
  else
    puts("all survived");
  return progress->failed != 0;
}

static int kind_named(const char *name) {
  for (int kind = 0; kind < FAULT_KINDS; kind++)
    if (!strcmp(name, fault_kinds[kind])) return kind;
  fprintf(stderr, "faults: no kind %s\n", name);
  exit(99);
}

static error_t take(int key, char *text, struct argp_state *state) {
  struct options *o = state->input;
  switch (key) {
    case 'c':
      o->only = text;
      return 0;
    case 'k':
      o->kind = kind_named(text);
      return 0;
    case 'n':
      o->nth = (unsigned)atoi(text);
      return 0;
    case 's':
      o->seconds = atof(text);
      return 0;
    case 'e':
      o->every = true;
      return 0;
    case 'v':
      o->tell = true;
      return 0;
    case 'j':
      o->workers = atoi(text) < WORKERS_MAX ? atoi(text) : WORKERS_MAX;
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num > 2) return ARGP_ERR_UNKNOWN;
      *(const char **[]){&o->vat, &o->inject, &o->data}[state->arg_num] =
          realpath(text, NULL);
      return 0;
    case ARGP_KEY_END:
      if (!o->vat || !o->inject || !o->data) argp_usage(state);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option known[] = {
    {"command", 'c', "NAME", 0, "this command alone", 0},
    {"kind", 'k', "KIND", 0, "this kind of call alone", 0},
    {"nth", 'n', "N", 0, "this call alone", 0},
    {"seconds", 's', "SEC", 0, "so much of one processor at most", 0},
    {"every", 'e', NULL, 0, "also allocations that one way leads to", 0},
    {"jobs", 'j', "JOBS", 0, "so many at a time", 0},
    {"verbose", 'v', NULL, 0, "show what each command said", 0},
    {0},
};

int main(int argc, char **argv) {
  static struct faults all;
  struct argp argp = {known, take, "VAT INJECT DATA", NULL, NULL, NULL, NULL};
  int fd;
  all.options = (struct options){.kind = -1, .seconds = 1e9, .workers = 1};
  if (argp_parse(&argp, argc, argv, 0, NULL, &all.options)) return 99;
  const char *tmp = getenv("TMPDIR");
  snprintf(all.base, sizeof all.base, "%s/vat-faults-XXXXXX",
           tmp ? tmp : "/tmp");
  if (!mkdtemp(all.base)) die(all.base);
  struct fault_page *page = faults_page(&fd);
  struct progress *progress =
      mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (progress == MAP_FAILED) die("mmap");
  page->kind = FAULT_NONE;
  faults_make_inputs(&all, page, fd);
  for (const struct faulty_command *c = faulty_commands; c->name; c++)
    if (wanted(&all, c)) faults_survey(&all, c, page, fd);
  faults_thin(&all);
  inject_all(&all, progress);
  surround_all(&all, page, fd, progress);
  check_warm(&all, progress);
  tree_remove(all.base);
  return conclude(&all, progress);
}
