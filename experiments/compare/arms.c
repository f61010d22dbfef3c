/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/arms.h"

#include <config.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/compare/backing.h"
#include "experiments/exec/carry_out.h"
#include "experiments/exec/environment.h"
#include "experiments/exec/huge_list.h"
#include "experiments/exec/plan_match.h"
#include "experiments/memory/workspaces.h"

extern char **environ;

/* What reaches this program. */
struct means {
  bool shim, tunables, collapse;
  char *preload; /* LD_PRELOAD, to be freed; NULL where nothing is */
};

static bool find_jemalloc(char path[PATH_MAX]) {
  glob_t files;
  bool found = !glob("/usr/{local/lib,lib/*,lib64,lib}/libjemalloc.so.2",
                     GLOB_BRACE, NULL, &files) &&
               strlen(files.gl_pathv[0]) < PATH_MAX;
  if (found) strcpy(path, files.gl_pathv[0]);
  globfree(&files);
  return found;
}

static int add_jemalloc(const struct compare_options *options,
                        const struct executable *program, struct means *means) {
  char path[PATH_MAX];
  if (!options->allocator || !strcmp(options->allocator, "glibc"))
    return VAT_OK;
  if (program->form != EXECUTABLE_GLIBC || !program->same_words)
    return fail(VAT_USAGE,
                "--malloc jemalloc: %s is not linked to glibc at run time, so "
                "it cannot be given another malloc",
                program->path);
  if (!find_jemalloc(path))
    return fail(VAT_ABSENT,
                "--malloc jemalloc: no libjemalloc.so.2 is here; fix: sudo "
                "apt-get install libjemalloc2");
  preload_add(&means->preload, path);
  return VAT_OK;
}

static int find_means(const struct compare_options *options,
                      const struct executable *program, struct means *means) {
  *means = (struct means){0};
  bool dynamic = program->form != EXECUTABLE_STATIC;
  means->shim = dynamic && program->same_words;
  means->tunables = program->tunables ||
                    (program->form == EXECUTABLE_GLIBC && glibc_has_tunables());
  means->collapse = !means->tunables && collapse_possible();
  int code =
      means->shim ? preload_find(&means->preload, "page_shim.so") : VAT_OK;
  if (!code) code = add_jemalloc(options, program, means);
  preload_add_given(&means->preload);
  return code;
}

static const char *const libc_words[] = {
    [EXECUTABLE_GLIBC] = "linked to glibc",
    [EXECUTABLE_MUSL] = "linked to musl",
    [EXECUTABLE_UNKNOWN] = "of a loader unknown to vat",
    [EXECUTABLE_STATIC] = "static",
};

static void say_means(struct arms *arms, const struct executable *program,
                      const struct means *means) {
  bool switches = false;
  for (size_t i = 0; i < arms->count; i++)
    switches |= arms->at[i].kind->alone != NULL;
  const struct {
    bool used;
    const char *name;
  } ways[] = {{means->tunables, "glibc's tunables"},
              {means->shim, "page_shim.so"},
              {means->collapse, "MADV_COLLAPSE from outside"},
              {switches, "the kernel's switches"}};
  const char *gap = "; pages requested through ";
  int used = snprintf(arms->means, sizeof arms->means, "%s%s%s",
                      program->script ? "a script, its interpreter " : "",
                      libc_words[program->form],
                      program->same_words ? "" : " and of another word size");
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    if (!ways[i].used) continue;
    used += snprintf(arms->means + used, sizeof arms->means - (size_t)used,
                     "%s%s", gap, ways[i].name);
    gap = " and ";
  }
}

