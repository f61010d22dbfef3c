/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/mosaics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"
#include "experiments/results/compared.h"
#include "experiments/results/other_file.h"
#include "experiments/results/weighed.h"
#include "experiments/validate/walk_models.h"
#include "huge_pages/size_text.h"

enum { VAT, VAT_MEASURED, OF_WALKS, FITTED = MOSAIC_MODELS - 1 };

static const char base_alone[] = "4k", both[] = "4k, all larger";

/* --- reading --- */

/* A file's rows, and what is known of its program besides. */
struct program {
  char name[MOSAIC_NAME];
  double user_s;                /* on base pages */
  struct compared_ratio larger; /* all memory on larger pages */
  struct walk_state base, most; /* the same as states */
  struct walk_state *state;     /* of rows; owned */
  size_t first, count;          /* its rows */
};

/* 0: it is not there. */
static double at(const json_t *walks, const char *key, size_t which) {
  return json_number_value(json_array_get(json_object_get(walks, key), which));
}

static struct walk_state state_of(double user_s, const json_t *walks,
                                  size_t which) {
  return (struct walk_state){user_s, at(walks, "misses", which),
                             at(walks, "walk_s", which),
                             at(walks, "hit_s", which)};
}

/* Shares of what all memory on larger pages most likely saves, by what was told
 * of it and what was measured. */
static double scaled(const struct program *of, double told,
                     const json_t *everything) {
  const struct compared_ratio *larger = &of->larger;
  double all = json_real_at(everything, "user_ratio");
  double lo = json_real_at(everything, "lo");
  double hi = json_real_at(everything, "hi");
  if (isnan(larger->value) || !(all < 1)) return NAN;
  struct weighed most = {larger->value, 0};
  if (!isnan(larger->lo) && !isnan(lo))
    most = weighed_mean(
        weighed_interval(most.value, larger->lo, larger->hi, weighed_measured),
        weighed_interval(all, lo, hi, weighed_told));
  return 1 - (1 - most.value) * (1 - told) / (1 - all);
}

static void tell_by_walks(const struct program *of, struct mosaic *row,
                          const struct walk_state *here) {
  const struct walk_case known = {of->base, of->most, *here};
  for (size_t i = 0; walk_models[i].name; i++)
    row->told[OF_WALKS + i] = walk_models[i].user_s(&known) / of->user_s;
}

static void add_row(struct mosaics *mosaics, struct program *of,
                    const json_t *page) {
  const json_t *plan = json_object_get(page, "plan");
  const json_t *told = json_object_get(plan, "predicted");
  const json_t *walks = json_object_get(plan, "walks");
  struct compared_ratio user = compared_user(page);
  const char *layout = json_string_value(json_object_get(page, "kind"));
  if (!plan || !layout || isnan(user.value)) return;
  struct mosaic *row = ARRAY_ADD(mosaics->row, mosaics->count);
  *row = (struct mosaic){.bytes = json_real_at(plan, "used_bytes"),
                         .measured = user.value,
                         .lo = user.lo,
                         .hi = user.hi,
                         .told_lo = json_real_at(told, "lo"),
                         .told_hi = json_real_at(told, "hi")};
  for (size_t i = 0; i < MOSAIC_MODELS; i++) row->told[i] = NAN;
  snprintf(row->program, sizeof row->program, "%s", of->name);
  snprintf(row->layout, sizeof row->layout, "%s", layout);
  row->told[VAT] = json_real_at(told, "user_ratio");
  row->told[VAT_MEASURED] =
      scaled(of, row->told[VAT], json_object_get(plan, "everything"));
  size_t states = of->count++;
  struct walk_state *state = ARRAY_ADD(of->state, states);
  *state = (struct walk_state){user.value * of->user_s, NAN, NAN, NAN};
  if (!walks) return;
  of->base = state_of(of->user_s, walks, 0);
  of->most = state_of(of->larger.value * of->user_s, walks, 2);
  *state = state_of(user.value * of->user_s, walks, 1);
  tell_by_walks(of, row, state);
}

/* Too few runs for an interval say nothing about a model. */
static bool counts(const struct mosaic *row) { return !isnan(row->lo); }

