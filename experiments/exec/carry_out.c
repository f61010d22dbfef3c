/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/carry_out.h"

#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/exec/environment.h"
#include "experiments/exec/rules.h"
#include "experiments/exec/rules_text.h"
#include "huge_pages/thp_alone.h"

extern char **environ;

static bool has(const struct page_plan *plan, enum plan_what what) {
  for (size_t i = 0; i < plan->choice_count; i++)
    if (plan->choices[i].what == what && !plan->choices[i].refused) return true;
  return false;
}

/* Is anything chosen that a static program's libc cannot give by itself? */
static bool needs_library(const struct page_plan *plan) {
  for (size_t i = 0; i < plan->choice_count; i++)
    if (plan->choices[i].what != PLAN_HEAP && !plan->choices[i].refused)
      return true;
  return false;
}

static int refuse_static(const struct page_plan *plan,
                         const struct executable *program, bool reports) {
  if (program->tunables && !needs_library(plan) && reports)
    return fail(VAT_ABSENT,
                "--report: %s is static, so no library can be loaded into it "
                "that reports; fix: leave --report out, and see vat pages",
                program->path);
  if (program->tunables && !needs_library(plan)) return VAT_OK;
  return fail(VAT_ABSENT,
              "%s is static, so no library can be loaded into it; fix: %s%s",
              program->path,
              program->tunables
                  ? "--huge heap, which its glibc can do by itself"
                  : "link it to glibc at run time, or use sudo vat compare, "
                    "which makes huge pages from outside",
              program->tunables && reports ? ", without --report" : "");
}

static int check_program(const struct page_plan *plan,
                         const struct executable *program, bool reports) {
  if (program->form == EXECUTABLE_STATIC)
    return refuse_static(plan, program, reports);
  if (!program->same_words)
    return fail(
        VAT_ABSENT,
        "%s is built for another word size or processor than vat, whose "
        "library cannot be loaded into it; fix: a vat of that kind",
        program->path);
  if (program->form == EXECUTABLE_GLIBC && glibc_has_tunables()) return VAT_OK;
  if (!plan_has_sites(plan) && !has(plan, PLAN_HEAP)) return VAT_OK;
  return fail(VAT_ABSENT,
              "%s: heap and allocation sites need glibc 2.35 or later, and it "
              "is not linked to that; fix: choose mappings, data or stack, or "
              "link it to glibc",
              program->path);
}

/* Other switches rule shared memory and files, and of what is there, as code
 * is, the kernel makes 2 MiB pages only. */
static int check_small(const struct page_plan *plan,
                       const struct hp_kind *kind) {
  static const enum plan_what never[] = {PLAN_FILE, PLAN_TEXT};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    if (has(plan, never[i]))
      return fail(VAT_USAGE,
                  "--pages %s: %s cannot be on pages of this size; fix: "
                  "--pages thp, or leave it out",
                  kind->name, plan_what_names[never[i]]);
  if (!has(plan, PLAN_HEAP) || hp_thp_alone_choice(HP_THP_ASKS_MALLOC) ==
                                   hp_thp_alone_choice(HP_THP_ASKS_ALWAYS))
    return VAT_OK;
  return fail(VAT_ABSENT,
              "%s pages: malloc of glibc asks for heap only while "
              "/sys/kernel/mm/transparent_hugepage/enabled is at madvise; fix: "
              "echo madvise | sudo tee that file, or choose sites or mappings",
              kind->name);
}

/* What no hugetlb page can be mapped over. */
static int check_kind(const struct page_plan *plan,
                      const struct hp_kind *kind) {
  static const enum plan_what never[] = {PLAN_DATA, PLAN_STACK, PLAN_FILE,
                                         PLAN_TEXT};
  if (kind->alone) return check_small(plan, kind);
  if (kind->base)
    return fail(VAT_USAGE, "--pages %s: is no larger page; fix: --pages thp",
                kind->name);
  for (size_t i = 0; kind->pooled && i < sizeof never / sizeof *never; i++)
    if (has(plan, never[i]))
      return fail(VAT_USAGE,
                  "--pages %s: %s cannot be on pages of a pool; fix: --pages "
                  "thp, or leave it out",
                  kind->name, plan_what_names[never[i]]);
  return VAT_OK;
}