static void set_environment(struct arm *arm, const struct means *means) {
  const struct hp_kind *kind = arm->kind;
  bool thp = !kind->base && !kind->pooled;
  char tunable[48];
  size_t ask = kind->pooled ? kind->bytes : thp;
  snprintf(tunable, sizeof tunable, "glibc.malloc.hugetlb=%zu", ask);
  char *tunables = environment_join("GLIBC_TUNABLES", tunable, ':');
  char *conf = environment_join("MALLOC_CONF",
                                thp ? "thp:always,metadata_thp:always"
                                    : "thp:default,metadata_thp:disabled",
                                ',');
  const char *pages = kind->base ? *kind->known_as : kind->name;
  const char *changes[] = {"VAT_PAGES",  pages,          "GLIBC_TUNABLES",
                           tunables,     "MALLOC_CONF",  conf,
                           "LD_PRELOAD", means->preload, NULL};
  if (!means->preload) changes[6] = NULL; /* leave LD_PRELOAD out */
  arm->environment = environment_with(environ, changes);
  free(tunables);
  free(conf);
}

/* Nothing is left to ask a static program, or one of another libc, with. */
static int refuse(const struct executable *program,
                  const struct hp_kind *kind) {
  if (kind->pooled)
    return fail(VAT_ABSENT,
                "%s is %s: nothing can give it %s pages; fix: --pages 4k,thp",
                program->path, libc_words[program->form], kind->name);
  return fail(VAT_ABSENT,
              "%s is %s: huge pages can only be given to it from outside, by "
              "Linux 6.1 and root; fix: sudo vat compare ..., or link it to "
              "glibc",
              program->path, libc_words[program->form]);
}

/* Switches rule by themselves; what asks for memory by a shim or a tunable may
 * be asked for by another. */
static bool reaches(const struct executable *program, const struct means *means,
                    const struct hp_kind *kind) {
  if (kind->base || kind->alone || means->tunables) return true;
  if (!kind->pooled && means->collapse) return true;
  return means->shim && program->form != EXECUTABLE_MUSL;
}

static int add_arm(struct arms *arms, const struct executable *program,
                   const struct means *means, const struct hp_kind *kind) {
  struct hp_missing missing;
  bool base = arms->count < 2;
  bool thp = !base && !kind->pooled && !kind->alone;
  struct arm *arm = &arms->at[arms->count];
  if (arms->count == ARMS_MAX)
    return fail(VAT_USAGE, "--pages: more than %d page kinds", ARMS_MAX - 1);
  *arm = (struct arm){.name = kind->name,
                      .kind = kind,
                      .base = base,
                      .control = arms->count == 1};
  if (!reaches(program, means, kind)) return refuse(program, kind);
  if (thp && hp_kind_explain(kind, kind->bytes, &missing))
    return workspace_missing(kind, &missing, false);
  arm->forbid_thp = base || kind->pooled;
  arm->collapse = thp && means->collapse;
  arm->asks = means->tunables ? HP_THP_ASKS_MALLOC : HP_THP_ASKS_NOT;
  arms->count++;
  set_environment(arm, means);
  return VAT_OK;
}

static bool has_name(const struct arms *arms, const char *name) {
  for (size_t i = 0; i < arms->count; i++)
    if (!strcmp(arms->at[i].name, name)) return true;
  return false;
}

/* `option`: "--plan FILE", what there is one arm too many by. */
static int check_name(const struct arms *arms, const char *option,
                      const char *text, const char *name) {
  if (arms->count == ARMS_MAX)
    return fail(VAT_USAGE, "%s %s: at most %d of them", option, text,
                ARMS_MAX - 3);
  if (has_name(arms, name))
    return fail(VAT_USAGE,
                "%s %s: another arm is called '%s', too; fix: leave one out, "
                "or rename the file of a plan",
                option, text, name);
  return VAT_OK;
}

static int check_plan(const struct page_plan *plan, const char *path,
                      const struct hp_kind *kind) {
  struct hp_missing missing;
  if (!kind || kind->base || (!kind->for_programs && !kind->alone))
    return fail(VAT_USAGE, "%s: '%s' is not a larger page kind of this machine",
                path, plan->pages);
  if (!plan->choice_count)
    return fail(VAT_USAGE,
                "%s: nothing is chosen, so there is nothing to compare; fix: "
                "vat plan with a larger --budget",
                path);
  if (!kind->pooled && !kind->alone &&
      hp_kind_explain(kind, kind->bytes, &missing))
    return workspace_missing(kind, &missing, false);
  return VAT_OK;
}

