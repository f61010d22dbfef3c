/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/faults/faults.h -- what the parts of the driver share. */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/faults/judge.h"

enum { COMMANDS_MAX = 48 };

extern const char *const fault_kinds[FAULT_KINDS];

struct options {
  const char *vat, *inject, *data; /* data: tests/experiments */
  const char *only;                /* this command alone */
  int kind;
  unsigned nth;
  double seconds; /* of all processors */
  int workers;
  bool tell;  /* of each fault what the command said */
  bool every; /* also of allocations that one way leads to */
};

struct fault {
  const struct faulty_command *command;
  int kind;
  unsigned nth;
};

/* What is the same for all. */
struct faults {
  struct options options;
  char base[PATH_MAX], inputs[PATH_MAX + 8];
  struct traces clean[COMMANDS_MAX];
  double seconds[COMMANDS_MAX];
  unsigned reached[COMMANDS_MAX][FAULT_KINDS]; /* calls, of kinds asked for */
  struct fault *planned;
  size_t count, room;
};

_Noreturn void die(const char *what);
struct fault_page *faults_page(int *fd);

/* Make the directory that commands find their inputs in. */
void faults_make_inputs(struct faults *all, struct fault_page *page, int fd);

/* Run the command in `directory`, made anew, and read what it left. */
void faults_run(const struct faults *all, const struct faulty_command *command,
                const char *directory, struct fault_page *page, int page_fd,
                struct outcome *outcome, struct traces *traces);

/* Run it without a fault, and plan one for each call; tell how many calls there
 * are.  It ends the driver where that fails. */
void faults_survey(struct faults *all, const struct faulty_command *command,
                   struct fault_page *page, int fd);

/* Take faults out until the rest fits the time; the same ones each time. */
void faults_thin(struct faults *all);
