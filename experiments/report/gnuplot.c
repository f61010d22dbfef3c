/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE 1 /* memfd_create(), pipe2() */
#include "experiments/report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/utf8.h"
#include "huge_pages/size_text.h"

extern char **environ;

FILE *gnuplot_memory(void) {
  int fd = memfd_create("gnuplot", MFD_CLOEXEC);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
  if (!file && fd >= 0) close(fd);
  return file;
}

char *gnuplot_read_back(FILE *stream) {
  long length = fseek(stream, 0, SEEK_END) ? -1 : ftell(stream);
  if (length < 0) return NULL;
  char *text = memory_get((size_t)length + 1);
  rewind(stream);
  text[fread(text, 1, (size_t)length, stream)] = '\0';
  return text;
}

void gnuplot_terminal(FILE *script, int width, int height, bool png) {
  if (!png)
    fprintf(script,
            "set terminal svg size %d,%d dynamic noenhanced rounded "
            "font 'sans-serif,13' background 'white' name 'figure'\n",
            width, height);
  else
    fprintf(script,
            "set terminal pngcairo size %d,%d noenhanced rounded "
            "font 'sans,10' fontscale 2 linewidth 2 pointscale 2 "
            "background 'white'\n",
            2 * width, 2 * height);
}

/* Single quotes: no escapes, no `commands`, no @macros inside.  A quote becomes
 * a typographic one, since gnuplot 5.4 takes ''' for an empty string; and its
 * SVG has each > as it is, which XML does not take behind ]]. */
void gnuplot_quote(FILE *script, const char *text, bool tic) {
  fputc('\'', script);
  for (size_t length = 1; *text; text += length, length = 1) {
    if (tic && *text == '%') fputc('%', script);
    if (*text == '\'')
      fputs("\342\200\231", script);
    else if ((unsigned char)*text < ' ')
      fputc(' ', script);
    else if (!strncmp(text, "]]>", 3))
      fputs("] ", script);
    else
      length = utf8_print(script, text);
  }
  fputc('\'', script);
}

/* 0.5, 1, 2, 5, 10, ...; powers of ten alone where there is no room for
 * others. */
void gnuplot_tics_log(FILE *script, char axis, double lo, double hi) {
  static const double digits[] = {1, 2, 5};
  const char *comma = "";
  int count = hi - lo > (axis == 'x' ? 2 : 4) ? 1 : 3;
  fprintf(script, "set %ctics (", axis);
  for (int power = (int)floor(lo); power <= hi; power++)
    for (int i = 0; i < count; i++) {
      double number = digits[i] * pow(10, power);
      if (log10(number) < lo || log10(number) > hi) continue;
      fprintf(script, "%s'%g' %.5f", comma, number, log10(number));
      comma = ", ";
    }
  fputs(")\n", script);
}

/* "4 KiB", "32 KiB", ... */
void gnuplot_tics_bytes(FILE *script, double lo, double hi) {
  const char *comma = "";
  fputs("set xtics (", script);
  for (int power = (int)ceil(lo); power <= hi && power < 48; power++) {
    if (power % 3) continue;
    fputs(comma, script);
    gnuplot_quote(script, HP_SIZE_SHOWN((size_t)1 << power), true);
    fprintf(script, " %d", power);
    comma = ", ";
  }
  fputs(")\n", script);
}

/* "10" and a power of one digit or two, set high. */
void gnuplot_tics_powers(FILE *script, double lo, double hi) {
  static const char *const digits[] = {
      "\342\201\260", "\302\271",     "\302\262",     "\302\263",
      "\342\201\264", "\342\201\265", "\342\201\266", "\342\201\267",
      "\342\201\270", "\342\201\271"};
  const char *comma = "";
  fputs("set ytics (", script);
  for (int power = (int)lo; power <= (int)hi; power++) {
    int size = abs(power);
    fprintf(script, "%s'10%s%s%s' %d", comma, power < 0 ? "\342\201\273" : "",
            size > 9 ? digits[size / 10 % 10] : "", digits[size % 10], power);
    comma = ", ";
  }
  fputs(")\n", script);
}

