/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a command, and the inputs that commands have. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/faults.h"
#include "tests/faults/tree.h"

_Noreturn void die(const char *what) {
  fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
  exit(99);
}

struct fault_page *faults_page(int *fd) {
  *fd = memfd_create("faults", MFD_CLOEXEC);
  if (*fd < 0 || ftruncate(*fd, sizeof(struct fault_page))) die("memfd");
  void *page = mmap(NULL, sizeof(struct fault_page), PROT_READ | PROT_WRITE,
                    MAP_SHARED, *fd, 0);
  if (page == MAP_FAILED) die("mmap");
  return page;
}

static void make_directory(const char *path, const char *name) {
  char whole[2 * PATH_MAX];
  snprintf(whole, sizeof whole, "%s/%s", path, name);
  if (mkdir(whole, 0777)) die(whole);
}

static void begin_directory(const char *path) {
  tree_remove(path);
  if (mkdir(path, 0777)) die(path);
  make_directory(path, "cwd");
  make_directory(path, "tmp");
  make_directory(path, "cache");
}

static void copy(const char *from, const char *to) {
  char block[4096];
  FILE *in = fopen(from, "r"), *out = fopen(to, "w");
  if (!in) die(from);
  if (!out) die(to);
  for (size_t got; (got = fread(block, 1, sizeof block, in));)
    fwrite(block, 1, got, out);
  fclose(in);
  if (fclose(out)) die(to);
}

enum { WORDS_MAX = 32 };

/* "vat", and the words, in `line`, those with @ as files among the inputs. */
static void split(const struct faults *all, const char *words,
                  char line[2 * PATH_MAX], char *argv[WORDS_MAX]) {
  size_t count = 0, used = 0;
  argv[count++] = (char *)"vat";
  while (*words) {
    size_t length = strcspn(words, " ");
    argv[count++] = line + used;
    used += (size_t)snprintf(
                line + used, 2 * PATH_MAX - used, "%s%s%.*s",
                *words == '@' ? all->inputs : "", *words == '@' ? "/" : "",
                (int)length - (*words == '@'), words + (*words == '@')) +
            1;
    words += length + (words[length] == ' ');
  }
  argv[count] = NULL;
}

/* Run it in `directory`, made anew, and read what it left. */
void faults_run(const struct faults *all, const struct faulty_command *command,
                const char *directory, struct fault_page *page, int page_fd,
                struct outcome *outcome, struct traces *traces) {
  char warm[PATH_MAX + 8], line[2 * PATH_MAX], from[2 * PATH_MAX],
      to[2 * PATH_MAX];
  char *argv[WORDS_MAX];
  struct supervised how = {.vat = all->options.vat,
                           .inject = all->options.inject,
                           .directory = directory,
                           .page = page,
                           .page_fd = page_fd};
  begin_directory(directory);
  snprintf(warm, sizeof warm, "%s/warm", all->base);
  how.pmu = command->flags & FAULTY_PMU;
  if (command->flags & FAULTY_WARM) how.cache = warm;
  if (command->given) {
    snprintf(from, sizeof from, "%s/%s", all->inputs, command->given);
    snprintf(to, sizeof to, "%s/cwd/%s", directory, command->results);
    copy(from, to);
  }
  split(all, command->words, line, argv);
  if (supervise(&how, argv, outcome)) die("fork");
  traces_read(traces, command, directory);
}

/* The first lines of the results, as a run that was killed leaves them. */
static void cut_results(const struct faults *all) {
  char *text = tree_read(all->inputs, "results.jsonl"), *end = text;
  char path[2 * PATH_MAX];
  for (int i = 0; i < 4 && *end; i++) end += strcspn(end, "\n") + 1;
  snprintf(path, sizeof path, "%s/part.jsonl", all->inputs);
  FILE *file = fopen(path, "w");
  if (!file || !fwrite(text, (size_t)(end - text), 1, file) || fclose(file))
    die(path);
  free(text);
}

static void make_keys(const struct faults *all) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/keys.txt", all->inputs);
  FILE *file = fopen(path, "w");
  for (unsigned i = 0; file && i < 1000; i++)
    fprintf(file, "%u\n", i * 7919 % 1000);
  if (!file || fclose(file)) die(path);
}

void faults_make_inputs(struct faults *all, struct fault_page *page, int fd) {
  static const char *const taken[] = {
      "validate_machine.json", "validate_results.jsonl", "what_if_profile.json",
      "what_if_compare.json", NULL};
  char directory[PATH_MAX + 8], from[2 * PATH_MAX], to[2 * PATH_MAX];
  struct outcome outcome;
  struct traces traces;
  snprintf(all->inputs, sizeof all->inputs, "%s/inputs", all->base);
  if (mkdir(all->inputs, 0777)) die(all->inputs);
  for (int i = 0; taken[i]; i++) {
    snprintf(from, sizeof from, "%s/%s", all->options.data, taken[i]);
    snprintf(to, sizeof to, "%s/%s", all->inputs, taken[i]);
    copy(from, to);
  }
  make_keys(all);
  snprintf(directory, sizeof directory, "%s/input", all->base);
  for (const struct faulty_command *c = faulty_inputs; c->name; c++) {
    faults_run(all, c, directory, page, fd, &outcome, &traces);
    if (outcome.status) {
      fprintf(stderr, "faults: vat %s: %s", c->words, traces.err);
      exit(99);
    }
    snprintf(from, sizeof from, "%s/cwd/%s", directory, c->results);
    snprintf(to, sizeof to, "%s/%s", all->inputs, c->results);
    copy(from, to);
    traces_fini(&traces);
  }
  cut_results(all);
}
