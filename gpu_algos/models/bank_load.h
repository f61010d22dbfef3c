/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/bank_load.h -- how many threads meet in the fullest bank of
 * shared memory, if each goes to a random word. */
#pragma once

enum { BANK_LOAD_THREADS_MAX = 64 };

/*
 * Expectation of the largest load, 1 to `threads` <= BANK_LOAD_THREADS_MAX:
 * each thread goes to one of `words` words with equal chance, word w is in bank
 * w % banks.
 */
double bank_load_expected(unsigned threads, unsigned banks, double words);
