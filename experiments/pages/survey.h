/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/survey.h -- the memory of several processes, and of which
 * nothing can be said. */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "experiments/pages/process_list.h"
#include "experiments/pages/process_pages.h"

/* A process that is not looked at. */
struct pages_absent {
  pid_t pid;
  char name[64];
  const char *reason; /* "a thread of the kernel: ..." */
  const char *fix;    /* NULL: none */
};

struct pages_survey {
  struct process_pages *at; /* by falling resident memory */
  size_t count;
  struct pages_absent *absent;
  size_t absents;
  size_t outside; /* processes of a cgroup beyond this pid namespace */
  /* Sums, in which memory that processes share counts once: in `bytes`. */
  size_t resident;
  struct pages_on on;
  struct pages_whys why;
  bool sizes_told; /* of all of them */
};

void pages_survey_read(struct pages_survey *survey,
                       const struct process_list *list,
                       const struct machine_facts *machine);
void pages_survey_fini(struct pages_survey *survey);

/* {"pid","mappings":[...],"total":{"resident","on",...}} */
json_t *process_pages_json(const struct process_pages *pages);
/* {"processes":[...],"absent":[...],"total":{...}} */
json_t *pages_survey_json(const struct pages_survey *survey);

/* For people: one process with its mappings, or a line for each process. */
void process_pages_print(FILE *out, const struct process_pages *pages);
void pages_survey_print(FILE *out, const struct pages_survey *survey);
