/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/race.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu_algos/simt/counting.h"

/* When and where a thread touched a word, 16 bytes. */
struct touch {
  uint32_t stretch; /* of time between barriers of the block; 0: never */
  uint32_t code;    /* from the begin of the program */
  uint32_t value;   /* written */
  uint32_t tick : 17;
  uint32_t thread : 10;
  uint32_t bytes : 4; /* of the word, a set */
  uint32_t atomic : 1;
};

/*
 * Who last wrote a word, and who read it: two lanes of the warp that read it
 * first in this stretch, and a lane of another warp.  Whoever writes it without
 * order to all readers is without order to one of these: the last for all of
 * the first two's warp, these for all other warps.  One line of the cache.
 */
struct word {
  struct touch written, read[2], read_elsewhere;
};

enum { TICK_MAX = (1 << 17) - 1 };

struct warp_time {
  uint32_t tick;  /* grows with each __syncwarp() */
  uint32_t floor; /* what was before it is before all lanes */
  bool partial;   /* `known` is in use */
};

struct simt_race {
  struct word *words; /* of the shared memory */
  /* Of each word, the stretch in which a read of it is nothing new: it was not
   * written, and threads of two warps have read it. */
  uint32_t *quiet;
  size_t count;
  uintptr_t code;
  uint32_t stretch;
  struct warp_time warps[SIMT_WARPS_MAX];
  /* [warp][lane][other]: up to which tick the other's doings are before it. */
  uint32_t known[SIMT_WARPS_MAX][SIMT_LANES][SIMT_LANES];
  uint32_t fenced[SIMT_THREADS_MAX]; /* the last stretch in which it did */
};

struct simt_race *simt_race_create(const struct simt_image *image) {
  struct simt_race *race = calloc(1, sizeof *race);
  if (!race) return NULL;
  race->count = image->shared.bytes / 4 + 1;
  race->code = image->program.start;
  race->quiet = calloc(race->count, sizeof *race->quiet);
  race->words =
      mmap(NULL, race->count * sizeof *race->words, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (race->words == MAP_FAILED) race->words = NULL;
  if (race->words && race->quiet) return race;
  simt_race_destroy(race);
  errno = ENOMEM;
  return NULL;
}

void simt_race_destroy(struct simt_race *race) {
  if (!race) return;
  if (race->words) munmap(race->words, race->count * sizeof *race->words);
  free(race->quiet);
  free(race);
}

void simt_race_barrier(struct simt_race *race) {
  if (!++race->stretch) { /* all that is known is of another round */
    memset(race->words, 0, race->count * sizeof *race->words);
    memset(race->quiet, 0, race->count * sizeof *race->quiet);
    memset(race->fenced, 0, sizeof race->fenced);
    race->stretch = 1;
  }
  for (unsigned w = 0; w < SIMT_WARPS_MAX; w++)
    race->warps[w] = (struct warp_time){.tick = 1};
}

void simt_race_begin_block(struct simt_race *race) { simt_race_barrier(race); }

void simt_race_fence(struct simt_race *race, unsigned thread) {
  race->fenced[thread] = race->stretch;
}

static void learn(struct simt_race *race, unsigned warp, uint32_t mask) {
  uint32_t all[SIMT_LANES] = {0};
  for (unsigned other = 0; other < SIMT_LANES; other++) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      uint32_t tick = race->known[warp][__builtin_ctz(rest)][other];
      if (tick > all[other]) all[other] = tick;
    }
    if (mask >> other & 1) all[other] = race->warps[warp].tick;
  }
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    memcpy(race->known[warp][__builtin_ctz(rest)], all, sizeof all);
}

void simt_race_sync(struct simt_race *race, unsigned warp, uint32_t mask,
                    bool all) {
  struct warp_time *time = &race->warps[warp];
  if (time->tick == TICK_MAX) { /* forget what was: find less, not more */
    simt_race_barrier(race);
    return;
  }
  if (all) {
    time->floor = time->tick;
  } else {
    if (!time->partial) memset(race->known[warp], 0, sizeof race->known[warp]);
    time->partial = true;
    learn(race, warp, mask);
  }
  time->tick++;
}

/* Is it certain that `before` is, before what the thread does now? */
static bool ordered(const struct simt_race *race, const struct touch *before,
                    unsigned thread) {
  unsigned warp = thread / SIMT_LANES;
  if (before->thread == thread) return true;
  if (before->thread / SIMT_LANES != warp) return false;
  const struct warp_time *time = &race->warps[warp];
  if (before->tick <= time->floor) return true;
  return time->partial &&
         before->tick <= race->known[warp][thread % SIMT_LANES]
                                    [before->thread % SIMT_LANES];
}

static inline bool conflict(const struct simt_race *race,
                            const struct touch *before,
                            const struct touch *now) {
  return before->stretch == now->stretch && (before->bytes & now->bytes) &&
         !(before->atomic && now->atomic) &&
         !ordered(race, before, now->thread) &&
         race->fenced[before->thread] != race->stretch &&
         race->fenced[now->thread] != race->stretch;
}

