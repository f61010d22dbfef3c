/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/faults/commands.h -- what is run under faults: each main command, at
 * sizes that take milliseconds. */
#pragma once
enum {
  FAULTY_MEASURED = 1, /* its output has times in it */
  FAULTY_POOLS = 2,    /* it resizes one, and must be alone */
  FAULTY_WARM = 4,     /* what the clean run simulated is kept for it */
  FAULTY_PMU = 8,      /* it finds counters in sysfs, and so asks PAPI */
};

struct faulty_command {
  const char *name;
  /* Words of vat's command line.  One that begins with @ is a file among the
   * inputs, which `make_inputs` of the driver made. */
  const char *words;
  const char *results; /* the results file that it writes, or NULL */
  const char *given;   /* an input that is copied to that file first */
  unsigned flags;
};

/* NULL-named at the end.  Those of the second table make the inputs. */
extern const struct faulty_command faulty_commands[], faulty_inputs[];
