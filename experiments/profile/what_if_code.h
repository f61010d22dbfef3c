/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_code.h -- the user time that code on pages of 2
 * MiB would save, where its mappings have whole blocks of them.
 *
 * A walk of a fetch costs what one of data does at that distance, but no other
 * instruction is fetched meanwhile: it is taken for not overlapped at all.  So
 * a first-order model of processors has it, too: what a full window still
 * executes when fetching stops is lost again when it fills up anew (T.
 * Karkhanis, J. Smith: A First-Order Superscalar Processor Model, 2004).  A
 * processor that waits for its data anyway may lose nothing.
 */
#pragma once
#include "experiments/profile/what_if.h"

/* The saving, from nothing to all that may be. */
struct what_if_code {
  struct what_if_value saved_s, ratio;
};
/* All is NAN: fetches were not looked at. */
extern const struct what_if_code what_if_code_unknown;

/* `what` is that of the data, with the same input. */
void what_if_code_make(struct what_if_code *code,
                       const struct what_if_input *input,
                       const struct what_if *what);
