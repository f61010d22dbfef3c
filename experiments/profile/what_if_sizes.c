/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What transparent huge pages of a size between 4 KiB and 2 MiB would save. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"
#include "experiments/profile/profile_walks.h"
#include "experiments/profile/what_if_fault_time.h"
#include "experiments/profile/what_if_table.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

static const size_t base = 4096, least = 16 << 10, most = 1 << 20;

const struct what_if_size *what_if_size_find(const struct what_if_table *table,
                                             const char *name) {
  for (size_t i = 0; i < table->sizes; i++)
    if (!strcmp(table->size[i].name, name)) return &table->size[i];
  return NULL;
}

/* Do all calibrations have chases on pages of this name? */
static bool are_measured(const struct what_if_table *table, const char *name) {
  struct walk_costs costs;
  for (size_t i = 0; i < table->cals; i++) {
    const struct calibration *cal = &table->cal[i];
    if (!calibration_pages(cal, name) ||
        walk_costs_make(&costs, cal, walk_costs_base(cal), name, 1, 1))
      return false;
  }
  return table->cals > 0;
}

/* Bytes of base pages that share an entry, by the calibrations that tell; the
 * fewest of any.  NAN: none does. */
static double joined_bytes(const struct what_if_table *table) {
  double bytes = NAN;
  for (size_t i = 0; i < table->cals; i++) {
    const struct cal_coalescing *found = &table->cal[i].coalescing;
    double joined = cal_coalescing_joined(found) * found->page_bytes;
    if (!isnan(joined)) bytes = fmin(bytes, joined);
  }
  return bytes;
}

/* Of a site's misses, those that a tree does not have: of all, or with the tree
 * of a plan, of those that are on its pages or none.  Shared memory has other
 * switches, and stays as it is. */
static double share_saved(const struct profile *profile,
                          const struct profile_site *site, unsigned tree) {
  double had = (double)site->counts.misses[0][0], all = had;
  if (tree == profile_plan_tree(profile))
    all = profile_walks_sum(profile, site, 2);
  if (!(all > 0) || !tree || !strcmp(site->kind, "shared")) return 0;
  return fmin(1, fmax(0, (had - (double)site->counts.misses[tree][0]) / all));
}

/* But for `besides`, which is of no misses. */
static void add_share(struct what_if_value *to, const struct what_if_value *of,
                      double share, double besides) {
  if (!(share > 0)) return;
  to->value += share * (of->value - besides);
  to->lo += share * (of->lo - besides);
  to->hi += share * (of->hi - besides);
}

static void find_ratio(struct what_if *what, const struct what_if_time *time) {
  what->ratio = what_if_ratio(&what->saved_s, time);
  if (isnan(what->saved_s.lo)) what->ratio.lo = what->ratio.hi = NAN;
}

/* Of page faults, what 2 MiB pages save of each site; more, or less, where such
 * pages were measured. */
static double of_faults(const struct what_if_table *table,
                        const struct what_if_input *input, size_t site) {
  const struct what_if_correction *by = &table->row[0].correction;
  double factor = by->known && !isnan(by->factor) ? by->factor : 1;
  return factor * what_if_fault_s(input, site, 2 << 20);
}

/* By the misses of `tree`; 0: nothing is saved.  Fewer faults are left out. */
static void by_misses(struct what_if *what, const struct what_if_table *table,
                      const struct what_if *huge, const struct profile *profile,
                      unsigned tree, bool planned) {
  const struct what_if_time *time = &table->native.time;
  struct what_if_input input = what_if_input_of(table, profile);
  input.planned = planned;
  *what = (struct what_if){
      .covered = huge->covered, .alone_s = NAN, .overlap = NAN, .base_ns = NAN};
  what->sites = memory_zeroed(profile->sites.count + 1, sizeof *what->sites);
  for (size_t i = 0; i < profile->sites.count; i++) {
    double share = share_saved(profile, &profile->sites.site[i], tree);
    add_share(&what->sites[i], &huge->sites[i], share,
              of_faults(table, &input, i));
    add_share(&what->saved_s, &what->sites[i], 1, 0);
  }
  find_ratio(what, time);
  what->translation = what->ratio;
}

