/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every row of every command's table of options, as the command itself refuses
 * and takes it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/options.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/model_request.h"
#include "experiments/predict/predict.h"
#include "experiments/profile/plan_request.h"
#include "experiments/profile/profile_request.h"
#include "experiments/run/run_options.h"
#include "experiments/sim/sim_request.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

enum { WORDS = 16, TEXT = 64 };

/* A command line that is made word by word. */
struct line {
  command_run *command;
  const struct option_row *rows[OPTION_ROWS_MOST]; /* of the command, flat */
  size_t row_count;
  const char *words[WORDS + 1];
  char texts[WORDS][TEXT];
  size_t count;
};

static struct command_result result;

__attribute__((format(printf, 2, 3))) static void add(struct line *line,
                                                      const char *format, ...) {
  va_list args;
  CU_ASSERT_FATAL(line->count < WORDS);
  char *text = line->texts[line->count];
  va_start(args, format);
  vsnprintf(text, TEXT, format, args);
  va_end(args);
  line->words[line->count++] = text;
}

/* Run it; what it says, in one line, has to begin so. */
__attribute__((format(printf, 2, 3))) static void says(struct line *line,
                                                       const char *format,
                                                       ...) {
  char expected[256];
  va_list args;
  va_start(args, format);
  vsnprintf(expected, sizeof expected, format, args);
  va_end(args);
  line->words[line->count] = NULL;
  run_command(&result, line->command, line->words, false);
  bool right = result.code == VAT_USAGE && !*result.out &&
               !strncmp(result.err, expected, strlen(expected)) &&
               strchr(result.err, '\n') == strrchr(result.err, '\n');
  CU_ASSERT(right);
  for (size_t i = 0; !right && i < line->count; i++)
    printf("%s%s", i ? " " : "\n", line->words[i]);
  if (!right) printf(": %d, not '%s': %s", result.code, expected, result.err);
}

/* A value that an option takes. */
static const char *sample(const struct option_row *row, char text[TEXT]) {
  static const char *const own[][2] = {
      {"ALGO", "permute"},  {"ARCH", "gtx480"},      {"I/N", "1/2"},
      {"SET", "thesis"},    {"SHAPE", "l1=64x4"},    {"TERM", "sets"},
      {"TREE", "amd64-4k"}, {"TREE,...", "amd64-4k"}};
  bool what_if = row->needs && !strcmp(row->needs, "what-if");
  if (what_if && !strcmp(row->value ? row->value : "", "TERM")) return "pace";
  for (size_t i = 0; row->value && i < sizeof own / sizeof *own; i++)
    if (!strcmp(row->value, own[i][0])) return own[i][1];
  if (row->usual) return row->usual;
  if (row->type == OPTION_CHOICE)
    snprintf(text, TEXT, "%.*s", (int)strcspn(row->value, "|"), row->value);
  else
    snprintf(text, TEXT, "%" PRIu64, row->least ? row->least : 1);
  return text;
}

static const struct option_row *row_of(const struct line *line,
                                       const char *name, size_t length) {
  for (size_t i = 0; i < line->row_count; i++)
    if (strlen(line->rows[i]->name) == length &&
        !strncmp(line->rows[i]->name, name, length))
      return line->rows[i];
  CU_FAIL_FATAL("a row names an option that is not there");
  return NULL;
}

/* Once, with a good value, and with what it needs. */
static void give(struct line *line, const struct option_row *row, bool needs) {
  char text[TEXT];
  size_t length = strlen(row->name);
  for (size_t i = 0; i < line->count; i++)
    if (strlen(line->words[i]) >= 2 + length &&
        !strncmp(line->words[i] + 2, row->name, length) &&
        strchr("=", line->words[i][2 + length]))
      return;
  if (row->value)
    add(line, "--%s=%s", row->name, sample(row, text));
  else
    add(line, "--%s", row->name);
  if (needs && row->needs)
    give(line, row_of(line, row->needs, strlen(row->needs)), true);
}

static void refuses_value(struct line line, const struct option_row *row,
                          const char *value) {
  add(&line, "--%s=%s", row->name, value);
  says(&line, "vat: --%s %s: ", row->name, value);
}

/* It does, where only what follows is refused. */
static void takes_value(struct line line, const struct option_row *row,
                        const char *value) {
  add(&line, "--%s=%s", row->name, value);
  add(&line, "--no-such-option");
  says(&line, "vat: --no-such-option: no such option");
}

static void check_range(const struct line *line, const struct option_row *row) {
  bool real = row->type == OPTION_REAL;
  char text[TEXT];
  refuses_value(*line, row, "x");
  refuses_value(*line, row, "1x");
  if (row->least) {
    snprintf(text, TEXT, "%" PRIu64, row->least - 1);
    refuses_value(*line, row, text);
  }
  if (real)
    snprintf(text, TEXT, "%.17g", row->high);
  else
    snprintf(text, TEXT, "%" PRIu64, row->least);
  takes_value(*line, row, text);
  if (real) {
    snprintf(text, TEXT, "%.17g", 2 * row->high);
    refuses_value(*line, row, text);
    snprintf(text, TEXT, "%.17g", row->low);
    takes_value(*line, row, text);
  }
  if (!row->most) return;
  snprintf(text, TEXT, "%" PRIu64, row->most);
  takes_value(*line, row, text);
  snprintf(text, TEXT, "%" PRIu64, row->most + 1);
  refuses_value(*line, row, text);
}

