/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/compare_options.h"

#include <sched.h>

#define AT(member) OPTION_AT(struct compare_options, member)

static const struct option_row rows[] = {
    {"pages", "KIND,...", OPTION_TEXT, AT(pages),
     .help = "page kinds, of 4k,thp,2m,1g (default: 4k,thp); 4k is always "
             "among them"},
    {"runs", "N", OPTION_WHOLE, AT(runs), .letter = 'r', .least = 1,
     .most = 100000, .usual = "11",
     .help = "rounds, each kind once and 4k twice"},
    {"warmup", "N", OPTION_WHOLE, AT(warmup), .most = 1000, .usual = "1",
     .help = "runs of each kind before the first that counts"},
    {"metric", "REGEX", OPTION_TEXT, AT(metric),
     .help = "compare the program's own figure, too: what the first group of "
             "this extended regular expression catches, in the last line of "
             "its output that matches"},
    {"malloc", "jemalloc|glibc", OPTION_CHOICE, AT(allocator),
     .help = "give the program this allocator, on every kind of page "
             "(default: its own)"},
    {"reserve", NULL, OPTION_FLAG, AT(reserve),
     .help = "grow the pools of huge pages for these runs (root), and give "
             "them back"},
    {"prewarm", NULL, OPTION_FLAG, AT(prewarm),
     .help = "before each run touch as much memory as the program takes, so "
             "that it need not be had from the host of a virtual machine"},
    {"pin", "CPU", OPTION_WHOLE, AT(pin), .most = CPU_SETSIZE - 1,
     .help = "keep the program on this processor"},
    {"input", "FILE", OPTION_TEXT, AT(input),
     .help = "standard input of the program (default: /dev/null)"},
    {"show-output", NULL, OPTION_FLAG, AT(show_output),
     .help = "show what the program prints, on standard error"},
    {"ignore-failure", NULL, OPTION_FLAG, AT(ignore_failure), .letter = 'i',
     .help = "count runs that exit with a status other than 0"},
    {"seed", "S", OPTION_WHOLE, AT(seed), .usual = "1",
     .help = "seed of the order of runs"},
    {"output", "FILE.jsonl", OPTION_TEXT, AT(output), .letter = 'o',
     .help = "write every run there, as it ends"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print the result as JSON"},
    {0}};

const struct option_table compare_table = {
    .rows = rows,
    .usage = "-- PROG [ARG...]",
    .words = offsetof(struct compare_options, program),
    .words_most = SIZE_MAX,
    .program = true,
    .doc =
        "Run any program on several kinds of page, side by side.\v"
        "The kinds are interleaved in random order, 4k twice for a control; "
        "the pages really granted are read back for each run.  "
        "doc/comparing.md says how to read the result.",
};
