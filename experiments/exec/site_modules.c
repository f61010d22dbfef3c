/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/look.h"
#include "experiments/exec/site.h"
#include "experiments/exec/symbol_name.h"
#include "experiments/exec/symbol_table.h"

/* An object that an address was looked up in.  They are few: a list, to which
 * one is added at the front; twice, if two threads do. */
struct span {
  uintptr_t start, end;
  int function;
};

struct module {
  struct module *next;
  const void *map; /* where it is mapped, and by which link_map */
  const struct link_map *loaded;
  char name[RULES_NAME];
  char path[1024]; /* of the file, links followed */
  int object;      /* of the rules; -1 */
  bool same_build;
  struct span *span; /* functions that rules name */
  unsigned spans;
};

static const struct site_rules *rules;
static struct module *modules;

void site_modules_begin(const struct site_rules *all) { rules = all; }

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The path of the program itself is not in its link map. */
static const char *path_of(const struct link_map *loaded) {
  return loaded->l_name && *loaded->l_name ? loaded->l_name : "/proc/self/exe";
}

/* The stack of the program may be small: nothing long lies on it. */
static void find_name(struct module *module) {
  const char *path = path_of(module->loaded), *last = last_part(path);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC);
  if (fd >= 0) {
    char link[40] = "/proc/self/fd/", digits[12];
    size_t at = strlen(link), count = 0;
    for (int rest = fd; !count || rest; rest /= 10)
      digits[count++] = (char)('0' + rest % 10);
    while (count) link[at++] = digits[--count];
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, module->path,
                          sizeof module->path);
    syscall(SYS_close, fd);
    if (length > 0 && length < (long)sizeof module->path) {
      module->path[length] = '\0';
      last = last_part(module->path);
    }
  }
  size_t length = strlen(last);
  if (length >= RULES_NAME) length = RULES_NAME - 1;
  memcpy(module->name, last, length);
  module->name[length] = '\0';
}

static void write_hexadecimal(char *text, size_t size,
                              const unsigned char *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  size_t used = 0;
  for (size_t i = 0; i < count && used + 2 < size; i++) {
    text[used++] = digits[bytes[i] >> 4];
    text[used++] = digits[bytes[i] & 15];
  }
  text[used] = '\0';
}

/* In a segment of notes: ELF, "Note Section"; the names have 4 bytes here. */
static bool find_build_id(const unsigned char *at, size_t bytes, char *text,
                          size_t size) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, at, sizeof note);
    size_t name = (note.n_namesz + 3) & ~(size_t)3,
           value = (note.n_descsz + 3) & ~(size_t)3,
           all = sizeof note + name + value;
    if (all > bytes) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        !memcmp(at + sizeof note, "GNU", 4)) {
      write_hexadecimal(text, size, at + sizeof note + name, note.n_descsz);
      return true;
    }
    at += all;
    bytes -= all;
  }
  return false;
}

/* From the head of the file, which the first segment has mapped. */
static void read_build_id(const struct module *module, char *text,
                          size_t size) {
  const ElfW(Ehdr) *head = module->map;
  *text = '\0';
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) ||
      head->e_phentsize != sizeof(ElfW(Phdr)) ||
      head->e_phoff + head->e_phnum * sizeof(ElfW(Phdr)) > 4096)
    return;
  const ElfW(Phdr) *segment =
      (const ElfW(Phdr) *)((const char *)module->map + head->e_phoff);
  for (unsigned i = 0; i < head->e_phnum; i++)
    if (segment[i].p_type == PT_NOTE &&
        find_build_id(
            (const unsigned char *)module->loaded->l_addr + segment[i].p_vaddr,
            segment[i].p_memsz, text, size))
      return;
}

/* By its build; by its name where that is another one, or neither has any. */
static void identify(struct module *module) {
  char build_id[sizeof rules->object->build_id];
  read_build_id(module, build_id, sizeof build_id);
  module->object = -1;
  for (unsigned i = 0; i < rules->objects; i++) {
    const struct site_object *object = &rules->object[i];
    bool named = !strcmp(last_part(object->name), module->name);
    bool same = *object->build_id && !strcmp(object->build_id, build_id);
    if (!named && !same) continue;
    module->object = (int)i;
    module->same_build = same || (!*object->build_id && !*build_id);
    if (same) return;
  }
}

