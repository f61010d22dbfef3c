/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_2bit.h -- the .2bit files of UCSC's genome browser,
 * which have four letters of DNA a byte, as the FASTA that they stand for. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "experiments/data/data_source.h"

/* Does a file begin as they do? */
bool data_is_2bit(const void *bytes, size_t count);

/* The state of the unpacker below, which makes FASTA without names. */
void *data_2bit_create(void);

extern const struct data_unpacker data_2bit_unpacker;
