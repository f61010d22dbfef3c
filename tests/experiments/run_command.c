/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/run_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

enum { NOBODY = 65534, ARGUMENTS_MAX = 32 };

static void child(command_run *command, const char *const *arguments,
                  bool as_nobody) {
  /* Kept, or LeakSanitizer finds those that a command replaced. */
  static char *kept[ARGUMENTS_MAX + 1];
  char *argv[ARGUMENTS_MAX + 2] = {kept[0] = strdup("vat test")};
  int argc = 1;
  if (as_nobody && (setgid(NOBODY) || setuid(NOBODY))) _exit(99);
  while (argc <= ARGUMENTS_MAX && arguments[argc - 1]) {
    argv[argc] = kept[argc] = strdup(arguments[argc - 1]);
    argc++;
  }
  int code = command(argc, argv);
  fflush(NULL);
  _exit(code);
}

static void read_back(FILE *file, char *text) {
  rewind(file);
  text[fread(text, 1, RUN_OUTPUT - 1, file)] = '\0';
  fclose(file);
}

/* fork() with the child's output going where read_results() will find it; 0 in
 * the child. */
static pid_t begin(FILE *files[2]) {
  for (int i = 0; i < 2; i++) {
    files[i] = tmpfile();
    CU_ASSERT_FATAL(files[i] != NULL);
  }
  fflush(NULL);
  pid_t pid = fork();
  CU_ASSERT_FATAL(pid >= 0);
  if (pid) return pid;
  dup2(fileno(files[0]), STDOUT_FILENO);
  dup2(fileno(files[1]), STDERR_FILENO);
  return 0;
}

static void read_results(struct command_result *result, pid_t pid,
                         FILE *files[2]) {
  int status = 0;
  waitpid(pid, &status, 0);
  result->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_back(files[0], result->out);
  read_back(files[1], result->err);
}

void run_command(struct command_result *result, command_run *command,
                 const char *const *arguments, bool as_nobody) {
  FILE *files[2];
  pid_t pid = begin(files);
  if (!pid) child(command, arguments, as_nobody);
  read_results(result, pid, files);
}

void run_shell(struct command_result *result, const char *dir,
               const char *script) {
  FILE *files[2];
  pid_t pid = begin(files);
  if (!pid) {
    setenv("VAT", VAT_TEST_BUILD "/experiments/vat", 1);
    setenv("THESIS", VAT_TEST_BUILD "/tests/experiments/thesis_trace", 1);
    if (dir && chdir(dir)) _exit(99);
    execl("/bin/sh", "sh", "-c", script, (char *)NULL);
    _exit(99);
  }
  read_results(result, pid, files);
}

const char *run_sim(const char *dir, const char *feed, const char *arguments) {
  static struct command_result result;
  char script[1024];
  snprintf(script, sizeof script, "%s \"$VAT\" sim %s", feed, arguments);
  run_shell(&result, dir, script);
  if (result.code != VAT_OK || *result.err)
    printf("\n%s\n  exit %d: %s", script, result.code, result.err);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  return result.out;
}

void shell_refuses(const char *dir, const char *script, const char *says) {
  static struct command_result result;
  char expected[256];
  snprintf(expected, sizeof expected, "vat: %s", says);
  run_shell(&result, dir, script);
  const char *newline = strchr(result.err, '\n');
  bool one_line = newline && !newline[1];
  bool as_expected = !strncmp(result.err, expected, strlen(expected));
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_STRING_EQUAL(result.out, "");
  CU_ASSERT(one_line);
  CU_ASSERT(as_expected);
  if (result.code != VAT_USAGE || !one_line || !as_expected || *result.out)
    printf("\n%s\n  exit %d, not \"%s\": %s%s\n", script, result.code, expected,
           result.err, result.out);
}

void sim_refuses(const char *arguments, const char *says) {
  char script[512];
  snprintf(script, sizeof script, "echo 0 | \"$VAT\" sim - %s", arguments);
  shell_refuses(NULL, script, says);
}

void same_text(const char *text, const char *expected) {
  if (strcmp(text, expected)) printf("\n%s is not\n%s", text, expected);
  CU_ASSERT_STRING_EQUAL(text, expected);
}

bool running_on_valgrind(void) {
  const char *preload = getenv("LD_PRELOAD");
  return preload && strstr(preload, "vgpreload");
}
