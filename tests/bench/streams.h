/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/bench/streams.h -- what the benchmarks share: streams, a clock, the
 * verdict. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Processor time of this thread, so that others who want the processor do not
 * count. */
double bench_seconds(void);

/* End a row of a table: the bar, if not 0, and whether the rate holds it. */
bool bench_verdict(double rate, double bar);

/* Random numbers below a bound; the same ones after the same seed. */
extern uint64_t stream_seed;
uint64_t stream_random(uint64_t below);

/* Elements that binary searches of 2^26 look at, for random keys.  `i` counts
 * from 0, which begins a search. */
uint64_t stream_search(uint64_t i);
