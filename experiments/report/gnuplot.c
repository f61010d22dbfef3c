/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Single quotes: no escapes, no `commands`, no @macros inside.  A quote becomes
 * a typographic one, since gnuplot 5.4 takes ''' for an empty string. */
void gnuplot_quote(FILE *script, const char *text) {
  fputc('\'', script);
  for (; *text; text++) {
    if (*text == '\'')
      fputs("\342\200\231", script);
    else
      fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
  }
  fputc('\'', script);
}

/* gnuplot says what is wrong after an echo of the line and a caret. */
static void first_words(FILE *complaints, char why[GNUPLOT_WHY_SIZE]) {
  char line[GNUPLOT_WHY_SIZE];
  rewind(complaints);
  while (fgets(line, sizeof line, complaints)) {
    line[strcspn(line, "\n")] = '\0';
    if (!line[strspn(line, " \t^")]) continue;
    memcpy(why, line, sizeof line);
    if (strstr(line, "line ")) return;
  }
}

static int spawn(FILE *script, FILE *picture, FILE *complaints, pid_t *child) {
  /* -d: neither the system's nor the user's start-up files change a figure. */
  char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return code;
  code = posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
  if (!code)
    code = posix_spawn_file_actions_adddup2(&actions, fileno(picture), 1);
  if (!code)
    code = posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2);
  if (!code) code = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

static int wait_for(pid_t child, int *status) {
  while (waitpid(child, status, 0) < 0)
    if (errno != EINTR) return -1;
  return 0;
}

int gnuplot_run(FILE *script, FILE *picture, char why[GNUPLOT_WHY_SIZE]) {
  pid_t child;
  int status = 0, failed = -1;
  FILE *complaints = tmpfile();
  *why = '\0';
  if (!complaints) return -1;
  if (fflush(script) || lseek(fileno(script), 0, SEEK_SET) < 0) goto done;
  int code = spawn(script, picture, complaints, &child);
  if (code) {
    errno = code;
    goto done;
  }
  if (wait_for(child, &status)) goto done;
  /* How posix_spawn() may also say that there is no such program. */
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    errno = ENOENT;
    goto done;
  }
  if (status || fseek(picture, 0, SEEK_END) || ftell(picture) <= 0) {
    first_words(complaints, why);
    errno = EPROTO;
    goto done;
  }
  failed = 0;
done:
  code = errno;
  fclose(complaints);
  errno = code;
  return failed;
}
