/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/plan_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/exec/loaded_objects.h"

struct matching {
  struct page_plan *plan;
  const char *path; /* of the plan */
  struct loaded_objects loaded;
  bool *said; /* of each loaded object: that it is another build */
  size_t refused;
};

/* By its build wherever it is now, or by its name; NULL: it is not there. */
static const struct loaded_object *find(const struct matching *m,
                                        const char *object, bool *same) {
  const char *build = page_plan_build_of(m->plan, object);
  const struct loaded_object *named = NULL;
  for (size_t i = 0; i < m->loaded.count; i++) {
    const struct loaded_object *at = &m->loaded.at[i];
    *same = !strcmp(at->build_id, build);
    if (*same && *build) return at;
    if (!named && !strcmp(basename(at->path), basename(object))) named = at;
  }
  *same = named && !*build && !*named->build_id;
  return named;
}

/* --- is it of this program? --- */

/* Those that programs of all kinds have. */
static bool is_runtime(const char *object) {
  static const char *const names[] = {
      "ld-",        "ld64.so", "libc.", "libc-",   "libdl",  "libgcc_s.",
      "libpthread", "libm.",   "libm-", "librt.",  "librt-", "libstdc++.",
      "libc++",     "linux-",  "vgpre", "libgomp."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(basename(object), names[i], strlen(names[i]))) return true;
  return false;
}

static bool is_in_words(char *const *argv, const char *object) {
  for (; *argv; argv++)
    if (strstr(*argv, basename(object))) return true;
  return false;
}

/* Or of one that it starts, as env(1) and shells do; what a script starts is
 * not known. */
static bool is_of_program(const struct matching *m,
                          const struct executable *program, char *const *argv) {
  const struct page_plan *plan = m->plan;
  bool known = false, same;
  if (program->script) return true;
  if (plan->words &&
      !strcmp(basename(plan->command[0]), basename(program->path)))
    return true;
  for (size_t i = 0; i < plan->object_count; i++) {
    const char *name = plan->objects[i].name;
    if (is_runtime(name)) continue;
    if (find(m, name, &same) || is_in_words(argv, name)) return true;
    known = true;
  }
  return !known;
}

static int refuse_program(const struct matching *m,
                          const struct executable *program) {
  return fail(VAT_USAGE,
              "%s: is the plan of another program, %s: %s has none of its "
              "objects; fix: vat profile --save profile.json -- %s, and vat "
              "plan --from profile.json",
              m->path, m->plan->words ? m->plan->command[0] : "unnamed",
              program->path, program->path);
}

/* --- is it of this build? --- */

static void say_build(struct matching *m, const struct loaded_object *object,
                      const char *build) {
  bool *said = &m->said[object - m->loaded.at];
  if (*said) return;
  *said = true;
  fail(VAT_OK,
       "%s: %s is another build than the plan's (build-id %.12s, not %.12s); "
       "sites in it are found by the names of functions",
       m->path, object->path, *object->build_id ? object->build_id : "unknown",
       *build ? build : "unknown");
}

/* NULL, or why the frame `i` cannot be found. */
static char *frame_lost(struct matching *m, const struct plan_chain *chain,
                        size_t i) {
  bool same;
  const struct plan_frame *frame = &chain->frame[i];
  const struct loaded_object *object = find(m, frame->object, &same);
  if (!frame->offset || !object || same) return NULL;
  say_build(m, object, page_plan_build_of(m->plan, frame->object));
  const char *name = frame->function, *where = basename(object->path);
  if (!name)
    return i ? NULL
             : memory_format(
                   "%s is another build, and the plan has no name of "
                   "the function that allocates",
                   where);
  if (!i && !strcmp(name, "main"))
    return memory_format(
        "%s is another build, and main() allocates, which "
        "does not tell one place from another",
        where);
  if (loaded_object_has(object, name)) return NULL;
  return memory_format("%s is another build, and has no function %s()", where,
                       name);
}

/* NULL, or why none of its chains can be found. */
static char *choice_lost(struct matching *m, const struct plan_choice *choice) {
  char *why = NULL;
  for (size_t i = 0; i < choice->chain_count; i++) {
    char *lost = NULL;
    for (size_t j = 0; !lost && j < choice->chains[i].frames; j++)
      lost = frame_lost(m, &choice->chains[i], j);
    free(why);
    why = lost;
    if (!lost) break;
  }
  return why;
}

static void match_choice(struct matching *m, struct plan_choice *choice) {
  char *lost = choice_lost(m, choice);
  if (!lost) return;
  choice->refused = memory_format("%s; fix: profile this build", lost);
  fail(VAT_OK, "%s: \"%s\" is left out: %s", m->path, choice->where, lost);
  m->refused++;
  free(lost);
}

/* What it predicts is of another build, also where all is found. */
static void match_program(struct matching *m) {
  const struct loaded_object *program = m->loaded.at;
  for (size_t i = 0; m->loaded.count && i < m->plan->object_count; i++) {
    const struct plan_object *object = &m->plan->objects[i];
    if (!strcmp(basename(object->name), basename(program->path)) &&
        strcmp(object->build_id, program->build_id))
      say_build(m, program, object->build_id);
  }
}

static int match(struct matching *m, const struct executable *program) {
  struct page_plan *plan = m->plan;
  match_program(m);
  for (size_t i = 0; i < plan->choice_count; i++)
    match_choice(m, &plan->choices[i]);
  if (m->refused < plan->choice_count) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: no choice is left for %s; fix: vat profile --save "
              "profile.json -- %s, and vat plan --from profile.json",
              m->path, program->path, program->path);
}

int plan_match(struct page_plan *plan, const char *path,
               const struct executable *program, char *const *argv) {
  struct matching m = {.plan = plan, .path = path};
  if (!plan->choice_count) return VAT_OK;
  loaded_objects_find(&m.loaded, program);
  m.said = memory_zeroed(m.loaded.count + 1, sizeof *m.said);
  int code = is_of_program(&m, program, argv) ? match(&m, program)
                                              : refuse_program(&m, program);
  free(m.said);
  loaded_objects_fini(&m.loaded);
  return code;
}
