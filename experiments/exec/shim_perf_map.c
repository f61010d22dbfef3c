/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /tmp/perf-PID.map, by which perf(1) knows functions in anonymous memory: a
 * line "START BYTES NAME" for each, in hexadecimal.  perf needs it if it begins
 * while the program runs, as maps names no file there.
 *
 * The file is made anew, and is removed at the end of this process.  The first
 * line tells that it is ours: what an earlier program of this process has left
 * (exec), or one that was killed, is replaced, and the file of anybody else is
 * left alone.
 */
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/shim.h"
#include "experiments/exec/symbol_table.h"

static const char first_line[] = "0 1 [vat exec --perf-map]\n";

static int map_file; /* while it is written */
static int owner;    /* the process that it is of; 0: there is none */
static char text[4096];
static size_t used;

static void flush(void) {
  for (size_t done = 0; done < used;) {
    long wrote = syscall(SYS_write, map_file, text + done, used - done);
    if (wrote <= 0) break; /* a full disk: perf has fewer names */
    done += (size_t)wrote;
  }
  used = 0;
}

static void put(const char *at, size_t length) {
  if (length > sizeof text) return;
  if (used + length > sizeof text) flush();
  memcpy(text + used, at, length);
  used += length;
}

static void put_number(uintptr_t number, unsigned base, char end) {
  char digits[24], *at = digits + sizeof digits;
  *--at = end;
  do *--at = "0123456789abcdef"[number % base];
  while (number /= base);
  put(at, (size_t)(digits + sizeof digits - at));
}

/* "/tmp/perf-PID.map" */
static void set_path(char path[40]) {
  put("/tmp/perf-", 10);
  put_number((uintptr_t)owner, 10, '.');
  put("map", 4);
  memcpy(path, text, used);
  used = 0;
}

/* Is the file there one of ours? */
static bool is_ours(const char *path) {
  char begin[sizeof first_line - 1];
  struct stat status;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path,
                          O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  bool ours =
      !syscall(SYS_newfstatat, file, "", &status, AT_EMPTY_PATH) &&
      S_ISREG(status.st_mode) && status.st_uid == (uid_t)syscall(SYS_geteuid) &&
      syscall(SYS_read, file, begin, sizeof begin) == (long)sizeof begin &&
      !memcmp(begin, first_line, sizeof begin);
  syscall(SYS_close, file);
  return ours;
}

static int open_map(const char *path, int how) {
  return (int)syscall(SYS_openat, AT_FDCWD, path,
                      O_WRONLY | O_NOFOLLOW | O_CLOEXEC | how, 0600);
}

/* It stays open for one part only: a program may close what it did not open. */
static bool begin(void) {
  static bool asked, begun;
  char path[40];
  bool known, first = !asked;
  asked = true;
  if (first && shim_variable("VAT_PERF_MAP", &known)) {
    owner = (int)syscall(SYS_getpid);
    set_path(path);
    if (is_ours(path)) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    map_file = open_map(path, O_CREAT | O_EXCL);
    begun = map_file >= 0;
    if (begun)
      put(first_line, sizeof first_line - 1);
    else
      owner = 0;
  } else if (begun) {
    set_path(path);
    map_file = open_map(path, O_APPEND);
  }
  return begun && map_file >= 0;
}

struct part {
  uintptr_t bias, from, to;
};

static void put_function(void *context, const char *name, uintptr_t start,
                         size_t bytes) {
  const struct part *part = context;
  uintptr_t at = part->bias + start;
  if (at < part->from || at >= part->to) return;
  put_number(at, 16, ' ');
  put_number(bytes ? bytes : 1, 16, ' ');
  put(name, strlen(name));
  put("\n", 1);
}

/* What is added to the addresses in the file: those of the part of it that is
 * mapped at `of->start`. */
static uintptr_t bias_of(const struct shim_text *of, const char *file,
                         size_t size) {
  const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)file;
  const ElfW(Phdr) *part = (const ElfW(Phdr) *)(file + head->e_phoff);
  if (head->e_phoff > size ||
      head->e_phnum > (size - head->e_phoff) / sizeof *part)
    return 0;
  for (unsigned i = 0; i < head->e_phnum; i++)
    if (part[i].p_type == PT_LOAD && part[i].p_flags & PF_X &&
        part[i].p_offset < of->offset + (of->end - of->start) &&
        part[i].p_offset + part[i].p_filesz > of->offset)
      return of->start - (part[i].p_vaddr - part[i].p_offset + of->offset);
  return 0;
}

static void put_functions(const struct shim_text *of, uintptr_t from,
                          uintptr_t to) {
  struct stat status;
  if (syscall(SYS_newfstatat, of->file, "", &status, AT_EMPTY_PATH) ||
      (size_t)status.st_size < sizeof(ElfW(Ehdr)))
    return;
  size_t size = (size_t)status.st_size;
  long map =
      syscall(SYS_mmap, NULL, size, PROT_READ, MAP_PRIVATE, of->file, 0L);
  if (map == -1) return;
  const char *file = (const char *)map;
  struct part part = {bias_of(of, file, size), from, to};
  symbol_table_read(file, size, put_function, &part);
  syscall(SYS_munmap, map, size);
}

void shim_perf_map(const struct shim_text *of, uintptr_t from, uintptr_t to) {
  if (!begin()) return;
  put_functions(of, from, to);
  flush();
  syscall(SYS_close, map_file);
}

void shim_perf_map_end(void) {
  char path[40];
  if (!owner || owner != (int)syscall(SYS_getpid)) return;
  set_path(path);
  if (is_ours(path)) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
