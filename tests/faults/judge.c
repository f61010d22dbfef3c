/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/faults/judge.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/results/results.h"
#include "tests/faults/tree.h"

/* Of what is called a time in JSON: not of this run. */
static bool is_odd(const char *key, const json_t *value) {
  size_t length = strlen(key);
  double time = json_number_value(value);
  bool seconds = length > 2 && !strcmp(key + length - 2, "_s");
  bool ns = !strcmp(key, "ns");
  return (seconds && (time < 0 || time > SUPERVISE_S)) ||
         (ns && (time < 0 || time > SUPERVISE_S * 1e9));
}

static bool has_odd_times(json_t *value) {
  const char *key;
  json_t *member;
  size_t index;
  bool odd = false;
  if (json_is_array(value)) {
    json_array_foreach(value, index, member) odd |= has_odd_times(member);
    return odd;
  }
  json_object_foreach(value, key, member) odd |=
      is_odd(key, member) || has_odd_times(member);
  return odd;
}

/* In lines of JSON. */
static bool lines_have_odd_times(const char *text) {
  bool odd = false;
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
    json_t *line = json_loadb(text, strcspn(text, "\n"), 0, NULL);
    odd |= line && has_odd_times(line);
    json_decref(line);
  }
  return odd;
}

static void read_results(struct traces *traces, const char *path) {
  struct results results;
  if (results_read(&results, path, traces->reason)) {
    if (errno != ENOENT) traces->unreadable = traces->reason;
  } else if (results.cut) {
    traces->unreadable = "it ends in half a line";
  }
  traces->samples = results.count;
  if (errno != ENOENT) results_fini(&results);
}

void traces_read(struct traces *traces, const struct faulty_command *command,
                 const char *directory) {
  char path[PATH_MAX];
  *traces = (struct traces){.out = tree_read(directory, "out"),
                            .err = tree_read(directory, "err")};
  snprintf(path, sizeof path, "%s/cwd", directory);
  traces->files = tree_list(path);
  snprintf(path, sizeof path, "%s/tmp", directory);
  traces->other = tree_list(path);
  snprintf(path, sizeof path, "%s/cache", directory);
  traces->cache = tree_list(path);
  if (!traces->files || !traces->other || !traces->cache) abort();
  traces->odd_times = lines_have_odd_times(traces->out);
  if (!command->results) return;
  snprintf(path, sizeof path, "%s/cwd/%s", directory, command->results);
  read_results(traces, path);
  char *text = tree_read("", path);
  traces->odd_times |= lines_have_odd_times(text);
  free(text);
}

void traces_fini(struct traces *traces) {
  free(traces->out);
  free(traces->err);
  free(traces->files);
  free(traces->other);
  free(traces->cache);
}

/* Whether `text` has a line that begins with the first `length` bytes. */
static bool has_line(const char *text, const char *line, size_t length) {
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
    if (!strncmp(text, line, length)) return true;
  return false;
}

/* Lines of errors, other than what the clean run says, too; -1: one that vat
 * cannot have written. */
static int count_errors(const char *err, const char *clean) {
  /* Of a program that vat starts under a limit. */
  static const char loader[] = ": error while loading shared libraries: ";
  int errors = 0;
  size_t length;
  for (const char *line = err; *line; line += length + 1) {
    length = strcspn(line, "\n");
    if (!line[length]) return -1; /* half a line */
    if (has_line(clean, line, length + 1)) continue;
    /* It tells what vat then does without it. */
    if (!strncmp(line, "libhugetlbfs: ", 14)) continue;
    if (memmem(line, length, loader, strlen(loader))) continue;
    if (strncmp(line, "vat: ", 5)) return -1;
    errors +=
        strncmp(line, "vat: note: ", 11) && strncmp(line, "vat: results: ", 14);
  }
  return errors;
}

static bool says_more(const char *err, const char *clean) {
  size_t length;
  for (const char *line = err; *line; line += length + (line[length] != 0)) {
    length = strcspn(line, "\n");
    if (!has_line(clean, line, length)) return true;
  }
  return false;
}

/* Is each file of `files` one of `clean`, too?  `whole`: with the same bytes,
 * but for `but` */
