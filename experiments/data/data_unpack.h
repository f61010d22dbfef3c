/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_unpack.h -- sources that gzip or zstd may have packed,
 * or DNA that is packed into two bits a letter. */
#ifndef EXPERIMENTS_DATA_DATA_UNPACK_H
#define EXPERIMENTS_DATA_DATA_UNPACK_H
#include <stddef.h>
#include <sys/types.h>

struct data_source;
struct data_unpacking;

/* From here on unpack it, where its first bytes say that it is packed: call
 * this before anything is taken.  0, or -1 having refused. */
int data_source_unpack(struct data_source *source);

/* Up to `room` > 0 unpacked bytes; 0: there are no more, -1: refused. */
ssize_t data_unpack(struct data_source *source, char *to, size_t room);
void data_unpacking_destroy(struct data_unpacking *unpacking); /* NULL: fine */
#endif
