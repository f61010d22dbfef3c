/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/option_row.h -- one row of a table of options (options.h),
 * and its value. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {                 /* what is stored */
                   OPTION_FLAG,    /* bool: true */
                   OPTION_TEXT,    /* const char *: as typed */
                   OPTION_FILE,    /* the same, and not empty */
                   OPTION_TEXTS,   /* struct option_texts: one each time */
                   OPTION_CHOICE,  /* one of the words of `value`, "lru|min":
                                      const  char *, as typed, or its number, an
                                      int */
                   OPTION_WHOLE,   /* uint32_t, int or uint64_t: numbers.h */
                   OPTION_SIZE,    /* the same, typed as a size */
                   OPTION_REAL,    /* double */
                   OPTION_SIZES,   /* struct sizes: a list */
                   OPTION_NUMBERS, /* struct numbers: a list */
                   OPTION_WHOLE_NUMBERS, /* the same, all whole */
                   OPTION_OWN            /* what `set` makes of it */
};

struct option_texts {
  const char **at; /* NULL-ended, where there are any */
  size_t count;
};

/* The words of a command line that are no options. */
struct option_words {
  char **at; /* into argv, NULL-ended */
  size_t count;
};

struct option_row {
  const char *name;  /* "tc-nodes"; NULL: `help` heads the options behind */
  const char *value; /* "W": also says what completes it; NULL: a flag */
  enum option_type type;
  char letter;           /* 'o' */
  bool other_name;       /* of the row before, which has all the rest */
  bool once;             /* refused where it is given again; else the last one
                            counts */
  const char *without;   /* the value where it may be left out: [=W] */
  size_t at, bytes;      /* in the request: OPTION_AT() */
  size_t given;          /* a bool there that is then true, OPTION_GIVEN() */
  uint64_t least, most;  /* of a number, or each of a list; most 0: no limit */
  double low, high;      /* the same of real numbers; high 0: no limit */
  size_t items;          /* how many there may be of a list; 0: no limit */
  const char *usual;     /* the default, as it would be typed; --help adds it */
  const char *conflicts; /* options it is not to be with: "all-w,nested" */
  const char *needs;     /* an option that it is nothing without */
  const char *because;   /* said where that is missing; NULL: "say both" */
  const char *help;
  /* `at` is where the value goes; an exit code, having printed why. */
  int (*set)(void *at, const char *option, const char *text);
  /* Other rows in this place, whose request is at `at`. */
  const struct option_row *rows;
};

#define OPTION_AT(type, member) \
  .at = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)
#define OPTION_GIVEN(type, member) .given = offsetof(type, member)

/* Store what was typed in the request.  An exit code, having printed what is
 * wrong: "vat: --NAME TEXT: ...". */
int option_value_set(const struct option_row *row, void *request,
                     const char *text);

/* Call `take` for each item of a list with commas, until it fails. */
int option_items(void *at, const char *option, const char *list,
                 int (*take)(void *at, const char *option, const char *item));

/* Free what is there, if the row stores what has to be. */
void option_value_fini(const struct option_row *row, void *request);
