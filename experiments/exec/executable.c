/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/executable.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "experiments/cli/program.h"

/* The few fields of an ELF file that matter: System V ABI, chapters 4 and 5.
 * Both classes are read by one code, since a 32-bit program is a case. */
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
  unsigned char *bytes;
  size_t size;
  bool wide; /* 64 bit */
};

/* A header's fields that are used, in either class. */
struct segment {
  uint32_t type;
  uint64_t offset, bytes, align;
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
    *segment = (struct segment){entry.p_type, entry.p_offset, entry.p_filesz,
                                entry.p_align};
  } else {
    Elf32_Phdr entry;
    memcpy(&entry, at, sizeof entry);
    *segment = (struct segment){entry.p_type, entry.p_offset, entry.p_filesz,
                                entry.p_align};
  }
  return true;
}

/* Is one named?  "" where its name is damaged. */
static bool find_loader(const struct image *image, char loader[PATH_MAX]) {
  struct segment segment;
  *loader = '\0';
  for (size_t i = 0; read_segment(image, i, &segment); i++) {
    if (segment.type != PT_INTERP) continue;
    if (segment.bytes < 2 || segment.bytes >= PATH_MAX ||
        segment.offset > image->size ||
        segment.bytes > image->size - segment.offset)
      return true;
    memcpy(loader, image->bytes + segment.offset, segment.bytes);
    loader[segment.bytes] = '\0';
    return true;
  }
  return false;
}

static enum executable_form form_of(const struct image *image) {
  char loader[PATH_MAX];
  if (!find_loader(image, loader)) return EXECUTABLE_STATIC;
  if (strstr(loader, "/ld-musl")) return EXECUTABLE_MUSL;
  return strstr(loader, "/ld-linux") || strstr(loader, "/ld64.so")
             ? EXECUTABLE_GLIBC
             : EXECUTABLE_UNKNOWN;
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
  static const char tunable[] = "glibc.malloc.hugetlb";
  const unsigned char *ident = image->bytes;
  uint16_t type, machine;
  /* Both lie at the same place in either class. */
  memcpy(&type, ident + offsetof(Elf64_Ehdr, e_type), sizeof type);
  memcpy(&machine, ident + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
  struct segment first; /* the kernel runs no program without one */
  if ((type != ET_EXEC && type != ET_DYN) || !read_segment(image, 0, &first))
    return -1;
  program->form = form_of(image);
  program->same_words =
      ident[EI_CLASS] == OUR_CLASS && machine == our_machine();
  program->tunables = program->form == EXECUTABLE_STATIC &&
                      memmem(ident, image->size, tunable, sizeof tunable - 1);
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
  image->bytes = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (image->bytes == MAP_FAILED) return -1;
  bool elf = !memcmp(image->bytes, ELFMAG, SELFMAG);
  image->wide = elf && image->bytes[EI_CLASS] == ELFCLASS64;
  size_t header = image->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  if (elf && (image->wide || image->bytes[EI_CLASS] == ELFCLASS32) &&
      image->size >= header && image->bytes[EI_DATA] == OUR_DATA)
    return 0;
  munmap(image->bytes, image->size);
  errno = ENOEXEC;
  return -1;
}

int executable_read_elf(struct executable *program, int fd) {
  struct image image;
  if (map_image(&image, fd)) return -1;
  int failed = read_image(program, &image);
  munmap(image.bytes, image.size);
  if (failed) errno = ENOEXEC;
  return failed;
}

int executable_read_loader(int fd, char loader[PATH_MAX]) {
  struct image image;
  if (map_image(&image, fd)) return -1;
  find_loader(&image, loader);
  munmap(image.bytes, image.size);
  if (*loader) return 0;
  errno = ENOEXEC;
  return -1;
}

/* In notes: each has the bytes of its name and of what it says, a type, and
 * then both, of which each begins at a multiple of the alignment.  Headers are
 * alike in both classes. */
static bool find_build_id(const unsigned char *notes, size_t bytes,
                          size_t align, char id[EXECUTABLE_BUILD_ID]) {
  static const char owner[] = "GNU";
  Elf64_Nhdr note;
  size_t at = 0;
  while (at <= bytes && bytes - at >= sizeof note) {
    memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note;
    size_t text = name + (note.n_namesz + align - 1) / align * align;
    if (text > bytes || note.n_descsz > bytes - text) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof owner &&
        !memcmp(notes + name, owner, sizeof owner)) {
      if (!note.n_descsz || note.n_descsz > EXECUTABLE_BUILD_ID / 2)
        return false;
      for (size_t i = 0; i < note.n_descsz; i++)
        snprintf(id + 2 * i, 3, "%02x", notes[text + i]);
      return true;
    }
    at = text + (note.n_descsz + align - 1) / align * align;
  }
  return false;
}

