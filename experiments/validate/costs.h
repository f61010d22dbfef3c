/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/costs.h -- what an operation of a program asks of a
 * machine, in time.
 *
 * The program's reuse profile says which accesses go how far, the calibration
 * how long that takes.  Both know nothing of the program's measured time.
 */
#pragma once
#include "experiments/validate/costs_parts.h"

/* What a profile must hold for `cal`: pages and translation caches. */
void costs_params(const struct calibration *cal, struct reuse_params *params);

/* Why points on pages of `kind` cannot be predicted, or NULL: they can. */
const char *costs_missing(const struct calibration *cal, const char *kind);

/* `profile` was made with costs_params(). */
void costs_of(struct costs *costs, const struct calibration *cal,
              const char *kind, const struct reuse_profile *profile);

/*
 * Operations from an access to a line until `bytes` of other lines were
 * accessed.  With x lines accessed since, the next one is new as often as a
 * cache of x lines misses, m(x) times an operation; so it is the integral of
 * 1 / m(x) up to there (Xiang et al., HOTL, ASPLOS 2013).
 */
double costs_ops_between(const struct reuse_profile *profile, double bytes);

/*
 * Which of `costs->waits` are those of an operation that takes `ns`, as a
 * number from 0 to COSTS_SHARES - 1: others bring in so much in the time from
 * one access to a line to the next that it stays only if no more than that
 * share is accessed meanwhile.
 */
double costs_share_left(const struct costs *costs, double ns);

/* The waits at a share between two of them. */
struct costs_waits costs_waits_at(const struct costs *costs, double share);
