/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/tau_option.h -- tau, the cost of loading a node of the
 * translation tree, as an option of commands.
 *
 * The unit is one access.  The VAT model has one tau (Jurkiewicz, PhD thesis,
 * section 2.3); a machine loads nodes of different layers from different
 * caches, so that each layer may have its own.
 */
#pragma once
#include <jansson.h>

#include "vat/tc.h"
#include "vat/tree.h"

#define TAU_MOST 1e12 /* more is a typing error */

/* By layer, leaves first; the last one is that of all higher layers. */
struct tau {
  double at[VAT_LAYERS_MAX];
  unsigned count; /* 0: not given */
};

/* What is said of it in --help. */
#define TAU_OPTION_HELP                                                     \
  "cost of loading a node, in accesses: one number, or one for each layer " \
  "such as 30,10,0, leaves first; the last holds for all higher layers"

/* For rows of options: the list into the struct tau `at`. */
int tau_option_set(void *at, const char *option, const char *list);

/* Has it no more values than the tree has layers?  An exit code, having printed
 * what is wrong with --`option`. */
int tau_check(const struct tau *tau, const char *option,
              const struct vat_tree *tree);

/* Of a layer. */
double tau_of(const struct tau *tau, unsigned layer);

/* The sum over layers 0 to `levels` of misses times tau, in accesses.  Whole
 * numbers below 2^53 are exact; so is one tau times all misses, as far as a
 * double is. */
double tau_cost(const struct tau *tau, unsigned levels,
                const uint64_t misses_by_layer[]);

/* "30663090", "0.250000": whole where it is. */
enum { COST_TEXT = 48 };
const char *cost_text(double cost, char text[COST_TEXT]);

/* An integer where it is whole; null where it is not finite. */
json_t *cost_json(double cost);

/* Set "tau", "cost_by_layer" and "cost" of `object`. */
void tau_json(json_t *object, const struct tau *tau, unsigned levels,
              const uint64_t misses_by_layer[]);
