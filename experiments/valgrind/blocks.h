/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/blocks.h -- allocated memory by its address. */
#pragma once
#include "experiments/valgrind/tool.h"

struct vt_site;

struct vt_block {
  Addr at; /* 0: this entry is free */
  SizeT bytes;
  struct vt_site *site;
};
void vt_block_add(Addr at, SizeT bytes, struct vt_site *site);
/* Remove it: false if there is none. */
Bool vt_block_take(Addr at, struct vt_block *block);
