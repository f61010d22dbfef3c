/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache-oblivious fast Fourier transform (Frigo, Leiserson, Prokop,
 * Ramachandran: Cache-oblivious algorithms, FOCS 1999, section 3; Jurkiewicz,
 * PhD thesis, section 2.5): about sqrt(n) transforms of sqrt(n) numbers, twice,
 * between transposes.  n points are followed by zeros up to a power of two. */
#include <math.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/fft.h"
#include "cpu_algos/keys.h"

static const double pi = 3.14159265358979323846;

/* A transpose is halved down to this side, the numbers of a cache line. */
enum { LEAF = 4 };

/* length = rows * cols, rows = cols or 2 * cols. */
static uint64_t cols_of(uint64_t length) {
  return UINT64_C(1) << (63 - __builtin_clzll(length)) / 2;
}

/* Row by row, as `from` lies before it is multiplied. */
static void fill_table(struct cpu_complex *table, uint64_t length) {
  uint64_t cols = cols_of(length), rows = length / cols;
  for (uint64_t j = 0; j < cols; j++)
    for (uint64_t k = 0; k < rows; k++) {
      double angle = -2 * pi * (double)(j * k) / (double)length;
      table[j * rows + k] = (struct cpu_complex){cos(angle), sin(angle)};
    }
}

void cpu_fft_split_roots(struct cpu_complex *roots, uint64_t length) {
  if (length <= CPU_FFT_CUTOFF) {
    cpu_fft_roots(roots, length);
    return;
  }
  uint64_t cols = cols_of(length), rows = length / cols;
  cpu_fft_split_roots(roots, cols);
  if (rows != cols) cpu_fft_split_roots(roots, rows);
  fill_table(roots + length, length);
}

/* A transpose, whose numbers may be multiplied on their way. */
struct transpose {
  uint64_t from_step, to_step; /* numbers from one row to the next */
  bool twiddled;
};

static void transpose_leaf(const struct transpose *t,
                           const struct cpu_complex *from,
                           const struct cpu_complex *twiddles,
                           struct cpu_complex *to, uint64_t rows,
                           uint64_t cols) {
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = 0; j < cols; j++) {
      struct cpu_complex a = from[i * t->from_step + j];
      if (t->twiddled) {
        struct cpu_complex w = twiddles[i * t->from_step + j];
        a = (struct cpu_complex){a.re * w.re - a.im * w.im,
                                 a.re * w.im + a.im * w.re};
      }
      to[j * t->to_step + i] = a;
    }
}

/* Sides are powers of two. */
static void transpose(const struct transpose *t, const struct cpu_complex *from,
                      const struct cpu_complex *twiddles,
                      struct cpu_complex *to, uint64_t rows, uint64_t cols) {
  if (rows <= LEAF && cols <= LEAF) {
    transpose_leaf(t, from, twiddles, to, rows, cols);
  } else if (rows >= cols) {
    uint64_t below = rows / 2 * t->from_step;
    transpose(t, from, twiddles, to, rows / 2, cols);
    transpose(t, from + below, twiddles + below, to + rows / 2, rows / 2, cols);
  } else {
    uint64_t right = cols / 2;
    transpose(t, from, twiddles, to, rows, right);
    transpose(t, from + right, twiddles + right, to + right * t->to_step, rows,
              right);
  }
}

static void transform_leaf(const struct cpu_complex *from,
                           struct cpu_complex *to,
                           const struct cpu_complex *roots, uint64_t length) {
  for (uint64_t i = 0, j = 0; i < length; i++) {
    to[j] = from[i];
    uint64_t bit = length / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
  }
  cpu_fft_butterflies(to, roots, length);
}

struct split {
  const struct cpu_complex *roots;
  struct cpu_fft_work work;
};

/*
 * With j = j1 cols + j2 and k = k1 + rows k2, X[k] is the sum over j2 of
 * w_cols^(j2 k2) w^(j2 k1) times the sum over j1 of w_rows^(j1 k1) x[j].  All
 * five steps go from one array into the other, so none has to copy back.
 */
static void transform(struct split *split, struct cpu_complex *from,
                      struct cpu_complex *to, uint64_t length) {
  if (length <= CPU_FFT_CUTOFF) {
    uint64_t steps = 63 - (uint64_t)__builtin_clzll(length);
    transform_leaf(from, to, split->roots, length);
    split->work.moves += length;
    split->work.butterflies += length / 2 * steps;
    return;
  }
  uint64_t cols = cols_of(length), rows = length / cols;
  const struct transpose out = {cols, rows, false}, back = {rows, cols, true};
  const struct cpu_complex *twiddles = split->roots + length;
  transpose(&out, from, from, to, rows, cols);
  for (uint64_t j = 0; j < cols; j++)
    transform(split, to + j * rows, from + j * rows, rows);
  transpose(&back, from, twiddles, to, cols, rows);
  for (uint64_t k = 0; k < rows; k++)
    transform(split, to + k * cols, from + k * cols, cols);
  transpose(&out, from, from, to, rows, cols);
  split->work.moves += 3 * length;
  split->work.twiddles += length;
}

struct cpu_fft_work cpu_fft_split(struct cpu_complex *from,
                                  struct cpu_complex *to,
                                  const struct cpu_complex *roots,
                                  uint64_t length) {
  struct split split = {.roots = roots};
  transform(&split, from, to, length);
  return split.work;
}

/* The workspace: the numbers, as much for the answer, and the roots. */
static struct cpu_complex *data_of(const struct algo_run *run) {
  return (struct cpu_complex *)(void *)run->memory;
}

static struct cpu_complex *answer_of(const struct algo_run *run) {
  return data_of(run) + cpu_fft_length(run->n);
}

static struct cpu_complex *roots_of(const struct algo_run *run) {
  return data_of(run) + 2 * cpu_fft_length(run->n);
}

static size_t bytes(uint64_t n) {
  uint64_t length = cpu_fft_length(n);
  return length ? cpu_keys_bytes(length, 8, 0) : 0;
}

static void restore(struct algo_run *run) {
  cpu_fft_input(run, data_of(run));
  memset(answer_of(run), 0, cpu_fft_length(run->n) * sizeof *answer_of(run));
}

static void setup(struct algo_run *run) {
  restore(run);
  cpu_fft_split_roots(roots_of(run), cpu_fft_length(run->n));
  cpu_fft_expect(run, data_of(run));
}

static void fft_recursive(struct algo_run *run) {
  cpu_fft_split(data_of(run), answer_of(run), roots_of(run),
                cpu_fft_length(run->n));
}

static const char *check(const struct algo_run *run) {
  return cpu_fft_differs(run, answer_of(run));
}

static void answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->n ? cpu_fft_length(run->n) : 0,
                               .items = answer_of(run)};
}

const struct algo cpu_algo_fft_recursive = {
    .name = "fft_recursive",
    .title = "FFT, cache-oblivious",
    .summary = "transform as fft_radix2 does, by sqrt(N) transforms of sqrt(N)",
    .device = "cpu",
    .complexity = "N log2 N",
    .ram_ops = cpu_fft_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = fft_recursive,
    .check = check,
    .data = "signal",
    .refuse = cpu_fft_refuse,
    .answer = answer,
};
