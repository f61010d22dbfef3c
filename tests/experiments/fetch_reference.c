/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `vat profile --code` has to count, by its definition, from the trace of
 * valgrind --tool=lackey --trace-mem=yes: every fetch and every access is
 * looked up.  An entry has the time of its last use, and the oldest of a set is
 * replaced.
 *
 *   fetch_reference DTLB STLB ITLB ITLB-2M STLB-OF-FETCHES <trace
 *
 * of caches as 64x4: entries x ways; 0x0 is none. */
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 12, LARGE = 21, SEEN = 1 << 20 };

struct cache {
  unsigned sets, ways;
  uint64_t *entry, *used; /* used: 0 is never */
};

static uint64_t now;

static struct cache cache_of(const char *shape) {
  unsigned entries, ways;
  struct cache cache = {0};
  if (sscanf(shape, "%ux%u", &entries, &ways) != 2) errx(2, "%s?", shape);
  if (!entries) return cache;
  cache.sets = entries / ways;
  cache.ways = ways;
  cache.entry = calloc(entries, sizeof *cache.entry);
  cache.used = calloc(entries, sizeof *cache.used);
  if (!cache.entry || !cache.used) err(2, "memory");
  return cache;
}

/* Is the page there?  It is now. */
static bool look_up(struct cache *cache, uint64_t address, unsigned bits) {
  uint64_t page = address >> bits, name = page << bits | (bits == LARGE);
  if (!cache->sets) return false;
  size_t set = (size_t)(page % cache->sets) * cache->ways, oldest = set;
  now++;
  for (size_t i = set; i < set + cache->ways; i++) {
    if (cache->used[i] && cache->entry[i] == name) {
      cache->used[i] = now;
      return true;
    }
    if (cache->used[i] < cache->used[oldest]) oldest = i;
  }
  cache->entry[oldest] = name;
  cache->used[oldest] = now;
  return false;
}

/* A processor whose code is on pages of 2^bits bytes. */
struct processor {
  unsigned bits;
  struct cache data, second, code, second_of_code;
  uint64_t missed, cold, walked, cold_walked, data_walks;
  uint64_t seen[SEEN]; /* pages + 1, by a hash */
};

static bool is_first(struct processor *p, uint64_t address) {
  uint64_t page = (address >> p->bits) + 1;
  size_t at = page * UINT64_C(0x9e3779b97f4a7c15) >> 44;
  for (; p->seen[at] && p->seen[at] != page; at = (at + 1) % SEEN)
    ;
  bool first = !p->seen[at];
  p->seen[at] = page;
  return first;
}

static void fetch(struct processor *p, uint64_t address) {
  if (look_up(&p->code, address, p->bits)) return;
  bool first = is_first(p, address);
  struct cache *second =
      p->second_of_code.sets ? &p->second_of_code : &p->second;
  bool walked = !look_up(second, address, p->bits);
  p->missed++;
  p->cold += first;
  p->walked += walked;
  p->cold_walked += first && walked;
}

static void access_data(struct processor *p, uint64_t address) {
  if (!look_up(&p->data, address, BASE) && !look_up(&p->second, address, BASE))
    p->data_walks++;
}

int main(int argc, char **argv) {
  static struct processor p[2];
  char line[256];
  uint64_t instructions = 0, changes = 0, address, bytes, last = UINT64_MAX;
  if (argc != 6) errx(2, "five caches");
  for (int i = 0; i < 2; i++) {
    p[i].bits = i ? LARGE : BASE;
    p[i].data = cache_of(argv[1]);
    p[i].second = cache_of(argv[2]);
    p[i].code = cache_of(argv[3 + i]);
    p[i].second_of_code = cache_of(argv[5]);
  }
  while (fgets(line, sizeof line, stdin)) {
    char kind = *line == ' ' ? line[1] : *line;
    if (!strchr("ILSM", kind) ||
        sscanf(line + 3, "%" SCNx64 ",%" SCNu64, &address, &bytes) != 2)
      continue;
    uint64_t end = kind == 'I' ? address + bytes - 1 : address;
    instructions += kind == 'I';
    for (uint64_t page = address >> BASE; page <= end >> BASE; page++) {
      uint64_t at = page == address >> BASE ? address : page << BASE;
      if (kind == 'I') changes += page != last, last = page;
      for (int i = 0; i < 2; i++) {
        if (kind == 'I')
          fetch(&p[i], at);
        else
          access_data(&p[i], at);
        if (kind == 'M') access_data(&p[i], at);
      }
    }
  }
  printf("%" PRIu64 " %" PRIu64 "\n", instructions, changes);
  for (int i = 0; i < 2; i++)
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
           p[i].missed, p[i].cold, p[i].walked, p[i].cold_walked,
           p[i].data_walks);
}
