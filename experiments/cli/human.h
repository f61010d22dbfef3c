/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/human.h -- figures as people read them.
 *
 * Each fills `text` and returns it, so that it can stand in an argument list.
 */
#ifndef EXPERIMENTS_CLI_HUMAN_H
#define EXPERIMENTS_CLI_HUMAN_H
#include <stdint.h>

enum { HUMAN_SIZE = 48 };

/* "21.8", "0.270", "1540": three significant digits; "-" for NAN. */
const char *human_number(double value, char text[HUMAN_SIZE]);

/* "2 MiB pages", "transparent huge pages"; "NAME pages" for other names. */
const char *human_pages(const char *kind, char text[HUMAN_SIZE]);
#endif
