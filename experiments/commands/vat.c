/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vat command: finds the subcommand, and nothing else. */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/as_found.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/spelling.h"
#include "experiments/commands/commands.h"

static const struct {
  const char *name, *summary;
  command_run *run;
} commands[] = {
    {"calibrate", "measure what accesses and translations of this machine cost",
     cmd_calibrate},
    {"compare", "run any program on several kinds of page, side by side",
     cmd_compare},
    {"doctor", "show what this machine offers and how to get what is missing",
     cmd_doctor},
    {"exec", "run any program with chosen memory on larger pages", cmd_exec},
    {"list", "list the programs, page kinds, counters, ... vat knows",
     cmd_list},
    {"merge", "merge the results files of shards and machines into one",
     cmd_merge},
    {"model", "show the time that a program takes by models of GPUs",
     cmd_model},
    {"pages", "show where a process' memory is, and why not on huge pages",
     cmd_pages},
    {"plan", "choose which memory of a program goes on larger pages", cmd_plan},
    {"predict", "bound an algorithm's misses by the theory's closed forms",
     cmd_predict},
    {"profile", "tell which functions and allocations of a program miss",
     cmd_profile},
    {"report", "the figures, tables and page of results files", cmd_report},
    {"run", "measure algorithms on every kind of page", cmd_run},
    {"sim", "simulate a translation cache on a trace, exactly", cmd_sim},
    {"trace", "convert address traces, record those of algorithms", cmd_trace},
    {"validate", "compare predicted and measured times, with their errors",
     cmd_validate},
    {0}};

/* For who types `vat` and no more. */
static void first_words(void) {
  puts(
      "vat - how much of a program's time is address translation, and what\n"
      "would larger pages save?  Five commands to begin with:\n\n"
      "  vat doctor                     what this machine offers\n"
      "  vat run --quick                do huge pages help here? half a "
      "minute\n"
      "  vat compare -- ./prog          what they buy your own program\n"
      "  vat profile -- ./prog          which of its functions and "
      "allocations gain\n"
      "  vat report FILE.jsonl -o DIR   figures and a page of what was "
      "measured\n\n"
      "`vat --help` lists all commands, `vat COMMAND --help` the options of "
      "one.");
}

static void usage(void) {
  puts(
      "usage: vat COMMAND [OPTION...]\n\n"
      "How much of a program's time is address translation, and what would\n"
      "larger pages save?\n");
  for (size_t i = 0; commands[i].name; i++)
    printf("  %-10s %s\n", commands[i].name, commands[i].summary);
  puts(
      "\n`vat COMMAND --help` shows a command's options, "
      "`vat --version` the version.");
}

/* Results that did not arrive are no success, whatever the exit code was. */
static void check_stdout(void) {
  int lost = ferror(stdout);
  if (!fclose(stdout) && !lost) return;
  fail(fail_code(errno), "standard output cannot be written: %s",
       strerror(errno));
  _exit(VAT_USAGE);
}

/* GSL's own handler aborts, also where memory is short. */
static void on_gsl_error(const char *reason, const char *file, int line,
                         int code) {
  if (code == GSL_ENOMEM) memory_exhausted();
  fail(VAT_FAILED, "%s:%d: %s", file, line, reason);
  abort();
}

int main(int argc, char **argv) {
  as_found_begin();
  atexit(check_stdout);
  memory_begin();
  gsl_set_error_handler(on_gsl_error);
  if (argc < 2) {
    first_words();
    return VAT_OK;
  }
  /* Files that it makes would be the owner's, whoever calls it. */
  if (geteuid() != getuid() || getegid() != getgid())
    return fail(VAT_USAGE,
                "is setuid or setgid, and not made for it: chmod ug-s; "
                "counters need no root, see vat doctor");
  const char *name = argv[1];
  if (!strcmp(name, "help") && argc == 3) { /* vat help run: run --help */
    name = argv[2];
    argv[2] = "--help";
  }
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
    usage();
    return VAT_OK;
  }
  if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
    puts(option_version);
    return VAT_OK;
  }
  for (size_t i = 0; commands[i].name; i++) {
    if (strcmp(name, commands[i].name)) continue;
    char title[32]; /* as messages have it */
    snprintf(title, sizeof title, "vat %s", name);
    argv[1] = title;
    return commands[i].run(argc - 1, argv + 1);
  }
  struct spelling spelling = {.typed = name};
  for (size_t i = 0; commands[i].name; i++)
    spelling_offer(&spelling, commands[i].name);
  return fail(VAT_USAGE, "%s: no such command; %ssee vat --help", name,
              spelling_hint(&spelling));
}