int executable_read_build_id(int fd, char id[EXECUTABLE_BUILD_ID]) {
  struct image image;
  struct segment segment;
  bool found = false;
  if (map_image(&image, fd)) return -1;
  for (size_t i = 0; !found && read_segment(&image, i, &segment); i++)
    if (segment.type == PT_NOTE && segment.offset <= image.size &&
        segment.bytes <= image.size - segment.offset)
      found = find_build_id(image.bytes + segment.offset, segment.bytes,
                            segment.align == 8 ? 8 : 4, id);
  munmap(image.bytes, image.size);
  if (found) return 0;
  errno = ENOEXEC;
  return -1;
}

/* As the kernel follows scripts of scripts: binfmt_script, exec_binprm(). */
enum { SCRIPTS_MAX = 5 };

static int refuse(int error, char why[EXECUTABLE_WHY], const char *path,
                  const char *what) {
  snprintf(why, EXECUTABLE_WHY, "%.200s: %s", path, what);
  errno = error;
  return -1;
}

static int refuse_mode(char why[EXECUTABLE_WHY], const char *name) {
  snprintf(why, EXECUTABLE_WHY,
           "%.150s: is not executable for this user; fix: chmod a+x %.150s",
           name, name);
  errno = EACCES;
  return -1;
}

static int locate(struct executable *program, const char *name,
                  char why[EXECUTABLE_WHY]) {
  struct stat status;
  char what[160];
  if (!*name) return refuse(ENOENT, why, "''", "no program of that name");
  if (!strchr(name, '/')) {
    if (program_find(name, program->path)) return 0;
    if (errno == EACCES) return refuse_mode(why, name);
    snprintf(what, sizeof what, "not found along PATH%s", program_hint(name));
    return refuse(ENOENT, why, name, what);
  }
  if (strlen(name) >= sizeof program->path)
    return refuse(ENAMETOOLONG, why, name, "too long a path");
  strcpy(program->path, name);
  if (stat(name, &status)) {
    int error = errno;
    snprintf(what, sizeof what, "%s%s", strerror(error), program_hint(name));
    return refuse(error, why, name, what);
  }
  if (S_ISDIR(status.st_mode))
    return refuse(EACCES, why, name, "is a directory, not a program");
  return 0;
}

/* For a program that gains rights when it starts, the loader forgets what the
 * environment asks (AT_SECURE), and tracing would take the rights away. */
static int check_rights(const char *path, char why[EXECUTABLE_WHY]) {
  struct stat status;
  if (stat(path, &status)) return refuse(errno, why, path, strerror(errno));
  bool user = status.st_mode & S_ISUID && status.st_uid != geteuid();
  bool group = status.st_mode & S_ISGID && status.st_mode & S_IXGRP &&
               status.st_gid != getegid();
  if (user || group)
    return refuse(
        EPERM, why, path,
        user ? "is setuid, so its loader ignores the settings that vat "
               "gives it; fix: run vat as the file's owner"
             : "is setgid, so its loader ignores the settings that vat "
               "gives it; fix: measure a copy of it");
  if (geteuid() && getxattr(path, "security.capability", NULL, 0) > 0)
    return refuse(EPERM, why, path,
                  "has file capabilities, so its loader ignores the settings "
                  "that vat gives it; fix: run vat as root");
  return 0;
}

int executable_read_script(int fd, char interpreter[PATH_MAX]) {
  char line[256]; /* BINPRM_BUF_SIZE: the kernel reads no more */
  ssize_t got = pread(fd, line, sizeof line - 1, 0);
  if (got < 0) return -1;
  line[got] = '\0';
  errno = ENOEXEC;
  if (strncmp(line, "#!", 2)) return -1;
  const char *name = line + 2 + strspn(line + 2, " \t");
  size_t length = strcspn(name, " \t\n");
  if (!length) return -1;
  memcpy(interpreter, name, length);
  interpreter[length] = '\0';
  return 0;
}

int executable_find(struct executable *program, const char *name,
                    char why[EXECUTABLE_WHY]) {
  *program = (struct executable){.form = EXECUTABLE_UNKNOWN};
  if (locate(program, name, why)) return -1;
  /* Look at it, and at what interprets it, and so on. */
  strcpy(program->elf, program->path);
  for (int depth = 0; depth < SCRIPTS_MAX; depth++) {
    if (check_rights(program->elf, why)) return -1;
    int fd = open(program->elf, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
      return refuse(errno, why, program->elf,
                    "cannot be read, so vat does not know how to give it huge "
                    "pages; fix: chmod +r");
    int failed = executable_read_elf(program, fd), error = errno;
    char next[PATH_MAX];
    bool script = failed && !executable_read_script(fd, next);
    close(fd);
    if (!failed)
      return access(program->path, X_OK) ? refuse_mode(why, name) : 0;
    if (!script)
      return refuse(error, why, program->elf,
                    error == ENOEXEC ? "is neither an ELF program nor a script "
                                       "that begins with #!; fix: name the "
                                       "compiled program, or the interpreter "
                                       "before it, such as sh"
                                     : strerror(error));
    program->script = true;
    strcpy(program->elf, next);
  }
  return refuse(ELOOP, why, program->path, "a script of scripts of scripts");
}
