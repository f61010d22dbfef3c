/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library does before main(): read what is asked of it, and ask for
 * what is mapped already. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/proc_lines.h"
#include "experiments/exec/shim.h"

struct shim shim = {.cut_least = CUT_MIN, .huge = THP};

/* The dynamic loaders of glibc hand main()'s arguments to constructors; others
 * need not, so the environment is taken from where every libc has it. */
extern char **environ __attribute__((weak));

const char *shim_variable(const char *name, bool *known) {
  char *const *at = &environ ? environ : NULL;
  size_t length = strlen(name);
  *known = at != NULL;
  for (; at && *at; at++)
    if (!strncmp(*at, name, length) && (*at)[length] == '=')
      return *at + length + 1;
  return NULL;
}

void shim_advise(uintptr_t start, size_t bytes) {
  int error = errno;
  if (shim.sandboxed) return;
  syscall(SYS_madvise, start, bytes, MADV_HUGEPAGE);
  errno = error;
}

uintptr_t shim_reserve(size_t bytes, int rights, uint64_t offset) {
  long map = syscall(SYS_mmap, NULL, bytes + THP, rights, FLAGS, -1, 0L);
  if (map == -1) return 0;
  uintptr_t start = (uintptr_t)map;
  uintptr_t first = start + ((offset - start) & (THP - 1));
  if (first > start) syscall(SYS_munmap, start, first - start);
  syscall(SYS_munmap, first + bytes, start + THP - first);
  return first;
}

void shim_collapse(uintptr_t start, size_t bytes) {
  unsigned char there[THP / 4096];
  int error = errno;
  long page = sysconf(_SC_PAGESIZE);
  uintptr_t from = (start + THP - 1) & ~((uintptr_t)THP - 1);
  if (shim.huge < THP) return;
  for (; page > 0 && from + THP <= start + bytes; from += THP)
    if (!syscall(SYS_mincore, from, (size_t)THP, there) &&
        memchr(there, 1, (size_t)(THP / page)))
      syscall(SYS_madvise, from, (size_t)THP, MADV_COLLAPSE);
  errno = error;
}

/* The kernel names an open file in /proc; a mapping of it is compared by the
 * name without folders. */
static bool is_chosen_file(int fd) {
  char link[40] = "/proc/self/fd/", path[1024], *end = link + strlen(link);
  char digits[12];
  size_t count = 0;
  for (int rest = fd; !count || rest; rest /= 10)
    digits[count++] = (char)('0' + rest % 10);
  while (count) *end++ = digits[--count];
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (unsigned i = 0; i < shim.rules.files; i++)
    if (!strcmp(shim.rules.file[i].name, name)) return true;
  return false;
}

bool shim_wants(size_t bytes, int flags, int fd) {
  const struct rules *rules = &shim.rules;
  int error = errno;
  if (flags & (MAP_STACK | MAP_GROWSDOWN)) return false;
  if (!(flags & MAP_ANONYMOUS)) {
    bool chosen = rules->files && fd >= 0 && is_chosen_file(fd);
    errno = error;
    return chosen;
  }
  if (flags & MAP_SHARED) return false;
  return rules->mappings >= 0 && bytes >= rules->least;
}

/* A line of /proc/self/maps. */
struct line {
  uintptr_t start, end;
  bool open; /* "rw-p" */
  bool anonymous;
  char first; /* of its name, behind a '[' */
};

/* "START-END rw-p OFFSET DEVICE INODE": anonymous where the inode is 0. */
static struct line read_line(const char *text) {
  struct line line = {.start = proc_lines_number(&text)};
  text += *text == '-';
  line.end = proc_lines_number(&text);
  if (line.end <= line.start) return line;
  line.open = !strncmp(text, " rw-p", 5);
  for (int field = 0; field < 4; field++) {
    text += strspn(text, " ");
    if (field < 3) text += strcspn(text, " ");
  }
  line.anonymous = text[0] == '0' && (text[1] == ' ' || text[1] == '\n');
  text += strcspn(text, " \n");
  text += strspn(text, " ");
  line.first = text[0] == '[' ? text[1] : '\0';
  return line;
}

