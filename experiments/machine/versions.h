/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/versions.h -- the libraries vat was built with. */
#pragma once

struct version {
  const char *name;    /* "papi" */
  const char *title;   /* "PAPI" */
  const char *serves;  /* what vat uses it for */
  const char *version; /* NULL: not built in; "unknown": it does not say */
};

extern const struct version versions[]; /* ends with a NULL name */

/* "gcc 12.2.0" */
extern const char version_of_compiler[];
