/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounded TEST [ARGUMENT...]: run one test of `make check` so that it ends and
 * leaves nothing behind.
 *
 * The test gets a session of its own, signals at their defaults, an empty
 * standard input and an empty TMPDIR.  It fails after VAT_TEST_SECONDS (300 by
 * default), or if a process or a file in TMPDIR outlives it; then all of them
 * are removed.  Otherwise its exit status is the result.
 *
 * Processes are found as descendants: this one is their subreaper, so that
 * those whose parents have ended remain its own, whatever session they are in.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  SECONDS = 300,
  GRACE_SECONDS = 5, /* for what is about to end, or removes its files */
  PROCESSES_MAX = 1 << 15,
  NAMES_MAX = 10, /* of files, in a message */
};

static pid_t test;      /* the test's own process; 0 once it has ended */
static int test_status; /* of waitpid(), then */
static char directory[PATH_MAX];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Takes the status of each child that has ended.  False if no child is left. */
static bool reap(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
    if (pid == test) {
      test = 0;
      test_status = status;
    }
  return pid == 0;
}

struct process {
  pid_t pid, parent;
  bool is_ours;
};

/* Reads /proc/PID/stat; false if the process has ended. */
static bool read_process(const char *pid, struct process *process) {
  char path[64], text[512], state;
  int parent;
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = '\0';
  const char *after_name = strrchr(text, ')');
  if (!after_name || sscanf(after_name, ") %c %d", &state, &parent) != 2)
    return false;
  *process = (struct process){.pid = atoi(pid), .parent = parent};
  return state != 'Z';
}

/* Fills `found` with this process's descendants that have not ended. */
static size_t find_descendants(struct process *found) {
  static struct process all[PROCESSES_MAX];
  size_t count = 0, ours = 0;
  DIR *proc = opendir("/proc");
  const struct dirent *entry;
  while (proc && (entry = readdir(proc)) && count < PROCESSES_MAX)
    if (*entry->d_name >= '1' && *entry->d_name <= '9')
      count += read_process(entry->d_name, &all[count]);
  if (proc) closedir(proc);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < count; i++) {
      bool is_ours = all[i].parent == getpid();
      for (size_t k = 0; k < ours && !is_ours; k++)
        is_ours = all[i].parent == found[k].pid;
      if (!is_ours || all[i].is_ours) continue;
      all[i].is_ours = more = true;
      found[ours++] = all[i];
    }
  }
  return ours;
}

static void print_process(pid_t pid) {
  char path[64], command[256];
  snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(command, 1, sizeof command - 1, file) : 0;
  if (file) fclose(file);
  while (length && !command[length - 1]) length--;
  for (size_t i = 0; i < length; i++)
    if (command[i] < ' ') command[i] = ' ';
  command[length] = '\0';
  printf("    process %d: %s\n", (int)pid, command);
}

/* Sends a signal to every descendant; without /proc, to the test's group. */
static void signal_all(int number, bool print) {
  static struct process found[PROCESSES_MAX];
  size_t count = find_descendants(found);
  if (!count && test) kill(-test, number);
  for (size_t i = 0; i < count; i++) {
    if (print) print_process(found[i].pid);
    kill(found[i].pid, number);
  }
  fflush(stdout);
}

/* Waits until no descendant is left.  False if some are after that time. */
static bool wait_for_all(double seconds) {
  double end = now() + seconds;
  while (reap()) {
    if (now() > end) return false;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  return true;
}

/* Ends every descendant: by SIGTERM first, so that they clean up. */
static void stop_all(void) {
  signal_all(SIGTERM, true);
  for (int tries = 0; tries < 10 && !wait_for_all(GRACE_SECONDS); tries++)
    signal_all(SIGKILL, false);
}

/* Waits for the test until `end`.  Returns 0 once it has ended, SIGALRM once
 * the time is over, or the signal that interrupts this process. */
static int wait_for_test(const sigset_t *signals, double end) {
  while (reap(), test) {
    double left = end - now();
    if (left <= 0) return SIGALRM;
    struct timespec timeout = {.tv_sec = (time_t)left,
                               .tv_nsec = (left - (time_t)left) * 1e9};
    int number = sigtimedwait(signals, NULL, &timeout);
    if (number > 0 && number != SIGCHLD) return number;
  }
  return 0;
}

static const char *name; /* of the test, in messages */
static size_t files;     /* that it left */

/* A folder that its owner may not search or write could not be emptied. */
static int list_file(const char *path, const struct stat *status, int type,
                     struct FTW *at) {
  (void)status;
  if (type == FTW_D || type == FTW_DNR) chmod(path, 0700);
  if (!at->level) return 0;
  if (!files++) printf("FAILED: %s left files:\n", name);
  if (files <= NAMES_MAX) printf("    %s\n", path);
  return 0;
}

static int remove_file(const char *path, const struct stat *status, int type,
                       struct FTW *at) {
  (void)status, (void)type, (void)at;
  if (remove(path)) printf("    %s: %s\n", path, strerror(errno));
  return 0;
}

/* Removes TMPDIR; false if something was in it. */
static bool remove_directory(void) {
  nftw(directory, list_file, 16, FTW_PHYS);
  nftw(directory, remove_file, 16, FTW_PHYS | FTW_DEPTH);
  return !files;
}

static void make_directory(void) {
  const char *base = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/vat-test-XXXXXX",
           base && *base ? base : "/tmp");
  /* As /tmp: tests become another user, too. */
  if (!mkdtemp(directory) || chmod(directory, 01777)) err(99, "%s", directory);
  setenv("TMPDIR", directory, 1);
}

static void run(char **argv, const sigset_t *mask) {
  static const int defaults[] = {SIGHUP,  SIGINT,  SIGQUIT,
                                 SIGTERM, SIGPIPE, SIGCHLD};
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    signal(defaults[i], SIG_DFL);
  sigprocmask(SIG_SETMASK, mask, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  int null = open("/dev/null", O_RDONLY);
  if (null > 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
  execvp(*argv, argv);
  err(127, "%s", *argv);
}

static void die_by(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
}

int main(int argc, char **argv) {
  const char *limit = getenv("VAT_TEST_SECONDS");
  double seconds = limit ? atof(limit) : SECONDS;
  sigset_t signals, mask;
  if (argc < 2 || seconds <= 0)
    errx(2, "usage: [VAT_TEST_SECONDS=%d] %s TEST [ARGUMENT...]", SECONDS,
         *argv);
  name = argv[1];
  sigemptyset(&signals);
  for (size_t i = 0; i < 5; i++)
    sigaddset(&signals, (int[]){SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM}[i]);
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &signals, &mask);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  make_directory();
  test = fork();
  if (test < 0) err(99, "fork");
  if (!test) run(argv + 1, &mask);
  int stopped = wait_for_test(&signals, now() + seconds);
  if (stopped == SIGALRM)
    printf("FAILED: %s: stopped after %.0f s, its time limit\n", name, seconds);
  bool failed = stopped;
  if (stopped) {
    stop_all();
  } else if (!wait_for_all(GRACE_SECONDS)) {
    printf("FAILED: %s left processes:\n", name);
    stop_all();
    failed = true;
  }
  if (!remove_directory()) failed = true;
  fflush(stdout);
  if (stopped && stopped != SIGALRM) die_by(stopped);
  if (failed) return 1;
  return WIFEXITED(test_status) ? WEXITSTATUS(test_status)
                                : 128 + WTERMSIG(test_status);
}
