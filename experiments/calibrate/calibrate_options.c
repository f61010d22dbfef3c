/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/calibrate_options.h"

#include <limits.h>

#define AT(member) OPTION_AT(struct calibrate_options, member)

static const struct option_row rows[] = {
    {"pages", "KIND,...", OPTION_TEXT, AT(pages), .conflicts = "refresh",
     .help = "page kinds: 4k,thp,2m,1g or all; default: those this machine "
             "has"},
    {"memory", "BYTES", OPTION_SIZE, AT(memory_bytes), .least = 1 << 20,
     .most = SIZE_MAX / 16,
     .help = "so much of each page kind; default: a quarter of the free memory "
             "for all of them, at most 4G each"},
    {"time-budget", "SEC", OPTION_REAL, AT(time_budget_s), .low = 1e-9,
     .high = 1e6,
     .help =
         "be done by then (default: 120, and 40 with --refresh); each point "
         "is timed once at least"},
    {"refresh", "FILE", OPTION_TEXT, AT(refresh),
     .help = "measure anew, on the page kinds of FILE, a calibration, only "
             "what vat profile --what-if goes by and neighbours change; all "
             "else is FILE's"},
    {"pin", "CPU", OPTION_WHOLE, AT(pin), .most = INT_MAX,
     .help = "measure on this processor (default: the last)"},
    {"reserve", NULL, OPTION_FLAG, AT(reserve),
     .help = "grow the pools of huge pages for this run (root), and give them "
             "back"},
    {"output", "MACHINE.json", OPTION_TEXT, AT(output), .letter = 'o',
     .help = "write all of it there; - is stdout"},
    {"json", NULL, OPTION_FLAG, AT(json),
     .help = "print all of it as JSON instead of tables"},
    {0}};

const struct option_table calibrate_table = {
    .rows = rows,
    .doc =
        "Measure what accesses, address translations and streams of this "
        "machine cost.\v"
        "By micro-benchmarks alone, page kinds interleaved, each point in "
        "several repetitions, on an idle machine.  vat validate predicts "
        "running times from MACHINE.json; doc/calibration.md tells how "
        "each number is found.",
};
