/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/run_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

enum { NOBODY = 65534, ARGUMENTS_MAX = 8 };

static void child(const struct command *command, const char *const *arguments,
                  bool as_nobody) {
  char *argv[ARGUMENTS_MAX + 2] = {strdup("vat test")};
  int argc = 1;
  if (as_nobody && (setgid(NOBODY) || setuid(NOBODY))) _exit(99);
  while (argc <= ARGUMENTS_MAX && arguments[argc - 1]) {
    argv[argc] = strdup(arguments[argc - 1]);
    argc++;
  }
  int code = command->run(argc, argv);
  fflush(NULL);
  _exit(code);
}

static void read_back(FILE *file, char *text) {
  rewind(file);
  text[fread(text, 1, RUN_OUTPUT - 1, file)] = '\0';
  fclose(file);
}

void run_command(struct command_result *result, const struct command *command,
                 const char *const *arguments, bool as_nobody) {
  FILE *out = tmpfile(), *err = tmpfile();
  int status = 0;
  CU_ASSERT_FATAL(out && err);
  fflush(NULL);
  pid_t pid = fork();
  CU_ASSERT_FATAL(pid >= 0);
  if (!pid) {
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    child(command, arguments, as_nobody);
  }
  waitpid(pid, &status, 0);
  result->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_back(out, result->out);
  read_back(err, result->err);
}

bool running_on_valgrind(void) {
  const char *preload = getenv("LD_PRELOAD");
  return preload && strstr(preload, "vgpreload");
}
