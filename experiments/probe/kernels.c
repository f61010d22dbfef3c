/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/probe/kernels.h"

#include "cpu_algos/widths.h"

/* The multiplier of Knuth's MMIX generator; its high bits are what is used. */
static const uint64_t lcg_factor = UINT64_C(6364136223846793005);
static const uint64_t lcg_term = UINT64_C(1442695040888963407);
static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

/* Results must go somewhere, or the compiler would drop the loops. */
static volatile uint64_t sink;

/* Most have no chains. */
#define KERNEL(name)                                                        \
  void name(const struct spots *s, unsigned chains __attribute__((unused)), \
            uint64_t steps)

void kernel_fill(unsigned char *base, size_t bytes, uint64_t seed) {
  uint64_t *word = (uint64_t *)(void *)base, x = seed;
  for (size_t i = 0; i < bytes / sizeof *word; i++) {
    x = x * lcg_factor + lcg_term;
    word[i] = x >> 61 << 3;
  }
}

/* The line of a spot.  Multiples of the golden ratio spread over all lines of a
 * step evenly, also those of every second, fourth, ... step (Knuth, TAOCP 6.4),
 * so that no set of a cache is preferred. */
static inline unsigned char *line_of(const struct spots *s, unsigned line_shift,
                                     uint64_t spot) {
  uint64_t line = line_shift < 64 ? spot * golden >> line_shift : 0;
  return s->base + spot * s->step_bytes + line * LINE_BYTES;
}

/* One of `count`, which the high bits of a product tell. */
static inline uint64_t one_of(uint64_t count, uint64_t x) {
  return (uint64_t)(((unsigned __int128)x * count) >> 64);
}

static unsigned line_shift(const struct spots *s) {
  unsigned bits = (unsigned)__builtin_ctzll(s->step_bytes / LINE_BYTES);
  return 64 - bits;
}

/* Keep the compiler from adding up an address in another order: what waits for
 * the last access must be added last. */
#define SETTLED(pointer) __asm__("" : "+r"(pointer))

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

static inline __attribute__((always_inline)) void chase(const struct spots *s,
                                                        const unsigned chains,
                                                        uint64_t steps) {
  const struct spots local = *s;
  const unsigned shift = line_shift(s);
  uint64_t found[KERNEL_CHAINS_MAX] = {0}, x = s->seed, sum = 0;
  for (uint64_t i = 0; i < steps; i += chains) {
    UNROLL
    for (unsigned c = 0; c < chains; c++) {
      x = x * lcg_factor + lcg_term;
      unsigned char *at = line_of(&local, shift, one_of(local.count, x));
      SETTLED(at);
      found[c] = *(volatile uint64_t *)(void *)(at + found[c]);
    }
  }
  for (unsigned c = 0; c < chains; c++) sum += found[c];
  sink = sum;
}

/* Each number has a loop of its own, and so has the largest. */
#define CHAINS(X) X(1) X(2) X(4) X(8) X(12) X(16) X(24)
#define NUMBER(chains) chains,
#define CASE(number)         \
  case number:               \
    chase(s, number, steps); \
    break;

const unsigned kernel_chains[] = {CHAINS(NUMBER) KERNEL_CHAINS_MAX, 0};

KERNEL(kernel_chase) {
  switch (chains) {
    CHAINS(CASE)
    default:
      chase(s, KERNEL_CHAINS_MAX, steps);
  }
}

/* Random lines for accesses that wait for nothing, drawn beforehand: an access
 * is two instructions then, so that what limits how many are under way is the
 * memory system, not the room for instructions that wait.  The draws are from
 * the lower half, to which each round adds another number up to as much. */
enum { DRAWS = 8192 };

struct draws {
  uint64_t offsets[DRAWS];
  uint64_t x;
};

static uint64_t next_draw(struct draws *draws, const struct spots *s) {
  const uint64_t half = (s->count + 1) / 2; /* their sum is below count */
  draws->x = draws->x * lcg_factor + lcg_term;
  return one_of(half, draws->x) * LINE_BYTES;
}

static void draw_lines(struct draws *draws, const struct spots *s) {
  draws->x = s->seed;
  for (int i = 0; i < DRAWS; i++) draws->offsets[i] = next_draw(draws, s);
}

