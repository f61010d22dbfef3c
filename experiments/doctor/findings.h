/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/doctor/findings.h -- what the doctor found, before it is printed.
 *
 * A finding is something that is there, something that is missing, with what
 * fixes it, or a fact that is neither good nor bad.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum finding_state { FINDING_OK, FINDING_INFO, FINDING_MISSING };

struct finding {
  const char *section;
  enum finding_state state;
  char name[32];
  char value[256]; /* what is there, or why it is not */
  char fix[256];   /* of what is missing: a command, or a sentence where none
                      helps */
};

struct findings {
  struct finding *at;
  size_t count, missing; /* of all; of state FINDING_MISSING */
  const char *section;   /* of the findings to come */
  bool root;             /* commands need no sudo, */
  bool sudo;             /* or it is there for them */
};

void findings_fini(struct findings *findings);

#define findings_ok(findings, name, ...) \
  findings_add((findings), FINDING_OK, (name), "", __VA_ARGS__)
#define findings_info(findings, name, ...) \
  findings_add((findings), FINDING_INFO, (name), "", __VA_ARGS__)
/* Where it is of no use "sudo " is dropped from `fix`, with a hint at the end
 * for who is not root. */
#define findings_missing(findings, name, fix, ...) \
  findings_add((findings), FINDING_MISSING, (name), (fix), __VA_ARGS__)
void findings_add(struct findings *findings, enum finding_state state,
                  const char *name, const char *fix, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* For people: 80 columns, but for commands, which are never broken.  What is
 * missing in a row that share their reason and fix are printed as one.  Returns
 * how many entries that made of the missing. */
size_t findings_print(FILE *out, const struct findings *findings);

/* Array of {"section","name","state","value","mend"}. */
json_t *findings_to_json(const struct findings *findings);
