/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/record.h -- JSON objects that stand for structs.
 *
 * A table of fields, which ends with a zeroed one, says which key holds which
 * member, of what type and within which limits.  That table writes the object,
 * in its order, and reads it; keys that it does not have are left alone.
 *
 *     static const struct field fields[] = {
 *         {"n", &field_whole, MEMBER(struct point, n), .most = 100},
 *         {"ns", &field_real, MEMBER(struct point, ns), .nullable = true},
 *         {0}};
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct field;

/* Who reads: where a refusal says why; and the struct whose list this is an
 * element of, or that the record is. */
struct record_reader {
  char *why;
  size_t why_size;
  void *around;
};

#define FIELD_UNUSED __attribute__((unused))
#define FIELD_WRITER(name)                                    \
  static json_t *name(const struct field *field FIELD_UNUSED, \
                      const void *member FIELD_UNUSED,        \
                      const void *around FIELD_UNUSED)
#define FIELD_READER(name)                                                     \
  static int name(const struct field *field FIELD_UNUSED,                      \
                  const json_t *value FIELD_UNUSED, void *member FIELD_UNUSED, \
                  const struct record_reader *reader FIELD_UNUSED)

/* FIELD_WRITER() and FIELD_READER() begin functions for these. */
struct field_type {
  /* What to store.  `around` as of a reader. */
  json_t *(*write)(const struct field *field, const void *member,
                   const void *around);
  /* `value` is NULL where the key is missing.  0, or -1 by record_refuse().
   * NULL: nothing is read. */
  int (*read)(const struct field *field, const json_t *value, void *member,
              const struct record_reader *reader);
};

struct field {
  const char *key; /* NULL: the fields of `of` are among those around it */
  const struct field_type *type;
  size_t offset, size; /* of the member */
  /* Of numbers; `most` 0: as much as the member holds. */
  uint64_t least, most;
  /* Reals: above 0.  Names, texts, reals and rows: "" or NAN is null. */
  bool positive, nullable;
  /* Where the key is missing the member stays as it is.  The key is written
   * where one of `when_bytes` bytes at `when` is not 0, or always (0). */
  bool optional;
  size_t when, when_bytes;
  const struct field *of; /* of an object or a row: its fields; of a list: one
                             that says what each element is */
  bool pointer; /* of an object or a list: not in the struct, but behind one */
  /* Of a list: bytes from element to element, and where in the struct a size_t
   * has their number. */
  size_t stride, count;
  /* What else must hold of what was read; as `read`. */
  int (*check)(const struct field *field, const void *member,
               const struct record_reader *reader);
  const char *text; /* of a constant; NULL: the number `least` */
};

/* The type of a field that is written only. */
#define WRITTEN_BY(writer) \
  .type = &(const struct field_type) { writer, NULL }

#define MEMBER(type, member) \
  .offset = offsetof(type, member), .size = sizeof((type *)0)->member
/* Written where `member` is not 0. */
#define WHEN(type, member) \
  .when = offsetof(type, member), .when_bytes = sizeof((type *)0)->member
/* A number or pointer that is missing where it is 0; a text where it is "". */
#define OPTIONAL(type, member) \
  MEMBER(type, member), WHEN(type, member), .optional = true
#define OPTIONAL_TEXT(type, member)                                      \
  MEMBER(type, member), .when = offsetof(type, member), .when_bytes = 1, \
                        .optional = true
/* Elements in the struct, as many as the size_t `counter` says; or behind a
 * pointer, where they are allocated. */
#define LIST(type, member, counter)                            \
  MEMBER(type, member), .stride = sizeof *((type *)0)->member, \
                        .count = offsetof(type, counter)
#define LIST_BEHIND(type, member, counter) \
  LIST(type, member, counter), .pointer = true

extern const struct field_type field_constant;
/* char[]: printable ASCII, as it is shown on terminals and in pages. */
extern const struct field_type field_name;
extern const struct field_type field_text; /* char[]: any, cut to fit */
/* const char *, NULL or "" may be null: to be written only. */
extern const struct field_type field_string;
/* unsigned, uint32_t, uint64_t or size_t.  Where `most` is beyond 2^63 - 1, at
 * which JSON integers end for many readers (ours too), larger ones are strings
 * of digits. */
extern const struct field_type field_whole;
extern const struct field_type field_hash; /* uint64_t: 16 hexadecimal digits */
extern const struct field_type field_bool;
extern const struct field_type field_real; /* double; not finite: null */
extern const struct field_type field_six;  /* the same to six digits */
/* A struct in the struct; or behind a pointer, NULL is null. */
extern const struct field_type field_object;
extern const struct field_type field_row;  /* the same as an array */
extern const struct field_type field_list; /* see LIST() */

/* How field_real reads. */
int field_real_read(const struct field *field, const json_t *value,
                    void *member, const struct record_reader *reader);

/* The caller owns it. */
json_t *record_to_json(const struct field *fields, const void *record);
/* Add the fields to `object`. */
void record_add(const struct field *fields, const void *record, json_t *object);

/*
 * Fill `record`, which the caller has zeroed or given what stands for missing
 * keys.  Returns 0; or -1 with errno EINVAL, and in `why` which key is wrong
 * and what it should be.  What lists have allocated stays in the record.
 */
int record_from_json(const struct field *fields, const json_t *object,
                     void *record, char *why, size_t why_size);

/* -1 with errno EINVAL and the sentence. */
int record_refuse(const struct record_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* 1 to size - 1 printable ASCII characters, as they are shown on terminals and
 * in pages? */
bool record_is_name(const char *text, size_t size);
/* Copy such a string; false where it is none. */
bool record_name(const json_t *json, char *name, size_t size);

/* Numbers of 64 bits, see field_whole.  False where `json` is neither. */
json_t *json_of_u64(uint64_t value);
bool u64_of_json(const json_t *json, uint64_t *value);

/* A real, or null where it is not finite. */
json_t *json_of_real(double value);
/* Read again: of a key; NAN where it has no number. */
double json_real_at(const json_t *object, const char *key);
/* A text, of which what is no UTF-8 is told, not passed on. */
json_t *json_of_text(const char *text);
/* An object of them: keys and doubles by turns. */
#define json_of_reals(...) json_of_all(__VA_ARGS__, (char *)NULL)
json_t *json_of_all(const char *key, ...) __attribute__((sentinel));
/* What its first six digits say. */
double six_digits(double value);
