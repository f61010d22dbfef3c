/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/candidate.h"

#include <math.h>

void candidate_cut(struct candidate *c, size_t number) {
  const struct candidate_part *part = &c->parts.at[number];
  const struct chooser_part *item = &c->parts.item[number];
  double saved = isnan(c->saved.value) ? c->misses : c->saved.value;
  double share = item->saving / saved;
  c->saved.value *= share;
  c->saved.lo *= share;
  c->saved.hi *= share;
  c->look_ups_s *= (double)item->bytes / (double)c->bytes;
  c->from = part->from;
  c->to = part->to;
  c->cut = true;
  c->bytes = item->bytes;
  c->touched = part->touched;
  c->times = part->times;
  c->misses = part->misses;
}

void candidate_price(struct candidate *c, const struct candidate_price *price) {
  if (!price) return;
  double s = price->saved_s(price->context, c);
  c->saved = (struct what_if_value){s, s, s};
}

void candidate_price_parts(struct candidate *c,
                           const struct candidate_price *price) {
  struct candidate_parts *parts = &c->parts;
  size_t kept = 0;
  double most = 0;
  if (!price) return;
  for (size_t i = 0; i < parts->count; i++) {
    struct candidate part = *c;
    candidate_cut(&part, i);
    candidate_price(&part, price);
    double saved = part.saved.value - part.look_ups_s;
    if (!(saved > most) || saved > c->saved.value) continue;
    most = saved;
    parts->at[kept] = parts->at[i];
    parts->item[kept] = parts->item[i];
    parts->item[kept++].saving = saved;
  }
  parts->count = kept;
}
