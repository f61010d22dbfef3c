/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_unpack.h -- sources that gzip or zstd may have packed,
 * or DNA that is packed into two bits a letter. */
#pragma once

struct data_source;

/* From here on unpack it, where its first bytes say that it is packed: call
 * this before anything is taken.  0, or -1 having refused. */
int data_unpack(struct data_source *source);
