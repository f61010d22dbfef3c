/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/line_uses.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"

enum { NEIGHBOURS = 4 /* that make a stream, on either side */ };

/* The longest distance since an access: its bucket beyond WATCHED. */
enum { NEVER, UNWATCHED, WATCHED };

void line_uses_init(struct line_uses *lines, uint64_t count, unsigned window,
                    unsigned every, struct reuse_profile *result) {
  *lines =
      (struct line_uses){.sampler = sampler_begin(every), .result = result};
  lines->lives = memory_zeroed(count + 1, sizeof *lines->lives);
  last_uses_init(&lines->uses, count, NEIGHBOURS, window);
}

void line_uses_fini(struct line_uses *lines) {
  last_uses_fini(&lines->uses, NEIGHBOURS);
  free(lines->lives);
}

/* Lines that are accessed in order, be it with others between them, once there
 * were enough for the processor to see it: of rows of two or three lines, as
 * small tiles of a matrix have, a Zen 4 loads none in advance. */
static enum reuse_class class_of(const struct last_uses *uses, uint64_t line) {
  const uint32_t *at = uses->at + line, now = uses->next - 1; /* the line's */
  uint32_t window = uses->window;
  unsigned low = 1, high = 1;
  for (int i = 1; i <= NEIGHBOURS; i++) {
    low &= now - at[-i] <= window;
    high &= now - at[i] <= window;
  }
  return low | high ? REUSE_STREAM : REUSE_OTHER;
}

/* What the line was accessed for in its last stay ends the span of what it was
 * accessed for before, and begins another. */
static void end_stay(struct line_uses *lines, struct line_life *life,
                     bool watch) {
  for (unsigned kind = 0; kind < REUSE_KINDS; kind++) {
    if (!(life->used >> kind & 1)) continue;
    unsigned longest = life->longest[kind], class = life->class_of[kind];
    if (longest >= WATCHED)
      lines->result->kinds[kind][class].count[longest - WATCHED]++;
    lines->spans[kind]++;
    life->longest[kind] = watch ? WATCHED : UNWATCHED;
    life->class_of[kind] = life->class;
  }
}

/* Note the distance since `old`: for all, where it was sampled, and for the
 * line where one of its spans is watched. */
static void look_up(struct line_uses *lines, struct line_life *life,
                    uint32_t old, struct reuse_histogram *sampled) {
  unsigned bucket = reuse_bucket(last_uses_since(&lines->uses, old));
  if (sampled) sampled->count[bucket]++;
  for (unsigned kind = 0; kind < REUSE_KINDS; kind++)
    if (life->longest[kind] >= WATCHED &&
        life->longest[kind] < WATCHED + bucket)
      life->longest[kind] = (uint8_t)(WATCHED + bucket);
}

void line_uses_far(struct line_uses *lines, uint64_t line, uint32_t old) {
  struct line_life *life = &lines->lives[line];
  enum reuse_class class = class_of(&lines->uses, line);
  struct reuse_histogram *histogram = &lines->result->lines[class];
  lines->far++;
  if (!old) {
    histogram->cold++;
  } else {
    bool sampled = sampler_next(&lines->sampler);
    end_stay(lines, life, sampled);
    if (sampled || life->longest[VAT_LOAD] >= WATCHED ||
        life->longest[VAT_STORE] >= WATCHED)
      look_up(lines, life, old, sampled ? histogram : NULL);
  }
  life->used = 0;
  life->class = (uint8_t) class;
}

/* The last span of each line ends in the next run, as long from here as that
 * run is from the one before. */
static void end_lives(struct line_uses *lines) {
  for (uint64_t i = 0; i < lines->uses.things; i++) {
    struct line_life *life = &lines->lives[i];
    end_stay(lines, life, false);
    for (unsigned kind = 0; kind < REUSE_KINDS; kind++)
      if (life->longest[kind] != NEVER)
        lines->result->kinds[kind][life->class_of[kind]].cold++;
  }
}

/* Those looked up stand for all that are known to be. */
static void scale(struct reuse_histogram classes[REUSE_CLASSES], uint64_t all) {
  double cold = classes[REUSE_OTHER].cold + classes[REUSE_STREAM].cold;
  double known = (double)all - cold, looked_up = 0;
  for (unsigned i = 0; i < REUSE_BUCKETS; i++)
    looked_up += classes[REUSE_OTHER].count[i] + classes[REUSE_STREAM].count[i];
  for (unsigned c = 0; c < REUSE_CLASSES && looked_up > 0; c++)
    for (unsigned i = 0; i < REUSE_BUCKETS; i++)
      classes[c].count[i] *= known / looked_up;
}

void line_uses_finish(struct line_uses *lines, uint64_t accesses) {
  struct reuse_profile *profile = lines->result;
  end_lives(lines);
  scale(profile->lines, lines->far);
  for (unsigned kind = 0; kind < REUSE_KINDS; kind++)
    scale(profile->kinds[kind], lines->spans[kind]);
  profile->lines[REUSE_OTHER].count[0] += (double)(accesses - lines->far);
}
