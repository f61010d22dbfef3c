/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/forms.h"

#include <stddef.h>
#include <string.h>

/* What Jurkiewicz, PhD thesis, prints; P in keys, tau left out. */
static const struct predict_printed scan[] = {
    {"upper", "2 d + K / (K - 1) n / P", "2.4 Sequential Access; 2.5",
     vat_bounds_scan_printed, false,
     "one more: two keys across the middle of the address space miss 2 d + 1 "
     "nodes; the sum of ceilings before it holds"},
    {0}};

static const struct predict_printed random_access[] = {
    {"lower", "1/k n log2(n / (P W))", "lemma 2.27",
     vat_bounds_random_printed_lower, true,
     "the nodes that W cells leave uncovered are counted, layer by layer"},
    {"upper", "1/k n (1 + log2(n / P))", "lemma 2.27",
     vat_bounds_random_printed_upper, true,
     "a path has d + 1 nodes, printed d; and d may be more than the least"},
    {0}};

static const struct predict_printed search[] = {
    {"lower", "1/(4 k) n log2(n / (4 P W))^2", "lemma 2.28",
     vat_bounds_search_printed_lower, true,
     "the layers on which vertices are apart are counted, at every depth"},
    {"upper", "1/k n log2(2 n / P) log2(2 n d / W)", "2.4 Binary Search",
     vat_bounds_search_printed_upper, true,
     "a path has d + 1 nodes, printed d; lemma 2.28 prints a smaller form, "
     "which is that of the lower bound"},
    {0}};

static const struct predict_printed heapify[] = {
    {"lower", "Omega(d + n p / P), W < n / (2 P)", "2.4 Heapify and Heapsort",
     NULL, true,
     "of a heap built level by level: not of ours, which goes in post-order "
     "and misses less"},
    {"upper", "O(d + n p / P)", "2.4 Heapify and Heapsort", NULL, true,
     "of a heap built level by level; ours was analysed in the same manner"},
    {0}};

static const struct predict_printed heapsort[] = {
    {"upper", "no form: 2.1 has it grow as n log2(n)^2", "2.1", NULL, true,
     NULL},
    {0}};

static const struct predict_printed quicksort[] = {
    {"upper", "O(n / P log(n / P))", "2.5 by theorem 2.32", NULL, true,
     "the constant is that of the median of three"},
    {0}};

static const struct predict_printed veb[] = {
    {"upper", "n (log_P(n) + log_K(n) ln(log_P(P K^d)))", "2.5 by theorem 2.32",
     vat_bounds_veb_printed, true,
     "right up to a constant that is not 1, up to 4"},
    {0}};

static const struct predict_printed product[] = {
    {"upper", "K^1.5 / (K^1.5 - 1) n^3 / (a^0.5 P^1.5), a = floor(W / d)",
     "2.5 by theorem 2.32", vat_bounds_matmul_printed, true,
     "a = floor((W - 1) / d), as a path has d + 1 nodes; the recursion's own "
     "constants"},
    {0}};

static const struct predict_printed rows[] = {
    {"lower", "Theta(n^2 d)", "2.6.2", NULL, true, "counted layer by layer"},
    {"upper", "Theta(n^2 d)", "2.6.2", NULL, true, "counted layer by layer"},
    {0}};

static const struct predict_printed oblivious[] = {
    {"upper", "sum over i of C(a K^i P, K^i P, n), a = floor(W / d)",
     "theorem 2.32", NULL, true,
     "a = floor((W - 1) / d), as a path has d + 1 nodes; C counted for this "
     "recursion"},
    {0}};

#define EACH_NODE "each node is missed once at least"
#define PART "what the parts of a recursion touch, less W each"

const struct predict_form predict_forms[] = {
    {"sequential_scan", vat_bounds_scan, vat_bounds_scan,
     "2.4 Sequential Access, exact", "2.4 Sequential Access, exact", scan},
    {"random_scan", vat_bounds_random_scan_lower, vat_bounds_random_scan_upper,
     "lemma 2.27, layer by layer", "lemma 2.27, what LRU remembers",
     random_access},
    {"permute", vat_bounds_permute_lower, vat_bounds_permute_upper,
     "lemma 2.27, layer by layer", "lemma 2.27, what LRU remembers",
     random_access},
    {"binary_search", vat_bounds_search_lower, vat_bounds_search_upper,
     "lemma 2.28, layer by layer",
     "lemma 2.28 and theorem 2.14, or what LRU remembers", search},
    {"heapify", vat_bounds_heapify_lower, vat_bounds_heapify_upper, EACH_NODE,
     "2.4 Heapify, proposition 2.30, in post-order", heapify},
    {"heapsort", vat_bounds_heapsort_lower, vat_bounds_heapsort_upper,
     EACH_NODE ", in each phase", "2.4 Heapsort and theorem 2.14", heapsort},
    {"introsort", vat_bounds_quicksort_lower, vat_bounds_quicksort_upper,
     "2.5 Quicksort, medians as pivots", "2.5 Quicksort, medians of three",
     quicksort},
    {"veb_search", vat_bounds_veb_lower, vat_bounds_veb_upper,
     "lemma 2.27 of the last place", "theorem 2.32, what LRU remembers", veb},
    {"matmul_recursive", vat_bounds_matmul_lower, vat_bounds_matmul_upper, PART,
     "theorem 2.32", product},
    {"transpose_rows", vat_bounds_rows_lower, vat_bounds_rows_upper,
     "2.6.2, layer by layer", "2.6.2, layer by layer", rows},
    {"transpose_recursive", vat_bounds_halves_lower, vat_bounds_halves_upper,
     PART, "theorem 2.32", oblivious},
    {"transpose_morton", vat_bounds_tiles_lower, vat_bounds_tiles_upper,
     EACH_NODE, "theorem 2.32", oblivious},
    {0}};

const struct predict_form *predict_form_find(const char *algo) {
  const struct predict_form *form = predict_forms;
  while (form->algo && strcmp(form->algo, algo)) form++;
  return form->algo ? form : NULL;
}