/* By all layouts of the program but this one, and by both ends. */
static void fit(struct mosaics *mosaics, const struct program *of) {
  struct walk_state *known = memory_zeroed(of->count + 2, sizeof *known);
  for (size_t i = 0; i < of->count; i++) {
    size_t count = 0;
    known[count++] = of->base;
    if (!isnan(of->most.user_s)) known[count++] = of->most;
    for (size_t k = 0; k < of->count; k++)
      if (k != i && counts(&mosaics->row[of->first + k]) &&
          !isnan(of->state[k].misses))
        known[count++] = of->state[k];
    if (!isnan(of->state[i].misses))
      mosaics->row[of->first + i].told[FITTED] =
          walk_model_fitted(known, count, &of->state[i]) / of->user_s;
  }
  free(known);
}

static int read_rows(struct mosaics *mosaics, const json_t *comparison) {
  struct program of = {.first = mosaics->count};
  const json_t *base = compared_kind(comparison, base_alone);
  const json_t *larger = compared_kind(comparison, "thp"), *page;
  const json_t *pages = json_object_get(comparison, "pages");
  size_t i;
  of.user_s = json_real_at(base, "user_s");
  of.larger =
      larger ? compared_user(larger) : (struct compared_ratio){NAN, NAN, NAN};
  if (!(of.user_s > 0)) return -1;
  compared_program(of.name, sizeof of.name,
                   json_object_get(comparison, "command"));
  json_array_foreach(pages, i, page) { add_row(mosaics, &of, page); }
  if (of.count) {
    fit(mosaics, &of);
    *ARRAY_ADD(mosaics->program, mosaics->programs) = (struct mosaic_program){
        .first = of.first,
        .count = of.count,
        .control =
            json_real_at(json_object_get(comparison, "control"), "user_ratio") -
            1};
  }
  free(of.state);
  return of.count ? 0 : -1;
}

static int read_one(struct mosaics *mosaics, const char *path, char *error,
                    size_t error_size) {
  json_t *comparison = json_file_read(path, error, error_size);
  int failed = comparison ? read_rows(mosaics, comparison) : -1;
  if (comparison && failed) {
    snprintf(error, error_size,
             "%s: has no plan that was measured; fix: vat compare --plan "
             "PLAN.json --json -- PROG >FILE",
             path);
    other_file(path, FILE_COMPARED, error, error_size);
    errno = EINVAL;
  }
  int code = errno;
  json_decref(comparison);
  errno = code;
  return failed;
}

/* --- scores --- */

static int compare(const void *x, const void *y) {
  return order_reals(*(const double *)x, *(const double *)y);
}

/* The least that so large a share is at most: of 30, the 29th for .95. */
static double at_share(const double *sorted, size_t count, double share) {
  return sorted[(size_t)ceil(share * (double)count) - 1];
}

static void score(struct mosaic_score *score, double *off, size_t count) {
  score->rows = count;
  score->median = score->p95 = score->worst = NAN;
  if (!count) return;
  qsort(off, count, sizeof *off, compare);
  score->median = (off[(count - 1) / 2] + off[count / 2]) / 2;
  score->p95 = at_share(off, count, .95);
  score->worst = off[count - 1];
}

static void name_models(struct mosaic_score *s) {
  s[VAT] = (struct mosaic_score){"vat", "vat", base_alone, 0, 0, 0, 0};
  s[VAT_MEASURED] =
      (struct mosaic_score){"vat_measured", "vat, scaled", both, 0, 0, 0, 0};
  for (size_t i = 0; walk_models[i].name; i++)
    s[OF_WALKS + i] =
        (struct mosaic_score){walk_models[i].name,
                              walk_models[i].title,
                              walk_models[i].measured ? both : base_alone,
                              0,
                              0,
                              0,
                              0};
  s[FITTED] = (struct mosaic_score){
      "mosmodel", "Mosmodel", "its other layouts", 0, 0, 0, 0};
}

