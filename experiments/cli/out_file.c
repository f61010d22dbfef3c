/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/output_path.h"

/* The standard ones that end a process, but those of an error in it; SIGABRT
 * may come from outside, too. */
static const int kills[] = {SIGINT,    SIGTERM, SIGHUP,  SIGQUIT,   SIGPIPE,
                            SIGALRM,   SIGUSR1, SIGUSR2, SIGXCPU,   SIGIO,
                            SIGVTALRM, SIGPROF, SIGPWR,  SIGSTKFLT, SIGABRT};
enum { KILLS = sizeof kills / sizeof *kills };

static struct sigaction former[KILLS], former_xfsz;
static int armed; /* how often: folders and files may be open at once */

/* The one file in the making; and the folders that were made for it: those of
 * a path that lie beyond its first characters.  Changed only while the signals
 * are held. */
static char making[sizeof((struct out_file *)0)->temporary];
static int making_dir;
static char folders[PATH_MAX];
static size_t folders_there;
/* Whose they are: not a process' that was forked meanwhile. */
static pid_t maker;

/* Those that are empty, from the innermost on: each path up to a slash.  Called
 * by a signal, too; errno stays. */
static void remove_folders(void) {
  int code = errno;
  for (size_t end = strlen(folders); end > folders_there; end--) {
    if (folders[end] && folders[end] != '/') continue;
    folders[end] = '\0';
    rmdir(folders);
  }
  *folders = '\0';
  errno = code;
}

static void clean(void *context) {
  (void)context;
  if (maker != getpid()) return;
  if (*making) unlinkat(making_dir, making, 0);
  *making = '\0';
  remove_folders();
}

/* Raised anew, the signal waits until this returns, and then kills. */
static void on_kill(int number) {
  int code = errno;
  clean(NULL);
  for (int i = 0; i < KILLS; i++)
    if (kills[i] == number) sigaction(number, &former[i], NULL);
  raise(number);
  errno = code;
}

/* From here on the signals remove what is in the making, then do what they did
 * before; and a limit of file size is an error as a full disk is. */
static void arm(void) {
  struct sigaction action = {.sa_handler = on_kill};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  if (armed++) return;
  for (int i = 0; i < KILLS; i++) {
    sigaction(kills[i], NULL, &former[i]);
    /* Under nohup, say, it stays ignored. */
    if (former[i].sa_handler != SIG_IGN) sigaction(kills[i], &action, NULL);
  }
  sigaction(SIGXFSZ, &ignore, &former_xfsz);
  memory_clean_up(clean, NULL);
}

static void disarm(void) {
  if (--armed) return;
  for (int i = 0; i < KILLS; i++) sigaction(kills[i], &former[i], NULL);
  sigaction(SIGXFSZ, &former_xfsz, NULL);
  memory_clean_up(NULL, NULL);
}

static sigset_t before;

/* Around what makes a file and says so, or removes it. */
static void hold(void) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < KILLS; i++) sigaddset(&set, kills[i]);
  sigprocmask(SIG_BLOCK, &set, &before);
}

static void release(void) {
  int code = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = code;
}

/* As mkdir -p, but that a file in the way shows when it is opened. */
static int make_folders(const char *path) {
  size_t length = strlen(path), there = 0;
  if (length >= sizeof folders) {
    errno = ENAMETOOLONG;
    return -1;
  }
  maker = getpid();
  memcpy(folders, path, length + 1);
  folders_there = length;
  for (size_t end = 1; end <= length; end++) {
    if (folders[end] && folders[end] != '/') continue;
    folders[end] = '\0';
    bool is_new = !mkdir(folders, 0777);
    folders[end] = path[end];
    if (!is_new && errno != EEXIST) return -1;
    if (!is_new)
      there = end;
    else if (folders_there == length)
      folders_there = there;
  }
  return 0;
}

int out_dir_open(const char *path) {
  arm();
  hold();
  int failed = make_folders(path);
  release();
  int dir = failed ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir >= 0) return dir;
  remove_folders();
  disarm();
  return -1;
}