void shim_record(uintptr_t start, size_t bytes, int choice) {
  struct range range = {.start = start,
                        .bytes = bytes,
                        .base = start,
                        .mapped = bytes,
                        .choice = choice};
  ranges_add(&shim.ranges, &range);
}

/* A stack grows a page at a time, so that no fault finds room for a huge one.
 * The page below is touched, so that all of it is there to be advised and no
 * page of it is in a huge one's place.  Not more than the usual limit: what the
 * program never uses has no memory, but counts as addresses. */
static const size_t stack_most = (size_t)8 << 20;

static void grow_stack(const struct line *line) {
  struct rlimit limit;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  size_t bytes = stack_most;
  if (here < line->start || here >= line->end) return;
  if (!syscall(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) &&
      limit.rlim_cur < bytes + 2 * THP)
    bytes = limit.rlim_cur > 3 * (size_t)THP ? limit.rlim_cur - 2 * THP : 0;
  uintptr_t lowest = (line->end - bytes) & ~((uintptr_t)THP - 1);
  if (!bytes || lowest >= line->start) return;
  *(volatile char *)(lowest - 1) = 0;
  shim_record(lowest, line->end - lowest, shim.rules.stack);
  shim_advise(lowest, (line->end & ~((uintptr_t)shim.huge - 1)) - lowest);
  uintptr_t first = line->start & ~((uintptr_t)THP - 1);
  shim_collapse(first, line->end - first);
}

/* bss is mapped before any code of ours runs: it lies behind a file's data. */
static void start_line(const struct line *line, bool behind_file) {
  size_t bytes = line->end - line->start;
  if (line->first == 's') {
    if (shim.rules.stack >= 0) grow_stack(line);
  } else if (!line->open || !line->anonymous) {
    return;
  } else if (!shim.chosen) {
    shim_advise(line->start, bytes);
  } else if (shim.rules.data >= 0 && behind_file && !line->first) {
    shim_record(line->start, bytes, shim.rules.data);
    shim_advise(line->start, bytes);
    shim_collapse(line->start, bytes);
  }
}

void shim_start(void) {
  static char text[1 << 16];
  size_t used = 0;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps",
                        O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  while (used < sizeof text - 1) {
    long got = syscall(SYS_read, fd, text + used, sizeof text - 1 - used);
    if (got <= 0) break;
    used += (size_t)got;
  }
  syscall(SYS_close, fd);
  text[used] = '\0';
  struct line line, before = {0};
  for (const char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
    line = read_line(at);
    start_line(&line, before.end == line.start && !before.anonymous);
    before = line;
  }
}

/* By the name of a size: 21 of "2m", 0 of "4k" and of what is none. */
static unsigned lg_of_name(const char *name) {
  size_t count = 0;
  if (name[0] == '4' && name[1] == 'k') return 0;
  for (; *name >= '0' && *name <= '9' && count < 1 << 16; name++)
    count = count * 10 + (size_t)(*name - '0');
  unsigned lg = *name == 'k' ? 10 : *name == 'm' ? 20 : *name == 'g' ? 30 : 0;
  return count && lg ? lg + (unsigned)__builtin_ctzl(count) : 0;
}

/* Of "thp-64k". */
static void set_small(const char *pages) {
  const char *size = strchr(pages, '-');
  unsigned lg = size ? lg_of_name(size + 1) : 0;
  if (!lg || (size_t)1 << lg >= THP) return;
  shim.huge = (size_t)1 << lg;
  shim.ranges.lg_small = lg;
}

