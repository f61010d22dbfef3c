/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/sample_misses.h -- TLB misses of a program, by a sample
 * of its accesses.
 *
 * What is estimated are the misses of a fully associative TLB of E entries that
 * evicts the least recently used one, over all accesses of a thread.  An access
 * misses if its page was last used longer ago than T, the time in which the
 * thread comes to E pages (characteristic time: Fagin 1977; Che, Tung, Wang
 * 2002).  T is found for blocks of samples one by one, as programs have phases,
 * and so that the pages which all accesses together come to are E:
 *
 * - instructions that walk through memory: sample_streams.h;
 * - all other accesses are visits to random pages: sample_pages.h;
 * - of which several may be one, in a burst: sample_bursts.h.  The likely c of
 *   a burst is 1.5, half way between the extremes.
 *
 * Each page that was seen has missed once, at least.
 *
 * The interval: the least misses are those of bursts of equal lengths that are
 * as long as the pairs of samples allow, the most those of the shortest ones
 * that end at random; both with the noise of the sample, 90 %.  Where samples
 * are never near each other, as with a fixed period, bursts are not known: then
 * the most is that all accesses count, and the least that of the instructions
 * of a function only the most frequent one does, and of that one in three.
 */
#pragma once
#include "experiments/profile/miss_sum.h"
#include "experiments/profile/sample_streams.h"

/*
 * Of `count` samples of a thread, whose streams were found, with pages of
 * 2^bits bytes: `each` gets the misses that each sample stands for.  `rest`
 * gets those on pages of which there is no sample, and as `lo` how many misses
 * there are at least in all: one on each page that was seen.
 */
void sample_misses(struct miss_value *each, struct miss_value *rest,
                   const struct stream_set *streams, size_t count,
                   unsigned bits, double entries);
