/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of the program and of its libraries, on huge pages before main().
 *
 * As a mapping of its file where that can be (shim_text_file.c).  Elsewhere as
 * anonymous memory with the same bytes at the same addresses.  A copy is
 * written, loses the right to be written, and gets that to be executed.  One
 * call, mremap(), puts it over the code, so that at each moment there is code
 * at each address, whoever runs it.  The code of this library stays.
 *
 * A huge page is at a multiple of 2 MiB and has one set of rights.  So it has
 * room where a whole 2 MiB is code; and at an end of it, if the rest of 2 MiB
 * is a hole that the linker left (-z max-page-size=2097152).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/look.h"
#include "experiments/exec/proc_lines.h"
#include "experiments/exec/shim.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41 /* Linux 5.17 */
#define PR_SET_VMA_ANON_NAME 0
#endif

/* Of one mapping: 2 GiB, as code is reached by 32 bits. */
enum { UNITS = 1 << 10 };

/* Processes that have what follows are left alone. */
static bool threads, sandbox, forbidden;

static int open_proc(const char *path) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* "Threads:\t1" */
static void look_at_process(void) {
  struct proc_lines lines = {.fd = open_proc("/proc/self/status")};
  if (lines.fd < 0) return;
  while (proc_lines_next(&lines)) {
    const char *line = lines.line;
    threads |= !strncmp(line, "Threads:", 8) && strcmp(line + 8, "\t1");
    sandbox |= !strncmp(line, "Seccomp:", 8) && strcmp(line + 8, "\t0");
    forbidden |= !strncmp(line, "THP_enabled:", 12) && strcmp(line + 12, "\t1");
  }
  syscall(SYS_close, lines.fd);
}

static uint64_t read_decimal(const char **text) {
  uint64_t value = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++)
    value = value * 10 + (uint64_t)(**text - '0');
  return value;
}

/* "START-END r-xp OFFSET DEVICE INODE   PATH": code of a file.  In `text`, what
 * stands there. */
static bool read_line(const char *line, const char *rights,
                      struct shim_text *text) {
  *text = (struct shim_text){.start = proc_lines_number(&line), .file = -1};
  line += *line == '-';
  text->end = proc_lines_number(&line);
  if (text->end <= text->start || strncmp(line, rights, 6)) return false;
  line += 6;
  text->offset = proc_lines_number(&line);
  line += *line == ' ';
  text->device = proc_lines_number(&line) << 32;
  line += *line == ':';
  text->device += proc_lines_number(&line);
  line += *line == ' ';
  text->inode = read_decimal(&line);
  line += strspn(line, " ");
  size_t length = strlen(line);
  if (*line != '/' || length >= sizeof text->path) return false;
  memcpy(text->path, line, length + 1);
  return true;
}

/* The end of a file's name may be left out from a '.' on: libfoo.so.1 and
 * libfoo are libfoo.so.1.2. */
static bool is_called(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  size_t length = strlen(name);
  if (strncmp(slash + 1, name, length)) return false;
  return !slash[1 + length] || slash[1 + length] == '.';
}

/* One that names it comes before one that takes all. */
static int choice_of(const struct shim_text *text) {
  int all = RULES_NONE;
  for (unsigned i = 0; i < shim.rules.texts; i++) {
    const struct rules_file *rule = &shim.rules.text[i];
    if (!*rule->name)
      all = rule->choice;
    else if (is_called(text->path, rule->name))
      return rule->choice;
  }
  return all;
}

static void set_flag(const struct shim_text *text, uint8_t flag) {
  shim.ranges.flags[text->choice] |= flag;
}

/* The file that is mapped, also if another one has its name by now.  Numbers of
 * devices are as the kernel gives them to programs. */
