/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/survey.h"

#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/memory.h"

static void add_absent(struct pages_survey *survey,
                       const struct process_pages *pages,
                       enum process_state state, int error) {
  struct pages_absent *absent = ARRAY_ADD(survey->absent, survey->absents);
  *absent = (struct pages_absent){.pid = pages->pid};
  memcpy(absent->name, pages->name, sizeof absent->name);
  absent->reason = "it ended while it was read";
  if (state == PROCESS_KERNEL)
    absent->reason = "a thread of the kernel, without memory of its own";
  else if (state == PROCESS_ENDING)
    absent->reason = "it is ending, and its memory is free";
  else if (state == PROCESS_ZOMBIE)
    absent->reason = "it has ended (zombie), and its memory is free";
  else if (error == EACCES || error == EPERM) {
    absent->reason = "its memory may be read by its owner and root only";
    absent->fix = "run vat as its owner or as root";
    if (!geteuid()) {
      absent->reason = "root has no right to read its memory here";
      absent->fix = "give vat CAP_SYS_PTRACE, or run it outside the container";
    }
  } else if (state == PROCESS_LIVE) {
    absent->reason = "its memory could not be read";
  }
}

static void add_totals(struct pages_survey *survey,
                       const struct process_pages *pages) {
  survey->resident += pages->once;
  survey->sizes_told = survey->sizes_told && pages->sizes_told;
  for (size_t i = 0; *pages->on.kinds[i].name; i++)
    pages_on_add(&survey->on, pages->on.kinds[i].name, pages->on.kinds[i].once,
                 0);
  for (size_t i = 0; i < pages->why.count; i++) {
    struct pages_why why = pages->why.at[i];
    /* What several processes share becomes huge with all of it. */
    why.could = why.could < why.once ? why.could : why.once;
    why.bytes = why.once;
    if (why.bytes) pages_whys_add(&survey->why, &why);
  }
}

static int more_resident(const void *a, const void *b) {
  const struct process_pages *x = a, *y = b;
  if (x->resident != y->resident) return x->resident < y->resident ? 1 : -1;
  return (x->pid > y->pid) - (x->pid < y->pid);
}

void pages_survey_read(struct pages_survey *survey,
                       const struct process_list *list,
                       const struct machine_facts *machine) {
  struct seen_pages seen = {0};
  *survey = (struct pages_survey){.outside = list->outside, .sizes_told = true};
  for (size_t i = 0; i < list->count; i++) {
    struct process_pages pages;
    enum process_state state;
    if (process_pages_read(&pages, list->at[i], machine, &seen, &state)) {
      add_absent(survey, &pages, state, errno);
      process_pages_fini(&pages);
      continue;
    }
    add_totals(survey, &pages);
    *ARRAY_ADD(survey->at, survey->count) = pages;
  }
  seen_pages_fini(&seen);
  pages_whys_sort(&survey->why);
  if (survey->count)
    qsort(survey->at, survey->count, sizeof *survey->at, more_resident);
}

void pages_survey_fini(struct pages_survey *survey) {
  for (size_t i = 0; i < survey->count; i++) process_pages_fini(&survey->at[i]);
  free(survey->at);
  free(survey->absent);
  pages_whys_fini(&survey->why);
  *survey = (struct pages_survey){0};
}