static void add_span(struct module *module, int function, uintptr_t start,
                     size_t bytes) {
  enum { SPANS = 256 };
  if (!module->span) module->span = site_memory(SPANS * sizeof *module->span);
  if (!module->span || module->spans == SPANS) return;
  module->span[module->spans++] = (struct span){start, start + bytes, function};
}

/* Functions that rules name. */
static void note_function(void *context, const char *name, uintptr_t start,
                          size_t bytes) {
  struct module *module = context;
  for (unsigned f = 0; f < rules->functions; f++)
    if (symbol_is(name, rules->function[f]))
      add_span(module, (int)f, module->loaded->l_addr + start, bytes);
}

/* A chain is found by the names of its functions in another build only. */
static bool needs_functions(const struct module *module) {
  return rules->functions &&
         (rules->by_function || (module->object >= 0 && !module->same_build));
}

static void find_functions(struct module *module) {
  struct stat status;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path_of(module->loaded),
                        O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (!fstat(fd, &status) && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    long file = syscall(SYS_mmap, NULL, size, PROT_READ, MAP_PRIVATE, fd, 0L);
    if (file != -1) {
      symbol_table_read((const char *)file, size, note_function, module);
      syscall(SYS_munmap, file, size);
    }
  }
  syscall(SYS_close, fd);
}

static struct module *add_module(const struct dl_find_object *found) {
  struct module *module = site_carve(sizeof *module);
  if (!module) return NULL;
  module->map = found->dlfo_map_start;
  module->loaded = found->dlfo_link_map;
  find_name(module);
  identify(module);
  if (needs_functions(module)) find_functions(module);
  module->next = __atomic_load_n(&modules, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&modules, &module->next, module, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
  return module;
}

/* That of glibc 2.35 and later.  By this name, hidden, the unwinder that is
 * linked in has it, too: the library has to load where there is none, in what
 * the program executes. */
int _dl_find_object(void *address, struct dl_find_object *result) {
  static int (*known)(void *, struct dl_find_object *);
  int (*function)(void *, struct dl_find_object *) =
      __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!function) {
    void *found = dlsym(RTLD_NEXT, "_dl_find_object");
    if (!found) return -1;
    memcpy(&function, &found, sizeof function);
    __atomic_store_n(&known, function, __ATOMIC_RELAXED);
  }
  return function(address, result);
}

static const struct module *module_of(uintptr_t address) {
  struct dl_find_object found;
  if (_dl_find_object((void *)address, &found)) return NULL;
  struct module *at = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);
  while (at &&
         (at->map != found.dlfo_map_start || at->loaded != found.dlfo_link_map))
    at = at->next;
  return at ? at : add_module(&found);
}

bool site_is_of_libc(int object) {
  const char *name = last_part(rules->object[object].name);
  return !strncmp(name, "libc.so", 7) || !strncmp(name, "ld-linux", 8);
}

bool site_is_loaded(int object) {
  const struct module *at = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);
  while (at && at->object != object) at = at->next;
  return at != NULL;
}

bool site_place_of(uintptr_t address, struct site_place *place) {
  const struct module *module = module_of(address);
  if (!module) return false;
  *place = (struct site_place){.object = module->object,
                               .offset = address - module->loaded->l_addr,
                               .same_build = module->same_build};
  return true;
}

/* A call may be the last instruction of a function: it returns behind that. */
bool site_in_function(uintptr_t address, int function, int object) {
  const struct module *module = module_of(address - 1);
  if (!module) return false;
  if (object >= 0 && strcmp(rules->object[object].name, module->name) &&
      module->object != object)
    return false;
  for (unsigned i = 0; i < module->spans; i++)
    if (module->span[i].function == function &&
        module->span[i].start < address && address <= module->span[i].end)
      return true;
  return false;
}

static int learn(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD) {
      module_of(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      break;
    }
  return 0;
}

void site_modules_learn(void) { dl_iterate_phdr(learn, NULL); }
