/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The few fields of an ELF file that matter: System V ABI, chapters 4 and 5.
 * Both classes are read by one code, since a 32-bit program is a case. */
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/compare/executable.h"

#if __SIZEOF_POINTER__ == 8
enum { OUR_CLASS = ELFCLASS64 };
#else
enum { OUR_CLASS = ELFCLASS32 };
#endif
#if __BYTE_ORDER == __LITTLE_ENDIAN
enum { OUR_DATA = ELFDATA2LSB };
#else
enum { OUR_DATA = ELFDATA2MSB };
#endif

struct image {
  const unsigned char *bytes;
  size_t size;
  bool wide; /* 64 bit */
};

/* A header's fields that are used, in either class. */
struct segment {
  uint32_t type;
  uint64_t offset, bytes;
};

/* The segment `index`; false where the file ends before it. */
static bool read_segment(const struct image *image, size_t index,
                         struct segment *segment) {
  uint64_t table, each = image->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
  if (image->wide) {
    Elf64_Ehdr header;
    memcpy(&header, image->bytes, sizeof header);
    if (index >= header.e_phnum || header.e_phentsize != each) return false;
    table = header.e_phoff;
  } else {
    Elf32_Ehdr header;
    memcpy(&header, image->bytes, sizeof header);
    if (index >= header.e_phnum || header.e_phentsize != each) return false;
    table = header.e_phoff;
  }
  if (table > image->size || (index + 1) * each > image->size - table)
    return false;
  const unsigned char *at = image->bytes + table + index * each;
  if (image->wide) {
    Elf64_Phdr entry;
    memcpy(&entry, at, sizeof entry);
    *segment = (struct segment){entry.p_type, entry.p_offset, entry.p_filesz};
  } else {
    Elf32_Phdr entry;
    memcpy(&entry, at, sizeof entry);
    *segment = (struct segment){entry.p_type, entry.p_offset, entry.p_filesz};
  }
  return true;
}

static bool holds(const struct image *image, uint64_t from, uint64_t bytes,
                  const char *word) {
  if (from > image->size) return false;
  if (bytes > image->size - from) bytes = image->size - from;
  return memmem(image->bytes + from, bytes, word, strlen(word)) != NULL;
}

static enum executable_form form_of(const struct image *image) {
  struct segment segment;
  for (size_t i = 0; read_segment(image, i, &segment); i++) {
    if (segment.type != PT_INTERP) continue;
    if (holds(image, segment.offset, segment.bytes, "/ld-musl"))
      return EXECUTABLE_MUSL;
    return holds(image, segment.offset, segment.bytes, "/ld-linux") ||
                   holds(image, segment.offset, segment.bytes, "/ld64.so")
               ? EXECUTABLE_GLIBC
               : EXECUTABLE_UNKNOWN;
  }
  return EXECUTABLE_STATIC;
}

/* The machine that vat itself was built for. */
static uint16_t our_machine(void) {
#if defined __x86_64__
  return EM_X86_64;
#elif defined __aarch64__
  return EM_AARCH64;
#elif defined __i386__
  return EM_386;
#else
  return EM_NONE;
#endif
}

static int read_image(struct executable *program, const struct image *image) {
  const unsigned char *ident = image->bytes;
  uint16_t type, machine;
  /* Both lie at the same place in either class. */
  memcpy(&type, ident + offsetof(Elf64_Ehdr, e_type), sizeof type);
  memcpy(&machine, ident + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
  if (type != ET_EXEC && type != ET_DYN) return -1;
  program->form = form_of(image);
  program->same_words =
      ident[EI_CLASS] == OUR_CLASS && machine == our_machine();
  program->tunables = program->form == EXECUTABLE_STATIC &&
                      holds(image, 0, image->size, "glibc.malloc.hugetlb");
  return 0;
}

/* Map the file on `fd`, if it is ELF of either class.  -1 with errno. */
static int map_image(struct image *image, int fd) {
  struct stat status;
  if (fstat(fd, &status)) return -1;
  *image = (struct image){.size = (size_t)status.st_size};
  if (image->size < EI_NIDENT) {
    errno = ENOEXEC;
    return -1;
  }
  void *mapped = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (mapped == MAP_FAILED) return -1;
  image->bytes = mapped;
  bool elf = !memcmp(image->bytes, ELFMAG, SELFMAG);
  image->wide = elf && image->bytes[EI_CLASS] == ELFCLASS64;
  size_t header = image->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  if (elf && (image->wide || image->bytes[EI_CLASS] == ELFCLASS32) &&
      image->size >= header && image->bytes[EI_DATA] == OUR_DATA)
    return 0;
  munmap(mapped, image->size);
  errno = ENOEXEC;
  return -1;
}

static void unmap_image(const struct image *image) {
  munmap((void *)image->bytes, image->size);
}

int executable_read_elf(struct executable *program, int fd) {
  struct image image;
  if (map_image(&image, fd)) return -1;
  int failed = read_image(program, &image);
  unmap_image(&image);
  if (failed) errno = ENOEXEC;
  return failed;
}

static int read_loader(const struct image *image, char loader[PATH_MAX]) {
  struct segment segment;
  for (size_t i = 0; read_segment(image, i, &segment); i++) {
    if (segment.type != PT_INTERP) continue;
    if (segment.bytes < 2 || segment.bytes >= PATH_MAX ||
        segment.offset > image->size ||
        segment.bytes > image->size - segment.offset)
      return -1;
    memcpy(loader, image->bytes + segment.offset, segment.bytes);
    loader[segment.bytes] = '\0';
    return 0;
  }
  return -1;
}

int executable_read_loader(int fd, char loader[PATH_MAX]) {
  struct image image;
  if (map_image(&image, fd)) return -1;
  int failed = read_loader(&image, loader);
  unmap_image(&image);
  if (failed) errno = ENOEXEC;
  return failed;
}
