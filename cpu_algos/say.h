/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/say.h -- why data from outside are refused, in a sentence with
 * numbers in it. */
#pragma once

/* As printf() has it, at most 239 characters of it; until the next call. */
const char *cpu_say(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