void out_dir_close(int dir) {
  close(dir);
  remove_folders();
  disarm();
}

static void remove_temporary(struct out_file *file) {
  int code = errno;
  hold();
  unlinkat(file->dir, file->temporary, 0);
  *making = '\0';
  release();
  errno = code;
}

static int begin(struct out_file *file) {
  uint64_t random;
  if (getrandom(&random, sizeof random, 0) != sizeof random) return -1;
  snprintf(file->temporary, sizeof file->temporary, ".%.48s.%016llx",
           file->name, (unsigned long long)random);
  hold();
  int fd = openat(file->dir, file->temporary,
                  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) {
    maker = getpid();
    making_dir = file->dir;
    strcpy(making, file->temporary);
  }
  release();
  if (fd < 0) return -1;
  file->stream = memory_need(fdopen(fd, "w+"));
  return 0;
}

int out_file_begin(struct out_file *file, int dir, const char *name) {
  *file = (struct out_file){.dir = dir, .name = name};
  return begin(file);
}

/* What replaces a file is as private as that was, and whose it was: as far as
 * we may give it away. */
static int keep_owner(int fd, const struct stat *file) {
  if (fchown(fd, file->st_uid, file->st_gid) &&
      fchown(fd, (uid_t)-1, file->st_gid))
    errno = 0;
  return fchmod(fd, file->st_mode & 0777);
}

static int open_in_place(struct out_file *file, int fd) {
  file->in_place = true;
  if (fd < 0) return -1;
  file->stream = memory_need(fdopen(fd, "w"));
  if (file->stream) return 0;
  close(fd);
  errno = EBADF; /* open for reading only, as write(2) would say */
  return -1;
}

int out_file_open(struct out_file *file, const char *path) {
  struct stat old;
  int standard = output_standard(path);
  *file = (struct out_file){.dir = -1};
  if (standard >= 0)
    return open_in_place(file, fcntl(standard, F_DUPFD_CLOEXEC, 0));
  bool there = !stat(path, &old);
  if (there && !S_ISREG(old.st_mode))
    return open_in_place(file, open(path, O_WRONLY | O_CLOEXEC));
  if (output_path_try(path)) return -1;
  file->folder = output_path(path);
  if (!file->folder) return -1;
  char *slash = strrchr(file->folder, '/');
  file->name = slash + 1;
  *slash = '\0';
  file->dir = open(*file->folder ? file->folder : "/",
                   O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (file->dir < 0) return -1;
  arm();
  if (begin(file)) return -1;
  return there ? keep_owner(fileno(file->stream), &old) : 0;
}

static int rename_whole(const struct out_file *file) {
  hold();
  int failed = renameat(file->dir, file->temporary, file->dir, file->name);
  if (!failed) *making = '\0';
  release();
  return failed;
}

/* A write that failed earlier is told by the stream, but no longer why: the
 * disk it failed on is as full still. */
static int flush(FILE *stream) {
  if (fflush(stream)) return -1;
  if (!ferror(stream)) return 0;
  clearerr(stream);
  errno = fputc(' ', stream) == EOF || fflush(stream) ? errno : EIO;
  return -1;
}

int out_file_commit(struct out_file *file) {
  FILE *stream = file->stream;
  bool bad = flush(stream);
  int code = errno;
  file->stream = NULL;
  if (fclose(stream) && !bad) {
    bad = true;
    code = errno;
  }
  if (!bad && (file->in_place || !rename_whole(file))) return 0;
  if (!bad) code = errno;
  if (!file->in_place) remove_temporary(file);
  errno = code;
  return -1;
}

void out_file_end(struct out_file *file) {
  if (file->stream) {
    fclose(file->stream);
    file->stream = NULL;
    if (!file->in_place) remove_temporary(file);
  }
  if (file->folder && file->dir >= 0) {
    disarm();
    close(file->dir);
  }
  free(file->folder);
  file->folder = NULL;
}
