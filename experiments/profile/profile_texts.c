/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table, of which at most half of the places are in use. */
#include "experiments/profile/profile_texts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

struct profile_texts {
  char **place; /* NULL: free; looked for one after the other */
  size_t count, places;
};

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static size_t hash_of(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return (size_t)(hash ^ hash >> 32);
}

/* Where it is, or could be. */
static char **place_of(const struct profile_texts *texts, const char *text) {
  size_t at = hash_of(text);
  for (;; at++) {
    char **place = &texts->place[at & (texts->places - 1)];
    if (!*place || !strcmp(*place, text)) return place;
  }
}

static void grow(struct profile_texts *texts) {
  struct profile_texts larger = {NULL, texts->count, 2 * texts->places};
  larger.place = memory_zeroed(larger.places, sizeof *larger.place);
  for (size_t i = 0; i < texts->places; i++)
    if (texts->place[i]) *place_of(&larger, texts->place[i]) = texts->place[i];
  free(texts->place);
  *texts = larger;
}

static struct profile_texts *begin(void) {
  struct profile_texts *texts = memory_zeroed(1, sizeof *texts);
  texts->places = 256;
  texts->place = memory_zeroed(texts->places, sizeof *texts->place);
  return texts;
}

const char *profile_texts_keep(struct profile_texts **all, const char *text) {
  if (!*all) *all = begin();
  struct profile_texts *texts = *all;
  char **place = place_of(texts, text);
  char *kept = *place;
  if (!kept) {
    kept = *place = memory_text(text);
    if (++texts->count > texts->places / 2) grow(texts);
  }
  return kept;
}

void profile_texts_fini(struct profile_texts *texts) {
  if (!texts) return;
  for (size_t i = 0; i < texts->places; i++) free(texts->place[i]);
  free(texts->place);
  free(texts);
}
