/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/frame_names.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/exec/executable.h"

struct symbol {
  uint64_t start, end;
  const char *name; /* in the map */
};

struct frame_file {
  const char *object;
  const unsigned char *map; /* NULL: is gone, or of another build */
  size_t bytes;
  struct symbol *symbol; /* by start */
  size_t symbols;
};

static int compare_symbols(const void *x, const void *y) {
  const struct symbol *a = x, *b = y;
  if (a->start != b->start) return a->start < b->start ? -1 : 1;
  return a->end < b->end ? -1 : a->end > b->end;
}

/* `count` elements of `size` bytes, if they lie in the file; it may be damaged.
 */
static const void *part(const struct frame_file *file, uint64_t offset,
                        uint64_t count, uint64_t size) {
  if (offset > file->bytes || offset % 8 ||
      (size && count > (file->bytes - offset) / size))
    return NULL;
  return file->map + offset;
}

/* Its functions, whose names are in a string table that ends with a NUL. */
static void read_table(struct frame_file *file, const Elf64_Shdr *table,
                       const Elf64_Shdr *texts) {
  uint64_t count = table->sh_size / sizeof(Elf64_Sym);
  const Elf64_Sym *symbol = part(file, table->sh_offset, count, sizeof *symbol);
  if (!symbol || !texts->sh_size || texts->sh_offset > file->bytes ||
      texts->sh_size > file->bytes - texts->sh_offset)
    return;
  const char *text = (const char *)file->map + texts->sh_offset;
  if (text[texts->sh_size - 1]) return;
  for (uint64_t i = 0; i < count; i++) {
    if (ELF64_ST_TYPE(symbol[i].st_info) != STT_FUNC ||
        symbol[i].st_shndx == SHN_UNDEF || !symbol[i].st_size ||
        symbol[i].st_name >= texts->sh_size)
      continue;
    *ARRAY_ADD(file->symbol, file->symbols) = (struct symbol){
        symbol[i].st_value, symbol[i].st_value + symbol[i].st_size,
        text + symbol[i].st_name};
  }
}

static void read_symbols(struct frame_file *file) {
  const Elf64_Ehdr *head = part(file, 0, 1, sizeof *head);
  if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
      head->e_ident[EI_CLASS] != ELFCLASS64 ||
      head->e_shentsize != sizeof(Elf64_Shdr))
    return;
  const Elf64_Shdr *section =
      part(file, head->e_shoff, head->e_shnum, sizeof *section);
  for (unsigned i = 0; section && i < head->e_shnum; i++)
    if ((section[i].sh_type == SHT_SYMTAB ||
         section[i].sh_type == SHT_DYNSYM) &&
        section[i].sh_link < head->e_shnum)
      read_table(file, &section[i], &section[section[i].sh_link]);
  if (file->symbols)
    qsort(file->symbol, file->symbols, sizeof *file->symbol, compare_symbols);
}

static bool is_same_build(const struct profile_objects *objects,
                          const char *name, int fd) {
  char id[EXECUTABLE_BUILD_ID];
  for (size_t i = 0; i < objects->count; i++) {
    const struct profile_object *object = &objects->object[i];
    if (!strcmp(object->name, name))
      return object->build_id && !executable_read_build_id(fd, id) &&
             !strcmp(id, object->build_id);
  }
  return false;
}

static void open_file(struct frame_file *file,
                      const struct profile_objects *objects) {
  struct stat status;
  int fd = open(file->object, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > 0 &&
      is_same_build(objects, file->object, fd)) {
    void *map =
        mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    file->bytes = map == MAP_FAILED ? 0 : (size_t)status.st_size;
    file->map = map == MAP_FAILED ? NULL : map;
  }
  close(fd);
  if (file->map) read_symbols(file);
}

static const struct frame_file *file_of(struct frame_names *names,
                                        const char *object) {
  for (size_t i = 0; i < names->files; i++)
    if (!strcmp(names->file[i].object, object)) return &names->file[i];
  struct frame_file *file = ARRAY_ADD(names->file, names->files);
  *file = (struct frame_file){.object = object};
  open_file(file, names->objects);
  return file;
}

/* A call may be the last instruction of its function: it returns behind that.
 * Of several names the last that begins there is as good as any. */
const char *frame_name(struct frame_names *names,
                       const struct profile_frame *frame) {
  const struct frame_file *file = file_of(names, frame->object);
  size_t from = 0, to = file->symbols;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (file->symbol[middle].start < frame->offset)
      from = middle + 1;
    else
      to = middle;
  }
  if (!from || frame->offset > file->symbol[from - 1].end) return NULL;
  return file->symbol[from - 1].name;
}

void frame_names_fini(struct frame_names *names) {
  for (size_t i = 0; i < names->files; i++) {
    struct frame_file *file = &names->file[i];
    if (file->map) munmap((void *)file->map, file->bytes);
    free(file->symbol);
  }
  free(names->file);
  *names = (struct frame_names){0};
}
