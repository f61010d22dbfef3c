/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/live.h"

/* Blocks and mappings of all sites; their most so far, and at which change. */
static ULong all_live, all_peak, changes, peak_change;

/* Has nothing changed since the most, a site has what it had then. */
ULong vt_live_at_peak(const struct vt_site *site) {
  return peak_change >= site->changed ? site->live : site->at_peak;
}

static SizeT rounded(SizeT bytes) {
  SizeT step = 16;
  while (bytes > 8 * step) step *= 2;
  return (bytes + step - 1) / step * step;
}

static SizeT chunk_of(SizeT bytes) {
  SizeT chunk = (bytes + sizeof(UWord) + 15) / 16 * 16;
  return chunk < 32 ? 32 : chunk;
}

void vt_live_change(struct vt_site *site) {
  site->at_peak = vt_live_at_peak(site);
  site->changed = ++changes;
}

void vt_live_more(SizeT bytes) {
  all_live += bytes;
  if (all_live <= all_peak) return;
  all_peak = all_live;
  peak_change = changes;
}

void vt_live_unmapped(struct vt_site *site, SizeT bytes) {
  vt_live_change(site);
  if (bytes > site->live) bytes = site->live;
  site->live -= bytes;
  all_live -= bytes;
}

void vt_live_block(struct vt_site *site, SizeT bytes) {
  struct vt_small *small = &site->small;
  vt_live_more(bytes);
  if (vt_is_large(bytes)) return;
  small->blocks++;
  small->bytes += bytes;
  small->rounded += rounded(bytes);
  small->chunks += chunk_of(bytes);
  site->small_bytes += bytes;
  if (small->rounded > site->small_peak.rounded) site->small_peak = *small;
}

void vt_live_block_less(struct vt_site *site, SizeT bytes) {
  all_live -= bytes;
  if (vt_is_large(bytes)) return;
  site->small.blocks--;
  site->small.bytes -= bytes;
  site->small.rounded -= rounded(bytes);
  site->small.chunks -= chunk_of(bytes);
}
