/* SPDX-License-Identifier: GPL-3.0-or-later */
/* getopt finds the options, and argp lays out --help. */
#include "experiments/cli/options.h"

#include <argp.h>
#include <config.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/spelling.h"

const char option_version[] = "vat " PACKAGE_VERSION;

/* What getopt says of a long option: its row, from KEY_ROW on. */
enum { KEY_HELP = 1, KEY_USAGE, KEY_ROW = 256 };

/* A row, what it stores into, and whether it was typed. */
struct use {
  const struct option_row *row;
  void *request;
  bool given;
};

struct parsing {
  const struct option_table *table;
  const void *request;
  struct use uses[OPTION_ROWS_MOST];
  size_t count;
  struct option longs[OPTION_ROWS_MOST + 4]; /* ended by zeros */
  char letters[3 * OPTION_ROWS_MOST];        /* as getopt takes them */
};

static void collect(struct parsing *p, const struct option_row *row,
                    void *request) {
  for (; row->name || row->help || row->rows; row++) {
    if (row->rows) {
      collect(p, row->rows, (char *)request + row->at);
      continue;
    }
    if (p->count == OPTION_ROWS_MOST) abort(); /* make room */
    p->uses[p->count++] = (struct use){.row = row, .request = request};
  }
}

/* The row that has all the rest of one that is but another name. */
static struct use *of_name(struct parsing *p, size_t i) {
  while (p->uses[i].row->other_name) i--;
  return &p->uses[i];
}

static int takes(const struct option_row *row) {
  return !row->value    ? no_argument
         : row->without ? optional_argument
                        : required_argument;
}

/* For getopt: -? is an error, which it makes of any unknown letter. */
static void list_names(struct parsing *p) {
  static const char *const colons[] = {"", ":", "::"};
  static const struct option usual[] = {{"help", no_argument, NULL, KEY_HELP},
                                        {"usage", no_argument, NULL, KEY_USAGE},
                                        {"version", no_argument, NULL, 'V'}};
  size_t count = 0, used = 0;
  strcpy(p->letters, p->table->program ? "+:V" : ":V");
  used = strlen(p->letters);
  for (size_t i = 0; i < p->count; i++) {
    const struct option_row *row = of_name(p, i)->row;
    const struct option_row *as = p->uses[i].row;
    if (as->name)
      p->longs[count++] =
          (struct option){as->name, takes(row), NULL, KEY_ROW + (int)i};
    if (!as->letter) continue;
    p->letters[used++] = as->letter;
    strcpy(p->letters + used, colons[takes(row)]);
    used += strlen(colons[takes(row)]);
  }
  memcpy(p->longs + count, usual, sizeof usual);
}

static void prepare(struct parsing *p, const struct option_table *table,
                    void *request) {
  *p = (struct parsing){.table = table, .request = request};
  collect(p, table->rows, request);
  list_names(p);
}

static struct use *use_of(struct parsing *p, int key) {
  if (key >= KEY_ROW) return of_name(p, (size_t)(key - KEY_ROW));
  for (size_t i = 0;; i++)
    if (p->uses[i].row->letter == key) return of_name(p, i);
}

/* The row of one of the names before a comma in `names`. */
static struct use *use_named(struct parsing *p, const char *name) {
  for (size_t i = 0; i < p->count; i++)
    if (p->uses[i].row->name && !strcmp(p->uses[i].row->name, name))
      return &p->uses[i];
  abort(); /* no such row */
}

/* How many options begin as was typed, up to a "=". */
static size_t candidates(const struct parsing *p, const char *name) {
  size_t length = strcspn(name, "="), count = 0;
  for (const struct option *o = p->longs; o->name; o++)
    count += !strncmp(o->name, name, length);
  return count;
}

/* getopt tells of long options by their key, or by none where there are none.
 */
static int refuse_option(const struct parsing *p, bool value, const char *typed,
                         const char *command) {
  char letter[] = {'-', (char)optopt, '\0'};
  bool is_long = optopt <= KEY_USAGE || optopt >= KEY_ROW || optopt == 'V';
  const char *name = is_long ? typed : letter, *what = "no such option";
  struct spelling spelling = {.before = "--",
                              .typed = is_long ? typed + 2 : ""};
  if (value)
    what = "needs a value";
  else if (is_long && optopt)
    what = "takes no value";
  else if (is_long && candidates(p, typed + 2))
    what = "several options begin with this";
  else
    for (const struct option *o = p->longs; o->name; o++)
      spelling_offer(&spelling, o->name);
  return fail(VAT_USAGE, "%s: %s; %ssee %s --help", name, what,
              spelling_hint(&spelling), command);
}

/* Each conflict is in the row of one of the two. */
static int check_conflicts(struct parsing *p, const struct use *use) {
  char copy[256], *rest = copy, *name;
  snprintf(copy, sizeof copy, "%s", use->row->conflicts);
  while ((name = strsep(&rest, ",")))
    if (use_named(p, name)->given)
      return fail(VAT_USAGE, "--%s and --%s exclude each other; leave one out",
                  use->row->name, name);
  return VAT_OK;
}

static int check_uses(struct parsing *p) {
  int code = VAT_OK;
  for (size_t i = 0; !code && i < p->count; i++) {
    const struct use *use = &p->uses[i];
    const struct option_row *row = use->row;
    if (!use->given) continue;
    if (row->conflicts) code = check_conflicts(p, use);
    if (!code && row->needs && !use_named(p, row->needs)->given)
      code = fail(VAT_USAGE, "--%s without --%s: %s", row->name, row->needs,
                  row->because ? row->because : "give both");
  }
  return code;
}

