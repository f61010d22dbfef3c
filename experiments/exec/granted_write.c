/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of vat exec. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/exec/granted.h"

/* A huge page at each end of a block or mapping does not fit. */
static const uint64_t edges = (uint64_t)4 << 20;

static const char *why_nothing_asked(const struct plan_choice *choice,
                                     uint64_t flags) {
  static const char *const reasons[PLAN_WHATS] = {
      [PLAN_SITE_LARGE] = "no block of this site was allocated",
      [PLAN_SITE_SMALL] = "no block of this site was allocated",
      [PLAN_HEAP] = "the heap of glibc has no memory",
      [PLAN_DATA] = "there is no zeroed static data with a mapping of its own",
      [PLAN_STACK] = "the stack was not seen",
      [PLAN_MAPPINGS] = "no such mapping was made",
      [PLAN_FILE] = "no file of that name was mapped",
      [PLAN_SHARED] = "no such memory was mapped"};
  if (flags & LOOK_OWN_MALLOC)
    return "the program has a malloc of its own; fix: choose mappings";
  if (flags & LOOK_SANDBOX)
    return "the program had entered a sandbox (seccomp) before: vat exec then "
           "lets it alone";
  if (flags & LOOK_OTHER_BUILD)
    return "the program or a library is another build than that of the plan, "
           "and no function there has these names; fix: profile this one";
  return reasons[choice->what];
}

static const char *why_not_all(const struct plan_choice *choice,
                               const struct hp_kind *kind,
                               const struct look_sum *sum) {
  if (sum->flags & LOOK_FORKED)
    return "children that fork made have no pages of the pool; fix: --pages "
           "thp";
  if (sum->flags & LOOK_POOL_EMPTY)
    return "the pool of these pages was used up; fix: --reserve SIZE, or a "
           "larger pool";
  if (choice->what == PLAN_FILE)
    return "its file system gives no huge pages; fix: a tmpfs mounted with "
           "huge=advise, or /sys/kernel/mm/transparent_hugepage/shmem_enabled";
  if (sum->asked - sum->granted < edges)
    return "what lies before the first and behind the last whole huge page";
  if (choice->what == PLAN_SHARED)
    return "the kernel made no huge pages of it: /sys/kernel/mm/"
           "transparent_hugepage/shmem_enabled is deny, Linux is older than "
           "6.1, or memory is short; fix: echo advise > that file";
  if (kind->pooled)
    return "pieces smaller than a page of the pool, or it was used up";
  return "pieces smaller than a huge page, or the kernel had none free when "
         "they were first touched";
}

/* NULL: nearly all was.  To free(). */
static char *why(const struct plan_choice *choice, const struct hp_kind *kind,
                 const struct look_sum *sum) {
  if (choice->what == PLAN_SHARED && kind->pooled)
    return memory_text(
        "vat has no pages of a pool for shared memory; fix: SHM_HUGETLB, "
        "MFD_HUGETLB or MAP_HUGETLB in the source, or --pages thp");
  if (choice->refused) return memory_text(choice->refused);
  if (!sum->asked) return memory_text(why_nothing_asked(choice, sum->flags));
  uint64_t least = sum->asked - sum->asked / 20;
  if (sum->granted >= least) return NULL;
  const char *reason = why_not_all(choice, kind, sum);
  if (!sum->other) return memory_text(reason);
  return memory_format("%s; %" PRIu64 " bytes are on %s instead", reason,
                       sum->other,
                       kind->pooled ? "transparent huge pages or another pool"
                                    : "pages of a pool");
}

static json_t *choice_to_json(const struct plan_choice *choice,
                              const struct hp_kind *kind,
                              const struct look_sum *sum) {
  char *reason = why(choice, kind, sum);
  uint64_t granted = sum->granted < sum->asked ? sum->granted : sum->asked;
  json_t *json = json_pack("{s:s, s:I, s:I, s:s?}", "where", choice->where,
                           "asked_bytes", (json_int_t)sum->asked,
                           "granted_bytes", (json_int_t)granted, "why", reason);
  free(reason);
  return json;
}

/* As a shell has it. */
static json_t *status_to_json(int status) {
  if (status == -1) return json_null();
  return json_integer(WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                          : WEXITSTATUS(status));
}

int granted_write(const char *path, const struct granted_report *report) {
  struct out_file file;
  const struct page_plan *plan = report->plan;
  if (out_file_open(&file, path)) return -1;
  json_t *choices = json_array();
  for (size_t i = 0; i < plan->choice_count; i++)
    json_array_append_new(
        choices,
        choice_to_json(&plan->choices[i], report->kind, &report->sums[i]));
  json_t *json = json_pack(
      "{s:s, s:i, s:o, s:s, s:I, s:o}", "record", "exec-report", "schema", 1,
      "status", status_to_json(report->status), "pages", report->kind->name,
      "processes", (json_int_t)report->processes, "choices", choices);
  json_line(file.stream, json, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  int failed = out_file_commit(&file), error = errno;
  out_file_end(&file);
  errno = error;
  return failed;
}
