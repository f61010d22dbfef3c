/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/doctor/findings.h -- what the doctor found, before it is printed.
 *
 * A finding is something that is there, something that is lacking, with what
 * mends it, or a fact that is neither good nor bad.  Memory that runs out
 * while adding is remembered in `failed`, for the end.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum finding_state { FINDING_OK, FINDING_INFO, FINDING_LACK };

struct finding {
  const char *section;
  enum finding_state state;
  char name[32];
  char value[256]; /* what is there, or why it is not */
  char mend[256];  /* of a lack: a command, or a sentence where none helps */
};

struct findings {
  struct finding *at;
  size_t count;
  const char *section; /* of the findings to come */
  bool root;           /* commands need no sudo, */
  bool sudo;           /* or it is there for them */
};

void findings_fini(struct findings *findings);

void findings_ok(struct findings *findings, const char *name,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
void findings_info(struct findings *findings, const char *name,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Where it is of no use "sudo " is dropped from `mend`, with a hint at the end
 * for who is not root. */
void findings_lack(struct findings *findings, const char *name,
                   const char *mend, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t findings_lacks(const struct findings *findings);

/* For people: 80 columns, but for commands, which are never broken.  Lacks in a
 * row that share their reason and mend are printed as one.  Returns how many
 * entries that made of the lacks. */
size_t findings_print(FILE *out, const struct findings *findings);

/* Array of {"section","name","state","value","mend"}. */
json_t *findings_to_json(const struct findings *findings);