/* `option` and `path`: who names it; `name` becomes the arm's. */
static int add_planned(struct arms *arms, const struct executable *program,
                       const struct compare_options *options,
                       struct page_plan *plan, const char *option,
                       const char *path, char *name) {
  struct arm *arm = &arms->at[arms->count];
  const struct hp_kind *kind = hp_kind_find(plan->pages);
  int code = check_plan(plan, path, kind);
  if (!code) code = check_name(arms, option, path, name);
  if (!code) code = plan_match(plan, path, program, options->program.at);
  if (code) {
    free(name);
    return code;
  }
  *arm = (struct arm){.name = name,
                      .own_name = name,
                      .kind = kind,
                      .forbid_thp = kind->pooled,
                      .asks = HP_THP_ASKS_ALWAYS,
                      .planned = plan->used_bytes,
                      .predicted = page_plan_predictions(plan)};
  arms->count++;
  return carry_out(plan, kind, program, NULL, &arm->environment);
}

static int add_plan(struct arms *arms, const struct executable *program,
                    const struct compare_options *options, size_t i) {
  char why[EXECUTABLE_WHY];
  struct page_plan plan;
  const char *path = options->plans.at[i];
  if (page_plan_read(&plan, path, why, sizeof why))
    return fail(fail_code(errno), "%s", why);
  int code = add_planned(arms, program, options, &plan, "--plan", path,
                         page_plan_name(path, options->plans.count));
  page_plan_fini(&plan);
  return code;
}

static int add_list(struct arms *arms, const struct executable *program,
                    const char *list) {
  struct page_plan plan;
  const struct hp_kind *kind = hp_kind_find("thp");
  struct arm *arm = &arms->at[arms->count];
  int code = huge_list_read(&plan, list);
  if (code) return code;
  code = check_plan(&plan, list, kind);
  if (!code) code = check_name(arms, "--huge", list, list);
  if (!code) {
    char *name = memory_text(list);
    fail_tame(name);
    *arm = (struct arm){
        .name = name, .own_name = name, .kind = kind, .listed = true};
    arms->count++;
    code = carry_out(&plan, kind, program, NULL, &arm->environment);
  }
  page_plan_fini(&plan);
  return code;
}

/* Twice, to know how much two runs of it differ. */
static int add_contiguous(struct arms *arms, const struct executable *program,
                          const struct means *means,
                          const struct hp_kind *kind) {
  size_t first = arms->count;
  for (int i = 0; i < 2; i++) {
    int code = add_arm(arms, program, means, kind);
    if (code) return code;
    struct arm *arm = &arms->at[arms->count - 1];
    arm->name = ARM_CONTIGUOUS;
    arm->contiguous = true;
    arm->control = i > 0;
    arm->control_of = first;
  }
  return VAT_OK;
}

static bool has_kind(const struct arms *arms, const struct hp_kind *kind) {
  for (size_t i = 0; i < arms->count; i++)
    if (arms->at[i].kind == kind) return true;
  return false;
}

/* Of the sizes below that of a huge page; NULL: the kernel has none. */
static const struct hp_kind *largest_between(void) {
  const struct hp_kind *largest = NULL;
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    if (kind->alone && (!largest || kind->bytes > largest->bytes))
      largest = kind;
  }
  return largest;
}

/* Base pages are called 4k wherever they are larger, too. */
static const struct hp_kind *find_kind(const char *name) {
  const struct hp_kind *base = hp_kind_base(), *kind = hp_kind_find(name);
  if (!strcmp(name, ARM_CONTIGUOUS)) return largest_between();
  if (!strcmp(name, *base->known_as)) return base;
  return kind && (kind->for_programs || kind->alone) ? kind : NULL;
}

