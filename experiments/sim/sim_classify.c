/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_classify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/sizes.h"
#include "huge_pages/size_text.h"

enum {
  KEY_CLASSIFY = 512,
  KEY_TAU,
  KEY_GAP,
  KEY_STEP,
  KEY_THETA,
  KEY_WINDOW,
  KEY_FRACTION,
};

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "Consecutive and random stretches", 6},
    {"classify", KEY_CLASSIFY, NULL, 0,
     "tell consecutive, random and other stretches apart, and what each costs "
     "(lru and islru)",
     0},
    {"tau", KEY_TAU, "T", 0,
     "consecutive: accesses that pay for a miss; T d of them or more in all, T "
     "or more a page (default: 64)",
     0},
    {"cat-gap", KEY_GAP, "G", 0,
     "consecutive: at most G others between two (default: 64, or as many as W "
     "keeps paths for)",
     0},
    {"cat-step", KEY_STEP, "S", 0,
     "consecutive: the next page is at most S pages on (default: 1)", 0},
    {"rat-theta", KEY_THETA, "THETA", 0,
     "random: an access is far in a part of P m^THETA bytes that was not "
     "accessed since W misses (default: 0, a page)",
     0},
    {"rat-window", KEY_WINDOW, "N", 0,
     "random: what is not consecutive is judged N accesses at a time (default: "
     "1024)",
     0},
    {"rat-fraction", KEY_FRACTION, "F", 0,
     "random: at least a fraction F of them is far (default: 0.125)", 0},
    {0}};

static uint64_t whole(const char *option, const char *text, uint64_t least,
                      uint64_t most) {
  uint64_t value = 0;
  if (!size_parse(text, &value) && value >= least && value <= most)
    return value;
  exit(fail(VAT_USAGE, "--%s %s: not a number from %" PRIu64 " to %" PRIu64,
            option, text, least, most));
}

static double fraction(const char *option, const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end != text && !*end && value >= 0 && value <= 1) return value;
  exit(fail(VAT_USAGE, "--%s %s: not a number from 0 to 1", option, text));
}

static error_t parse_value(int key, const char *value,
                           struct sim_classify *classify) {
  struct vat_classify_params *params = &classify->params;
  switch (key) {
    case KEY_TAU:
      params->tau = whole("tau", value, 1, VAT_CLASSIFY_TAU_MAX);
      classify->tuned = "tau";
      return 0;
    case KEY_GAP:
      params->gap = whole("cat-gap", value, 0, VAT_CLASSIFY_GAP_MAX);
      classify->tuned = "cat-gap";
      return 0;
    case KEY_STEP:
      params->step = whole("cat-step", value, 1, VAT_CLASSIFY_STEP_MAX);
      classify->tuned = "cat-step";
      return 0;
    case KEY_THETA:
      params->theta = fraction("rat-theta", value);
      classify->tuned = "rat-theta";
      return 0;
    case KEY_WINDOW:
      params->window = whole("rat-window", value, 1, INT64_MAX);
      classify->tuned = "rat-window";
      return 0;
    case KEY_FRACTION:
      params->fraction = fraction("rat-fraction", value);
      classify->tuned = "rat-fraction";
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct sim_classify *classify = state->input;
  if (key == ARGP_KEY_INIT) {
    *classify = (struct sim_classify){.params = vat_classify_defaults};
    return 0;
  }
  if (key != KEY_CLASSIFY) return parse_value(key, value, classify);
  classify->asked = true;
  return 0;
}

const struct argp sim_classify_argp = {.options = option_table,
                                       .parser = parse};

int sim_classify_check(const struct sim_classify *classify) {
  if (classify->asked || !classify->tuned) return VAT_OK;
  return fail(VAT_USAGE, "--%s without --classify: say both", classify->tuned);
}

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

static void print_share(uint64_t of, uint64_t all) {
  if (all)
    printf(" %9.2f %%", 100 * (double)of / (double)all);
  else
    printf(" %11s", "-");
}

void sim_classes_print(const struct sim_classes *classes) {
  const struct vat_classify_params *params = &classes->params;
  uint64_t translations = all_of(classes, false);
  uint64_t misses = all_of(classes, true);
  char part[HP_SIZE_TEXT];
  printf("%-12s %20s %11s %20s %11s\n", "stretches", "translations", "share",
         "misses", "share");
  for (int i = 0; i < VAT_CLASSES; i++) {
    const struct vat_class_counts *class = &classes->counts.classes[i];
    printf("%-12s %20" PRIu64, vat_class_names[i], class->translations);
    print_share(class->translations, translations);
    printf(" %20" PRIu64, class->misses);
    print_share(class->misses, misses);
    putchar('\n');
  }
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