void gnuplot_tics_names(FILE *script, const char *names, size_t size,
                        size_t count) {
  fputs("set grid x lc rgb '#C0808080' lt 1 lw 0.5\nset ytics (", script);
  for (size_t i = 0; i < count; i++) {
    if (i) fputs(", ", script);
    gnuplot_quote(script, names + i * size, true);
    fprintf(script, " %zu", count - i);
  }
  fputs(")\n", script);
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

/* Without what gnuplot takes from it: a terminal that needs a display, folders
 * of fonts and scripts.  To free(). */
static char **environment(void) {
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  char **copy = memory_zeroed(count + 1, sizeof *copy);
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], "GNUTERM=", 8) &&
        strncmp(environ[i], "GNUPLOT_", 8))
      copy[kept++] = environ[i];
  return copy;
}

static int spawn(FILE *script, int picture, FILE *complaints, pid_t *child) {
  /* -d: neither the system's nor the user's start-up files change a figure. */
  char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) ||
      posix_spawn_file_actions_adddup2(&actions, fileno(script), 0) ||
      posix_spawn_file_actions_adddup2(&actions, picture, 1) ||
      posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2))
    memory_exhausted();
  char **variables = environment();
  int code = posix_spawnp(child, argv[0], &actions, NULL, argv, variables);
  posix_spawn_file_actions_destroy(&actions);
  free(variables);
  return code;
}

/* Copied by us, since gnuplot does not notice a full disk.  Returns the bytes
 * copied, or -1 with errno. */
static long copy(int from, FILE *picture) {
  char block[1 << 12];
  long copied = 0;
  ssize_t got;
  while ((got = read(from, block, sizeof block)) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (fwrite(block, 1, (size_t)got, picture) != (size_t)got) return -1;
    copied += got;
  }
  return fflush(picture) ? -1 : copied;
}

static int refuse(int status, FILE *complaints, char why[GNUPLOT_WHY_SIZE]) {
  first_words(complaints, why);
  if (WIFSIGNALED(status))
    snprintf(why, GNUPLOT_WHY_SIZE, "it was killed by signal %d (%s)",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (!*why && status)
    snprintf(why, GNUPLOT_WHY_SIZE, "it exited with status %d",
             WEXITSTATUS(status));
  else if (!*why)
    snprintf(why, GNUPLOT_WHY_SIZE, "it drew nothing");
  errno = EPROTO;
  return -1;
}

/* The pipe's reading end is closed before waiting, so that a gnuplot whose
 * picture cannot be written ends as well. */
static int converse(FILE *script, FILE *picture, FILE *complaints,
                    char why[GNUPLOT_WHY_SIZE]) {
  pid_t child;
  int status = 0, ends[2];
  if (pipe2(ends, O_CLOEXEC)) return -1;
  int code = spawn(script, ends[1], complaints, &child);
  close(ends[1]);
  if (code) {
    close(ends[0]);
    snprintf(why, GNUPLOT_WHY_SIZE, "gnuplot cannot be started");
    errno = code;
    return -1;
  }
  long copied = copy(ends[0], picture);
  code = errno;
  close(ends[0]);
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  if (copied < 0) {
    errno = code;
    return -1;
  }
  return status || !copied ? refuse(status, complaints, why) : 0;
}

int gnuplot_run(FILE *script, FILE *picture, char why[GNUPLOT_WHY_SIZE]) {
  *why = '\0';
  if (fflush(script) || lseek(fileno(script), 0, SEEK_SET) < 0) return -1;
  FILE *complaints = gnuplot_memory();
  if (!complaints) return -1;
  int failed = converse(script, picture, complaints, why);
  int code = errno;
  fclose(complaints);
  errno = code;
  return failed;
}
