/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/transpose.h"

#include "cpu_algos/matrix.h"

size_t cpu_transpose_bytes(uint64_t n) { return cpu_matrix_bytes(n, 2, 0); }

/* Where the transpose goes; its layout does not matter here. */
void cpu_transpose_restore(struct algo_run *run) {
  struct cpu_matrix to = cpu_matrix_of(run, 1, CPU_MATRIX_ROWS);
  cpu_matrix_clear(&to);
}

static void setup(struct algo_run *run, enum cpu_matrix_layout layout) {
  struct cpu_matrix from = cpu_matrix_of(run, 0, layout);
  cpu_matrix_fill(&from, run->seed, 0);
  run->fingerprint[0] = cpu_matrix_print(&from);
  run->fingerprint[1] = 0;
  cpu_transpose_restore(run);
}

static const char *check(const struct algo_run *run,
                         enum cpu_matrix_layout layout) {
  struct cpu_matrix from = cpu_matrix_of(run, 0, layout);
  struct cpu_matrix to = cpu_matrix_of(run, 1, layout);
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