static bool all_known(const char *files, const char *clean, bool whole,
                      const char *but) {
  size_t length;
  for (const char *line = files; *line; line += length + 1) {
    length = strcspn(line, "\n");
    size_t name = length;
    while (name && line[name - 1] != ' ') name--;
    bool other =
        but && !strncmp(line, but, strlen(but)) && name == strlen(but) + 1;
    if (!has_line(clean, line, whole && !other ? length + 1 : name))
      return false;
  }
  return true;
}

const char *judge_cache(const char *files) {
  static const char ending[] = ".json";
  for (const char *line = files; *line; line += strcspn(line, "\n") + 1) {
    size_t name = strcspn(line, " ");
    if (line[name + 1] != '-' &&
        (name < strlen(ending) ||
         strncmp(line + name - strlen(ending), ending, strlen(ending))))
      return "a temporary file was left in the cache";
  }
  return NULL;
}

static const char *judge_success(const struct faulty_command *command,
                                 const struct traces *clean,
                                 const struct traces *run) {
  if (run->odd_times) return "exit 0, and times that cannot be";
  if (says_more(run->err, clean->err)) return NULL;
  if (command->results && run->samples != clean->samples)
    return "exit 0, nothing said, and samples are missing";
  if (!all_known(clean->files, run->files, false, NULL))
    return "exit 0, nothing said, and a file is missing";
  if (command->flags & FAULTY_MEASURED)
    return *run->out || !*clean->out ? NULL
                                     : "exit 0, nothing said, and no output";
  if (strcmp(run->out, clean->out))
    return "exit 0, nothing said, and another output";
  if (strcmp(run->files, clean->files))
    return "exit 0, nothing said, and other files";
  return NULL;
}

const char *judge(const struct faulty_command *command,
                  const struct traces *clean, const struct traces *run,
                  const struct outcome *outcome,
                  const struct fault_page *page) {
  if (outcome->hung) return "it hung";
  if (!WIFEXITED(outcome->status) && !page->fragile)
    return "it was killed by a signal";
  int code = WEXITSTATUS(outcome->status);
  if (WIFEXITED(outcome->status) && code > 3)
    return "its exit code is none of the contract";
  if (outcome->orphans) return "a process was left";
  if (*run->other) return "a temporary file was left";
  if (judge_cache(run->cache)) return judge_cache(run->cache);
  bool said = !code && says_more(run->err, clean->err);
  if (!all_known(run->files, clean->files,
                 !said && !(command->flags & FAULTY_MEASURED),
                 command->results))
    return "a file was left that it never makes, or a part of one";
  if (run->unreadable) return run->unreadable;
  if (page->fragile) return NULL;
  int errors = count_errors(run->err, clean->err);
  bool memory = page->kind == FAULT_MALLOC || page->kind == FAULT_MMAP ||
                page->kind == FAULT_FORK;
  if (code && code != 3 && memory)
    return "what the machine does not have is exit 3";
  bool mute = page->kind == FAULT_WRITE && page->fd == STDERR_FILENO;
  if (errors < 0 && !mute) return "standard error has what is not vat's";
  if (code && errors != 1 && !mute) return "an error is not told in one line";
  return code || mute ? NULL : judge_success(command, clean, run);
}

const char *settings_read(void) {
  static char text[SETTINGS_SIZE];
  glob_t paths = {0};
  size_t used = 0;
  glob("/sys/kernel/mm/hugepages/*/nr_hugepages", 0, NULL, &paths);
  glob("/sys/kernel/mm/hugepages/*/nr_overcommit_hugepages", GLOB_APPEND, NULL,
       &paths);
  glob("/sys/kernel/mm/transparent_hugepage/[des]*", GLOB_APPEND, NULL, &paths);
  for (size_t i = 0; i < paths.gl_pathc; i++) {
    char *value = tree_read("", paths.gl_pathv[i]);
    int length = snprintf(text + used, sizeof text - used, "%s=%s\n",
                          paths.gl_pathv[i], value);
    used += (size_t)length < sizeof text - used ? (size_t)length : 0;
    free(value);
  }
  globfree(&paths);
  return text;
}

bool settings_are(const char *before) {
  for (int tries = 0; tries < 100; tries++) {
    if (!strcmp(settings_read(), before)) return true;
    usleep(50000);
  }
  return false;
}
