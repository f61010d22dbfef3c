/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thin DIR SYMBOLS MOST ENTRIES,...: samples of a trace, and what is to be
 * estimated from them.
 *
 * Standard input is a trace of `valgrind --tool=lackey --trace-mem=yes`;
 * SYMBOLS is what `nm -n` prints of its program.  After MOST accesses the rest
 * is left unread.  Each access is kept with the probability 1 / RATE, and goes
 * to DIR/RATE-SEED.perf as `perf script` prints a sample.  DIR/truth gets, for
 * each page size and number of entries, the misses of a TLB that is fully
 * associative and evicts the least recently used entry.
 */
#include <err.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"

enum { RATES = 3, SEEDS = 3, SIZES = 2, ENTRIES = 4, SYMBOLS = 4096 };
static const uint64_t rates[RATES] = {100, 1000, 10000};
static const unsigned bits[SIZES] = {12, 21};
/* Where Valgrind loads a program that can be anywhere. */
static const uint64_t base = 0x108000;

struct symbol {
  uint64_t address;
  char name[64];
} symbol[SYMBOLS];
static size_t symbols, known; /* samples in one of them */

/* A TLB: a list of slots, the most recent first, found by hashing. */
struct lru {
  unsigned bits, entries, used, newest, oldest, mask;
  uint64_t *page, misses;
  unsigned *newer, *older, *chain, *next; /* slots from 1 on */
};

struct sampler {
  FILE *to;
  double rate;
  struct cpu_random random;
  uint64_t last, next; /* accesses */
};

static void *got(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) err(1, "calloc");
  return memory;
}

static void lru_init(struct lru *lru, unsigned page_bits, unsigned entries) {
  *lru = (struct lru){.bits = page_bits, .entries = entries, .mask = 0xffff};
  lru->page = got(entries + 1, sizeof *lru->page);
  lru->newer = got(entries + 1, sizeof *lru->newer);
  lru->older = got(entries + 1, sizeof *lru->older);
  lru->next = got(entries + 1, sizeof *lru->next);
  lru->chain = got(lru->mask + 1, sizeof *lru->chain);
}

static unsigned *chain_of(struct lru *lru, uint64_t page) {
  return &lru->chain[cpu_random_mix(page) & lru->mask];
}

static void unlink_slot(struct lru *lru, unsigned slot) {
  unsigned newer = lru->newer[slot], older = lru->older[slot];
  *(newer ? &lru->older[newer] : &lru->newest) = older;
  *(older ? &lru->newer[older] : &lru->oldest) = newer;
}

static void push(struct lru *lru, unsigned slot) {
  lru->newer[slot] = 0;
  lru->older[slot] = lru->newest;
  if (lru->newest) lru->newer[lru->newest] = slot;
  lru->newest = slot;
  if (!lru->oldest) lru->oldest = slot;
}

/* A slot for a new page: a free one, or that of the oldest page. */
static unsigned take_slot(struct lru *lru) {
  if (lru->used < lru->entries) return ++lru->used;
  unsigned slot = lru->oldest;
  unsigned *link = chain_of(lru, lru->page[slot]);
  while (*link != slot) link = &lru->next[*link];
  *link = lru->next[slot];
  unlink_slot(lru, slot);
  return slot;
}

static void lru_access(struct lru *lru, uint64_t address) {
  uint64_t page = address >> lru->bits;
  if (lru->newest && lru->page[lru->newest] == page) return;
  unsigned slot = *chain_of(lru, page);
  while (slot && lru->page[slot] != page) slot = lru->next[slot];
  if (slot) {
    unlink_slot(lru, slot);
  } else {
    lru->misses++;
    slot = take_slot(lru);
    lru->page[slot] = page;
    unsigned *chain = chain_of(lru, page);
    lru->next[slot] = *chain;
    *chain = slot;
  }
  push(lru, slot);
}

static void read_symbols(const char *path) {
  FILE *file = fopen(path, "r");
  char kind;
  if (!file) err(1, "%s", path);
  while (symbols < SYMBOLS &&
         fscanf(file, "%lx %c %63s%*[^\n]", &symbol[symbols].address, &kind,
                symbol[symbols].name) == 3)
    symbols += kind == 't' || kind == 'T';
  fclose(file);
}

