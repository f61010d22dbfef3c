/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files below the root of another process, and what is looked for in them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "experiments/applications/application.h"
#include "experiments/applications/root_files.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const char *skip(void) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC};
  int fd = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how);
  if (fd < 0) return "openat2(2) is missing; it came with Linux 5.6";
  close(fd);
  return NULL;
}

static int begin(struct scratch *scratch) {
  scratch_init(scratch);
  mkdir(scratch_path(scratch, "root"), 0700);
  return open(scratch->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void end(struct scratch *scratch, int root) {
  close(root);
  scratch_fini(scratch);
}

static void test_links_stay_inside(void) {
  struct scratch scratch;
  int root = begin(&scratch);
  char outside[600];
  scratch_write(&scratch, "secret", "secret", 6);
  snprintf(outside, sizeof outside, "%s/secret", scratch.dir);
  static const char *const names[] = {"/up", "/absolute", "/deep"};
  const char *const to[] = {"../secret", outside, "/../../secret"};
  for (int i = 0; i < 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "root%s", names[i]);
    if (symlink(to[i], scratch_path(&scratch, name))) abort();
    CU_ASSERT_PTR_NULL(root_files.read(&root, names[i]));
  }
  CU_ASSERT_PTR_NULL(root_files.read(&root, "/../secret"));
  /* An absolute link is one of that root. */
  scratch_write(&scratch, "root/file", "inside", 6);
  if (symlink("/file", scratch_path(&scratch, "root/link"))) abort();
  char *text = root_files.read(&root, "/link");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_STRING_EQUAL(text, "inside");
  free(text);
  text = root_files.link(&root, "/link");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_STRING_EQUAL(text, "/file");
  free(text);
  CU_ASSERT_PTR_NULL(root_files.link(&root, "/file"));
  end(&scratch, root);
}

static void test_only_regular_files(void) {
  struct scratch scratch;
  int root = begin(&scratch);
  if (mkfifo(scratch_path(&scratch, "root/pipe"), 0600)) abort();
  CU_ASSERT_PTR_NULL(root_files.read(&root, "/pipe"));
  CU_ASSERT_PTR_NULL(root_files.read(&root, "/"));
  CU_ASSERT_PTR_NULL(root_files.read(&root, "/absent"));
  CU_ASSERT_PTR_NULL(root_files.names(&root, "/pipe"));
  char *names = root_files.names(&root, "/");
  CU_ASSERT_PTR_NOT_NULL_FATAL(names);
  CU_ASSERT_STRING_EQUAL(names, ".\n..\npipe\n");
  free(names);
  end(&scratch, root);
}

static void test_sizes(void) {
  struct scratch scratch;
  int root = begin(&scratch);
  char *bytes = calloc(1, SEEN_FILE + 1);
  memset(bytes, 'x', SEEN_FILE + 1);
  scratch_write(&scratch, "root/fits", bytes, SEEN_FILE);
  scratch_write(&scratch, "root/long", bytes, SEEN_FILE + 1);
  char *text = root_files.read(&root, "/fits");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_EQUAL(strlen(text), SEEN_FILE);
  free(text);
  CU_ASSERT_PTR_NULL(root_files.read(&root, "/long"));
  CU_ASSERT_EQUAL(errno, EFBIG);
  free(bytes);
  end(&scratch, root);
}

/* At each place around the ends of what is read at once, and by a search of
 * the whole in memory. */
static void test_words_are_found(void) {
  enum { SIZE = 600000 };
  static const struct seen_word word = SEEN_WORD("ab", "cd");
  static const struct seen_word aligned = SEEN_WORD_ALIGNED("ab", "cd", 16);
  static const size_t places[] = {0,      1,      262141, 262142, 262143,
                                  262144, 262145, 524287, 524288, SIZE - 4};
  struct scratch scratch;
  int root = begin(&scratch);
  unsigned char after[SEEN_AFTER];
  char *bytes = malloc(SIZE);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    memset(bytes, 'a', SIZE);
    memcpy(bytes + places[i], "abcdefgh", places[i] + 8 > SIZE ? 4 : 8);
    scratch_write(&scratch, "root/file", bytes, SIZE);
    CU_ASSERT(root_files.find(&root, "/file", SIZE, &word, after));
    CU_ASSERT_EQUAL(after[0], places[i] + 8 > SIZE ? 0 : 'e');
    CU_ASSERT_EQUAL(after[SEEN_AFTER - 1], places[i] + 8 > SIZE ? 0 : 'a');
    CU_ASSERT_EQUAL(root_files.find(&root, "/file", SIZE, &aligned, after),
                    places[i] % 16 == 0);
    CU_ASSERT(!root_files.find(&root, "/file", places[i] + 3, &word, after));
    CU_ASSERT(root_files.find(&root, "/file", places[i] + 4, &word, after));
  }
  CU_ASSERT(!root_files.find(&root, "/absent", SIZE, &word, after));
  free(bytes);
  end(&scratch, root);
}

/* A note, a copy of the word that is not aligned, and build information as
 * package debug/buildinfo describes it. */
static size_t make_go(char bytes[4096], char flags, const char *version) {
  memset(bytes, 0, 4096);
  memcpy(bytes, "\177ELF", 4);
  memcpy(bytes + 0x270, "\4\0\0\0\x53\0\0\0\4\0\0\0Go\0\0", 16);
  memcpy(bytes + 1001, "\xff Go buildinf:\x8\x2 not this", 25);
  memcpy(bytes + 2048, "\xff Go buildinf:\x8", 15);
  bytes[2048 + 15] = flags;
  bytes[2048 + 32] = (char)strlen(version);
  memcpy(bytes + 2048 + 33, version, strlen(version));
  return 4096;
}

static void test_go_versions(void) {
  static const struct {
    char flags;
    const char *version, *found, *why;
  } rows[] = {{2, "go1.24.3", "1.24.3", NULL},
              {2, "go1.21.5", "1.21.5", NULL},
              {2, "go1.23rc1 X:a", "1.23rc1 X:a", NULL},
              {0, "go1.24.3", NULL, "older"},
              {2, "gx1.24", NULL, "damaged"},
              {2, "", NULL, "damaged"},
              {2, "go1.24.3-0123456789012345678901234567", NULL, "damaged"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct scratch scratch;
    int root = begin(&scratch);
    char bytes[4096], version[APPLICATION_VERSION];
    size_t count = make_go(bytes, rows[i].flags, rows[i].version);
    scratch_write(&scratch, "root/prog", bytes, count);
    struct application_seen seen = {
        .exe = "/prog", .cwd = "/", .files = &root_files, .context = &root};
    CU_ASSERT(application_go.recognises(&seen));
    const char *why = application_go.version(&seen, version);
    CU_ASSERT_EQUAL(!why, !rows[i].why);
    if (why) CU_ASSERT_PTR_NOT_NULL(strstr(why, rows[i].why));
    if (!why && rows[i].found) CU_ASSERT_STRING_EQUAL(version, rows[i].found);
    struct application_settings settings = {.count = 0};
    application_go.settings(&seen, &settings);
    CU_ASSERT_EQUAL(!*settings.at[0].value,
                    rows[i].found && !strcmp(rows[i].found, "1.21.5"));
    end(&scratch, root);
  }
}

static const struct check_test tests[] = {
    {"links do not lead out of the root", test_links_stay_inside},
    {"only regular files are read", test_only_regular_files},
    {"a file of a MiB is read, a longer one is not", test_sizes},
    {"words are found wherever they lie", test_words_are_found},
    {"versions of Go", test_go_versions},
    {NULL, NULL}};

const struct check_suite suite_root_files = {"root files", tests, skip};
