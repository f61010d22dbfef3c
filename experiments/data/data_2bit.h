/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_2bit.h -- the .2bit files of UCSC's genome browser,
 * which have four letters of DNA a byte, as the FASTA that they stand for. */
#ifndef EXPERIMENTS_DATA_DATA_2BIT_H
#define EXPERIMENTS_DATA_DATA_2BIT_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct data_source;
struct data_2bit;

/* Does a file begin as they do? */
bool data_is_2bit(const void *bytes, size_t count);

/* Of what is in the source's buffer already, and behind it; NULL: no memory. */
struct data_2bit *data_2bit_create(const struct data_source *source);
void data_2bit_destroy(struct data_2bit *file); /* NULL is fine */

/* Up to `room` > 2 bytes of FASTA without names; 0: there are no more, -1:
 * refused. */
ssize_t data_2bit_unpack(struct data_2bit *file, struct data_source *source,
                         char *to, size_t room);
#endif
