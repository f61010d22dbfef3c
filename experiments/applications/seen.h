/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/applications/seen.h -- what is known of a program by which the
 * table of applications recognises it.
 *
 * Of a running process it is what /proc/PID has and the configuration files
 * that it names (process.h); of a profile it is the command, and the names of
 * its objects and functions.  All of it is untrusted text.  It is borrowed:
 * whoever fills the struct owns the texts.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes to look for in a file: the one part, then the other.  In two parts, so
 * that vat's own file does not have them. */
struct seen_word {
  const char *part[2];
  size_t length[2];
  unsigned align; /* of its place in the file; 0: any */
};
/* Two string literals. */
#define SEEN_WORD(a, b)                                        \
  {                                                            \
    .part = {a, b}, .length = { sizeof(a) - 1, sizeof(b) - 1 } \
  }
#define SEEN_WORD_ALIGNED(a, b, to) \
  { .part = {a, b}, .length = {sizeof(a) - 1, sizeof(b) - 1}, .align = (to) }
enum { SEEN_WORD_SIZE = 64, SEEN_AFTER = 64 };

/* How files of the program are read; a path is absolute, and as the program
 * sees it. */
struct seen_files {
  /* The text with a NUL after it, for free(); NULL with errno: it cannot be
   * read, or is longer than SEEN_FILE. */
  char *(*read)(void *context, const char *path);
  /* The names in a folder, sorted, each with a newline; NULL, as above. */
  char *(*names)(void *context, const char *path);
  /* What a symbolic link says; NULL, as above. */
  char *(*link)(void *context, const char *path);
  /* Does the file have the word in its first `limit` bytes?  Then `after` gets
   * what follows, with zeros after the file's end. */
  bool (*find)(void *context, const char *path, uint64_t limit,
               const struct seen_word *word, unsigned char after[SEEN_AFTER]);
};
enum { SEEN_FILE = 1 << 20, SEEN_PATH = 4096 };

struct application_seen {
  const char *exe; /* the program's file; "": unknown */
  const char *cwd; /* "": unknown */
  const char *const *argv;
  size_t argc;            /* 0: unknown */
  const char *const *env; /* "NAME=value" each */
  size_t envs;
  const char *env_why; /* why the environment is unknown; NULL: it is known */
  const char *const *objects; /* files that are mapped, or that code is of */
  size_t object_count;
  const char *const *functions; /* of a profile */
  size_t function_count;
  uint64_t shared_bytes;    /* largest shared anonymous mapping; 0: unknown */
  bool shared_huge;         /* and it is of hugetlb pages */
  uint64_t huge_page_bytes; /* of the default hugetlb pool; 0: unknown */
  const struct seen_files *files; /* NULL: no file can be read */
  void *context;                  /* of `files` */
};

/* Does `text` match one of the NULL-ended patterns of fnmatch(3)? */
bool seen_is_any(const char *text, const char *const patterns[]);

const char *seen_base(const char *path); /* its last part */

/* Is the program's file one of these?  Where that file is unknown: is one of
 * the objects? */
bool seen_is_program(const struct application_seen *seen,
                     const char *const patterns[]);

/* The first object whose last part is one of these; NULL: none is. */
const char *seen_object(const struct application_seen *seen,
                        const char *const patterns[]);

bool seen_has_function(const struct application_seen *seen,
                       const char *const patterns[]);

/* The value of an environment variable; NULL: it is not set, or unknown. */
const char *seen_env(const struct application_seen *seen, const char *name);

/* As the functions of `files`; `path` may be relative to `folder`.  NULL and
 * false where no file can be read. */
char *seen_read(const struct application_seen *seen, const char *folder,
                const char *path);
bool seen_find(const struct application_seen *seen, const char *path,
               uint64_t limit, const struct seen_word *word,
               unsigned char after[SEEN_AFTER]);

/* "folder/path", or `path` if that is absolute: fills and returns `full`; NULL:
 * too long, or `folder` is unknown. */
const char *seen_path(char full[SEEN_PATH], const char *folder,
                      const char *path);

/* The folder of a file: fills and returns `folder`, which may be `path`. */
const char *seen_folder(char folder[SEEN_PATH], const char *path);

/* Copy a text that is printed: cut it to fit, and make it printable ASCII. */
void seen_copy(char *to, size_t size, const char *from);
void seen_tame(char *text);