static _Noreturn void fail(struct simt_block *block, const struct touch *before,
                           const struct touch *now, const char *what) {
  const struct touch *both[] = {before, now};
  struct simt_place places[2];
  for (unsigned i = 0; i < 2; i++)
    places[i] = (struct simt_place){
        .thread = block->index[both[i]->thread],
        .pc =
            (const char *)block->counting->image.program.start + both[i]->code};
  simt_block_fail(block, SIMT_LAUNCH_FAILURE, places, 2,
                  "shared memory race: one %s what the other %s, no barrier "
                  "between",
                  strcmp(what, "read") ? "writes" : "reads",
                  strcmp(what, "read") ? what : "writes");
}

static void note_read(const struct simt_race *race, struct word *word,
                      const struct touch *now) {
  struct touch *slot = word->read;
  unsigned warp = now->thread / SIMT_LANES;
  if (slot[0].stretch != now->stretch) {
    slot[0] = *now;
  } else if (slot[0].thread / SIMT_LANES != warp) {
    word->read_elsewhere = *now;
  } else if (ordered(race, &slot[0], now->thread)) {
    slot[0] = *now;
  } else if (slot[1].stretch != now->stretch ||
             ordered(race, &slot[1], now->thread)) {
    slot[1] = *now;
  }
}

static void read_word(struct simt_block *block, size_t at,
                      const struct touch *now) {
  struct simt_race *race = block->counting->race;
  struct word *word = &race->words[at];
  if (conflict(race, &word->written, now))
    fail(block, &word->written, now, "read");
  if (word->read[0].stretch != now->stretch ||
      word->read_elsewhere.stretch != now->stretch)
    note_read(race, word, now);
  else if (word->written.stretch != now->stretch)
    race->quiet[at] = now->stretch;
}

static void write_word(struct simt_block *block, size_t at,
                       const struct touch *now) {
  struct simt_race *race = block->counting->race;
  struct word *word = &race->words[at];
  race->quiet[at] = 0;
  const struct touch *readers[] = {&word->read[0], &word->read[1],
                                   &word->read_elsewhere};
  for (unsigned i = 0; i < 3; i++)
    if (conflict(race, readers[i], now)) fail(block, readers[i], now, "reads");
  /* Many threads raise one flag: that is no race if they agree. */
  if (conflict(race, &word->written, now) &&
      (word->written.atomic || now->atomic ||
       word->written.value != now->value))
    fail(block, &word->written, now, "writes");
  /* An atomic does not hide that the word was written plainly before it. */
  if (!now->atomic || word->written.atomic ||
      word->written.stretch != now->stretch)
    word->written = *now;
}

/* `words` of them from offset `at` on. */
static inline bool is_quiet(const struct simt_race *race, uint32_t at,
                            unsigned words) {
  uint32_t noisy = 0;
  for (unsigned k = 0; k < words; k++)
    noisy |= race->quiet[at / 4 + k] ^ race->stretch;
  return !noisy;
}

/* One word, or a row of them, is soon quiet.  Of lanes that read one word two
 * are enough, see struct word. */
static unsigned readers_of_note(const struct simt_race *race,
                                const struct simt_group *group, unsigned bytes,
                                bool one, bool row) {
  uint32_t first = (uint32_t)group->at[0];
  if (row && bytes <= 4 && is_quiet(race, first, group->count)) return 0;
  if (!one) return group->count;
  if (is_quiet(race, first, (bytes + 3) / 4)) return 0;
  return group->count < 2 ? group->count : 2;
}

void simt_race_access(struct simt_block *block, const struct simt_group *group,
                      bool one, bool row) {
  struct simt_race *race = block->counting->race;
  uint64_t deed = group->key & SIMT_DEED;
  unsigned bytes = 1u << (deed & SIMT_LG_BYTES);
  bool writes = deed & (SIMT_WRITES | SIMT_ATOMIC);
  unsigned count = group->count;
  if (!writes) count = readers_of_note(race, group, bytes, one, row);
  struct touch now = {
      .stretch = race->stretch,
      .code = (uint32_t)((uintptr_t)simt_key_pc(group->key) - race->code),
      .tick = race->warps[group->warp].tick & TICK_MAX,
      .atomic = (deed & (SIMT_ATOMIC | SIMT_VOLATILE)) != 0};
  for (unsigned i = 0; i < count; i++) {
    uint32_t at = (uint32_t)group->at[i];
    if (!writes && i >= 2 && at == (uint32_t)group->at[i - 1] &&
        at == (uint32_t)group->at[i - 2])
      continue;
    if (!writes && is_quiet(race, at, (bytes + 3) / 4)) continue;
    now.thread = (group->warp * SIMT_LANES + group->lane[i]) & 0x3ff;
    now.value = (uint32_t)(group->at[i] >> 32);
    now.bytes = (((1u << (bytes < 4 ? bytes : 4)) - 1) << at % 4) & 0xf;
    for (unsigned k = 0; k < bytes; k += 4)
      (writes ? write_word : read_word)(block, at / 4 + k / 4, &now);
  }
}
