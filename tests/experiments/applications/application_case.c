/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/applications/application_case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/applications.h"

/* Names of a folder are wanted in their order. */
static int compare_files(const void *a, const void *b) {
  const struct case_file *left = a, *right = b;
  return strcmp(left->path, right->path);
}

static const char *find(const struct case_file *file, size_t count,
                        const char *path) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(file[i].path, path)) return file[i].text;
  errno = ENOENT;
  return NULL;
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

static char *read_file(void *context, const char *path) {
  const struct application_case *it = context;
  return copy(find(it->file, it->files, path));
}

static char *read_link(void *context, const char *path) {
  const struct application_case *it = context;
  return copy(find(it->link, it->links, path));
}

static char *read_names(void *context, const char *path) {
  const struct application_case *it = context;
  char *text = NULL;
  size_t length, folder = strlen(path);
  FILE *stream = open_memstream(&text, &length);
  for (size_t i = 0; i < it->files; i++) {
    const char *name = it->file[i].path;
    if (!strncmp(name, path, folder) && name[folder] == '/' &&
        !strchr(name + folder + 1, '/'))
      fprintf(stream, "%s\n", name + folder + 1);
  }
  fclose(stream);
  return text;
}

static bool find_word(void *context, const char *path, uint64_t limit,
                      const struct seen_word *word,
                      unsigned char after[SEEN_AFTER]) {
  const struct application_case *it = context;
  const char *text = find(it->file, it->files, path);
  size_t length = word->length[0] + word->length[1];
  size_t count = text ? strlen(text) : 0;
  char whole[SEEN_WORD_SIZE];
  memcpy(whole, word->part[0], word->length[0]);
  memcpy(whole + word->length[0], word->part[1], word->length[1]);
  if (count > limit) count = (size_t)limit;
  for (size_t i = 0; i + length <= count; i++)
    if (!memcmp(text + i, whole, length)) {
      memset(after, 0, SEEN_AFTER);
      size_t rest = strlen(text + i + length);
      memcpy(after, text + i + length, rest < SEEN_AFTER ? rest : SEEN_AFTER);
      return true;
    }
  return false;
}

static const struct seen_files in_memory = {.read = read_file,
                                            .names = read_names,
                                            .link = read_link,
                                            .find = find_word};

static void add(struct case_list *list, const char *item) {
  if (list->count < CASE_ITEMS) list->item[list->count++] = item;
}

/* The word after "@key ", cut there; "": none. */
static char *next_word(char **line) {
  char *word = strsep(line, " ");
  return word ? word : "";
}

/* A line that begins a part: the list that its lines belong to, if any. */
static struct case_list *begin(struct application_case *it, char *line,
                               char *rest) {
  const char *key = next_word(&line);
  if (!strcmp(key, "@exe")) it->exe = line ? line : "";
  if (!strcmp(key, "@cwd")) it->cwd = line ? line : "";
  if (!strcmp(key, "@expect")) it->expect = rest ? rest : "";
  if (!strcmp(key, "@link") && it->links < CASE_FILES) {
    const char *path = next_word(&line);
    it->link[it->links++] = (struct case_file){path, line ? line : ""};
  }
  if (!strcmp(key, "@file") && it->files < CASE_FILES)
    it->file[it->files++] =
        (struct case_file){line ? line : "", rest ? rest : ""};
  return !strcmp(key, "@cmdline")     ? &it->cmdline
         : !strcmp(key, "@environ")   ? &it->environ
         : !strcmp(key, "@maps")      ? &it->maps
         : !strcmp(key, "@functions") ? &it->functions
                                      : NULL;
}

/* As seen_process.c reads them: for the cases of processes they are compared.
 */
static void fill(struct application_case *it) {
  struct application_seen *seen = &it->seen;
  for (size_t i = 0; i < it->maps.count; i++) {
    const char *path = strchr(it->maps.item[i], '/');
    if (!path) continue;
    bool huge = !strncmp(path, "/anon_hugepage", 14);
    if (!huge && strncmp(path, "/dev/zero", 9)) {
      add(&it->objects, path);
      continue;
    }
    unsigned long long from = 0, to = 0;
    if (sscanf(it->maps.item[i], "%llx-%llx", &from, &to) == 2 && to > from)
      seen->shared_bytes = to - from;
    seen->shared_huge = huge;
  }
  *seen = (struct application_seen){.exe = it->exe,
                                    .cwd = it->cwd,
                                    .argv = it->cmdline.item,
                                    .argc = it->cmdline.count,
                                    .env = it->environ.item,
                                    .envs = it->environ.count,
                                    .objects = it->objects.item,
                                    .object_count = it->objects.count,
                                    .functions = it->functions.item,
                                    .function_count = it->functions.count,
                                    .shared_bytes = seen->shared_bytes,
                                    .shared_huge = seen->shared_huge,
                                    .huge_page_bytes = 2 << 20,
                                    .files = &in_memory,
                                    .context = it};
  if (!it->environ.count)
    seen->env_why = "its environment is empty, or it wrote over it";
  for (size_t i = 0; i < it->environ.count; i++)
    if (!strchr(it->environ.item[i], '='))
      seen->env_why = "it wrote a title over its environment";
  if (seen->env_why) seen->envs = 0;
}

void case_parse(struct application_case *it, char *text) {
  struct case_list *list = NULL;
  memset(it, 0, sizeof *it);
  it->exe = it->cwd = it->expect = "";
  bool in_file = false;
  for (char *rest = text, *line; rest && !*it->expect;) {
    char *at = rest;
    if (*at != '@' && in_file) { /* the file's text stays whole */
      rest = strstr(at, "\n@");
      if (rest) *rest++ = '\0';
      continue;
    }
    line = strsep(&rest, "\n");
    if (*line == '@') {
      in_file = !strncmp(line, "@file ", 6);
      list = begin(it, line, rest);
      if (in_file && rest && *rest == '@') in_file = false;
    } else if (*line && list) {
      add(list, line + (*line == '\\'));
    }
  }
  qsort(it->file, it->files, sizeof *it->file, compare_files);
  fill(it);
}

static void print_setting(FILE *to, const struct application_setting *it) {
  fprintf(to, "%s = %s (%s)%s%s\n", it->name, *it->value ? it->value : "?",
          *it->value ? it->from : it->why, it->large ? " LARGE" : "",
          it->refuses ? " REFUSES" : "");
  if (*it->advice) fprintf(to, "  do: %s\n", it->advice);
  if (*it->needs) fprintf(to, "  needs: %s\n", it->needs);
}

char *case_found(const struct application_seen *seen) {
  const struct application *found[APPLICATIONS_FOUND];
  size_t count = applications_of(seen, found), length;
  char *text = NULL;
  FILE *to = open_memstream(&text, &length);
  for (size_t i = 0; i < count; i++) {
    char version[APPLICATION_VERSION];
    struct application_settings settings;
    const char *why = found[i]->version(seen, version);
    fprintf(to, "* %s %s\n", found[i]->name, why ? "?" : version);
    applications_settings(found[i], seen, &settings);
    for (size_t j = 0; j < settings.count; j++)
      print_setting(to, &settings.at[j]);
  }
  fclose(to);
  return text;
}
