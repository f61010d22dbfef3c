/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/source_line.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Where the program lies, less where its file says. */
static uintptr_t load_offset(const void *at) {
  Dl_info info;
  if (!dladdr(at, &info) || !info.dli_fbase) return 0;
  /* A program that is not position-independent lies where its file says. */
  uintptr_t base = (uintptr_t)info.dli_fbase;
  return base < (UINT64_C(1) << 32) ? 0 : base;
}

/* What `addr2line ARGUMENTS` prints, first two lines; false: it can't be run.
 */
static bool ask(char *const *arguments, char *text, size_t bytes) {
  posix_spawn_file_actions_t actions;
  int pipes[2], status = -1;
  pid_t child;
  if (pipe2(pipes, O_CLOEXEC)) return false;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  int failed =
      posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipes[1]);
  size_t used = 0;
  for (ssize_t got; !failed && used + 1 < bytes &&
                    (got = read(pipes[0], text + used, bytes - 1 - used)) > 0;)
    used += (size_t)got;
  text[used] = '\0';
  close(pipes[0]);
  return !failed && waitpid(child, &status, 0) == child && status == 0;
}

/* "FUNCTION\nFILE:LINE\n" of an address in this program. */
static bool look_up(const void *at, uintptr_t before, char *text,
                    size_t bytes) {
  char program[64], address[32], name[] = "addr2line", flags[] = "-Cfse";
  snprintf(program, sizeof program, "/proc/%ld/exe", (long)getpid());
  snprintf(address, sizeof address, "%#llx",
           (unsigned long long)((uintptr_t)at - load_offset(at) - before));
  char *arguments[] = {name, flags, program, address, NULL};
  return ask(arguments, text, bytes);
}

void simt_source_line(const void *pc, char *text, size_t bytes) {
  char told[2048];
  char *place = NULL;
  /* The call itself lies before the address it returns to. */
  if (look_up(pc, 1, told, sizeof told)) place = strchr(told, '\n');
  if (!place || place[1] == '?') {
    snprintf(text, bytes, "%p", pc);
    return;
  }
  place++;
  place[strcspn(place, " \n")] = '\0';
  snprintf(text, bytes, "%s", place);
}

void simt_function_name(const void *function, char *text, size_t bytes) {
  char told[2048];
  if (!look_up(function, 0, told, sizeof told) || told[0] == '?') {
    snprintf(text, bytes, "kernel at %p", function);
    return;
  }
  /* "void (anonymous namespace)::name<256>(int*)": what it returns and takes
   * says little, and so does where it is. */
  static const char nowhere[] = "(anonymous namespace)::";
  char *name = strncmp(told, "void ", 5) ? told : told + 5;
  if (!strncmp(name, nowhere, sizeof nowhere - 1)) name += sizeof nowhere - 1;
  name[strcspn(name, "(\n")] = '\0';
  snprintf(text, bytes, "%s", name);
}