KERNEL(kernel_read) {
  struct draws draws;
  uint64_t sum = 0;
  draw_lines(&draws, s);
  for (uint64_t i = 0; i < steps; i += DRAWS) {
    const unsigned char *const from = s->base + next_draw(&draws, s);
    const uint64_t count = steps - i < DRAWS ? steps - i : DRAWS;
    UNROLL
    for (uint64_t k = 0; k < count; k++)
      sum += *(const uint64_t *)(const void *)(from + draws.offsets[k]);
  }
  sink = sum;
}

KERNEL(kernel_update) {
  struct draws draws;
  draw_lines(&draws, s);
  for (uint64_t i = 0; i < steps; i += DRAWS) {
    unsigned char *const from = s->base + next_draw(&draws, s);
    const uint64_t count = steps - i < DRAWS ? steps - i : DRAWS;
    UNROLL
    for (uint64_t k = 0; k < count; k++)
      *(volatile uint64_t *)(void *)(from + draws.offsets[k]) ^= sizeof count;
  }
}

KERNEL(kernel_sweep) {
  const unsigned shift = line_shift(s);
  uint64_t sum = 0;
  for (uint64_t i = s->count - steps; i < s->count; i++)
    sum += *(volatile uint64_t *)(void *)line_of(s, shift, i);
  sink = sum;
}

/* Streams by whole lines, in the widest parts that the processor takes at once:
 * narrow ones fill its window before enough lines are under way. */
typedef uint64_t line __attribute__((vector_size(LINE_BYTES)));
enum { LINE_WORDS = LINE_BYTES / sizeof(uint64_t) };

/* What is added up the compiler has to divide into parts, by as many sums: it
 * keeps a vector that is wider than the processor's in memory, from one line to
 * the next, which takes longer than the lines do (3.2 ns each on Zen 3). */
#if defined __GNUC__ && !defined __clang__
#define WIDE                                                \
  __attribute__((optimize("O3", "unroll-loops",             \
                          "variable-expansion-in-unroller", \
                          "no-tree-loop-distribute-patterns")))
#else
#define WIDE
#endif

CPU_EACH_WIDTH WIDE static uint64_t read_words(const uint64_t *words,
                                               uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; i++) sum += words[i];
  return sum;
}

KERNEL(kernel_stream_read) {
  const uint64_t *at = (const uint64_t *)(void *)s->base;
  uint64_t sum = 0, from = s->seed % s->count;
  for (uint64_t left = steps, length; left; left -= length, from = 0) {
    length = s->count - from < left ? s->count - from : left;
    sum += read_words(at + from * LINE_WORDS, length * LINE_WORDS);
  }
  sink = sum;
}

CPU_EACH_WIDTH static void stream_write(const struct spots *s, uint64_t steps) {
  static const line offsets = {8, 40, 16, 0, 56, 24, 48, 32};
  line *at = (line *)(void *)s->base;
  uint64_t from = s->seed % s->count;
  for (uint64_t left = steps, length; left; left -= length, from = 0) {
    length = s->count - from < left ? s->count - from : left;
    UNROLL
    for (uint64_t i = from; i < from + length; i++) at[i] = offsets;
  }
  __asm__ volatile("" : : "r"(at) : "memory");
}

KERNEL(kernel_stream_write) { stream_write(s, steps); }

/* The same of one that goes from line to line. */
CPU_EACH_WIDTH WIDE static void copy_words(uint64_t *to, const uint64_t *from,
                                           uint64_t count) {
  for (uint64_t i = 0; i < count; i++) to[i] = from[i];
}

KERNEL(kernel_stream_copy) {
  uint64_t *at = (uint64_t *)(void *)s->base;
  const uint64_t half = s->count / 2;
  uint64_t from = s->seed % half;
  for (uint64_t left = steps, length; left; left -= length, from = 0) {
    length = half - from < left ? half - from : left;
    copy_words(at + from * LINE_WORDS, at + (half + from) * LINE_WORDS,
               length * LINE_WORDS);
  }
  __asm__ volatile("" : : "r"(at) : "memory");
}

KERNEL(kernel_compute) {
  uint64_t x = s->seed | 1;
  for (uint64_t i = 0; i < steps; i++) x = x * x + lcg_term;
  sink = x;
}
