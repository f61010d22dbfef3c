/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse profiles on disk. */
#include <config.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/reuse/reuse.h"
#include "experiments/reuse/reuse_cache.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct scratch scratch;

static void begin(void) {
  scratch_init(&scratch);
  setenv("VAT_CACHE_DIR", scratch_path(&scratch, "cache"), 1);
}

static void end(void) {
  unsetenv("VAT_CACHE_DIR");
  scratch_fini(&scratch);
}

/* Files in the cache, of which the last one's path is in `path`. */
static unsigned entries(char path[512]) {
  char where[300];
  snprintf(where, sizeof where, "%s", getenv("VAT_CACHE_DIR"));
  unsigned count = 0;
  struct dirent *entry;
  DIR *stream = opendir(where);
  while (stream && (entry = readdir(stream))) {
    if (*entry->d_name == '.') continue;
    snprintf(path, 512, "%s/%.200s", where, entry->d_name);
    count++;
  }
  if (stream) closedir(stream);
  return count;
}

static json_t *key_of(int number) {
  return json_pack("{si ss}", "number", number, "text", "a/b \"c\" \xc3\xa4");
}

static bool is_kept(int number) {
  json_t *key = key_of(number), *value = reuse_cache_read("some-1", key);
  bool kept = json_integer_value(json_object_get(value, "is")) == number;
  json_decref(value);
  json_decref(key);
  return kept;
}

static void keep(int number) {
  json_t *key = key_of(number), *value = json_pack("{si}", "is", number);
  reuse_cache_write("some-1", key, value);
  json_decref(value);
  json_decref(key);
}

static void test_what_is_kept_is_read(void) {
  char path[512];
  begin();
  CU_ASSERT(!is_kept(1));
  for (int i = 1; i < 9; i++) keep(i);
  for (int i = 1; i < 9; i++) CU_ASSERT(is_kept(i));
  CU_ASSERT(!is_kept(9));
  CU_ASSERT_EQUAL(entries(path), 8);
  keep(3);
  CU_ASSERT_EQUAL(entries(path), 8);
  end();
}

/* What is kept under another key's name is not taken for it. */
static void test_an_entry_of_another_key_is_absent(void) {
  char first[512], text[2048] = "";
  begin();
  keep(1);
  entries(first);
  size_t length;
  char *bytes = scratch_read(first, &length);
  char *number = strstr(bytes, "\"number\": 1");
  if (!number) number = strstr(bytes, "\"number\":1");
  CU_ASSERT_FATAL(number != NULL && length < sizeof text);
  memcpy(text, bytes, length);
  strchr(text + (number - bytes), '1')[0] = '2';
  free(bytes);
  FILE *file = fopen(first, "w");
  fwrite(text, 1, length, file);
  fclose(file);
  CU_ASSERT(!is_kept(1));
  end();
}

/* Run in a process of its own, with what it prints in `said`. */
static int said_by(void (*child)(void), char said[4096]) {
  FILE *file = tmpfile();
  fflush(NULL);
  pid_t pid = fork();
  if (!pid) {
    dup2(fileno(file), STDERR_FILENO);
    child();
    _exit(0);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  rewind(file);
  said[fread(said, 1, 4095, file)] = '\0';
  fclose(file);
  return status;
}

static void read_none(void) {
  if (is_kept(1)) _exit(1);
}

static void test_no_kind_of_file_does_harm(void) {
  char path[512], said[4096];
  begin();
  keep(1);
  CU_ASSERT_EQUAL_FATAL(entries(path), 1);
  static const char *const texts[] = {
      "", "{", "[]", "null", "{\"key\":", "\xff", "{\"key\":{},\"value\":1}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    FILE *file = fopen(path, "w");
    fputs(texts[i], file);
    fclose(file);
    CU_ASSERT_EQUAL(said_by(read_none, said), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "is damaged"));
  }
  keep(1);
  CU_ASSERT(is_kept(1));
  unlink(path);
  CU_ASSERT_FATAL(!mkfifo(path, 0600)); /* nobody writes: no waiting */
  CU_ASSERT_EQUAL(said_by(read_none, said), 0);
  keep(1);
  CU_ASSERT(is_kept(1));
  FILE *file = fopen(path, "a"); /* what is too long is not even read */
  for (int i = 0; i < 1 << 14; i++) fprintf(file, "%1024s", "");
  fclose(file);
  CU_ASSERT_EQUAL(said_by(read_none, said), 0);
  unlink(path);
  CU_ASSERT_FATAL(!mkdir(path, 0700));
  CU_ASSERT_EQUAL(said_by(read_none, said), 0);
  end();
}