bool shim_begin(void) {
  static bool begun;
  bool known;
  if (begun) return true;
  const char *pages = shim_variable("VAT_PAGES", &known);
  if (!known) return false;
  begun = true;
  if (!pages) pages = "4k";
  shim.text = shim_variable("VAT_RULES", &known);
  shim.chosen = shim.text != NULL;
  if (shim.chosen) rules_read(&shim.rules, shim.text);
  shim.ranges.choices = shim.rules.choices;
  if (!shim.chosen) shim.text = "";
  shim.cut_least =
      shim.rules.least > CUT_MIN ? shim.rules.least : (size_t)CUT_MIN;
  shim.lg_huge = lg_of_name(pages);
  shim.ranges.lg_huge = shim.lg_huge;
  shim.transparent = pages[0] == 't';
  if (shim.transparent) set_small(pages);
  return true;
}

extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void),
                             void *) __attribute__((weak));
extern int pthread_atfork(void (*)(void), void (*)(void), void (*)(void))
    __attribute__((weak));

void shim_at_fork(void (*before)(void), void (*in_parent)(void),
                  void (*in_child)(void)) {
  if (__register_atfork &&
      !__register_atfork(before, in_parent, in_child, NULL))
    return;
  if (pthread_atfork) pthread_atfork(before, in_parent, in_child);
}

extern void *malloc(size_t bytes) __attribute__((weak));
extern void free(void *block) __attribute__((weak));
extern void *sbrk(intptr_t bytes) __attribute__((weak));
extern struct mallinfo2 mallinfo2(void) __attribute__((weak));

static __attribute__((noinline)) void clear_stack(void) {
  volatile char below[4096];
  for (size_t i = 0; i < sizeof below; i++) below[i] = 0;
}

/* glibc (2.36 at least) compares what it reads from the switch of transparent
 * huge pages as a text, but the text has no end: whether
 * glibc.malloc.hugetlb=1 works hangs on a byte of the stack at the first call
 * of malloc()'s.  So the first call is made here, where this byte is 0.
 * Returns how much it has of sbrk(). */
static size_t first_call(void) {
  clear_stack();
  return mallinfo2().arena;
}

/* Has malloc() grow its heap from `end` on. */
static void grow_heap(uintptr_t end) {
  enum { EACH = 64 << 10, MOST = THP / EACH + 1 };
  void *volatile block[MOST]; /* not optimised away */
  size_t count = 0;
  for (; count < MOST && (uintptr_t)sbrk(0) == end; count++)
    block[count] = malloc(EACH);
  while (count) free(block[--count]);
}

/* glibc grows its heap to multiples of 2 MiB, but not the first time, and does
 * not advise less than 2 MiB: so 2 to 4 MiB of each program stay on base pages.
 * The heap begins at such a multiple instead; what lies before it is only
 * addresses.  Where others have begun it already (constructors of libraries,
 * where malloc() is not interposed), it grows to the next one here. */
void shim_begin_heap(void) {
  static bool done;
  const char *tunables = shim_variable("GLIBC_TUNABLES", &(bool){false});
  if (done) return;
  done = true;
  if (!malloc || !free || !sbrk || !mallinfo2 || !tunables ||
      !strstr(tunables, "glibc.malloc.hugetlb=1"))
    return;
  shim_threads_begin();
  bool begun = first_call() > 0;
  uintptr_t end = (uintptr_t)sbrk(0), gap = -end & (THP - 1);
  if (end == UINTPTR_MAX || !gap) return;
  if (!begun) {
    sbrk((intptr_t)gap);
    return;
  }
  grow_heap(end);
  uintptr_t now = (uintptr_t)sbrk(0);
  if (now > end) shim_advise(end, now - end);
  shim_collapse(end - (THP - gap), THP);
}

__attribute__((constructor)) static void begin(void) {
  int error = errno;
  if (shim_begin()) {
    if (shim.transparent) {
      shim_begin_heap();
      shim_start();
      if (shim.rules.texts) shim_text_start();
    }
    shim_base_begin();
    if (shim.chosen) shim_report_begin();
  }
  errno = error;
}