static int check_names(const struct page_plan *plan, enum plan_what what) {
  size_t count = 0;
  for (size_t i = 0; i < plan->choice_count; i++)
    count += plan->choices[i].what == what && !plan->choices[i].refused;
  if (count <= RULES_FILES) return VAT_OK;
  return fail(VAT_USAGE, "%s is chosen %zu times; fix: at most %d%s",
              plan_what_names[what], count, RULES_FILES,
              what == PLAN_TEXT ? ", or text, which is all code" : "");
}

static int check_text(const struct page_plan *plan, const char *text) {
  int code = check_names(plan, PLAN_FILE);
  if (!code) code = check_names(plan, PLAN_TEXT);
  if (code ||
      (plan->choice_count <= RULES_CHOICES && strlen(text) < RULES_TEXT))
    return code;
  return fail(
      VAT_USAGE,
      "%zu choices with %zu bytes of names: a program's environment has "
      "room for %d, with %d bytes; fix: %s",
      plan->choice_count, strlen(text), RULES_CHOICES, RULES_TEXT - 1,
      plan->words ? "vat plan with a smaller --budget" : "name less in --huge");
}

struct changes {
  const char *at[14];
  size_t count;
};

static void set(struct changes *changes, const char *name, const char *value) {
  changes->at[changes->count++] = name;
  changes->at[changes->count++] = value;
}

#ifdef HAVE_SITE_SHIM
static const bool has_site_shim = true;
#else
static const bool has_site_shim = false;
#endif

/* Large blocks of the heap are aligned if malloc() is interposed, too; those of
 * a pool are by the kernel. */
static const char *library_of(const struct page_plan *plan,
                              const struct hp_kind *kind) {
  bool heap = has_site_shim && has(plan, PLAN_HEAP) && !kind->pooled;
  return heap || plan_has_sites(plan) ? "site_shim.so" : "page_shim.so";
}

/* The user's come behind ours: mmap() and malloc() of ours are called first,
 * and call theirs. */
static int find_library(const struct page_plan *plan,
                        const struct hp_kind *kind,
                        const struct executable *program, char **preload) {
  if (program->form == EXECUTABLE_STATIC || !plan->choice_count) return VAT_OK;
  int code = preload_find(preload, library_of(plan, kind));
  if (!code) preload_add_given(preload);
  return code;
}

static void ask_heap(struct changes *changes, const struct hp_kind *kind,
                     char **tunables, char **conf) {
  char tunable[48];
  snprintf(tunable, sizeof tunable, "glibc.malloc.hugetlb=%zu",
           kind->pooled ? kind->bytes : 1);
  *tunables = environment_join("GLIBC_TUNABLES", tunable, ':');
  set(changes, "GLIBC_TUNABLES", *tunables);
  if (kind->pooled) return;
  *conf =
      environment_join("MALLOC_CONF", "thp:always,metadata_thp:always", ',');
  set(changes, "MALLOC_CONF", *conf);
}

static char **make_environment(const struct page_plan *plan,
                               const struct hp_kind *kind, const char *text,
                               const char *preload, const char *report) {
  struct changes changes = {0};
  char *tunables = NULL, *conf = NULL;
  if (has(plan, PLAN_HEAP)) ask_heap(&changes, kind, &tunables, &conf);
  if (preload) {
    set(&changes, "LD_PRELOAD", preload);
    set(&changes, "VAT_PAGES", kind->name);
    set(&changes, "VAT_RULES", text);
    if (report) set(&changes, "VAT_REPORT", report);
  }
  char **environment = environment_with(environ, changes.at);
  free(tunables);
  free(conf);
  return environment;
}

int carry_out(const struct page_plan *plan, const struct hp_kind *kind,
              const struct executable *program, const char *report,
              char ***environment) {
  char *preload = NULL;
  *environment = NULL;
  int code = plan->choice_count ? check_program(plan, program, report != NULL)
                                : VAT_OK;
  if (!code) code = check_kind(plan, kind);
  if (!code) code = find_library(plan, kind, program, &preload);
  char *text = rules_text(plan);
  if (!code) code = check_text(plan, text);
  if (!code) *environment = make_environment(plan, kind, text, preload, report);
  free(text);
  free(preload);
  return code;
}

bool carry_out_needs_us(char *const *environment) {
  for (; *environment; environment++)
    if (!strncmp(*environment, "LD_PRELOAD=", 11))
      return preload_needs_us(*environment);
  return false;
}
