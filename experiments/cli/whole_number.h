/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/whole_number.h -- whole numbers of 64 bits as people type
 * them: decimal, whatever zeros they begin with (010 is ten), or 0x and
 * hexadecimal; no sign, no blanks. */
#ifndef EXPERIMENTS_CLI_WHOLE_NUMBER_H
#define EXPERIMENTS_CLI_WHOLE_NUMBER_H
#include <stdint.h>

/* Returns 0, or -1 with errno EINVAL or ERANGE. */
int whole_number_parse(const char *text, uint64_t *value);

/* The value of an option, "--seed"; exits where it is none from `least` to
 * `most`, having said so. */
uint64_t whole_number_option(const char *option, const char *text,
                             uint64_t least, uint64_t most);
#endif
