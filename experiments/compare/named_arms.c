/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms that the user names: commands, and variables of the environment.
 *
 *   --arm NAME=COMMAND         a command line for the shell
 *   --arm NAME:VARIABLE=VALUE  the program behind --, or the command of that
 *                              name, with this variable; several may be set
 *   --arm NAME:                the program as it is
 */
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/compare/arms.h"
#include "experiments/exec/environment.h"

extern char **environ;

static const char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
enum { NAME_MOST = 24, NAMED_MOST = 16 };

/* The arm of that name, made where there is none; NULL: there are too many. */
static struct arm *find_arm(struct arms *arms, const char *name,
                            size_t length) {
  for (size_t i = 0; i < arms->count; i++)
    if (!strncmp(arms->at[i].name, name, length) && !arms->at[i].name[length])
      return &arms->at[i];
  if (arms->count == NAMED_MOST) return NULL; /* and the control */
  struct arm *arm = &arms->at[arms->count++];
  char *own = memory_format("%.*s", (int)length, name);
  *arm = (struct arm){.name = own,
                      .own_name = own,
                      .environment = environment_with(environ, NULL),
                      .words = memory_text("")};
  return arm;
}

static void add_words(struct arm *arm, const char *words) {
  char *longer =
      memory_format("%s%s%s", arm->words, *arm->words ? " " : "", words);
  free(arm->words);
  arm->words = longer;
}

static int set_variable(struct arm *arm, const char *text) {
  const char *value = strchr(text, '=');
  if (!*text) return VAT_OK; /* NAME: */
  if (!value || value == text)
    return fail(VAT_USAGE,
                "--arm %s:%s: no VARIABLE=VALUE; write --arm %s:VARIABLE=VALUE",
                arm->name, text, arm->name);
  char *name = memory_format("%.*s", (int)(value - text), text);
  const char *changes[] = {name, value + 1, NULL};
  char **environment = environment_with(arm->environment, changes);
  environment_free(arm->environment);
  arm->environment = environment;
  free(name);
  add_words(arm, text);
  return VAT_OK;
}

static int set_command(struct arm *arm, const char *text) {
  if (!text[strspn(text, " \t\n")])
    return fail(VAT_USAGE, "--arm %s=: no command; write --arm %s=COMMAND",
                arm->name, arm->name);
  if (arm->command)
    return fail(VAT_USAGE,
                "--arm %s: has two commands; give the other one another name",
                arm->name);
  arm->command = memory_text(text);
  return VAT_OK;
}

static int add_named(struct arms *arms, const char *text) {
  size_t length = strspn(text, letters);
  if (!length || length > NAME_MOST ||
      (text[length] != '=' && text[length] != ':'))
    return fail(VAT_USAGE,
                "--arm '%s': write NAME=COMMAND or NAME:VARIABLE=VALUE, where "
                "NAME has up to %d letters, digits, '_', '.' and '-'",
                text, NAME_MOST);
  struct arm *arm = find_arm(arms, text, length);
  if (!arm)
    return fail(VAT_USAGE, "--arm %s: more than %d arms; leave some out", text,
                NAMED_MOST);
  return text[length] == ':' ? set_variable(arm, text + length + 1)
                             : set_command(arm, text + length + 1);
}

/* Each has a command, its own or the program behind --, and that is used. */
static int check_commands(const struct arms *arms,
                          const struct option_words *program) {
  const struct arm *without = NULL;
  for (size_t i = 0; i < arms->count; i++)
    if (!arms->at[i].command) without = &arms->at[i];
  if (without && !program->count)
    return fail(VAT_USAGE,
                "--arm %s: no command; write -- PROG ARGS behind the options, "
                "or --arm %s=COMMAND",
                without->name, without->name);
  if (!without && program->count)
    return fail(
        VAT_USAGE,
        "%.100s: not used, as every arm has a command of its own; quote "
        "a command with arguments (--arm %s='%.100s ARGS'), or add --arm "
        "NAME: for PROG",
        program->at[0], arms->at[0].name, arms->at[0].command);
  if (arms->count > 1) return VAT_OK;
  return fail(VAT_USAGE,
              "--arm %s: nothing to compare it to; name another arm, for "
              "example --arm %s",
              arms->at[0].name, program->count ? "plain:" : "other=COMMAND");
}

/* The first arm once more, beside it, which keeps what both have. */
static void add_control(struct arms *arms) {
  arms->at[0].base = true;
  memmove(&arms->at[1], &arms->at[0], arms->count++ * sizeof *arms->at);
  arms->at[1].control = true;
}

int arms_make_named(struct arms *arms, const struct compare_options *options) {
  int code = VAT_OK;
  *arms = (struct arms){0};
  for (size_t i = 0; !code && i < options->arms.count; i++)
    code = add_named(arms, options->arms.at[i]);
  if (!code) code = check_commands(arms, &options->program);
  if (code) return code;
  char *program = arms_words(&options->program);
  for (size_t i = 0; i < arms->count; i++) {
    struct arm *arm = &arms->at[i];
    add_words(arm, arm->command ? arm->command : program);
  }
  free(program);
  snprintf(arms->means, sizeof arms->means,
           "%zu arms, in random order in each round", arms->count);
  add_control(arms);
  return VAT_OK;
}