static void check_choice(const struct line *line,
                         const struct option_row *row) {
  char text[TEXT];
  refuses_value(*line, row, "?");
  for (const char *word = row->value; *word;) {
    size_t length = strcspn(word, "|");
    snprintf(text, TEXT, "%.*s", (int)length, word);
    takes_value(*line, row, text);
    word += length + (word[length] == '|');
  }
}

static void check_value(const struct line *line, const struct option_row *row) {
  switch (row->type) {
    case OPTION_WHOLE:
    case OPTION_SIZE:
    case OPTION_REAL:
    case OPTION_SIZES:
      check_range(line, row);
      return;
    case OPTION_NUMBERS:
    case OPTION_WHOLE_NUMBERS:
      refuses_value(*line, row, "x");
      takes_value(*line, row, "1..9+4,10");
      return;
    case OPTION_CHOICE:
      check_choice(line, row);
      return;
    case OPTION_FILE: {
      struct line empty = *line;
      add(&empty, "--%s=", row->name);
      says(&empty, "vat: --%s: '' is not a usable file name", row->name);
      return;
    }
    case OPTION_OWN: {
      struct line bad = *line;
      add(&bad, "--%s=?", row->name);
      says(&bad, "vat: --%s", row->name);
      return;
    }
    default:
      return;
  }
}

static void check_missing(const struct line *line, const struct option_row *row,
                          bool flag) {
  struct line missing = *line;
  if (flag) {
    add(&missing, "--%s=x", row->name);
    says(&missing, "vat: --%s=x: takes no value", row->name);
  } else if (!row->without) {
    add(&missing, "--%s", row->name);
    says(&missing, "vat: --%s: needs a value", row->name);
  }
}

static void check_company(const struct line *line,
                          const struct option_row *row) {
  if (row->needs) {
    struct line alone = *line;
    give(&alone, row, false);
    says(&alone, "vat: --%s without --%s: ", row->name, row->needs);
  }
  for (const char *other = row->conflicts; other && *other;) {
    size_t length = strcspn(other, ",");
    struct line both = *line;
    const struct option_row *second = row_of(line, other, length);
    give(&both, row, true);
    give(&both, second, true);
    says(&both, "vat: --%s and --%s exclude each other; leave one out",
         row->name, second->name);
    other += length + (other[length] == ',');
  }
}

static void collect(struct line *line, const struct option_row *row) {
  for (; row->name || row->help || row->rows; row++) {
    if (row->rows)
      collect(line, row->rows);
    else if (row->name)
      line->rows[line->row_count++] = row;
  }
}

static void check_help(struct line line) {
  add(&line, "--help");
  line.words[line.count] = NULL;
  run_command(&result, line.command, line.words, false);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  for (size_t i = 0; i < line.row_count; i++) {
    char name[TEXT];
    snprintf(name, sizeof name, "--%s", line.rows[i]->name);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, name));
  }
}

/* `model`: which one's, of `vat model`. */
static void check_table(command_run *command, const char *model,
                        const struct option_table *table) {
  static struct line line;
  const struct option_row *named = NULL; /* that other names are of */
  line = (struct line){.command = command};
  collect(&line, table->rows);
  if (model) add(&line, "%s", model);
  check_help(line);
  for (size_t i = 0; i < line.row_count; i++) {
    const struct option_row *row = line.rows[i];
    if (!row->other_name) named = row;
    check_missing(&line, row, !named->value);
    if (row->other_name) continue;
    check_value(&line, row);
    check_company(&line, row);
  }
}

static void test_every_row_of_every_command(void) {
  static const struct {
    command_run *command;
    const struct option_table *table;
  } commands[] = {{cmd_calibrate, &calibrate_table},
                  {cmd_compare, &compare_table},
                  {cmd_doctor, &doctor_table},
                  {cmd_list, &list_table},
                  {cmd_merge, &merge_table},
                  {cmd_plan, &plan_table},
                  {cmd_predict, &predict_table},
                  {cmd_profile, &profile_table},
                  {cmd_report, &report_table},
                  {cmd_run, &run_table},
                  {cmd_sim, &sim_table},
                  {cmd_trace, &trace_table},
                  {cmd_validate, &validate_table}};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    check_table(commands[i].command, NULL, commands[i].table);
}

static void test_every_row_of_every_model(void) {
  check_table(cmd_model, NULL, model_table());
  check_table(cmd_model, "tmm", &tmm_table);
  check_table(cmd_model, "calibrated", sheet_table(&sheet_model_calibrated));
  check_table(cmd_model, "integrated", sheet_table(&sheet_model_integrated));
  check_table(cmd_model, "bloom", &bloom_table);
}

static const struct check_test tests[] = {
    {"every row of every command", test_every_row_of_every_command},
    {"every row of every model", test_every_row_of_every_model},
    {0}};

const struct check_suite suite_options = {.name = "options", .tests = tests};
