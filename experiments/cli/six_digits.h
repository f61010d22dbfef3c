/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/six_digits.h -- measured numbers as files have them: six
 * digits are more than a clock is good for, and short to read.  A number that
 * was read from such a file stays the same when it is written again. */
#ifndef EXPERIMENTS_CLI_SIX_DIGITS_H
#define EXPERIMENTS_CLI_SIX_DIGITS_H

double six_digits(double value);
#endif