/* The function that an instruction is in; of libraries, none. */
static const char *function_of(uint64_t ip) {
  size_t low = 0, high = symbols;
  uint64_t place = ip - base;
  if (ip < base || !symbols || place > symbol[symbols - 1].address + 4096)
    return "[unknown] (/lib/libc.so.6)";
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(symbol[middle].address <= place ? &low : &high) = middle;
  }
  return symbol[low].name;
}

/* Geometric: as if each access were kept by lot. */
static void draw(struct sampler *sampler) {
  double lot =
      ((double)(cpu_random_next(&sampler->random) >> 11) + 0.5) * 0x1p-53;
  sampler->last = sampler->next;
  sampler->next += 1 + (uint64_t)(log(lot) / log1p(-1 / sampler->rate));
}

static void sample(struct sampler *sampler, uint64_t now, uint64_t address,
                   uint64_t ip) {
  const char *function = function_of(ip);
  fprintf(sampler->to,
          "%8d/%-8d %3lu.%06lu: %10lu cpu/mem/P: %16lx %16lx %s%s\n", 100, 100,
          now / 1000000, now % 1000000, now - sampler->last, address, ip,
          function, *function == '[' ? "" : " (/bin/program)");
  known += *function != '[';
  draw(sampler);
}

static void open_sampler(struct sampler *sampler, const char *dir,
                         uint64_t rate, uint64_t seed) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%lu-%lu.perf", dir, rate, seed);
  *sampler =
      (struct sampler){.rate = (double)rate, .random = {rate * 1000003 + seed}};
  if (!(sampler->to = fopen(path, "w"))) err(1, "%s", path);
  draw(sampler);
  sampler->last = 0;
}

struct thinning {
  struct sampler sampler[RATES * SEEDS];
  struct lru lru[SIZES * ENTRIES];
  unsigned tlbs;
  uint64_t accesses;
};

static void take(struct thinning *t, uint64_t address, uint64_t ip) {
  t->accesses++;
  for (unsigned i = 0; i < t->tlbs; i++) lru_access(&t->lru[i], address);
  for (int i = 0; i < RATES * SEEDS; i++)
    if (t->sampler[i].next == t->accesses)
      sample(&t->sampler[i], t->accesses, address, ip);
}

/* "I  04016b80,3", and the accesses of this instruction: " L 1ffeffe7e,8", S or
 * M, which is both. */
static void read_trace(struct thinning *t, uint64_t most) {
  char line[128];
  uint64_t ip = 0;
  while (t->accesses < most && fgets(line, sizeof line, stdin)) {
    uint64_t address = strtoull(line + 3, NULL, 16);
    if (line[0] == 'I') ip = address;
    if (line[0] != ' ' || !strchr("LSM", line[1])) continue;
    take(t, address, ip);
    if (line[1] == 'M') take(t, address, ip);
  }
}

static void write_truth(const struct thinning *t, const char *dir) {
  char path[4096];
  snprintf(path, sizeof path, "%s/truth", dir);
  FILE *to = fopen(path, "w");
  if (!to) err(1, "%s", path);
  for (unsigned i = 0; i < t->tlbs; i++)
    fprintf(to, "%s %u %.9g\n", t->lru[i].bits == 12 ? "4k" : "2m",
            t->lru[i].entries,
            1000. * (double)t->lru[i].misses / (double)t->accesses);
  if (fclose(to)) err(1, "%s", path);
}

int main(int argc, char **argv) {
  static struct thinning t;
  if (argc != 5) errx(2, "usage: thin DIR SYMBOLS MOST ENTRIES,... <TRACE");
  read_symbols(argv[2]);
  char *rest = argv[4], *word;
  while ((word = strsep(&rest, ",")) && t.tlbs < SIZES * ENTRIES)
    for (int s = 0; s < SIZES; s++)
      lru_init(&t.lru[t.tlbs++], bits[s], (unsigned)atoi(word));
  for (int i = 0; i < RATES * SEEDS; i++)
    open_sampler(&t.sampler[i], argv[1], rates[i / SEEDS],
                 (uint64_t)(i % SEEDS) + 1);
  read_trace(&t, strtoull(argv[3], NULL, 10));
  if (!known) errx(1, "%s: has no function of the trace", argv[2]);
  for (int i = 0; i < RATES * SEEDS; i++)
    if (fclose(t.sampler[i].to)) err(1, "%s", argv[1]);
  write_truth(&t, argv[1]);
  return 0;
}
