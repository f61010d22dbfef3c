/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash with open addressing, at most half full; what is removed is closed by
 * moving up what comes behind it (Knuth, TAOCP 3, 6.4, algorithm R). */
#include "experiments/valgrind/blocks.h"
/* In this order. */
#include "pub_tool_mallocfree.h"

static struct vt_block *blocks;
static UWord room, used;

static UWord home(Addr at) {
  return (at >> 4) * 0x9e3779b97f4a7c15ULL >> 20 & (room - 1);
}

static void put(struct vt_block block) {
  UWord i = home(block.at);
  while (blocks[i].at) i = (i + 1) & (room - 1);
  blocks[i] = block;
}

static void grow(void) {
  struct vt_block *old = blocks;
  UWord count = room;
  room = room ? 2 * room : 4096;
  blocks = VG_(calloc)("vat.blocks", room, sizeof *blocks);
  for (UWord i = 0; i < count; i++)
    if (old[i].at) put(old[i]);
  if (old) VG_(free)(old);
}

void vt_block_add(Addr at, SizeT bytes, struct vt_site *site) {
  if (2 * used >= room) grow();
  put((struct vt_block){at, bytes, site});
  used++;
}

Bool vt_block_take(Addr at, struct vt_block *block) {
  if (!room) return False;
  UWord i = home(at), mask = room - 1;
  while (blocks[i].at != at)
    if (!blocks[i].at)
      return False;
    else
      i = (i + 1) & mask;
  *block = blocks[i];
  used--;
  for (UWord j = i;;) {
    j = (j + 1) & mask;
    if (!blocks[j].at) break;
    if (((j - home(blocks[j].at)) & mask) < ((j - i) & mask)) continue;
    blocks[i] = blocks[j];
    i = j;
  }
  blocks[i].at = 0;
  return True;
}