static void open_file(struct shim_text *text) {
  struct stat status;
  int file =
      (int)syscall(SYS_openat, AT_FDCWD, text->path,
                   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return;
  bool known = !syscall(SYS_newfstatat, file, "", &status, AT_EMPTY_PATH);
  uint64_t number = known ? status.st_dev : 0;
  uint64_t device =
      (number >> 8 & 0xfff) << 32 | (number & 0xff) | (number >> 12 & 0xfff00);
  if (known && device == text->device && status.st_ino == text->inode)
    text->file = file;
  else
    syscall(SYS_close, file);
}

/* --- where a huge page has room --- */

/* Has [from, to) nothing but a hole of this file, which nobody may touch? */
static bool is_hole(const struct shim_text *text, uintptr_t from,
                    uintptr_t to) {
  struct proc_lines lines = {.fd = open_proc("/proc/self/maps")};
  struct shim_text other;
  bool hole = lines.fd >= 0;
  while (hole && proc_lines_next(&lines)) {
    bool untouched = read_line(lines.line, " ---p ", &other);
    if (other.start < to && other.end > from)
      hole = untouched && other.inode == text->inode;
  }
  if (lines.fd >= 0) syscall(SYS_close, lines.fd);
  return hole;
}

/* Of a part of 2 MiB, it has to be worth a huge page. */
static bool has_room(const struct shim_text *text, uintptr_t unit) {
  uintptr_t end = unit + THP;
  uintptr_t from = unit < text->start ? text->start : unit;
  uintptr_t to = end > text->end ? text->end : end;
  if (to - from == THP) return true;
  return to - from >= CUT_MIN && is_hole(text, unit, from) &&
         is_hole(text, to, end);
}

/* --- anonymous memory in the place of code --- */

/* "text of NAME" for those who look into maps, where the kernel has names. */
static void name_memory(const struct shim_text *text, uintptr_t from,
                        size_t bytes) {
  char name[80] = "text of ";
  const char *file = strrchr(text->path, '/') + 1;
  size_t used = strlen(name);
  for (; *file && used < sizeof name - 1; file++)
    name[used++] = strchr("\\`$[]", *file) || *file < ' ' ? '_' : *file;
  syscall(SYS_prctl, PR_SET_VMA, PR_SET_VMA_ANON_NAME, from, bytes, name);
}

/* The kernel may have taken the code away before it failed. */
static void put_back(const struct shim_text *text, uintptr_t from,
                     uintptr_t to) {
  unsigned char there[1];
  if (from < text->start) from = text->start;
  if (to > text->end) to = text->end;
  if (!syscall(SYS_mincore, from, 1UL, there) || errno != ENOMEM) return;
  syscall(SYS_mmap, from, to - from, PROT_READ | PROT_EXEC,
          MAP_PRIVATE | MAP_FIXED, text->file,
          text->offset + (from - text->start));
}

static void put(const struct shim_text *text, uintptr_t copy, uintptr_t from,
                uintptr_t to) {
  size_t bytes = to - from;
  if (syscall(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
              from) == -1) {
    put_back(text, from, to);
    return;
  }
  name_memory(text, from, bytes);
  shim_perf_map(text, from, to);
}

/* Puts those 2 MiB in place that became huge pages: the others would only lose
 * the name of their file. */
static void put_huge(const struct shim_text *text, uintptr_t copy,
                     uintptr_t from, uintptr_t to) {
  uintptr_t begun = from;
  for (uintptr_t at = from; at <= to; at += THP) {
    if (at < to &&
        !syscall(SYS_madvise, copy + (at - from), (size_t)THP, MADV_COLLAPSE))
      continue;
    if (begun < at) put(text, copy + (begun - from), begun, at);
    begun = at + THP;
  }
}

/* [from, to) are whole 2 MiB, of which the text has at least a part each. */
static void move(const struct shim_text *text, uintptr_t from, uintptr_t to) {
  uintptr_t first = from < text->start ? text->start : from;
  uintptr_t last = to > text->end ? text->end : to;
  uintptr_t copy = shim_reserve(to - from, RIGHTS, 0);
  if (!copy) return;
  shim_advise(copy, to - from);
  memcpy((void *)(copy + (first - from)), (const void *)first, last - first);
  if (syscall(SYS_mprotect, copy, to - from, PROT_READ | PROT_EXEC))
    set_flag(text, LOOK_NO_EXEC);
  else
    put_huge(text, copy, from, to);
  syscall(SYS_munmap, copy, to - from);
}

/* Runs of 2 MiB that are not huge yet. */
static void move_rest(const struct shim_text *text, const bool *huge) {
  uintptr_t first = text->start & ~((uintptr_t)THP - 1), from, to;
  for (from = first; from < text->end; from = to) {
    to = from;
    while (to < text->end && !huge[(to - first) / THP] && has_room(text, to))
      to += THP;
    if (from < to)
      move(text, from, to);
    else
      to += THP;
  }
}

static void make_huge(struct shim_text *text) {
  static bool huge[UNITS + 2];
  if (forbidden || text->end - text->start > (uint64_t)UNITS * THP) return;
  if (sandbox) {
    set_flag(text, LOOK_CONFINED);
    return;
  }
  open_file(text);
  memset(huge, 0, sizeof huge);
  shim_text_file(text, huge);
  if (threads)
    set_flag(text, LOOK_THREADS);
  else if (text->file >= 0)
    move_rest(text, huge);
  if (text->file >= 0) syscall(SYS_close, text->file);
}

void shim_text_start(void) {
  struct proc_lines lines = {.fd = open_proc("/proc/self/maps")};
  struct shim_text text;
  uintptr_t here = (uintptr_t)shim_text_start;
  uint64_t every = UINT64_MAX, before;
  int error = errno;
  if (lines.fd < 0) return;
  look_at_process();
  /* What a handler maps could lie where a hole was. */
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &every, &before, sizeof before);
  /* The kernel goes on behind the line that it gave last, whatever becomes of
   * what that is about. */
  while (proc_lines_next(&lines)) {
    if (!read_line(lines.line, " r-xp ", &text) ||
        (text.start <= here && here < text.end))
      continue;
    text.choice = choice_of(&text);
    if (text.choice == RULES_NONE) continue;
    shim_record(text.start, text.end - text.start, text.choice);
    make_huge(&text);
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
  syscall(SYS_close, lines.fd);
  errno = error;
}
