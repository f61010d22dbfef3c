/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/frame_runs.h -- base pages whose frames are contiguous in runs of
 * a chosen length, and proof of it.
 *
 * Some processors keep one TLB entry for several base pages whose frames are
 * contiguous and aligned.  Memory that differs in nothing but the length of
 * such runs shows whether this one does.  Transparent huge pages are divided,
 * and their parts moved to other addresses by mremap(), which copies nothing.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct hp_frame_runs {
  unsigned char *base; /* at a multiple of a huge page */
  size_t bytes;        /* a multiple of huge pages */
  size_t page_bytes;   /* base pages */
  size_t run;          /* so many of them are contiguous */
};

/*
 * Take the frames of `bytes` of memory from `from` on, which are transparent
 * huge pages that are written to and whole (hp_region_verify()); they stay
 * mapped, empty.  Aligned blocks of `run` base pages (a power of two below
 * a huge page) have contiguous frames that are as aligned; neighbouring blocks
 * have frames that are far apart, but in the same huge page.  `turn` chooses
 * one of the orders of blocks in a huge page.
 *
 * Returns 0, or -1 with some frames gone, and errno ENOMEM: each run takes a
 * mapping, of which the kernel allows no more (vm.max_map_count); or EINVAL:
 * Linux before 5.7.
 */
int hp_frame_runs_take(struct hp_frame_runs *runs, unsigned char *from,
                       size_t bytes, size_t run, unsigned turn);
void hp_frame_runs_unmap(struct hp_frame_runs *runs); /* zeroed is fine */

/* What pagemap tells of it now, in blocks of runs->run pages. */
struct hp_frame_proof {
  bool told;     /* false: frames are told to CAP_SYS_ADMIN only */
  size_t blocks; /* all */
  size_t whole;  /* of which have contiguous, aligned frames */
  size_t joined; /* of which go on where the block before ends */
};

/* 0, or -1 with errno of pagemap. */
int hp_frame_runs_prove(const struct hp_frame_runs *runs,
                        struct hp_frame_proof *proof);
