/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/costs_shares.h -- what others leave of the last cache.
 * Internal to experiments/validate/. */
#ifndef EXPERIMENTS_VALIDATE_COSTS_SHARES_H
#define EXPERIMENTS_VALIDATE_COSTS_SHARES_H
#include "experiments/validate/costs.h"

/*
 * Operations from an access to a line until `bytes` of other lines were
 * accessed.  With x lines accessed since, the next one is new as often as a
 * cache of x lines misses, m(x) times an operation; so it is the integral of
 * 1 / m(x) up to there (Xiang et al., HOTL, ASPLOS 2013).
 */
double costs_ops_between(const struct reuse_profile *profile, double bytes);
#endif
