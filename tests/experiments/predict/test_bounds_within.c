/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streams of our own programs lie between their bounds, which are not far
 * apart. */
#include <config.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo_sets.h"
#include "experiments/predict/predict.h"
#include "tests/experiments/predict/bounds_fixture.h"
#include "tests/experiments/suites.h"

/* Every algorithm has a line that is complete. */
static void test_forms_are_complete(void) {
  for (const struct predict_form *form = predict_forms; form->algo; form++) {
    CU_ASSERT_PTR_NOT_NULL(cpu_algo_find(form->algo));
    CU_ASSERT_PTR_EQUAL(predict_form_find(form->algo), form);
    CU_ASSERT(form->lower && form->upper);
    CU_ASSERT(form->lower_source && form->upper_source && form->printed);
  }
  /* Of the programs of section 2.1 all but std::sort, which may be anything. */
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < cpu_algo_set_count(&cpu_algo_sets[i]); k++) {
      const char *name = cpu_algo_sets[i].algos[k];
      CU_ASSERT_EQUAL(!predict_form_find(name), !strcmp(name, "std_sort"));
    }
}

/* Nothing is missed where there is nothing, and less with more nodes. */
static void test_more_nodes_are_no_worse(void) {
  static const uint64_t sizes[] = {0, 1, 2, 3, 100, 1000, 50000};
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (int kind = 0; kind < 3; kind++) {
        struct vat_bounds_case c = {.n = sizes[i],
                                    .base = UINT64_C(1) << 32,
                                    .tree = {9, 12, 4},
                                    .nodes = 5,
                                    .policy = (enum vat_bounds_policy)kind};
        double lower = INFINITY;
        for (; c.nodes < 1 << 20; c.nodes *= 2) {
          double low = form->lower(&c), high = form->upper(&c);
          CU_ASSERT(low >= 0 && low <= high && low <= lower);
          if (!c.n) CU_ASSERT_EQUAL(low + high, 0);
          lower = low;
        }
      }
}

#ifdef HAVE_STREAMS
static void check_within(const struct predict_form *form,
                         const struct vat_bounds_case *c, double misses) {
  double low = form->lower(c), high = form->upper(c);
  bool within = low <= misses * (1 + 1e-12) && misses <= high * (1 + 1e-12);
  if (!within)
    printf("\n%s n=%" PRIu64 " base=%" PRIu64
           " policy %d k=%u p=%u d=%u W=%" PRIu64
           ": %.0f not in [%.1f, %.1f]\n",
           form->algo, c->n, c->base, (int)c->policy, c->tree.index_bits,
           c->tree.page_bits, c->tree.levels, c->nodes, misses, low, high);
  CU_ASSERT(within);
}

static void check_sizes(const struct predict_form *form,
                        const uint64_t *sizes) {
  static const unsigned trees[][2] = {{1, 6}, {2, 7}, {3, 3}, {4, 9}, {9, 12}};
  for (; *sizes; sizes++)
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
      for (size_t p = 0; p < BOUNDS_POLICIES; p++) {
        const struct stream_case stream = {form->algo,
                                           *sizes,
                                           *sizes,
                                           64 * (*sizes % 5),
                                           bounds_policies[p].name,
                                           trees[t][0],
                                           trees[t][1],
                                           0};
        bounds_check_curve(form, &stream, bounds_policies[p].kind,
                           check_within);
      }
}

static void test_streams_are_within(void) {
  static const uint64_t keys[] = {1, 2, 3, 100, 512, 1023, 1500, 0};
  static const uint64_t sides[] = {1, 2, 7, 31, 33, 40, 0};
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    check_sizes(form,
                strstr(form->algo, "mat") || strstr(form->algo, "transpose")
                    ? sides
                    : keys);
}

/* Of amd64, but that the arrays are small against usual ones, and so is W:
 * upper / lower is at most what is said here. */
static void test_bounds_are_not_far_apart(void) {
  static const struct {
    const char *algo;
    double n;
    uint64_t nodes;
    double ratio;
  } points[] = {{"sequential_scan", 0x1p30, 64, 1},
                {"random_scan", 0x1p26, 1536, 1.1},
                {"permute", 0x1p26, 1536, 1.05},
                {"binary_search", 0x1p26, 64, 1.8},
                {"binary_search", 0x1p26, 1536, 1.8},
                {"heapify", 0x1p26, 1536, 1.3},
                {"introsort", 0x1p26, 1536, 5},
                {"heapify_levels", 0x1p26, 64, 2.6},
                {"heapify_levels", 0x1p26, 1536, 2.6},
                {"quicksort_plain", 0x1p26, 1536, 5},
                {"binary_search_plain", 0x1p26, 64, 1.8},
                {"binary_search_plain", 0x1p26, 1536, 1.8},
                {"veb_search", 0x1p26, 1536, 8},
                {"transpose_rows", 5000, 64, 1.01},
                {"transpose_rows", 5000, 1536, 1.01},
                {"transpose_recursive", 5000, 1536, 6},
                {"transpose_morton", 5000, 1536, 1.03},
                {"matmul_recursive", 2048, 1536, 6},
                {"matmul_rows", 5000, 1536, 1.01},
                {"funnelsort", 0x1p26, 1536, 10},
                {"fft_radix2", 0x1p26, 1536, 2},
                {"fft_recursive", 0x1p26, 1536, 2}};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const struct predict_form *form = predict_form_find(points[i].algo);
    const struct vat_bounds_case c = {.n = (uint64_t)points[i].n,
                                      .base = UINT64_C(1) << 32,
                                      .tree = {9, 12, 4},
                                      .nodes = points[i].nodes};
    double low = form->lower(&c), high = form->upper(&c);
    if (high > points[i].ratio * low)
      printf("\n%s W=%" PRIu64 ": %.0f, %.0f: %.3f\n", form->algo, c.nodes, low,
             high, high / low);
    CU_ASSERT(high <= points[i].ratio * low);
  }
}

