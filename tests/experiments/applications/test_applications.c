/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of applications, on captured and made processes: each *.case of
 * this folder says what must be found of it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "experiments/applications/applications.h"
#include "experiments/applications/seen_process.h"
#include "huge_pages/kernel_files.h"
#include "tests/experiments/applications/application_case.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const char cases[] =
    VAT_TEST_SOURCE "/tests/experiments/applications/cases/";

typedef void (*check_case)(const char *name, char *text);

/* How many there are. */
static unsigned each_case(check_case check) {
  struct dirent *entry;
  char path[600];
  unsigned count = 0;
  DIR *folder = opendir(cases);
  while (folder && (entry = readdir(folder))) {
    if (!strstr(entry->d_name, ".case")) continue;
    snprintf(path, sizeof path, "%s%.255s", cases, entry->d_name);
    char *text = scratch_read(path, NULL);
    if (!text) abort();
    check(entry->d_name, text);
    free(text);
    count++;
  }
  if (folder) closedir(folder);
  return count;
}

static void check_found(const char *name, const char *how, const char *expected,
                        const struct application_seen *seen) {
  char *found = case_found(seen);
  if (strcmp(found, expected))
    printf("\n%s, %s: expected\n%sfound\n%s", name, how, expected, found);
  CU_ASSERT(!strcmp(found, expected));
  free(found);
}

static void check_in_memory(const char *name, char *text) {
  struct application_case *it = malloc(sizeof *it);
  case_parse(it, text);
  CU_ASSERT(*it->expect || strstr(name, "nothing"));
  check_found(name, "in memory", it->expect, &it->seen);
  free(it);
}

static void test_each_case(void) {
  CU_ASSERT(each_case(check_in_memory) >= 30);
}

static void write_list(struct scratch *scratch, const char *name,
                       const struct case_list *list, char end) {
  FILE *file = fopen(scratch_path(scratch, name), "w");
  for (size_t i = 0; i < list->count; i++)
    fprintf(file, "%s%c", list->item[i], end);
  fclose(file);
}

/* Folders of a path below the scratch folder, and the path. */
static const char *make_folders(struct scratch *scratch, const char *path) {
  char name[240];
  snprintf(name, sizeof name, "root%s", path);
  for (char *slash = name; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(scratch_path(scratch, name), 0700);
    *slash = '/';
  }
  return scratch_path(scratch, name);
}

static void write_process(struct scratch *scratch,
                          const struct application_case *it) {
  write_list(scratch, "cmdline", &it->cmdline, '\0');
  write_list(scratch, "environ", &it->environ, '\0');
  write_list(scratch, "maps", &it->maps, '\n');
  mkdir(scratch_path(scratch, "root"), 0700);
  if (*it->exe && symlink(it->exe, scratch_path(scratch, "exe"))) abort();
  if (*it->cwd && symlink(it->cwd, scratch_path(scratch, "cwd"))) abort();
  for (size_t i = 0; i < it->files; i++) {
    FILE *file = fopen(make_folders(scratch, it->file[i].path), "w");
    fputs(it->file[i].text, file);
    fclose(file);
  }
  for (size_t i = 0; i < it->links; i++)
    if (symlink(it->link[i].text, make_folders(scratch, it->link[i].path)))
      abort();
  mkdir(scratch_path(scratch, "proc"), 0700);
  static const char meminfo[] = "Hugepagesize:       2048 kB\n";
  scratch_write(scratch, "proc/meminfo", meminfo, sizeof meminfo - 1);
}

static void check_process(const char *name, char *text) {
  struct scratch scratch;
  struct application_case *it = malloc(sizeof *it);
  case_parse(it, text);
  if (!it->functions.count) {
    scratch_init(&scratch);
    write_process(&scratch, it);
    hp_kernel_set_root(scratch.dir);
    struct seen_process *process = seen_process_create(scratch.dir);
    hp_kernel_set_root(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(process);
    check_found(name, "as a process", it->expect, seen_process_seen(process));
    seen_process_destroy(process);
    scratch_fini(&scratch);
  }
  free(it);
}

/* Files of another root are read only with openat2(2). */
static bool has_openat2(void) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC};
  int fd = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void test_each_process(void) {
  if (!has_openat2())
    printf("SKIPPED captured processes: openat2: %s\n", strerror(errno));
  else
    each_case(check_process);
}

static bool is_printable(const char *text, size_t size) {
  size_t length = strnlen(text, size);
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return false;
  return length < size;
}