static void keep_two(void) {
  keep(1);
  keep(2);
  if (is_kept(1) || is_kept(2)) _exit(1);
}

static void keep_nowhere(void) {
  unsetenv("VAT_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  keep_two();
}

static void keep_in_no_home(void) {
  unsetenv("VAT_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", scratch_path(&scratch, "home"), 1);
  keep_two();
}

static void keep_below_a_file(void) {
  setenv("VAT_CACHE_DIR", "/dev/null/cache", 1);
  keep_two();
}

/* As a full disk: what has been begun cannot be finished. */
static void keep_too_much(void) {
  struct rlimit none = {10, 10};
  signal(SIGXFSZ, SIG_IGN);
  int fd = open("/dev/null", O_WRONLY); /* stderr is a file as well */
  int err = dup(STDERR_FILENO);
  dup2(fd, STDERR_FILENO);
  setrlimit(RLIMIT_FSIZE, &none);
  keep_two();
  dup2(err, STDERR_FILENO);
  char path[512];
  if (entries(path)) _exit(2); /* no part of it stays */
}

static void test_what_cannot_be_kept_is_said_once(void) {
  char said[4096];
  begin();
  static void (*const children[])(void) = {keep_nowhere, keep_in_no_home,
                                           keep_below_a_file};
  for (size_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(said_by(children[i], said), 0);
    CU_ASSERT(strstr(said, "cannot save") && strstr(said, "VAT_CACHE_DIR=DIR"));
    CU_ASSERT_PTR_EQUAL(strchr(said, '\n'), strrchr(said, '\n'));
  }
  CU_ASSERT(access(scratch_path(&scratch, "home"), F_OK)); /* is not made */
  CU_ASSERT_EQUAL(said_by(keep_too_much, said), 0);
  end();
}

static void test_the_directory_is_where_caches_are(void) {
  struct stat status;
  begin();
  unsetenv("VAT_CACHE_DIR");
  const char *old_home = getenv("HOME"), *old_xdg = getenv("XDG_CACHE_HOME");
  char *home = old_home ? strdup(old_home) : NULL;
  char *xdg = old_xdg ? strdup(old_xdg) : NULL;
  setenv("HOME", scratch.dir, 1);
  setenv("XDG_CACHE_HOME", "relative", 1); /* is to be ignored */
  keep(1);
  CU_ASSERT(is_kept(1));
  CU_ASSERT(!stat(scratch_path(&scratch, ".cache/vat"), &status));
  setenv("XDG_CACHE_HOME", scratch_path(&scratch, "xdg"), 1);
  CU_ASSERT(!is_kept(1));
  keep(1);
  CU_ASSERT(is_kept(1));
  CU_ASSERT(!stat(scratch_path(&scratch, "xdg/vat"), &status));
  if (home) setenv("HOME", home, 1);
  unsetenv("XDG_CACHE_HOME");
  if (xdg) setenv("XDG_CACHE_HOME", xdg, 1);
  free(home);
  free(xdg);
  end();
}

static void test_processes_do_not_disturb_each_other(void) {
  char path[512];
  begin();
  for (int child = 0; child < 4; child++) {
    if (fork()) continue;
    for (int i = 0; i < 300; i++) {
      keep(1);
      if (!is_kept(1)) _exit(1);
    }
    _exit(0);
  }
  for (int child = 0; child < 4; child++) {
    int status = -1;
    wait(&status);
    CU_ASSERT_EQUAL(status, 0);
  }
  CU_ASSERT_EQUAL(entries(path), 1);
  end();
}

#ifdef HAVE_STREAMS
static const struct reuse_params params = {.page_bits_count = 2,
                                           .page_bits = {12, 21},
                                           .tc_count = 2,
                                           .tcs = {{12, 4, 64}, {21, 3, 16}}};

static struct reuse_profile profile;

static void read_damaged(void) {
  struct stream stream = {
      .algo = cpu_algo_find("heapsort"), .n = 5000, .seed = 1};
  if (reuse_profile_get(&profile, &stream, &params, NULL)) _exit(1);
  if (profile.from_cache) _exit(2);
}

/* Still JSON and still a profile: one access of some more, or less. */
static void test_wrong_counts_are_not_believed(void) {
  char path[512], said[4096];
  struct stream stream = {
      .algo = cpu_algo_find("heapsort"), .n = 5000, .seed = 1};
  begin();
  CU_ASSERT_FATAL(!reuse_profile_get(&profile, &stream, &params, NULL));
  CU_ASSERT_EQUAL(entries(path), 1);
  json_t *entry = json_load_file(path, 0, NULL), *counts, *near;
  CU_ASSERT_FATAL(!json_unpack(entry, "{s:{s:{s:{s:o}}}}", "value", "lines",
                               "other", "count", &counts));
  near = json_array_get(counts, 0);
  json_real_set(near, json_real_value(near) + 1);
  CU_ASSERT_FATAL(!json_dump_file(entry, path, JSON_COMPACT));
  json_decref(entry);
  CU_ASSERT_EQUAL(said_by(read_damaged, said), 0);
  CU_ASSERT(strstr(said, "damaged") && strstr(said, path));
  CU_ASSERT_PTR_EQUAL(strchr(said, '\n'), strrchr(said, '\n'));
  CU_ASSERT_FATAL(!reuse_profile_get(&profile, &stream, &params, NULL));
  CU_ASSERT(profile.from_cache); /* the child's */
  end();
}

static void test_a_profile_is_simulated_once(void) {
  static struct reuse_profile second;
  char path[512], said[4096];
  struct stream stream = {
      .algo = cpu_algo_find("heapsort"), .n = 5000, .seed = 1};
  begin();
  CU_ASSERT_FATAL(!reuse_profile_get(&profile, &stream, &params, NULL));
  CU_ASSERT(!profile.from_cache);
  CU_ASSERT_EQUAL(entries(path), 1);
  CU_ASSERT_FATAL(!reuse_profile_get(&second, &stream, &params, NULL));
  CU_ASSERT(second.from_cache);
  profile.from_cache = true;
  CU_ASSERT(!memcmp(&profile, &second, sizeof second));
  CU_ASSERT_FATAL(!truncate(path, 1000));
  CU_ASSERT_EQUAL(said_by(read_damaged, said), 0);
  CU_ASSERT_FATAL(!reuse_profile_get(&second, &stream, &params, NULL));
  CU_ASSERT(second.from_cache);
  end();
}

/* Keys from a file have no name. */
static void test_given_data_are_not_kept(void) {
  static const uint64_t keys[] = {3, 1, 2};
  char path[512];
  struct algo_data given = {.count = 3, .items = keys};
  struct stream stream = {
      .algo = cpu_algo_find("heapsort"), .n = 3, .seed = 1, .given = &given};
  begin();
  CU_ASSERT_FATAL(!reuse_profile_get(&profile, &stream, &params, NULL));
  CU_ASSERT(profile.accesses > 0);
  CU_ASSERT_EQUAL(entries(path), 0);
  end();
}
#endif

static const struct check_test tests[] = {
    {"what is kept is read", test_what_is_kept_is_read},
    {"an entry of another key is absent",
     test_an_entry_of_another_key_is_absent},
    {"no kind of file does harm", test_no_kind_of_file_does_harm},
    {"what cannot be kept is said, once",
     test_what_cannot_be_kept_is_said_once},
    {"the directory is where caches are",
     test_the_directory_is_where_caches_are},
    {"processes do not disturb each other",
     test_processes_do_not_disturb_each_other},
#ifdef HAVE_STREAMS
    {"wrong counts are not believed", test_wrong_counts_are_not_believed},
    {"a profile is simulated once", test_a_profile_is_simulated_once},
    {"given data are not kept", test_given_data_are_not_kept},
#endif
    {NULL, NULL}};
const struct check_suite suite_reuse_cache = {"reuse cache", tests, NULL};
