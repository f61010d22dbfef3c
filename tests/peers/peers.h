// SPDX-License-Identifier: GPL-3.0-or-later
// tests/peers/peers.h -- what each algorithm is measured against.
//
// A peer works on the workspace of our algorithm, in the same place, and
// leaves its answer there, so that the same data and pages serve both; or,
// where ours lays its data out in a way of its own, on that of another
// algorithm.
#pragma once
#include <climits>
#include <vector>

extern "C" {
#include "cpu_algos/algo.h"
}

struct peer_kernel {
  const char *name;
  void (*run)(algo_run *);
  bool (*usable)();  // on this processor; null: everywhere
};

struct peer {
  const char *algo;  // the name of ours
  const char *name;
  double bar;  // ours takes at most this part of the peer's time; 0: no bar
  std::vector<peer_kernel> kernels;        // of which the fastest counts
  const char *(*check)(const algo_run *);  // null: our algorithm's own
  std::vector<uint64_t> sizes;             // measured where none is asked for
  const char *data;   // the algorithm whose workspace it needs; null: ours
  uint64_t searches;  // to make with both, so that large sizes end; 0: n
  const char *generator = nullptr;  // of the input; null: the first
  unsigned rounds = UINT_MAX;       // at most; 1: without one to warm up
};

std::vector<peer> all_peers();
std::vector<peer_kernel> read_kernels();
std::vector<peer> reference_peers();
std::vector<peer> blastn_peers();
std::vector<peer> openblas_peers();  // none, and a line that says so, without
std::vector<peer> hull_peers();      // likewise
