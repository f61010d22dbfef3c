/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/rules.h -- what vat exec asks of its library, as text.
 *
 * The text is the value of a variable of the environment, VAT_RULES, so that
 * whatever the program forks and executes has it too, and no file is left
 * behind.  Entries end at ';' and their words at ':'; in words these two, '%'
 * and blanks are %XX.  CHOICE is the number of a choice in the plan:
 *
 *   mappings:CHOICE:LEAST      anonymous mappings of LEAST bytes, and shared
 *                              memory unless there is an entry for that
 *   data:CHOICE                zeroed static data
 *   stack:CHOICE               of the main thread
 *   heap:CHOICE                glibc.malloc.hugetlb asks, this only reports
 *   shared:CHOICE:LEAST        shared memory that is of no file on a disk
 *   file:CHOICE:NAME           mappings of files of that name
 *   text:CHOICE                the code of the program and of its libraries
 *   text:CHOICE:NAME           of the one of that name
 *   function:CHOICE:LEAST:MOST:FROM:TO:FUNCTION:OBJECT
 *   chain:CHOICE:LEAST:MOST:FROM:TO:FRAME...
 *   mapped:...                 the same, of mappings and shared memory alone
 *   object:NAME:BUILDID        numbered as they come, from 0
 *   name:FUNCTION              as well
 *
 * where a block of LEAST to MOST bytes is on huge pages from byte FROM to byte
 * TO, or, if MOST is not 2^64 - 1, the first TO bytes of such blocks are.  A
 * FRAME is OBJECT.OFFSET or OBJECT.OFFSET.NAME, of an object and a name by
 * their numbers and a return address relative to where the object is loaded,
 * innermost first.  All numbers are hexadecimal.
 *
 * Nothing here calls a C library, but for strlen() and the like.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RULES_NONE = -1,
  RULES_CHOICES = 1024, /* of a plan, at most */
  RULES_FILES = 16,
  RULES_NAME = 128, /* of a file */
  RULES_FRAMES = 8,
  RULES_WORDS = 8 + RULES_FRAMES,
  RULES_TEXT = 120 << 10 /* of the variable: the kernel takes 128 KiB */
};

struct rules_word {
  const char *at;
  size_t length;
};

/* One entry; `count` words, the first says what it is. */
struct rules_entry {
  struct rules_word word[RULES_WORDS];
  unsigned count;
};

/* The next entry of `*text`, which is moved behind it.  False at the end. */
bool rules_next(const char **text, struct rules_entry *entry);

bool rules_is(const struct rules_word *word, const char *text);

/* 0 where it is no number. */
uint64_t rules_number(const struct rules_word *word);

/* As it was before %XX, cut to `size`. */
void rules_decode(const struct rules_word *word, char *text, size_t size);

/* Everything but sites; a choice is RULES_NONE where there is none. */
struct rules {
  int mappings, data, stack, heap, shared;
  size_t least, shared_least;
  struct rules_file {
    int choice;
    char name[RULES_NAME]; /* of a text: "", of every one */
  } file[RULES_FILES], text[RULES_FILES];
  unsigned files, texts, choices;
};

void rules_read(struct rules *rules, const char *text);