/* Curves do not know whose misses they are used for. */
static void leave_out_shared(struct what_if *what,
                             const struct profile *profile,
                             const struct what_if_time *time) {
  for (size_t i = 0; i < profile->sites.count; i++) {
    struct what_if_value *site = &what->sites[i];
    if (strcmp(profile->sites.site[i].kind, "shared")) continue;
    what->saved_s.value -= site->value;
    what->saved_s.lo -= site->lo;
    what->saved_s.hi -= site->hi;
    *site = (struct what_if_value){0};
  }
  find_ratio(what, time);
}

static void no_finding(struct what_if_size *size,
                       const struct what_if_table *table) {
  const char *absent = table->cals ? table->cal[0].coalescing.absent : "";
  snprintf(
      size->why, sizeof size->why,
      "the calibration does not tell whether this processor joins entries "
      "of neighbouring pages (%.100s); fix: vat calibrate -o MACHINE.json, "
      "then --machine MACHINE.json",
      *absent ? absent : "undecided");
}

static void predict(struct what_if_size *size,
                    const struct what_if_table *table,
                    const struct profile *profile, const struct what_if *huge) {
  char name[HP_NAME_SIZE];
  double joined = joined_bytes(table);
  size->measured = are_measured(table, size->name);
  size->entry_bytes = NAN;
  if (size->measured) {
    what_if_by_curves(&size->what, table, profile, size->name, false);
    leave_out_shared(&size->what, profile, &table->native.time);
    return;
  }
  if (isnan(joined)) {
    no_finding(size, table);
    return;
  }
  size->entry_bytes = fmin(joined, (double)size->bytes);
  hp_page_name((size_t)size->entry_bytes, name);
  unsigned tree = profile_tree_named(profile, name);
  if (size->entry_bytes > (double)base && !tree)
    snprintf(
        size->why, sizeof size->why,
        "a TLB entry holds %s of such pages, and the profile has no counts "
        "of that; fix: vat profile --what-if --pages 4k,%s,2m",
        HP_SIZE_SHOWN((size_t)size->entry_bytes), name);
  else
    by_misses(&size->what, table, huge, profile, tree, false);
}

void what_if_sizes_predict(struct what_if_table *table,
                           const struct profile *profile) {
  const struct what_if_row *huge = table->row;
  if (!table->count || strcmp(huge->name, "2m") || !huge->what.sites) return;
  for (size_t bytes = least; bytes <= most; bytes *= 2) {
    char name[HP_NAME_SIZE];
    struct what_if_size *size = &table->size[table->sizes++];
    *size = (struct what_if_size){.bytes = bytes};
    snprintf(size->name, sizeof size->name, "thp-%.11s",
             hp_page_name(bytes, name));
    predict(size, table, profile, &huge->what);
  }
}

/* --- a plan with such pages --- */

/* Of what its choices would save on 2 MiB pages. */
static void plan_by_misses(struct what_if *what,
                           const struct what_if_table *table,
                           const struct profile *profile, unsigned tree) {
  struct what_if huge;
  what_if_by_curves(&huge, table, profile, "2m", true);
  by_misses(what, table, &huge, profile, tree, true);
  what->overlap = huge.overlap;
  what->base_ns = huge.base_ns;
  if (huge.overlap > 0) what->alone_s = what->saved_s.value / huge.overlap;
  what_if_fini(&huge);
}

/* The tree of the plan has an entry for each page. */
static unsigned tree_of_plan(const struct profile *profile,
                             const struct what_if_size *size) {
  char name[HP_NAME_SIZE];
  if (size->entry_bytes == (double)size->bytes)
    return profile_plan_tree(profile);
  return profile_tree_named(profile,
                            hp_page_name((size_t)size->entry_bytes, name));
}

static const struct what_if_size *size_of_plan(
    const struct what_if_table *table, const struct profile *profile) {
  for (size_t i = 0; profile_plan_is_there(profile) && i < table->sizes; i++)
    if (table->size[i].bytes == (size_t)1 << profile->plan.page_bits)
      return &table->size[i];
  return NULL;
}

void what_if_sizes_plan(struct what_if_table *table,
                        const struct profile *profile) {
  const struct what_if_size *size = size_of_plan(table, profile);
  if (!size) return;
  struct what_if_row row = {.name = "plan",
                            .pages = size->name,
                            .stand = table->row->stand,
                            .base = table->row->base,
                            .code = what_if_code_unknown};
  if (size->measured) {
    row.stand = size->name;
    what_if_by_curves(&row.what, table, profile, size->name, true);
  } else if (*size->why && size->entry_bytes != (double)size->bytes) {
    snprintf(table->plan_why, sizeof table->plan_why, "%s", size->why);
    return;
  } else {
    plan_by_misses(&row.what, table, profile, tree_of_plan(profile, size));
  }
  *table->plan_why = '\0';
  table->row[table->count++] = row;
}