/* Is what was measured within vat's interval; as widened by its own? */
static void look_inside(struct mosaics *mosaics, const struct mosaic *row) {
  const double told = row->told[VAT], measured = row->measured;
  const double own = (row->hi - row->lo) / 2 * weighed_told / weighed_measured;
  if (!counts(row) || isnan(row->told_lo)) return;
  mosaics->intervals++;
  mosaics->inside += measured >= row->told_lo && measured <= row->told_hi;
  mosaics->inside_both += measured >= told - hypot(told - row->told_lo, own) &&
                          measured <= told + hypot(row->told_hi - told, own);
}

/* How far a model is off in some rows. */
static void score_rows(struct mosaic_score *to, const struct mosaic *row,
                       size_t rows, size_t model, double *off) {
  size_t count = 0;
  for (size_t i = 0; i < rows; i++)
    if (counts(&row[i]) && !isnan(row[i].told[model]))
      off[count++] = fabs(row[i].told[model] - row[i].measured);
  score(to, off, count);
}

static void score_program(const struct mosaics *mosaics,
                          struct mosaic_program *program, double *off) {
  struct mosaic_score of;
  for (size_t m = 0; m < MOSAIC_MODELS; m++) {
    score_rows(&of, &mosaics->row[program->first], program->count, m, off);
    program->median[m] = of.median;
  }
}

static void make_scores(struct mosaics *mosaics) {
  const size_t most = mosaics->count + mosaics->programs;
  double *off = memory_zeroed(most + 1, sizeof *off);
  name_models(mosaics->score);
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    score_rows(&mosaics->score[m], mosaics->row, mosaics->count, m, off);
  for (size_t i = 0; i < mosaics->programs; i++)
    score_program(mosaics, &mosaics->program[i], off);
  for (size_t i = 0; i < mosaics->count; i++) {
    mosaics->without += !counts(&mosaics->row[i]);
    look_inside(mosaics, &mosaics->row[i]);
  }
  size_t count = 0;
  for (size_t i = 0; i < mosaics->programs; i++)
    if (!isnan(mosaics->program[i].control))
      off[count++] = fabs(mosaics->program[i].control);
  mosaics->control =
      (struct mosaic_score){"control", "4k to itself", "", 0, 0, 0, 0};
  score(&mosaics->control, off, count);
  free(off);
}

int mosaics_read(struct mosaics *mosaics, const char *const *paths,
                 size_t count, char *error, size_t error_size) {
  int failed = 0;
  *mosaics = (struct mosaics){0};
  for (size_t i = 0; !failed && i < count; i++)
    failed = read_one(mosaics, paths[i], error, error_size);
  if (!failed) make_scores(mosaics);
  return failed;
}

void mosaics_fini(struct mosaics *mosaics) {
  free(mosaics->row);
  free(mosaics->program);
  *mosaics = (struct mosaics){0};
}

/* --- output --- */

static void add_score(struct text_table *table,
                      const struct mosaic_score *score) {
  text_cells(table, "%s\t%s\t%zu", score->title, score->from, score->rows);
  text_cell_if(table, score->rows, "%.3f", score->median);
  text_cell_if(table, score->rows, "%.3f", score->p95);
  text_cell_if(table, score->rows, "%.3f", score->worst);
  text_row_end(table);
}

static void print_rows(FILE *out, const struct mosaics *mosaics) {
  struct text_table table = {.out = out, .gap = 2, .fits = true};
  text_columns(&table, "-8 program\t-6 layout\t8 larger\npages\t8 measured");
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    text_columns(&table, "6 %s", mosaics->score[m].name);
  for (size_t i = 0; i < mosaics->count; i++) {
    const struct mosaic *row = &mosaics->row[i];
    text_cells(&table, "%s\t%s", row->program, row->layout);
    text_cell_if(&table, row->bytes >= 0 && row->bytes < 0x1p62, "%s",
                 HP_SIZE_SHOWN((size_t)row->bytes));
    text_cell(&table, "%.3f", row->measured);
    for (size_t m = 0; m < MOSAIC_MODELS; m++)
      text_cell_if(&table, !isnan(row->told[m]), "%.3f", row->told[m]);
    text_row_end(&table);
  }
  text_table_end(&table);
}

