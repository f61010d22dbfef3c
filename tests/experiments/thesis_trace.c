/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thesis_trace PROGRAM N SEED [BASE]: the addresses, as a trace of format text,
 * that one of the thesis's seven programs (Jurkiewicz, PhD thesis, section 2.1)
 * loads from and stores to on N keys of 8 bytes that begin at BASE (default 0).
 *
 * Written as plainly as the thesis puts the programs, and on their own: no code
 * is shared with cpu_algos, whose programs go other ways for speed (heapify in
 * post-order, heapsort bottom-up), which the closed forms of section 2.4 do not
 * follow.  What is done is done to real keys and checked before exit 0.  SEED 0
 * leaves the keys of heapify, heapsort and introsort in ascending order, in
 * which every sift of heapify goes down to a leaf.
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
  struct array array; /* room for 2n + 1 keys, the first n are 0, 1, ... n-1 */
  uint64_t n;
  uint64_t seed;
};

/* Random keys from place `first` on, or with seed 0 ascending ones. */
static void fill(struct task *task, uint64_t first) {
  uint64_t state = task->seed;
  for (uint64_t i = 0; i < task->n; i++)
    task->array.keys[first + i] = task->seed ? random_next(&state) : i;
}

static int compare(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Are the keys from `first` on those that fill() made? */
static bool has_all(struct task *task, uint64_t first) {
  size_t size = task->n * sizeof(uint64_t);
  uint64_t *keys = task->array.keys + first, *now = malloc(size);
  if (!now) return false;
  memcpy(now, keys, size);
  fill(task, first);
  qsort(keys, task->n, sizeof *keys, compare);
  qsort(now, task->n, sizeof *now, compare);
  bool same = !memcmp(keys, now, size);
  free(now);
  return same;
}

static bool ascend(const uint64_t *keys, uint64_t n) {
  for (uint64_t i = 1; i < n; i++)
    if (keys[i - 1] > keys[i]) return false;
  return true;
}

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

/* As often as there are keys, down to a leaf of the search tree whatever was
 * met on the way. */
static bool binary_search(struct task *task) {
  for (uint64_t i = 0; i < task->n; i++) {
    uint64_t wanted = random_below(&task->seed, task->n);
    uint64_t low = 0, high = task->n;
    while (low < high) {
      uint64_t middle = low + (high - low) / 2;
      if (load(&task->array, middle) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    if (low != wanted) return false;
  }
  return true;
}

/* The largest key is at the root, place 1; children of i are 2i and 2i + 1, so
 * that siblings share a page. */
static void sift(const struct array *heap, uint64_t i, uint64_t n) {
  uint64_t key = load(heap, i), child;
  while ((child = 2 * i) <= n) {
    uint64_t largest = load(heap, child);
    uint64_t right = child < n ? load(heap, child + 1) : 0;
    if (right > largest) {
      largest = right;
      child++;
    }
    if (largest <= key) break;
    store(heap, i, largest);
    i = child;
  }
  store(heap, i, key);
}

static void build_heap(const struct array *heap, uint64_t n) {
  for (uint64_t i = n / 2; i > 0; i--) sift(heap, i, n);
}

static void sort_by_heap(const struct array *heap, uint64_t n) {
  build_heap(heap, n);
  for (; n > 1; n--) {
    swap(heap, 1, n);
    sift(heap, 1, n - 1);
  }
}

static bool heapify(struct task *task) {
  const uint64_t *keys = task->array.keys;
  fill(task, 1);
  build_heap(&task->array, task->n);
  for (uint64_t i = 2; i <= task->n; i++)
    if (keys[i / 2] < keys[i]) return false;
  return has_all(task, 1);
}

static bool heapsort(struct task *task) {
  fill(task, 1);
  sort_by_heap(&task->array, task->n);
  return ascend(task->array.keys + 1, task->n) && has_all(task, 1);
}

static void put_in_order(const struct array *array, uint64_t i, uint64_t j) {
  uint64_t a = load(array, i), b = load(array, j);
  store(array, i, a < b ? a : b);
  store(array, j, a < b ? b : a);
}

/* About the median of three, from left to right with one hand that reads and
 * one that is where the large keys begin.  The pivot's place. */
static uint64_t partition(const struct array *array, uint64_t n) {
  printf("# partition %" PRIu64 "\n", n);
  put_in_order(array, n / 2, n - 1);
  put_in_order(array, n / 2, 0);
  put_in_order(array, 0, n - 1);
  uint64_t pivot = load(array, 0), border = 1;
  for (uint64_t i = 1; i < n; i++) {
    uint64_t key = load(array, i);
    store(array, i, load(array, border));
    store(array, border, key);
    border += key < pivot;
  }
  swap(array, 0, border - 1);
  return border - 1;
}

static void insertion_sort(const struct array *array, uint64_t n) {
  for (uint64_t i = 1; i < n; i++) {
    uint64_t key = load(array, i), j = i, before;
    for (; j > 0 && (before = load(array, j - 1)) > key; j--)
      store(array, j, before);
    store(array, j, key);
  }
}

static void sort_range(struct array array, uint64_t n, unsigned depth) {
  enum { CUT_OFF = 16 };
  while (n > CUT_OFF) {
    if (!depth--) { /* by a heap whose place 1 is the first of the range */
      printf("# heapsort %" PRIu64 "\n", n);
      sort_by_heap(&(struct array){array.keys - 1, array.base - 8}, n);
      return;
    }
    uint64_t pivot = partition(&array, n);
    sort_range(array, pivot, depth);
    array.keys += pivot + 1;
    array.base += 8 * (pivot + 1);
    n -= pivot + 1;
  }
  insertion_sort(&array, n);
}

static bool introsort(struct task *task) {
  unsigned lg_n = 63 - (unsigned)__builtin_clzll(task->n);
  fill(task, 0);
  sort_range(task->array, task->n, 2 * lg_n);
  return ascend(task->array.keys, task->n) && has_all(task, 0);
}

static const struct program {
  const char *name;
  bool (*run)(struct task *task); /* false: its result is wrong */
} programs[] = {
    {"permute", permute},
    {"random_scan", random_scan},
    {"sequential_scan", sequential_scan},
    {"binary_search", binary_search},
    {"heapify", heapify},
    {"heapsort", heapsort},
    {"introsort", introsort},
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
  /* One key of room in front, for heaps of ranges at the left end. */
  uint64_t *room = malloc((2 * task->n + 2) * sizeof *room);
  if (!room) return 1;
  task->array.keys = room + 1;
  for (uint64_t i = 0; i < task->n; i++) task->array.keys[i] = i;
  bool right = program->run(task);
  free(room);
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
