/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of applications, on programs that this machine has. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "experiments/applications/seen_process.h"
#include "tests/experiments/applications/application_case.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

/* Start a program with its output dropped; with `uid` not 0, as that user. */
static pid_t start(const char *const words[], const char *variable, uid_t uid) {
  pid_t pid = fork();
  if (pid) return pid;
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  if (variable) putenv((char *)variable);
  if (uid && (setgid(uid) || setuid(uid))) _exit(126);
  execvp(words[0], (char *const *)words);
  _exit(127);
}

static void stop(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
}

/* What is found, once it has a line with `wanted`, or after 10 s; NULL: the
 * program ended before. */
static char *found_of(pid_t pid, const char *wanted) {
  char proc[32], *text = NULL;
  snprintf(proc, sizeof proc, "/proc/%d", (int)pid);
  for (int i = 0; i < 500; i++) {
    struct seen_process *process = seen_process_create(proc);
    free(text);
    text = process ? case_found(seen_process_seen(process)) : NULL;
    seen_process_destroy(process);
    if (text && strstr(text, wanted)) return text;
    if (waitpid(pid, NULL, WNOHANG) == pid) break;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  printf("\nfound instead of \"%s\":\n%s\n", wanted, text ? text : "nothing");
  free(text);
  return NULL;
}

/* Where it is along PATH; NULL, having said so: nowhere. */
static const char *have(const char *program, char path[600]) {
  char all[4096], *rest = all;
  snprintf(all, sizeof all, "%s", getenv("PATH") ? getenv("PATH") : "/usr/bin");
  for (char *folder; (folder = strsep(&rest, ":"));) {
    snprintf(path, 600, "%.500s/%.60s", folder, program);
    if (!access(path, X_OK)) return path;
  }
  printf("SKIPPED %s: it is not installed\n", program);
  return NULL;
}

static void check(const char *const words[], const char *variable,
                  const char *wanted) {
  char path[600];
  if (!have(words[0], path)) return;
  pid_t pid = start(words, variable, 0);
  char *text = found_of(pid, wanted);
  CU_ASSERT_PTR_NOT_NULL(text);
  free(text);
  stop(pid);
}

static void test_redis(void) {
  struct scratch scratch;
  char socket[300];
  scratch_init(&scratch);
  snprintf(socket, sizeof socket, "%s/s", scratch.dir);
  const char *const words[] = {"redis-server", "--port", "0", "--unixsocket",
                               socket,         "--save", "",  "--dir",
                               scratch.dir,    NULL};
  check(words, NULL, "* Redis or Valkey ?\ndisable-thp = ? (it wrote a title");
  scratch_fini(&scratch);
}

static void test_node(void) {
  const char *const words[] = {"node", "--use-largepages=silent", "-e",
                               "setTimeout(() => {}, 9000)", NULL};
  check(words, NULL, "--use-largepages = silent (the command line) LARGE");
}

static void test_java(void) {
  struct scratch scratch;
  scratch_init(&scratch);
  static const char source[] =
      "public class S { public static void main(String[] a) throws Exception "
      "{ Thread.sleep(9000); } }";
  const char *const words[] = {
      "java", "-Xmx64m", "-XX:-UseLargePages",
      scratch_write(&scratch, "S.java", source, sizeof source - 1), NULL};
  check(words, "JAVA_TOOL_OPTIONS=-XX:+UseTransparentHugePages",
        "UseTransparentHugePages = true (JAVA_TOOL_OPTIONS) LARGE\n"
        "UseLargePages = false (the command line)");
  scratch_fini(&scratch);
}

static void test_glibc(void) {
  const char *const words[] = {"sleep", "9", NULL};
  glob_t is;
  if (glob("/lib*/ld-linux*", 0, NULL, &is))
    printf("SKIPPED glibc: this is another C library\n");
  else
    check(words, "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", "* glibc");
  globfree(&is);
}

static void test_jemalloc(void) {
  static const char preload[] = "LD_PRELOAD=libjemalloc.so.2";
  const char *const words[] = {"sleep", "9", NULL};
  glob_t is;
  if (glob("/usr/lib/*/libjemalloc.so.2", 0, NULL, &is))
    printf("SKIPPED jemalloc: libjemalloc.so.2 is not installed\n");
  else
    check(words, preload, "* jemalloc ?\nthp = default (the default)");
  globfree(&is);
}

/* It refuses to run as root. */
static uid_t other_user(struct scratch *scratch) {
  const struct passwd *nobody = getpwnam("nobody");
  if (geteuid() || !nobody) return 0;
  if (chown(scratch->dir, nobody->pw_uid, nobody->pw_uid)) abort();
  return nobody->pw_uid;
}

static void check_postgres(struct scratch *scratch, const char *initdb) {
  char server[600], data[300];
  uid_t uid = other_user(scratch);
  snprintf(server, sizeof server, "%.*s/postgres",
           (int)(strrchr(initdb, '/') - initdb), initdb);
  snprintf(data, sizeof data, "%s/data", scratch->dir);
  const char *const init[] = {initdb, "-N", "-D", data, NULL};
  const char *const words[] = {server,
                               "-D",
                               data,
                               "-h",
                               "",
                               "-k",
                               scratch->dir,
                               "-c",
                               "shared_buffers=8MB",
                               "-c",
                               "huge_pages=off",
                               NULL};
  int status = -1;
  waitpid(start(init, NULL, uid), &status, 0);
  if (status) {
    printf("SKIPPED postgres: initdb failed\n");
    return;
  }
  pid_t pid = start(words, NULL, uid);
  char *text = found_of(pid, "huge_pages = off (the command line)");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_PTR_NULL(strstr(text, "PostgreSQL ?"));
  free(text);
  kill(pid, SIGINT); /* fast shutdown, which ends its processes, too */
  waitpid(pid, NULL, 0);
}

static void test_postgres(void) {
  struct scratch scratch;
  glob_t is;
  scratch_init(&scratch);
  if (check_is_brief())
    printf("SKIPPED postgres: VAT_CHECK=brief\n");
  else if (glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &is))
    printf("SKIPPED postgres: it is not installed\n");
  else
    check_postgres(&scratch, is.gl_pathv[0]);
  if (!check_is_brief()) globfree(&is);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"redis-server, which writes over its command line", test_redis},
    {"node", test_node},
    {"java", test_java},
    {"glibc's allocator", test_glibc},
    {"jemalloc, preloaded", test_jemalloc},
    {"postgres", test_postgres},
    {NULL, NULL}};

const struct check_suite suite_applications_live = {"applications that run",
                                                    tests, NULL};