static void check_texts(const struct application_seen *seen) {
  for (const struct application *const *a = applications; *a; a++) {
    char version[APPLICATION_VERSION];
    struct application_settings settings;
    if (!(*a)->recognises(seen)) continue;
    if (!(*a)->version(seen, version))
      CU_ASSERT(*version && is_printable(version, sizeof version));
    applications_settings(*a, seen, &settings);
    CU_ASSERT(settings.count && settings.count <= APPLICATION_SETTINGS);
    for (size_t i = 0; i < settings.count; i++) {
      const struct application_setting *it = &settings.at[i];
      CU_ASSERT(!*it->value != !*it->why);
      CU_ASSERT(is_printable(it->value, sizeof it->value));
      CU_ASSERT(is_printable(it->from, sizeof it->from));
      CU_ASSERT(is_printable(it->why, sizeof it->why));
      CU_ASSERT(is_printable(it->advice, sizeof it->advice));
      CU_ASSERT(is_printable(it->needs, sizeof it->needs));
      CU_ASSERT(!it->large || !*it->advice);
    }
  }
}

static unsigned long random_state = 20261127;

static size_t draw(size_t below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return below ? (random_state >> 33) % below : 0;
}

/* Change, cut out or repeat a few bytes. */
static void damage(char *text) {
  size_t length = strlen(text);
  for (size_t n = 1 + draw(8); n && length > 16; n--) {
    size_t at = draw(length - 8), cut = 1 + draw(7);
    switch (draw(4)) {
      case 0:
        text[at] = (char)(1 + draw(255));
        break;
      case 1:
        memmove(text + at, text + at + cut, length - at - cut + 1);
        length -= cut;
        break;
      case 2:
        memmove(text + at, text + draw(length - 8), cut);
        break;
      default:
        text[at] = "@\n='\"#= "[draw(8)];
    }
  }
}

static void check_damaged(const char *name, char *text) {
  (void)name;
  struct application_case *it = malloc(sizeof *it);
  for (int i = 0; i < (check_is_brief() ? 20 : 200); i++) {
    char *copy = strdup(text);
    damage(copy);
    case_parse(it, copy);
    check_texts(&it->seen);
    free(copy);
  }
  free(it);
}

static void test_damaged_input(void) { each_case(check_damaged); }

/* 4 KiB in one word, in a value, in a name. */
static void test_long_words(void) {
  char *text = malloc(64 << 10), *word = malloc(8 << 10);
  memset(word, '7', 8191);
  word[8191] = '\0';
  struct application_case *it = malloc(sizeof *it);
  static const char *const exes[] = {"postgres", "mysqld", "redis-server",
                                     "node", "java"};
  for (size_t i = 0; i < sizeof exes / sizeof *exes; i++) {
    snprintf(text, 64 << 10,
             "@exe /usr/bin/%s\n@cwd /%s\n@cmdline\n%s\n%s\n-D%s\n-c\n"
             "huge_pages=%s\n--large-pages=%s\n--use-largepages=%s\n"
             "@environ\nNODE_OPTIONS=%s\nA=%s\n@maps\n"
             "1-2 r-xp 0 0:0 1 /x/libjvm.so\n",
             exes[i], word, exes[i], word, word, word, word, word, word, word);
    case_parse(it, text);
    check_texts(&it->seen);
  }
  free(it);
  free(word);
  free(text);
}

/* A file that includes itself, and two that include each other. */
static void test_circles(void) {
  char text[] =
      "@exe /usr/bin/postgres\n@cmdline\n/usr/bin/postgres\n-D\n/d\n"
      "@file /d/postgresql.conf\ninclude 'postgresql.conf'\ninclude_dir '/d'\n"
      "include 'b.conf'\nhuge_pages = on\n"
      "@file /d/b.conf\ninclude 'postgresql.conf'\nhuge_pages = off\n@end\n";
  struct application_case *it = malloc(sizeof *it);
  struct application_settings settings;
  case_parse(it, text);
  applications_settings(&application_postgresql, &it->seen, &settings);
  CU_ASSERT_STRING_EQUAL(settings.at[0].value, "on");
  free(it);
}

/* The words that tell static allocators apart are in no file of vat. */
static void test_vat_itself(void) {
  struct seen_process *process = seen_process_create("/proc/self");
  CU_ASSERT_PTR_NOT_NULL_FATAL(process);
  struct application_seen seen = *seen_process_seen(process);
  static const char *const none[] = {"/nowhere"};
  seen.objects = none;
  seen.object_count = 1;
  const struct application *found[APPLICATIONS_FOUND];
  static const char *const programs[] = {VAT_TEST_BUILD "/experiments/vat",
                                         VAT_TEST_BUILD
                                         "/tests/test_experiments"};
  for (size_t i = 0; i < 2; i++) {
    seen.exe = programs[i];
    CU_ASSERT_EQUAL(applications_of(&seen, found), 0);
  }
  seen_process_destroy(process);
}

static const struct check_test tests[] = {
    {"each captured program, from memory", test_each_case},
    {"each captured program, from files of a process", test_each_process},
    {"damaged input: all texts are bounded and printable", test_damaged_input},
    {"long words", test_long_words},
    {"files that include each other", test_circles},
    {"vat itself has no allocator's words", test_vat_itself},
    {NULL, NULL}};

const struct check_suite suite_applications = {"applications", tests, NULL};
