/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/terms.h"

#include <string.h>

#include "experiments/cli/command.h"

unsigned term_find(const struct term *terms, const char *name) {
  for (unsigned i = 0; terms[i].name; i++)
    if (!strcmp(terms[i].name, name)) return 1u << i;
  return 0;
}

int term_leave_out(unsigned *without, const struct term *terms,
                   const char *name, const char *model, const char *command) {
  unsigned term = term_find(terms, name);
  if (!term)
    return fail(VAT_USAGE,
                "--without: '%s' is not a term of %s; vat %s --help lists them",
                name, model, command);
  *without |= term;
  return VAT_OK;
}

void terms_print(FILE *out, const struct term *terms) {
  fputs("Terms:\n", out);
  for (size_t i = 0; terms[i].name; i++)
    fprintf(out, "  %s: %s\n", terms[i].name, terms[i].summary);
}