static int take_words(const struct option_table *table, size_t count,
                      char **words, const char *command, void *request) {
  if (count > table->words_most && !table->too_many)
    return fail(VAT_USAGE, "%s: unexpected; see %s --help",
                words[table->words_most], command);
  if (count > table->words_most)
    return fail(VAT_USAGE, "%.80s: %s", words[table->words_most],
                table->too_many);
  if (table->words_most)
    *(struct option_words *)((char *)request + table->words) =
        (struct option_words){words, count};
  return VAT_OK;
}

static int take_defaults(struct parsing *p) {
  int code = VAT_OK;
  for (size_t i = 0; !code && i < p->count; i++) {
    const struct use *use = &p->uses[i];
    if (use->row->usual)
      code = option_value_set(use->row, use->request, use->row->usual);
  }
  return code;
}

/* The table's text: what the command does, examples, and behind \v what
 * follows the options. */
static char *whole_doc(const struct parsing *p) {
  const struct option_table *table = p->table;
  const char *rest = strchrnul(table->doc, '\v');
  char *doc;
  size_t size;
  FILE *out = memory_stream(&doc, &size);
  fprintf(out, "%.*s", (int)(rest - table->doc), table->doc);
  if (table->examples) fprintf(out, "\n\nExamples:\n%s", table->examples);
  fputs(rest, out);
  if (table->more && !*rest) fputc('\v', out);
  if (table->more) table->more(out, p->request);
  memory_stream_close(out);
  return doc;
}

/* glibc's argp prints for ever where the user's margins leave text no room, of
 * some 30 columns as was tried (rmargin=20, opt-doc-col=100), or fills lines of
 * 2^31; the manual pages, made by one, ask for 8000. */
static void limit_help_format(void) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
  enum { ROOM = 30, MOST = 10000 };
  long margin = 79, most = 29; /* argp's own */
  const char *text = getenv("ARGP_HELP_FMT");
  if (!text) return;
  while (*text) {
    const char *name = text += strcspn(text, letters);
    size_t length = strspn(text, letters);
    text += length + strspn(text + length, " \t=");
    int value = (int)strtol(text, NULL, 10);
    if (length == 7 && !strncmp(name, "rmargin", 7))
      margin = value;
    else if (value > most)
      most = value;
  }
  if (margin < most + ROOM || margin > MOST) unsetenv("ARGP_HELP_FMT");
}

/* As argp prints it: its options are made of the rows, and those that it adds
 * itself where it parses. */
static _Noreturn void print_help(struct parsing *p, char *command, int key) {
  struct argp_option options[OPTION_ROWS_MOST + 4] = {0}, *o = options;
  for (size_t i = 0; i < p->count; i++, o++) {
    const struct option_row *row = p->uses[i].row;
    o->name = row->name;
    o->doc = row->help;
    o->key = row->letter ? row->letter : row->name ? KEY_ROW + (int)i : 0;
    o->arg = row->value;
    if (row->other_name) o->flags = OPTION_ALIAS;
    if (row->without) o->flags = OPTION_ARG_OPTIONAL;
    if (row->usual)
      o->doc = memory_format("%s (default: %s)", row->help, row->usual);
  }
  *o++ = (struct argp_option){"help", '?', NULL, 0, "show this help", -1};
  *o++ = (struct argp_option){
      "usage", KEY_USAGE, NULL, 0, "show the options in a line", 0};
  *o++ = (struct argp_option){"version", 'V', NULL, 0, "show the version", -1};
  const struct argp argp = {
      .options = options, .args_doc = p->table->usage, .doc = whole_doc(p)};
  limit_help_format();
  setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
  argp_help(&argp, stdout,
            key == KEY_USAGE ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP, command);
  exit(VAT_OK);
}

static int take_option(struct parsing *p, int key, const char *text) {
  struct use *use = use_of(p, key);
  const struct option_row *row = use->row;
  if (row->once && use->given)
    return fail(VAT_USAGE, "--%s %.200s: it is given twice; fix: leave one out",
                row->name, text);
  int code = option_value_set(row, use->request, text ? text : row->without);
  use->given = true;
  if (row->given) *((bool *)use->request + row->given) = true;
  return code;
}

static int take_options(struct parsing *p, int argc, char **argv) {
  optind = 0; /* from the beginning, as glibc has it */
  opterr = 0;
  for (;;) {
    int key = getopt_long(argc, argv, p->letters, p->longs, NULL), code;
    if (key == -1) return VAT_OK;
    if (key == 'V') {
      puts(option_version);
      exit(VAT_OK);
    }
    if (key == KEY_HELP || key == KEY_USAGE || (key == '?' && optopt == '?'))
      print_help(p, argv[0], key);
    if (key == '?' || key == ':')
      return refuse_option(p, key == ':', argv[optind - 1], argv[0]);
    if ((code = take_option(p, key, optarg))) return code;
  }
}

int options_parse(const struct option_table *table, int argc, char **argv,
                  void *request) {
  struct parsing parsing;
  prepare(&parsing, table, request);
  int code = take_defaults(&parsing);
  if (!code) code = take_options(&parsing, argc, argv);
  if (!code)
    code = take_words(table, (size_t)(argc - optind), argv + optind, argv[0],
                      request);
  return code ? code : check_uses(&parsing);
}

void options_fini(const struct option_table *table, void *request) {
  struct parsing parsing;
  prepare(&parsing, table, request);
  for (size_t i = 0; i < parsing.count; i++)
    option_value_fini(parsing.uses[i].row, parsing.uses[i].request);
}