/* --- what is told of them --- */

/* Does a larger page not save an entry, as the host of this virtual machine has
 * small ones? */
static bool host_has_small_pages(const struct what_if_table *table) {
  for (size_t i = 0; i < table->cals; i++) {
    const struct cal_pages *pages = calibration_pages(&table->cal[i], "thp");
    if (pages && pages->granularity_bytes < pages->page_bytes) return true;
  }
  return false;
}

static void print_alone(const struct what_if_table *table, FILE *to) {
  fputs(
      "user time 1.000: this processor does not join entries of neighbouring "
      "pages\n",
      to);
  if (host_has_small_pages(table))
    fputs(
        "the host of this virtual machine has small pages: it may find those "
        "of contiguous memory faster, which is not predicted; fix: vat compare "
        "--pages 4k,thp-64k,thp --reserve -- PROG\n",
        to);
}

static bool any_known(const struct what_if_table *table) {
  for (size_t i = 0; i < table->sizes; i++)
    if (!isnan(table->size[i].entry_bytes) || table->size[i].measured)
      return true;
  return false;
}

static void print_size(const struct what_if_table *table,
                       const struct what_if_size *size,
                       struct text_table *text) {
  const struct what_if_value *ratio = &size->what.ratio;
  struct what_if_faults faults = what_if_faults(table, (double)size->bytes);
  bool known = !*size->why;
  text_cell(text, "%s", size->name);
  text_cell_if(text, known, "%.3f", ratio->value);
  text_cell_if(text, known && !isnan(ratio->lo), "(%.3f-%.3f)", ratio->lo,
               ratio->hi);
  text_cell_if(text, isfinite(faults.count), "%.0f", faults.count);
  text_cell_if(text, isfinite(faults.sys_s), "%.2g", faults.sys_s);
  text_row(text, "%s",
           size->measured             ? "measured"
           : isnan(size->entry_bytes) ? "not known"
           : size->entry_bytes > (double)base
               ? HP_SIZE_SHOWN((size_t)size->entry_bytes)
               : "4 KiB");
}

void what_if_sizes_print(const struct what_if_table *table, FILE *to) {
  struct text_table text = {.out = to, .gap = 2};
  bool alone = false;
  const char *why = NULL;
  if (!any_known(table)) return;
  fputs("\nsizes between 4 KiB and 2 MiB, for private memory:\n", to);
  text_columns(&text,
               "-8 pages\t9 user time\n/ 4k\t-13 \t12 fewer page\nfaults\t12 "
               "less system\ntime, s\t12 a TLB entry\nholds");
  for (size_t i = 0; i < table->sizes; i++) {
    const struct what_if_size *size = &table->size[i];
    print_size(table, size, &text);
    alone |= size->entry_bytes == (double)base;
    if (!why && *size->why) why = size->why;
  }
  text_table_end(&text);
  if (alone) print_alone(table, to);
  if (why) fprintf(to, "not known: %s\n", why);
}

static json_t *size_to_json(const struct what_if_table *table,
                            const struct what_if_size *size) {
  const struct what_if *w = &size->what;
  struct what_if_faults faults = what_if_faults(table, (double)size->bytes);
  bool known = !*size->why;
  json_t *object = json_of_reals(
      "user_ratio", known ? w->ratio.value : NAN, "lo",
      known ? w->ratio.lo : NAN, "hi", known ? w->ratio.hi : NAN, "saved_s",
      known ? w->saved_s.value : NAN, "faults_saved", faults.count,
      "sys_saved_s", faults.sys_s, "entry_bytes", size->entry_bytes);
  json_object_set_new(object, "measured", json_boolean(size->measured));
  json_object_set_new(object, "why",
                      known ? json_null() : json_string(size->why));
  return object;
}

json_t *what_if_sizes_to_json(const struct what_if_table *table) {
  json_t *all = json_object();
  for (size_t i = 0; i < table->sizes; i++)
    json_object_set_new(all, table->size[i].name,
                        size_to_json(table, &table->size[i]));
  return all;
}
