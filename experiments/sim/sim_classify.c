/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_classify.h"

#include <inttypes.h>
#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/cli/text_table.h"
#include "huge_pages/size_text.h"

#define AT(member) OPTION_AT(struct sim_classify, member)

const struct option_row sim_classify_rows[] = {
    {.help = "Consecutive and random stretches"},
    {"classify", NULL, OPTION_FLAG, AT(asked), .conflicts = "all-w,nested",
     .help = "tell consecutive, random and other stretches apart, and what "
             "each costs (lru and islru)"},
    {"tau", "T", OPTION_SIZE, AT(params.tau), .needs = "classify", .least = 1,
     .most = VAT_CLASSIFY_TAU_MAX, .usual = "64",
     .help = "consecutive: accesses that pay for a miss; T d of them or more "
             "in all, T or more a page"},
    {"cat-gap", "G", OPTION_SIZE, AT(params.gap), .needs = "classify",
     .most = VAT_CLASSIFY_GAP_MAX,
     .help = "consecutive: at most G others between two (default: 64, or as "
             "many as W keeps paths for)"},
    {"cat-step", "S", OPTION_SIZE, AT(params.step), .needs = "classify",
     .least = 1, .most = VAT_CLASSIFY_STEP_MAX, .usual = "1",
     .help = "consecutive: the next page is at most S pages on"},
    {"rat-theta", "THETA", OPTION_REAL, AT(params.theta), .needs = "classify",
     .high = 1,
     .help = "random: an access is far in a part of P m^THETA bytes that was "
             "not accessed since W misses (default: 0, a page)"},
    {"rat-window", "N", OPTION_SIZE, AT(params.window), .needs = "classify",
     .least = 1, .most = INT64_MAX, .usual = "1024",
     .help = "random: what is not consecutive is judged N accesses at a time"},
    {"rat-fraction", "F", OPTION_REAL, AT(params.fraction), .needs = "classify",
     .high = 1, .usual = "0.125",
     .help = "random: at least a fraction F of them is far"},
    {0}};

static uint64_t all_of(const struct sim_classes *classes, bool misses) {
  uint64_t all = 0;
  for (int i = 0; i < VAT_CLASSES; i++)
    all += misses ? classes->counts.classes[i].misses
                  : classes->counts.classes[i].translations;
  return all;
}

/* Of nothing there is no share. */
static json_t *share_json(uint64_t of, uint64_t all) {
  return all ? json_real((double)of / (double)all) : json_null();
}

static json_t *class_json(const struct sim_classes *classes, int i) {
  const struct vat_class_counts *class = &classes->counts.classes[i];
  return json_pack(
      "{sI sI so so}", "translations", (json_int_t) class->translations,
      "misses", (json_int_t) class->misses, "share_of_translations",
      share_json(class->translations, all_of(classes, false)),
      "share_of_misses", share_json(class->misses, all_of(classes, true)));
}

json_t *sim_classes_json(const struct sim_classes *classes) {
  const struct vat_classify_params *params = &classes->params;
  json_t *each = json_object();
  for (int i = 0; i < VAT_CLASSES; i++)
    json_object_set_new(each, vat_class_names[i], class_json(classes, i));
  return json_pack("{so sI sI s{sI sI sI sf si sI sf}}", "classes", each,
                   "sequences", (json_int_t)classes->counts.sequences, "far",
                   (json_int_t)classes->counts.far, "classify", "tau",
                   (json_int_t)params->tau, "cat_gap", (json_int_t)params->gap,
                   "cat_step", (json_int_t)params->step, "rat_theta",
                   params->theta, "rat_part_bits", (int)classes->part_bits,
                   "rat_window", (json_int_t)params->window, "rat_fraction",
                   params->fraction);
}

/* Of 2^bits bytes: it may be more than any machine has. */
static const char *part_text(unsigned bits, char text[HP_SIZE_TEXT]) {
  if (bits < 63) return hp_size_text((size_t)1 << bits, text);
  snprintf(text, HP_SIZE_TEXT, "2^%u bytes", bits);
  return text;
}

static void share_cells(struct text_table *table, uint64_t of, uint64_t all) {
  text_cell(table, "%" PRIu64, of);
  text_cell_if(table, all, "%.2f %%", 100 * (double)of / (double)all);
}

void sim_classes_print(const struct sim_classes *classes) {
  const struct vat_classify_params *params = &classes->params;
  uint64_t translations = all_of(classes, false);
  uint64_t misses = all_of(classes, true);
  char part[HP_SIZE_TEXT];
  struct text_table table = {.out = stdout, .gap = 1};
  text_columns(&table,
               "-12 stretches\t20 translations\t11 share\t20 misses\t11 share");
  for (int i = 0; i < VAT_CLASSES; i++) {
    const struct vat_class_counts *class = &classes->counts.classes[i];
    text_cell(&table, "%s", vat_class_names[i]);
    share_cells(&table, class->translations, translations);
    share_cells(&table, class->misses, misses);
    text_row_end(&table);
  }
  text_table_end(&table);
  printf("%" PRIu64 " consecutive: tau %" PRIu64 ", gaps of up to %" PRIu64
         ", steps of up to %" PRIu64 " page%s\n",
         classes->counts.sequences, params->tau, params->gap, params->step,
         params->step == 1 ? "" : "s");
  printf("%" PRIu64
         " far, in parts of %s not accessed since W misses; random "
         "from %g on of %" PRIu64 "\n",
         classes->counts.far, part_text(classes->part_bits, part),
         params->fraction, params->window);
}
