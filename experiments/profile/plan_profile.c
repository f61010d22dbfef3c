/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the profile, and predicts what each of its sites saves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/planning.h"
#include "experiments/profile/what_if_saved.h"
#include "huge_pages/page_kind.h"

static bool is_plain(const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
      "_@%+=:,./-";
  return *word && word[strspn(word, plain)] == '\0';
}

static void put_quoted(FILE *to, const char *word) {
  fputc('\'', to);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", to);
    else
      fputc(*word, to);
  fputc('\'', to);
}

char *plan_command(const char *before, char *const *words) {
  char *text;
  size_t length;
  FILE *to = memory_stream(&text, &length);
  fputs(before, to);
  for (; *words; words++) {
    fputc(' ', to);
    if (is_plain(*words))
      fputs(*words, to);
    else
      put_quoted(to, *words);
  }
  memory_stream_close(to);
  return text;
}

/* What a profile must have, and the command that makes one. */
static int refuse(const struct planning *p, const char *why) {
  char *command = plan_command("vat profile --what-if --save NEW.profile --",
                               p->profiled.program);
  int code = fail(VAT_USAGE, "%s: %s; fix: %s", p->request->from, why, command);
  free(command);
  return code;
}

static bool has_walks(const struct profile *profile) {
  for (size_t i = 0; i < profile->walks.count; i++)
    if (profile->walks.walk[i].where < 2) return true;
  return false;
}

static int check(const struct planning *p) {
  const struct profile *profile = &p->profile;
  if (strcmp(profile->tree[0].name, "4k"))
    return refuse(p, "it has no 4k pages, which plans are compared with");
  if (!has_walks(profile) && !json_object_get(p->saved.head, "what_if"))
    return refuse(p, "it was made without --what-if");
  if (!profile->unit)
    return refuse(p,
                  "an older vat made it, without the heat of memory and the "
                  "callers of allocations");
  if (profile->lost)
    return fail(VAT_FAILED,
                "%s: nothing is planned: %u of its processes left no profile",
                p->request->from, profile->lost);
  return VAT_OK;
}

/* What was typed, or what the profile has. */
static int find_time(struct planning *p) {
  const struct plan_request *request = p->request;
  struct native *native = &p->table.native;
  if (request->timed) return native_measure(native, &p->profiled, NULL);
  if (request->user_s > 0)
    native->time = (struct what_if_time){request->user_s, request->user_s,
                                         request->user_s};
  if (native->time.user_s > 0 || !request->machine.count) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: it has no user time; fix: --user-time SECONDS, or --timed "
              "RUNS.jsonl, as vat compare -o writes it",
              request->from);
}

const char *planning_row_name(const struct planning *p) {
  return strcmp(p->request->pages, "1g") ? "2m" : "1g";
}

static const struct what_if_row *find_row(const struct planning *p) {
  for (size_t i = 0; i < p->table.count; i++)
    if (!strcmp(p->table.row[i].name, planning_row_name(p)))
      return &p->table.row[i];
  return NULL;
}

static int refuse_row(const struct planning *p) {
  const char *pages = planning_is_small(p) ? "thp" : p->request->pages;
  return fail(VAT_USAGE,
              "--pages %s: the calibration has no such pages; fix: vat "
              "calibrate --pages 4k,%s -o MACHINE.json, then --machine",
              p->request->pages, pages);
}

/* No user time is saved: then first touches are what memory is chosen by. */
static int choose_by_touches(struct planning *p) {
  if (!p->table.native.touch.known)
    return fail(VAT_ABSENT,
                "--pages %s: user time stays, as this processor does not join "
                "entries of neighbouring pages, and what first touches take is "
                "not known; fix: vat profile --what-if --save measures it",
                p->request->pages);
  p->by_touch = true;
  return VAT_OK;
}

static int find_size(struct planning *p) {
  const struct what_if_size *size =
      what_if_size_find(&p->table, p->request->pages);
  if (!size || *size->why)
    return fail(VAT_USAGE, "--pages %s: %s", p->request->pages,
                size ? size->why
                     : "needs a calibration; fix: vat calibrate -o "
                       "MACHINE.json, then --machine MACHINE.json");
  p->what = &size->what;
  return size->what.saved_s.value > 0 ? VAT_OK : choose_by_touches(p);
}

/* Their misses are not those of memory that can be on larger pages, as what-if
 * has it: thp for everything does not cut them. */
static void find_cut(struct planning *p) {
  size_t sites = p->profile.sites.count;
  bool heap_known = candidates_know_heap(&p->profile);
  p->cut = memory_zeroed(sites + 1, sizeof *p->cut);
  for (size_t i = 0; i < sites; i++)
    p->cut[i] = candidates_are_cut(&p->profile, &p->profile.sites.site[i],
                                   planning_page(p), heap_known);
  p->table.given = p->cut;
}

static int find_saving(struct planning *p) {
  const struct what_if_row *row = find_row(p);
  if (!row && p->table.cals) return refuse_row(p);
  if (row && p->table.native.time.user_s > 0) {
    find_cut(p);
    what_if_predict(&p->table, &p->profile, row);
    if (planning_is_small(p)) what_if_sizes_predict(&p->table, &p->profile);
    p->what = &row->what;
  }
  return planning_is_small(p) ? find_size(p) : VAT_OK;
}

static int predict(struct planning *p) {
  const json_t *saved = json_object_get(p->saved.head, "what_if");
  bool typed = p->request->machine.count > 0;
  int code = typed ? what_if_begin(&p->table, &p->profiled) : VAT_OK;
  if (!code) code = what_if_saved_read(&p->table, saved, p->request->from);
  if (!code && !typed && p->table.cals)
    code = what_if_begin(&p->table, &p->profiled);
  if (!code) code = what_if_take_measured(&p->table, &p->profiled);
  if (!code) code = find_time(p);
  return code ? code : find_saving(p);
}

int planning_open(struct planning *p, const struct plan_request *request) {
  *p = (struct planning){.request = request,
                         .profiled = {.from = request->from,
                                      .machine = request->machine,
                                      .timed = request->timed,
                                      .measured = request->measured,
                                      .what_if = true},
                         .table.native = {.sys_s = NAN, .peak_bytes = NAN}};
  int code = profile_saved_open(&p->saved, &p->profiled);
  if (!code) code = profile_saved_read(&p->saved, request->from, &p->profile);
  if (!code) code = check(p);
  return code ? code : predict(p);
}

void planning_forget(struct planning *p) {
  page_plan_fini(&p->plan);
  candidates_fini(&p->all);
  frame_names_fini(&p->names);
  free(p->curve);
  free(p->choice_misses);
  p->curve = p->choice_misses = NULL;
  p->costs = (struct plan_costs){0};
}

void planning_end(struct planning *p) {
  planning_forget(p);
  free(p->cut);
  what_if_end(&p->table);
  profile_fini(&p->profile);
  profile_saved_close(&p->saved);
}

uint64_t planning_page(const struct planning *p) {
  return hp_kind_usual_bytes(p->request->pages);
}

bool planning_is_thp(const struct planning *p) {
  return !strncmp(p->request->pages, "thp", 3);
}

bool planning_is_small(const struct planning *p) {
  return planning_page(p) < PROFILE_UNIT;
}

bool planning_has_time(const struct planning *p) { return p->what != NULL; }