/* Where chance is small, so that a bound that is a little off is one no more:
 * upper / simulated and simulated / lower are at most what is said here. */
static void test_larger_streams_are_within(void) {
  static const struct {
    struct stream_case stream;
    double above, below;
  } points[] = {
      {{"random_scan", 1 << 17, 1, 0, "islru", 3, 9, 300}, 1.3, 2.1},
      {{"permute", 1 << 17, 1, 0, "islru", 3, 9, 300}, 1.3, 2.1},
      {{"binary_search", 1 << 16, 1, 0, "islru", 3, 9, 300}, 2.1, 1.8},
      {{"binary_search", 100000, 1, 64, "lru", 3, 9, 300}, 2.7, 3.9},
      {{"heapify", 1 << 20, 1, 0, "islru", 9, 12, 1000}, 1.5, 1.1},
      {{"heapsort", 1 << 16, 1, 0, "islru", 9, 12, 40}, 9, 1000},
      {{"heapsort", 1 << 16, 1, 0, "islru", 4, 6, 40}, 9, 8},
      {{"introsort", 1 << 18, 1, 0, "islru", 3, 9, 300}, 3, 4},
      {{"heapify_levels", 1 << 19, 1, 1 << 22, "islru", 9, 12, 64}, 2.4, 1.15},
      {{"heapify_levels", 600000, 1, 64, "lru", 3, 10, 200}, 4, 2.5},
      {{"heapify_levels", 1 << 18, 1, 0, "min", 3, 9, 300}, 2.6, 1.1},
      {{"heapsort_topdown", 1 << 16, 1, 0, "islru", 9, 12, 40}, 4.2, 1000},
      {{"heapsort_topdown", 1 << 16, 1, 0, "islru", 4, 6, 40}, 5, 4},
      {{"quicksort_plain", 1 << 18, 1, 0, "islru", 3, 9, 300}, 3.5, 3.5},
      {{"binary_search_plain", (1 << 16) - 1, 1, 0, "islru", 3, 9, 300},
       2.1,
       1.8},
      {{"binary_search_plain", 100000, 1, 64, "lru", 3, 9, 300}, 2.7, 2.4},
      {{"veb_search", 1 << 16, 1, 0, "islru", 3, 9, 300}, 5, 3},
      /* Pages above a little of two rows, and base in the midst of one. */
      {{"transpose_rows", 217, 1, 0, "islru", 9, 12, 140}, 1.1, 1.1},
      {{"transpose_rows", 217, 1, 0, "islru", 2, 12, 150}, 1.1, 1.1},
      {{"transpose_rows", 64, 1, 1048512, "islru", 4, 8, 92}, 1.1, 1.3},
      {{"transpose_recursive", 300, 1, 0, "islru", 3, 9, 300}, 3, 3},
      {{"transpose_morton", 300, 1, 0, "islru", 3, 9, 300}, 1.5, 1.1},
      {{"matmul_recursive", 200, 1, 0, "islru", 3, 9, 300}, 4, 3},
      {{"matmul_rows", 100, 1, 0, "islru", 3, 9, 90}, 1.1, 1.1},
      {{"matmul_rows", 100, 1, 0, "islru", 3, 9, 400}, 1.1, 1.1},
      {{"funnelsort", 100000, 1, 0, "islru", 3, 9, 300}, 3, 4},
      {{"funnelsort", 1 << 18, 1, 0, "islru", 9, 12, 300}, 2, 3},
      {{"fft_radix2", 1 << 16, 1, 0, "islru", 3, 9, 300}, 1.3, 2},
      {{"fft_recursive", 1 << 16, 1, 0, "islru", 3, 9, 300}, 1.5, 3},
      {{"fft_recursive", 1 << 18, 1, 0, "islru", 9, 12, 1500}, 1.2, 4}};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const struct stream_case *stream = &points[i].stream;
    const struct predict_form *form = predict_form_find(stream->algo);
    const struct vat_bounds_case c = {.n = stream->n,
                                      .base = stream->base,
                                      .tree = stream_case_tree(stream),
                                      .nodes = stream->nodes};
    double misses = (double)stream_case_counts(stream).misses;
    double above = form->upper(&c) / misses, below = misses / form->lower(&c);
    bool within = above >= 1 && above <= points[i].above && below >= 1 &&
                  below <= points[i].below;
    if (!within)
      printf("\n%s: %.0f, %.3f times and 1 / %.3f of it\n", form->algo, misses,
             above, below);
    CU_ASSERT(within);
  }
}
#endif

static const struct check_test tests[] = {
    {"forms are complete", test_forms_are_complete},
    {"more nodes are no worse", test_more_nodes_are_no_worse},
#ifdef HAVE_STREAMS
    {"streams are within", test_streams_are_within},
    {"larger streams are within", test_larger_streams_are_within},
    {"bounds are not far apart", test_bounds_are_not_far_apart},
#endif
    {0}};

const struct check_suite suite_bounds_within = {"streams within bounds", tests,
                                                NULL};