static int refuse_name(const char *name) {
  char names[NAMES_SIZE] = "";
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (find_kind(hp_kind_at(i)->name)) names_add(names, hp_kind_at(i)->name);
  if (!strcmp(name, ARM_CONTIGUOUS))
    return fail(VAT_ABSENT,
                "--pages %s: this kernel has no transparent huge pages of "
                "sizes between base pages and huge ones; fix: Linux 6.8",
                name);
  names_add(names, ARM_CONTIGUOUS);
  return fail(VAT_USAGE, "--pages: '%s' is none of %s", name, names);
}

static int add_named(struct arms *arms, const struct executable *program,
                     const struct means *means, char *list) {
  bool base = false;
  int code = VAT_OK;
  for (const char *name; !code && (name = strsep(&list, ","));) {
    const struct hp_kind *kind = find_kind(name);
    if (!kind)
      code = refuse_name(name);
    else if (kind == arms->at[0].kind ? base : has_kind(arms, kind))
      code = fail(VAT_USAGE, "--pages: %s is named twice", name);
    else if (kind == arms->at[0].kind)
      base = true;
    else if (!strcmp(name, ARM_CONTIGUOUS))
      code = add_contiguous(arms, program, means, kind);
    else
      code = add_arm(arms, program, means, kind);
  }
  return code;
}

int arms_make(struct arms *arms, const struct executable *program,
              const struct compare_options *options) {
  struct means means;
  *arms = (struct arms){0};
  int code = find_means(options, program, &means);
  for (int i = 0; !code && i < 2; i++)
    code = add_arm(arms, program, &means, hp_kind_base());
  char *list = memory_text(options->pages ? options->pages : "4k,thp");
  if (!code) code = add_named(arms, program, &means, list);
  free(list);
  for (size_t i = 0; !code && i < options->plans.count; i++)
    code = add_plan(arms, program, options, i);
  for (size_t i = 0; !code && i < options->layout_count; i++)
    code = add_planned(arms, program, options, &options->layout[i], "--layouts",
                       options->from, memory_text(options->layout_name[i]));
  for (size_t i = 0; !code && i < options->huge.count; i++)
    code = add_list(arms, program, options->huge.at[i]);
  if (!code) say_means(arms, program, &means);
  free(means.preload);
  return code;
}

void arms_fini(struct arms *arms) {
  for (size_t i = 0; i < arms->count; i++) {
    struct arm *arm = &arms->at[i];
    if (arm->control && !arm->kind) continue; /* the first arm's */
    environment_free(arm->environment);
    free(arm->command);
    free(arm->words);
    free(arm->own_name);
    json_decref(arm->predicted);
  }
  *arms = (struct arms){0};
}

size_t arms_control_of(const struct arms *arms, size_t number) {
  for (size_t i = 0; i < arms->count; i++)
    if (arms->at[i].control && arms->at[i].control_of == number) return i;
  return ARMS_MAX;
}

size_t arms_contiguous(const struct arms *arms) {
  for (size_t i = 0; i < arms->count; i++)
    if (arms->at[i].contiguous && !arms->at[i].control) return i;
  return ARMS_MAX;
}

bool arm_is_pages(const struct arm *arm) {
  return arm->kind && !arm->planned && !arm->listed;
}

char *arms_words(const struct option_words *program) {
  char *text;
  size_t size;
  FILE *out = memory_stream(&text, &size);
  for (size_t i = 0; i < program->count; i++)
    fprintf(out, "%s%s", i ? " " : "", program->at[i]);
  memory_stream_close(out);
  return text;
}

const char *arm_text(const struct arm *arm, char text[ARM_WORDS]) {
  snprintf(text, ARM_WORDS, arm_is_pages(arm) ? "%s pages" : "arm %s",
           arm->name);
  return text;
}
