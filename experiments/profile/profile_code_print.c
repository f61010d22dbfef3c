/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/profile_request.h"
#include "experiments/sim/itlb_option.h"

enum { TOP = 15 };

typedef unsigned long long number;

static void print_pages(const struct profile *profile, int pages, FILE *to) {
  static const char *const names[PROFILE_CODE_PAGES] = {"4k", "2m"};
  const struct profile_code *code = &profile->code;
  uint64_t missed = code->totals.on[pages].missed;
  uint64_t cold = code->totals.on[pages].cold;
  uint64_t walked = code->totals.on[pages].walked;
  uint64_t data = pages == PROFILE_CODE_4K ? profile->totals.misses[0][0]
                                           : code->data_walks_2m;
  fprintf(to, "%-8s %10llu %14llu %14llu %9.3f %12llu %12llu %14llu\n",
          names[pages], (number)cold, (number)missed, (number)(missed - cold),
          1e3 * (double)missed / (double)code->instructions, (number)walked,
          (number)(walked - code->totals.on[pages].cold_walked), (number)data);
}

static void print_head(const char *what, FILE *to) {
  fprintf(to, "\n%10s %14s %14s %12s %12s %14s %12s  %s\n", "4k pages",
          "ITLB misses", "hot", "walks", "hot", "2m: misses", "walks", what);
}

static void print_fetches(const struct profile_fetches *f, FILE *to) {
  fprintf(to, "%10llu %14llu %14llu %12llu %12llu %14llu %12llu  ",
          (number)f->on[0].cold, (number)f->on[0].missed,
          (number)(f->on[0].missed - f->on[0].cold), (number)f->on[0].walked,
          (number)(f->on[0].walked - f->on[0].cold_walked),
          (number)f->on[1].missed, (number)f->on[1].walked);
}

static double percent(uint64_t part, uint64_t all) {
  return all ? 100. * (double)part / (double)all : 0;
}

static void print_totals(const struct profile_request *request,
                         const struct profile *profile, FILE *to) {
  const struct profile_code *code = &profile->code;
  char text[ITLB_SHAPE_TEXT];
  fprintf(to,
          "\ncode: %llu instructions, %llu changes of page; ITLB %s, %s\n\n",
          (number)code->instructions, (number)code->changes,
          itlb_shape_text(&request->itlb, text),
          request->itlb.all.level[1].entries ? "a second level of its own"
                                             : "the second level of data");
  fprintf(to, "%-8s %10s %14s %14s %9s %12s %12s %14s\n", "code on", "pages",
          "ITLB misses", "hot", "per 1000", "walks", "hot", "data's walks");
  for (int i = 0; i < PROFILE_CODE_PAGES; i++) print_pages(profile, i, to);
  fprintf(to,
          "%.0f %% of the ITLB misses and %.0f %% of the walks on 4k are where "
          "the mappings of code have whole blocks of 2 MiB\n",
          percent(code->totals.huge_missed, code->totals.on[0].missed),
          percent(code->totals.huge_walked, code->totals.on[0].walked));
}

void profile_code_print(const struct profile_request *request,
                        const struct profile *profile, FILE *to) {
  const struct profile_code *code = &profile->code;
  char name[64], text[512];
  if (!code->instructions) return;
  print_totals(request, profile, to);
  print_head("code of", to);
  for (size_t i = 0; i < code->objects && i < TOP; i++) {
    const struct profile_place at = {code->object[i].name, "", "", 0, 0};
    print_fetches(&code->object[i].counts, to);
    fprintf(to, "%s\n", profile_place_where(&at, text));
  }
  print_head("function", to);
  for (size_t i = 0; i < code->rows && i < TOP; i++) {
    const struct profile_place *at = &code->row[i].at;
    print_fetches(&code->row[i].counts, to);
    fprintf(to, "%s (%s)\n", profile_place_function(at, name),
            profile_place_where(at, text));
  }
}
