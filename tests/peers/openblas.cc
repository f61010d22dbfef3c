// SPDX-License-Identifier: GPL-3.0-or-later
// OpenBLAS, loaded when the benchmark starts: it reads which kernels to take
// from the environment while it is loaded.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "tests/peers/peers.h"

extern "C" {
#include "cpu_algos/matmul.h"
}

// The enumerators of cblas.h that are used here.
enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };

static struct {
  const char *core;  // whose kernels it takes
  void (*domatcopy)(int order, int trans, int rows, int cols, double alpha,
                    const double *from, int from_step, double *to, int to_step);
  void (*dgemm)(int order, int trans_a, int trans_b, int rows, int cols,
                int inner, double alpha, const double *a, int a_step,
                const double *b, int b_step, double beta, double *c,
                int c_step);
} openblas;

template <typename Function>
static bool find(void *library, const char *name, Function *function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function;
}

// Releases that do not know a processor take kernels of 2004 for it, which
// 0.3.21 does to recent ones; Skylake's are the bar where they run,
// whatever the environment says.
static bool load_openblas() {
#if defined __x86_64__
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 1);
#endif
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  void (*set_threads)(int);
  const char *(*core_name)();
  if (!library || !find(library, "openblas_set_num_threads", &set_threads) ||
      !find(library, "openblas_get_corename", &core_name) ||
      !find(library, "cblas_domatcopy", &openblas.domatcopy) ||
      !find(library, "cblas_dgemm", &openblas.dgemm)) {
    fprintf(stderr,
            "bench_peers: no OpenBLAS, so the transposes and products of "
            "matrices have no peer; fix: ./bootstrap --install-bench-deps\n");
    return false;
  }
  set_threads(1);
  openblas.core = core_name();
  return true;
}

// It takes either layout for row by row: as much work, another answer.
static void domatcopy(algo_run *run) {
  const int n = static_cast<int>(run->n);
  openblas.domatcopy(ROW_MAJOR, TRANSPOSED, n, n, 1,
                     cpu_matrix_of(run, 0, CPU_MATRIX_ROWS).at, n,
                     cpu_matrix_of(run, 1, CPU_MATRIX_ROWS).at, n);
}

static const char *check_transpose(const algo_run *run) {
  cpu_matrix from = cpu_matrix_of(run, 0, CPU_MATRIX_ROWS);
  cpu_matrix to = cpu_matrix_of(run, 1, CPU_MATRIX_ROWS);
  return cpu_matrix_print(&from) == cpu_matrix_print_transposed(&to)
             ? nullptr
             : "the matrix is not the transpose of the input";
}

static void dgemm(algo_run *run) {
  const int n = static_cast<int>(run->n);
  openblas.dgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, n, n, n, 1,
                 cpu_matrix_of(run, 0, CPU_MATRIX_ROWS).at, n,
                 cpu_matrix_of(run, 1, CPU_MATRIX_ROWS).at, n, 0,
                 cpu_matrix_of(run, 2, CPU_MATRIX_ROWS).at, n);
}

static const char *check_product(const algo_run *run) {
  std::vector<uint64_t> vectors(2 * run->n);
  uint64_t expected = cpu_matmul_expected(run, CPU_MATRIX_ROWS, vectors.data());
  return cpu_matmul_differs(run, CPU_MATRIX_ROWS, expected);
}

// A power of two makes the caches' sets conflict, 8200 does not.
std::vector<peer> openblas_peers() {
  if (!load_openblas()) return {};
  const std::vector<peer_kernel> transpose = {
      {openblas.core, domatcopy, nullptr}};
  const std::vector<peer_kernel> product = {{openblas.core, dgemm, nullptr}};
  const char *name = "OpenBLAS domatcopy", *dgemm_name = "OpenBLAS dgemm";
  // The bars are those of a power of two.
  const auto beside = [&](const char *algo, double bar, uint64_t side) {
    return peer{algo,   name,    bar, transpose, check_transpose,
                {side}, nullptr, 0};
  };
  return {
      beside("transpose_rows", 0, 8192),
      beside("transpose_rows", 0, 8200),
      beside("transpose_recursive", 0.8, 8192),
      beside("transpose_recursive", 0, 8200),
      beside("transpose_morton", 0.35, 8192),
      beside("transpose_morton", 0, 8200),
      {"matmul_rows", dgemm_name, 0, product, check_product, {512}, nullptr, 0},
      {"matmul_recursive",
       dgemm_name,
       5.0,
       product,
       check_product,
       {2048},
       nullptr,
       0},
  };
}
