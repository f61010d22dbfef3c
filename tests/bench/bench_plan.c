/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_plan VAT MACHINE.json: the user time that `vat plan` takes for a
 * profile of 10^5 sites and 50,000 units, at least of several runs. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/experiments/profile/saved_tables.h"

enum { RUNS = 7 };

static double seconds(const struct timeval *time) {
  return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* Below 0: it failed. */
static double run(char *const *words, double *sys_s) {
  struct rusage used;
  int status;
  pid_t child = fork();
  if (!child) {
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        dup2(null, STDERR_FILENO) < 0)
      _exit(127);
    execv(words[0], words);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &used) < 0 || status) return -1;
  *sys_s = seconds(&used.ru_stime);
  return seconds(&used.ru_utime);
}

int main(int argc, char **argv) {
  static const struct saved_tables many = {.sites = 100000, .units = 50000};
  char path[] = "/tmp/bench_plan.XXXXXX";
  double least = 1e9, sys_s = 0, of_it = 0;
  int fd = argc == 3 ? mkstemp(path) : -1;
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (argc != 3) {
    fputs("usage: bench_plan VAT MACHINE.json\n", stderr);
    return 2;
  }
  if (!file) {
    perror(path);
    return 1;
  }
  saved_tables_write(&many, file);
  long bytes = ftell(file);
  bool failed = fclose(file) != 0;
  char *const words[] = {argv[1],     "plan",  "--from",      path,
                         "--machine", argv[2], "--budget=1G", NULL};
  for (int i = 0; i < RUNS && !failed; i++) {
    double user_s = run(words, &of_it);
    failed = user_s < 0;
    if (user_s < least) least = user_s, sys_s = of_it;
  }
  unlink(path);
  if (failed) {
    fputs("bench_plan: vat plan failed\n", stderr);
    return 1;
  }
  printf(
      "vat plan, 10^5 sites and 50000 units (%ld MB): %.2f s user, %.2f s "
      "system\n",
      bytes / 1000000, least, sys_s);
  return 0;
}