static void print_programs(FILE *out, const struct mosaics *mosaics) {
  struct text_table table = {.out = out, .gap = 2, .fits = true};
  text_columns(&table, "-8 program\t6 layouts");
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    text_columns(&table, "6 %s", mosaics->score[m].name);
  text_columns(&table, "6 control");
  for (size_t i = 0; i < mosaics->programs; i++) {
    const struct mosaic_program *program = &mosaics->program[i];
    text_cells(&table, "%s\t%zu", mosaics->row[program->first].program,
               program->count);
    for (size_t m = 0; m < MOSAIC_MODELS; m++)
      text_cell_if(&table, !isnan(program->median[m]), "%.3f",
                   program->median[m]);
    text_cell_if(&table, !isnan(program->control), "%.3f",
                 fabs(program->control));
    text_row_end(&table);
  }
  text_table_end(&table);
}

void mosaics_print(FILE *out, const struct mosaics *mosaics) {
  struct text_table table = {.out = out, .gap = 2, .fits = true};
  print_rows(out, mosaics);
  fputs("\nhow far off the ratio of user times is:\n", out);
  text_columns(&table,
               "-8 model\t-6 knows times of\t6 layouts\t6 median\t6 95 %%\t6 "
               "worst");
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    add_score(&table, &mosaics->score[m]);
  add_score(&table, &mosaics->control);
  text_table_end(&table);
  fputs("\nthe same of each program, in the median:\n", out);
  print_programs(out, mosaics);
  if (mosaics->without)
    fprintf(out,
            "\n%zu of %zu had too few runs for an interval, and are left out; "
            "fix: vat compare with more --runs\n",
            mosaics->without, mosaics->count);
  if (mosaics->intervals)
    fprintf(out,
            "\n%zu of %zu are within vat's interval; %zu with the interval of "
            "what was measured\n",
            mosaics->inside, mosaics->intervals, mosaics->inside_both);
}

static json_t *score_to_json(const struct mosaic_score *score) {
  json_t *object = json_pack("{s:s, s:s, s:s, s:I}", "name", score->name,
                             "title", score->title, "knows", score->from,
                             "layouts", (json_int_t)score->rows);
  json_object_update_new(
      object, json_of_reals("median", score->median, "p95", score->p95, "worst",
                            score->worst));
  return object;
}

static json_t *row_to_json(const struct mosaics *mosaics,
                           const struct mosaic *row) {
  json_t *told = json_object();
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    json_object_set_new(told, mosaics->score[m].name,
                        json_of_real(row->told[m]));
  json_t *object =
      json_pack("{s:s, s:s}", "program", row->program, "layout", row->layout);
  json_object_update_new(
      object, json_of_reals("bytes", row->bytes, "user_ratio", row->measured,
                            "lo", row->lo, "hi", row->hi, "told_lo",
                            row->told_lo, "told_hi", row->told_hi));
  json_object_set_new(object, "told", told);
  return object;
}

static json_t *program_to_json(const struct mosaics *mosaics,
                               const struct mosaic_program *program) {
  json_t *median = json_object();
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    json_object_set_new(median, mosaics->score[m].name,
                        json_of_real(program->median[m]));
  return json_pack("{s:s, s:I, s:o, s:o}", "program",
                   mosaics->row[program->first].program, "layouts",
                   (json_int_t)program->count, "control",
                   json_of_real(program->control), "median", median);
}

json_t *mosaics_to_json(const struct mosaics *mosaics) {
  json_t *rows = json_array(), *models = json_array();
  json_t *programs = json_array();
  for (size_t i = 0; i < mosaics->programs; i++)
    json_array_append_new(programs,
                          program_to_json(mosaics, &mosaics->program[i]));
  for (size_t i = 0; i < mosaics->count; i++)
    json_array_append_new(rows, row_to_json(mosaics, &mosaics->row[i]));
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    json_array_append_new(models, score_to_json(&mosaics->score[m]));
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "record",
                   "mosaics", "models", models, "control",
                   score_to_json(&mosaics->control), "programs", programs,
                   "rows", rows, "inside", (json_int_t)mosaics->inside,
                   "inside_both", (json_int_t)mosaics->inside_both, "intervals",
                   (json_int_t)mosaics->intervals);
}
