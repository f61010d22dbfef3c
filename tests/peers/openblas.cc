// SPDX-License-Identifier: GPL-3.0-or-later
// OpenBLAS, loaded when the benchmark starts: it reads which kernels to take
// from the environment while it is loaded.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "tests/peers/peers.h"

extern "C" {
#include "cpu_algos/matrix.h"
}

// The enumerators of cblas.h that are used here.
enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };

static struct {
  void (*domatcopy)(int order, int trans, int rows, int cols, double alpha,
                    const double *from, int from_step, double *to, int to_step);
} openblas;

template <typename Function>
static bool find(void *library, const char *name, Function *function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function;
}

// Releases that do not know a processor take kernels of 2004 for it, which
// 0.3.21 does to recent ones; Skylake's are the bar where they run.
static bool load_openblas() {
#if defined __x86_64__
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
#endif
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  void (*set_threads)(int);
  if (!library || !find(library, "openblas_set_num_threads", &set_threads) ||
      !find(library, "cblas_domatcopy", &openblas.domatcopy)) {
    fprintf(stderr,
            "bench_peers: no OpenBLAS, so the transposes and products of "
            "matrices have no peer; mend: ./bootstrap --install-bench-deps\n");
    return false;
  }
  set_threads(1);
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

// A power of two makes the caches' sets conflict, 8200 does not.
std::vector<peer> openblas_peers() {
  if (!load_openblas()) return {};
  const std::vector<peer_kernel> transpose = {{"", domatcopy, nullptr}};
  const std::vector<uint64_t> sides = {8192, 8200};
  const char *name = "OpenBLAS domatcopy";
  return {
      {"transpose_rows", name, 0, transpose, check_transpose, sides},
      {"transpose_recursive", name, 0.8, transpose, check_transpose, sides},
      {"transpose_morton", name, 0.35, transpose, check_transpose, sides},
  };
}
