/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/transpose.h"

#include "cpu_algos/keys.h"

size_t cpu_transpose_bytes(uint64_t n) { return cpu_matrix_bytes(n, 2, 0); }

size_t cpu_transpose_bytes_given(const struct algo_data *given) {
  return cpu_keys_bytes(given->count, 2, 0);
}

double cpu_transpose_ops_given(const struct algo_data *given) {
  return cpu_ops_linear(given->count);
}

const char *cpu_transpose_refuse(const struct algo_data *given) {
  if (given->next) return "one matrix is transposed, and these are two";
  return NULL;
}

struct cpu_matrix cpu_transpose_matrix(const struct algo_run *run,
                                       unsigned index,
                                       enum cpu_matrix_layout layout) {
  double *first = (double *)(void *)run->memory;
  uint64_t rows = run->given ? run->given->rows : run->n;
  uint64_t cols = run->given ? run->given->cols : run->n;
  if (!index) return (struct cpu_matrix){first, rows, cols, layout};
  return (struct cpu_matrix){first + rows * cols, cols, rows, layout};
}

/* Where the transpose goes; its layout does not matter here. */
void cpu_transpose_restore(struct algo_run *run) {
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, CPU_MATRIX_ROWS);
  cpu_matrix_clear(&to);
}

static void setup(struct algo_run *run, enum cpu_matrix_layout layout) {
  struct cpu_matrix from = cpu_transpose_matrix(run, 0, layout);
  if (run->given)
    cpu_matrix_load(&from, run->given->items);
  else
    cpu_matrix_fill(&from, run->seed, 0);
  run->fingerprint[0] = cpu_matrix_print(&from);
  run->fingerprint[1] = 0;
  cpu_transpose_restore(run);
}

static const char *check(const struct algo_run *run,
                         enum cpu_matrix_layout layout) {
  struct cpu_matrix from = cpu_transpose_matrix(run, 0, layout);
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, layout);
  if (cpu_matrix_print(&from) != run->fingerprint[0])
    return "the matrix is not that of the input any more";
  if (cpu_matrix_print_transposed(&to) != run->fingerprint[0])
    return "the matrix is not the transpose of the input";
  return NULL;
}

void cpu_transpose_setup_rows(struct algo_run *run) {
  setup(run, CPU_MATRIX_ROWS);
}

const char *cpu_transpose_check_rows(const struct algo_run *run) {
  return check(run, CPU_MATRIX_ROWS);
}

void cpu_transpose_setup_recursive(struct algo_run *run) {
  setup(run, CPU_MATRIX_RECURSIVE);
}

const char *cpu_transpose_check_recursive(const struct algo_run *run) {
  return check(run, CPU_MATRIX_RECURSIVE);
}

static void describe(const struct cpu_matrix *matrix, const double *rows,
                     struct algo_data *answer) {
  *answer = (struct algo_data){.count = matrix->rows * matrix->cols,
                               .rows = matrix->rows,
                               .cols = matrix->cols,
                               .items = rows};
}

void cpu_transpose_answer_rows(const struct algo_run *run,
                               struct algo_data *answer) {
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, CPU_MATRIX_ROWS);
  describe(&to, to.at, answer);
}

/* Row by row it goes where the input was. */
void cpu_transpose_answer_recursive(const struct algo_run *run,
                                    struct algo_data *answer) {
  struct cpu_matrix from = cpu_transpose_matrix(run, 0, CPU_MATRIX_RECURSIVE);
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, CPU_MATRIX_RECURSIVE);
  cpu_matrix_unload(&to, from.at);
  describe(&to, from.at, answer);
}
