/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argp and getopt print errors of their own in two lines and in their own
 * words.  So what they would find is found before, by the same tables. */
#include <argp.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz"

enum { LONG_MOST = 64, SHORT_MOST = 3 * LONG_MOST };

struct known {
  struct option options[LONG_MOST + 1]; /* ended by zeros */
  size_t count;
  char letters[SHORT_MOST + 3]; /* as getopt takes them, ":" first */
  bool words;                   /* arguments that are no options are taken */
};

/* Long options have such values, which no letter has. */
enum { OTHER = 1, ENDS = 2 /* prints, and exits */ };

static void add_long(struct known *known, const char *name, int takes,
                     int value) {
  if (known->count == LONG_MOST) abort(); /* make room */
  known->options[known->count++] =
      (struct option){.name = name, .has_arg = takes, .val = value};
}

static void add_letter(struct known *known, int key, int takes) {
  static const char *const colons[] = {"", ":", "::"};
  size_t used = strlen(known->letters);
  if (key <= ' ' || key > '~') return;
  known->letters[used] = (char)key;
  strcpy(known->letters + used + 1, colons[takes]);
}

static void add(struct known *known, const struct argp *argp) {
  const struct argp_option *of = NULL; /* which an alias has the value of */
  known->words |= argp->args_doc != NULL;
  for (const struct argp_option *o = argp->options;
       o && (o->name || o->key || o->doc); o++) {
    if (!(o->flags & OPTION_ALIAS) || !of) of = o;
    int takes = !of->arg                          ? no_argument
                : of->flags & OPTION_ARG_OPTIONAL ? optional_argument
                                                  : required_argument;
    if (o->name) add_long(known, o->name, takes, OTHER);
    add_letter(known, o->key, takes);
  }
  for (const struct argp_child *c = argp->children; c && c->argp; c++)
    add(known, c->argp);
}

/* What argp adds by itself, and -?, which getopt takes for an error. */
static void add_usual(struct known *known) {
  add_long(known, "help", no_argument, ENDS);
  add_long(known, "usage", no_argument, ENDS);
  add_long(known, "version", no_argument, ENDS);
  add_letter(known, 'V', no_argument);
}

/* How many options begin as was typed, up to a "=". */
static size_t candidates(const struct known *known, const char *name) {
  size_t length = strcspn(name, "="), count = 0;
  for (size_t i = 0; i < known->count; i++)
    count += !strncmp(known->options[i].name, name, length);
  return count;
}

static int refuse(const struct known *known, const char *command, bool value,
                  const char *typed) {
  char letter[] = {'-', (char)optopt, '\0'};
  bool is_long = optopt <= ENDS;
  const char *name = is_long ? typed : letter, *what = "no such option";
  if (value)
    what = "it needs a value";
  else if (is_long && optopt)
    what = "it takes no value";
  else if (is_long && candidates(known, typed + 2))
    what = "several options begin so";
  return fail(VAT_USAGE, "%s: %s; see %s --help", name, what, command);
}

/* glibc's argp prints for ever where the user's margins leave text no room, of
 * some 30 columns as was tried (rmargin=20, opt-doc-col=100), or fills lines of
 * 2^31; the manual pages, made by one, ask for 8000. */
static void mend_help_format(void) {
  enum { ROOM = 30, MOST = 10000 };
  long margin = 79, most = 29; /* argp's own */
  const char *text = getenv("ARGP_HELP_FMT");
  if (!text) return;
  while (*text) {
    const char *name = text += strcspn(text, LETTERS);
    size_t length = strspn(text, LETTERS "-");
    text += length + strspn(text + length, " \t=");
    int value = (int)strtol(text, NULL, 10);
    if (length == 7 && !strncmp(name, "rmargin", 7))
      margin = value;
    else if (value > most)
      most = value;
  }
  if (margin < most + ROOM || margin > MOST) unsetenv("ARGP_HELP_FMT");
}

static int check(const struct known *known, int argc, char **argv) {
  int got;
  optind = 0; /* from the beginning, as glibc has it */
  opterr = 0;
  do {
    got = getopt_long(argc, argv, known->letters, known->options, NULL);
    if (got == ENDS || got == 'V' || (got == '?' && optopt == '?')) {
      mend_help_format();
      return VAT_OK; /* what comes behind is not looked at */
    }
    if (got == '?' || got == ':')
      return refuse(known, argv[0], got == ':', argv[optind - 1]);
  } while (got != -1);
  if (optind == argc || known->words) return VAT_OK;
  return fail(VAT_USAGE, "%s: unexpected; see %s --help", argv[optind],
              argv[0]);
}

static int parse(const struct argp *argp, int argc, char **argv, void *input,
                 struct known *known, unsigned flags) {
  char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
  if (!copy) return fail(VAT_ABSENT, "out of memory");
  memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
  add(known, argp);
  add_usual(known);
  int code = check(known, argc, copy); /* which sorts them */
  free(copy);
  if (code) return code;
  argp_err_exit_status = VAT_USAGE;
  int error = argp_parse(argp, argc, argv, flags, NULL, input);
  if (error == ENOMEM) return fail(VAT_ABSENT, "out of memory");
  return error ? VAT_USAGE : VAT_OK;
}

int command_parse(const struct argp *argp, int argc, char **argv, void *input) {
  struct known known = {.letters = ":"};
  return parse(argp, argc, argv, input, &known, 0);
}

int command_parse_program(const struct argp *argp, int argc, char **argv,
                          void *input) {
  struct known known = {.letters = "+:"};
  return parse(argp, argc, argv, input, &known, ARGP_IN_ORDER);
}
