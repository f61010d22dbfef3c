/* SPDX-License-Identifier: GPL-3.0-or-later */
/* footprints chase|join|search MIB MILLIONS: programs whose memory is far
 * larger than what a TLB reaches, and who differ in how many accesses can go
 * on at once.  Work and result depend on the arguments alone.
 *
 *   chase   follow a random cycle through all lines: one access at a time
 *   join    build a hash table, then probe it: accesses know nothing of others
 *   search  binary search: a chain of accesses a key, keys are independent
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* splitmix64, and a number below `bound`, as vat makes its own inputs. */
static uint64_t random_u64(void) {
  uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static size_t random_below(size_t bound) {
  return (size_t)(((unsigned __int128)random_u64() * bound) >> 64);
}

struct node {
  uint64_t next, unused[7]; /* a cache line */
};

/* Sattolo's shuffle makes one cycle of all nodes. */
static uint64_t chase(void *memory, size_t bytes, uint64_t steps) {
  struct node *nodes = memory;
  size_t count = bytes / sizeof *nodes, at = 0;
  for (size_t i = 0; i < count; i++) nodes[i].next = i;
  for (size_t i = count - 1; i > 0; i--) {
    size_t j = random_below(i);
    uint64_t next = nodes[i].next;
    nodes[i].next = nodes[j].next;
    nodes[j].next = next;
  }
  for (uint64_t i = 0; i < steps; i++) at = nodes[at].next;
  return at;
}

struct slot {
  uint64_t key, value, unused[6]; /* key 0: free; a cache line */
};

/* Linear probing, an eighth full; half of the keys looked for are there. */
static uint64_t join(void *memory, size_t bytes, uint64_t probes) {
  struct slot *slots = memory;
  size_t count = bytes / sizeof *slots, rows = count / 8;
  uint64_t found = 0;
  memset(memory, 0, bytes);
  for (uint64_t i = 1; i <= rows; i++) {
    state = i;
    size_t at = random_below(count);
    while (slots[at].key) at = at + 1 < count ? at + 1 : 0;
    slots[at].key = slots[at].value = i;
  }
  for (uint64_t i = 0; i < probes; i++) {
    state = ~i;
    uint64_t key = 1 + random_below(2 * rows);
    state = key;
    size_t at = random_below(count);
    while (slots[at].key && slots[at].key != key)
      at = at + 1 < count ? at + 1 : 0;
    found += slots[at].value;
  }
  return found;
}

static uint64_t search(void *memory, size_t bytes, uint64_t searches) {
  uint64_t *keys = memory, sum = 0;
  size_t count = bytes / sizeof *keys;
  for (size_t i = 0; i < count; i++) keys[i] = 3 * i;
  for (uint64_t k = 0; k < searches; k++) {
    uint64_t key = random_below(3 * count);
    size_t low = 0, high = count;
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      if (keys[middle] <= key)
        low = middle;
      else
        high = middle;
    }
    sum += low;
  }
  return sum;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    uint64_t (*run)(void *memory, size_t bytes, uint64_t times);
  } programs[] = {{"chase", chase}, {"join", join}, {"search", search}};
  size_t bytes = argc == 4 ? strtoul(argv[2], NULL, 10) << 20 : 0;
  uint64_t times = argc == 4 ? strtoul(argv[3], NULL, 10) * 1000000 : 0;
  void *memory = bytes ? malloc(bytes) : NULL;
  for (size_t i = 0; memory && i < sizeof programs / sizeof *programs; i++)
    if (!strcmp(argv[1], programs[i].name)) {
      printf("%llu\n",
             (unsigned long long)programs[i].run(memory, bytes, times));
      free(memory);
      return 0;
    }
  fputs("usage: footprints chase|join|search MIB MILLIONS\n", stderr);
  return 2;
}
