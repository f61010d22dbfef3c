/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thesis_trace PROGRAM N SEED [BASE]: the addresses, as a trace of format text,
 * that one of the thesis's linear programs (Jurkiewicz, PhD thesis,
 * section 2.1) loads from and stores to on N keys of 8 bytes that begin at BASE
 * (default 0).
 *
 * Written as plainly as the thesis puts the programs, and on their own: no code
 * is shared with cpu_algos.  What is done is done to real keys and checked
 * before exit 0.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Key i is at address base + 8 i. */
struct array {
  uint64_t *keys;
  uint64_t base;
};

static void touch(const struct array *array, uint64_t i) {
  printf("%" PRIu64 "\n", array->base + 8 * i);
}

static uint64_t load(const struct array *array, uint64_t i) {
  touch(array, i);
  return array->keys[i];
}

static void store(const struct array *array, uint64_t i, uint64_t key) {
  touch(array, i);
  array->keys[i] = key;
}

static void swap(const struct array *array, uint64_t i, uint64_t j) {
  uint64_t a = load(array, i), b = load(array, j);
  store(array, i, b);
  store(array, j, a);
}

/* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, 2014), and a number below m by multiply-shift. */
static uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t random_below(uint64_t *state, uint64_t m) {
  return (random_next(state) >> 32) * m >> 32;
}

struct task {
  struct array array; /* room for 2n keys, the first n are 0, 1, ... n-1 */
  uint64_t n;
  uint64_t seed;
};

/* Fisher-Yates: the random place first, then the one that moves downwards. */
static void shuffle(struct task *task) {
  for (uint64_t left = task->n; left > 0; left--)
    swap(&task->array, random_below(&task->seed, left), left - 1);
}

static bool permute(struct task *task) {
  uint64_t seed = task->seed, *keys = task->array.keys;
  shuffle(task);
  /* The same swaps of an array of its own, backwards, restore the order. */
  uint64_t *places = malloc(task->n * sizeof *places);
  if (!places) return false;
  for (uint64_t left = task->n; left > 0; left--)
    places[left - 1] = random_below(&seed, left);
  for (uint64_t i = 0; i < task->n; i++) {
    uint64_t key = keys[i];
    keys[i] = keys[places[i]];
    keys[places[i]] = key;
  }
  bool restored = true;
  for (uint64_t i = 0; i < task->n; i++) restored &= keys[i] == i;
  free(places);
  return restored;
}

/* The permutation lies behind the keys and is read in order. */
static bool random_scan(struct task *task) {
  uint64_t n = task->n, sum = 0, *order = task->array.keys + n;
  for (uint64_t i = 0; i < n; i++) order[i] = i;
  for (uint64_t left = n; left > 0; left--) {
    uint64_t i = random_below(&task->seed, left), place = order[i];
    order[i] = order[left - 1];
    order[left - 1] = place;
  }
  for (uint64_t i = 0; i < n; i++)
    sum += load(&task->array, load(&task->array, n + i));
  return sum == n * (n - 1) / 2;
}

static bool sequential_scan(struct task *task) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < task->n; i++) sum += load(&task->array, i);
  return sum == task->n * (task->n - 1) / 2;
}

static const struct program {
  const char *name;
  bool (*run)(struct task *task); /* false: its result is wrong */
} programs[] = {
    {"permute", permute},
    {"random_scan", random_scan},
    {"sequential_scan", sequential_scan},
    {0},
};

static uint64_t number(const char *text, uint64_t least, uint64_t most) {
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, 0);
  if (!errno && end != text && !*end && value >= least && value <= most)
    return value;
  fprintf(stderr, "thesis_trace: %s: a number from %" PRIu64 "\n", text, least);
  exit(2);
}

static int trace(const struct program *program, struct task *task) {
  task->array.keys = malloc(2 * task->n * sizeof(uint64_t));
  if (!task->array.keys) return 1;
  for (uint64_t i = 0; i < task->n; i++) task->array.keys[i] = i;
  bool right = program->run(task);
  free(task->array.keys);
  if (!right) fprintf(stderr, "thesis_trace: %s: wrong\n", program->name);
  return !right || fflush(stdout) || ferror(stdout);
}

int main(int argc, char **argv) {
  const struct program *program = programs;
  while (argc > 1 && program->name && strcmp(program->name, argv[1])) program++;
  if (argc < 4 || argc > 5 || !program->name) {
    fputs("usage: thesis_trace PROGRAM N SEED [BASE]\n", stderr);
    return 2;
  }
  struct task task = {.n = number(argv[2], 1, 1 << 28),
                      .seed = number(argv[3], 0, UINT64_MAX)};
  if (argc > 4) task.array.base = number(argv[4], 0, UINT64_MAX / 2);
  return trace(program, &task);
}
