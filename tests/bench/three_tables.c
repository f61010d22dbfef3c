/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_tables array|nodes MILLIONS [DIVISOR]: a program with a hot table of
 * 192 MiB, a warm one of 96 MiB and a cold one of 384 MiB, each allocated by a
 * function of its own.  Every step reads a random line of the hot table, which
 * depends on the one before, every 16th step a random line of the warm table
 * instead, and each step the next word of the cold one.  With "nodes", the hot
 * table is 10^7 nodes of 32 bytes from malloc(), linked in random order.
 * DIVISOR makes all of them smaller.
 *
 * It prints a checksum, and what smaps says of each table's mappings. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, LINE = 8 /* words */, NODES = 10000000 };

static uint64_t state = 1;

static uint64_t random_u64(void) {
  uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static size_t scaled(uint64_t random, size_t bound) {
  return (size_t)(((unsigned __int128)random * bound) >> 64);
}

struct node {
  struct node *next;
  uint64_t key, unused[2];
};

struct table {
  const char *name; /* given by its own function: compilers make one of those
                       that are alike */
  uint64_t *word;   /* or */
  struct node **node;
  size_t count;
};

static uint64_t *filled(uint64_t *word, size_t count) {
  if (!word) abort();
  for (size_t i = 0; i < count; i++) word[i] = random_u64();
  return word;
}

static __attribute__((noinline)) void make_hot(struct table *table) {
  table->name = "hot";
  table->word = malloc(table->count * sizeof *table->word);
  filled(table->word, table->count);
}

static __attribute__((noinline)) void make_warm(struct table *table) {
  table->name = "warm";
  table->word = malloc(table->count * sizeof *table->word);
  filled(table->word, table->count);
}

static __attribute__((noinline)) void make_cold(struct table *table) {
  table->name = "cold";
  table->word = malloc(table->count * sizeof *table->word);
  filled(table->word, table->count);
}

static __attribute__((noinline)) struct node *make_node(void) {
  struct node *node = malloc(sizeof *node);
  if (!node) abort();
  node->key = random_u64();
  return node;
}

static __attribute__((noinline)) struct node **make_order(size_t count) {
  return malloc(count * sizeof(struct node *));
}

/* One cycle through all nodes, in random order (Sattolo's shuffle). */
static void make_nodes(struct table *table) {
  table->name = "hot";
  table->node = make_order(table->count);
  if (!table->node) abort();
  for (size_t i = 0; i < table->count; i++) table->node[i] = make_node();
  for (size_t i = table->count - 1; i > 0; i--) {
    size_t j = scaled(random_u64(), i);
    struct node *other = table->node[i];
    table->node[i] = table->node[j];
    table->node[j] = other;
  }
  for (size_t i = 0; i < table->count; i++)
    table->node[i]->next = table->node[i + 1 < table->count ? i + 1 : 0];
}

static uint64_t walk(const struct table table[3], uint64_t steps) {
  uint64_t x = 1, sum = 0;
  const struct node *at = table[0].node ? table[0].node[0] : NULL;
  for (uint64_t i = 0; i < steps; i++) {
    if (i % 16 == 15) {
      x = x * 6364136223846793005 + 1442695040888963407;
      x ^= table[1].word[scaled(x, table[1].count / LINE) * LINE];
    } else if (at) {
      at = at->next;
      x += at->key;
    } else {
      x = x * 6364136223846793005 + 1442695040888963407;
      x ^= table[0].word[scaled(x, table[0].count / LINE) * LINE];
    }
    sum += x + table[2].word[i % table[2].count];
  }
  return sum;
}

static bool holds(const struct table *table, uintptr_t start, uintptr_t end) {
  uintptr_t word = (uintptr_t)table->word;
  if (!table->node) return word >= start && word < end;
  for (size_t i = 0; i < table->count; i += 512)
    if ((uintptr_t)table->node[i] - start < end - start) return true;
  return false;
}

static void report(const struct table *table) {
  char line[4096];
  size_t start, end, kib, resident = 0, huge = 0;
  bool inside = false;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (smaps && fgets(line, sizeof line, smaps)) {
    if (sscanf(line, "%zx-%zx ", &start, &end) == 2)
      inside = holds(table, start, end);
    else if (inside && sscanf(line, "Rss: %zu", &kib) == 1)
      resident += kib;
    else if (inside && sscanf(line, "AnonHugePages: %zu", &kib) == 1)
      huge += kib;
  }
  if (smaps) fclose(smaps);
  printf("%s: %zu of %zu MiB on huge pages\n", table->name, huge >> 10,
         resident >> 10);
}

int main(int argc, char **argv) {
  bool nodes = argc > 1 && !strcmp(argv[1], "nodes");
  uint64_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) * 1000000 : 0;
  size_t divisor = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
  if (argc < 3 || argc > 4 || !steps || !divisor ||
      (!nodes && strcmp(argv[1], "array") != 0)) {
    fputs("usage: three_tables array|nodes MILLIONS [DIVISOR]\n", stderr);
    return 2;
  }
  struct table table[3] = {
      {.count = nodes ? NODES / divisor : 192 * MIB / 8 / divisor},
      {.count = 96 * MIB / 8 / divisor},
      {.count = 384 * MIB / 8 / divisor}};
  if (nodes)
    make_nodes(&table[0]);
  else
    make_hot(&table[0]);
  make_warm(&table[1]);
  make_cold(&table[2]);
  printf("%016llx\n", (unsigned long long)walk(table, steps));
  for (size_t i = 0; i < 3; i++) report(&table[i]);
  return 0;
}
