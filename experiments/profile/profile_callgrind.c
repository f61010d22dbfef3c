/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as callgrind_annotate and KCachegrind read it (Valgrind's manual,
 * "Callgrind Format Specification"). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/profile_request.h"

static const char *known(const char *text) { return *text ? text : "???"; }

static void write_counts(const struct profile *profile,
                         const struct profile_counts *counts, FILE *to) {
  fprintf(to, " %" PRIu64, counts->accesses);
  for (unsigned t = 0; t < profile->trees; t++)
    fprintf(to, " %" PRIu64 " %" PRIu64, counts->misses[t][0],
            profile_nodes(counts, t));
  fputc('\n', to);
}

static void write_head(const struct profile_request *request,
                       const struct profile *profile, FILE *to) {
  fputs("# callgrind format\nversion: 1\ncreator: vat\ncmd:", to);
  for (char **word = request->program; *word; word++) {
    fputc(' ', to);
    for (const char *c = *word; *c; c++) fputc(*c == '\n' ? ' ' : *c, to);
  }
  fputs("\npart: 1\npositions: line\nevent: Ref : Accesses\n", to);
  for (unsigned t = 0; t < profile->trees; t++) {
    const char *name = profile->tree[t].name;
    fprintf(to, "event: Leaf%s : Leaf misses, %s pages\n", name, name);
    fprintf(to, "event: Node%s : Node misses, %s pages\n", name, name);
  }
  fputs("events: Ref", to);
  for (unsigned t = 0; t < profile->trees; t++)
    fprintf(to, " Leaf%s Node%s", profile->tree[t].name, profile->tree[t].name);
  fputc('\n', to);
}

/* The functions once more, to be found by name. */
struct writing {
  const struct profile *profile;
  struct profile_row *functions;
  FILE *to;
};

static const char *file_of(const struct writing *w,
                           const struct profile_place *at) {
  const struct profile_row *row =
      bsearch(at, w->functions, w->profile->functions.count,
              sizeof *w->functions, profile_compare_functions);
  return known(row ? row->at.file : at->file);
}

/* A function is of one file; lines that were inlined may be of another. */
static void write_function(const struct writing *w,
                           const struct profile_place *at) {
  const char *file = file_of(w, at);
  fprintf(w->to, "\nob=%s\nfl=%s\nfn=%s\n", known(at->object), file,
          known(at->function));
  if (strcmp(file, known(at->file))) fprintf(w->to, "fi=%s\n", known(at->file));
}

/* Inclusive costs are of the calls that do not lead up the path: what those
 * that do cost is in them already. */
static void write_edge(const struct writing *w,
                       const struct profile_edge *edge) {
  static const struct profile_counts nothing;
  const struct profile_contexts *all = &w->profile->contexts;
  const struct profile_context *from = &all->context[edge->from];
  const struct profile_context *called = &all->context[edge->to];
  struct profile_place at = edge->at;
  if (*from->at.function) {
    at.function = from->at.function;
    at.object = from->at.object;
  }
  write_function(w, &at);
  fprintf(w->to, "cob=%s\ncfi=%s\ncfn=%s\ncalls=%" PRIu64 " 0\n%u",
          known(called->at.object), file_of(w, &called->at),
          known(called->at.function), edge->calls, edge->at.line);
  write_counts(w->profile,
               called->parent == edge->from ? &called->inclusive : &nothing,
               w->to);
}

int profile_callgrind(const struct profile_request *request,
                      const struct profile *profile, FILE *to) {
  size_t count = profile->functions.count;
  struct writing w = {profile, memory_zeroed(count + 1, sizeof *w.functions),
                      to};
  for (size_t i = 0; i < count; i++) w.functions[i] = profile->functions.row[i];
  qsort(w.functions, count, sizeof *w.functions, profile_compare_functions);
  write_head(request, profile, to);
  for (size_t i = 0; i < profile->lines.count; i++) {
    const struct profile_row *row = &profile->lines.row[i];
    write_function(&w, &row->at);
    fprintf(to, "%u", row->at.line);
    write_counts(profile, &row->counts, to);
  }
  for (size_t i = 0; i < profile->edges.count; i++)
    write_edge(&w, &profile->edges.edge[i]);
  fputs("\ntotals:", to);
  write_counts(profile, &profile->totals, to);
  free(w.functions);
  return VAT_OK;
}
