/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/forms.h"

#include <stddef.h>
#include <string.h>

const char *const predict_status_names[] = {[PREDICT_HOLDS] = "holds",
                                            [PREDICT_TESTED] = "tested",
                                            [PREDICT_ASYMPTOTIC] = "asymptotic",
                                            [PREDICT_REFUTED] = "refuted",
                                            [PREDICT_CORRECTED] = "corrected"};

#define ASYMPTOTIC \
  { PREDICT_ASYMPTOTIC, PREDICT_ASYMPTOTIC }
#define REFUTED \
  { PREDICT_REFUTED, PREDICT_REFUTED }
#define CORRECTED \
  { PREDICT_CORRECTED, PREDICT_CORRECTED }

/* What Jurkiewicz, PhD thesis, prints; P in keys, tau left out. */
static const struct predict_printed scan[] = {
    {"upper", "2 d + K / (K - 1) n / P", "2.4 Sequential Access; 2.5",
     vat_bounds_scan_printed, REFUTED,
     "too small by one: d + 1 ceilings add up to 1 each",
     "vat predict --algo sequential_scan --n 16 --base 0x7fffffffffc0"},
    {"upper", "2 d + 1 + K / (K - 1) n / P, where P >= 1",
     "2.4 Sequential Access", vat_bounds_scan_closed, CORRECTED, NULL, NULL},
    {0}};

#define TWICE_W "of MIN and ISMIN: half of it at 2 W"
#define ALONE                                                             \
  "of random accesses alone, 1 too small where K^d = 2 n / P; here they " \
  "take turns with a scan"

static const struct predict_printed random_access[] = {
    {"lower",
     "1/k n log2(n / (P W))",
     "lemma 2.27",
     vat_bounds_random_printed_lower,
     {PREDICT_HOLDS, PREDICT_REFUTED},
     "of the expected number; MIN and ISMIN know what is read next",
     "vat predict --algo random_scan --n 2^16 --index-bits 4 --page-bits 8 "
     "--base 0 --tc-nodes 128 --policy min"},
    {"lower", "1/(2 k) n log2(n / (2 P W))", "lemma 2.27 and theorem 2.14",
     vat_bounds_random_scan_closed_lower, CORRECTED, NULL, NULL},
    {"upper", "1/k n (1 + log2(n / P))", "lemma 2.27",
     vat_bounds_random_printed_upper, REFUTED, ALONE,
     "vat predict --algo random_scan --n 2^16 --page-bits 9 --base 0 "
     "--tc-nodes 5 --policy min"},
    {"upper", "d n + N, where W > 2 d", "lemma 2.27",
     vat_bounds_random_scan_closed_upper, CORRECTED,
     "N: the nodes above the workspace", NULL},
    {0}};

static const struct predict_printed swaps[] = {
    {"lower", "1/k n log2(n / (P W))", "lemma 2.27",
     vat_bounds_random_printed_lower, REFUTED,
     "it is of accesses to n keys; here the range shrinks",
     "vat predict --algo permute --n 2^14 --index-bits 4 --page-bits 8 "
     "--base 0 --tc-nodes 256"},
    {"lower", "1/k (n log2(n / (P W)) - (n - P W) log2(e)), where n > P W",
     "lemma 2.27", vat_bounds_permute_closed_lower, CORRECTED, TWICE_W, NULL},
    {"upper", "1/k n (1 + log2(n / P))", "lemma 2.27",
     vat_bounds_random_printed_upper, REFUTED, ALONE,
     "vat predict --algo permute --n 2^16 --page-bits 9 --base 0 --tc-nodes 4 "
     "--policy min"},
    {"upper", "d n + N, where W > 2 d", "lemma 2.27",
     vat_bounds_permute_closed_upper, CORRECTED,
     "N: the nodes above the workspace", NULL},
    {0}};

#define SEARCH_LOWER(recent, remark)                                          \
  {                                                                           \
    "lower", "1/(4 k) n log2(n / (4 P W))^2, where n >= 4 P W", "lemma 2.28", \
        vat_bounds_search_printed_lower, {recent, PREDICT_TESTED},            \
        "of the expected number; " remark, NULL                               \
  }
#define SEARCH_UPPER(algo)                                            \
  {                                                                   \
    "upper", "1/(2 k) n log2(2 n d / (P W))^2", "lemma 2.28",         \
        vat_bounds_search_printed_upper, REFUTED,                     \
        "each step over a page or more misses a leaf: a linear term", \
        "vat predict --algo " algo                                    \
        " --n 2^16 --base 0 --tc-nodes 64 --policy min"               \
  }
#define SEARCH_CLOSED                                                      \
  {                                                                        \
    "upper",                                                               \
        "n (d + (1 + L) (1 + L / (2 k))) + W, "                            \
        "L = max(0, log2(4 n d / (P (W - d - 1)))), where W > 3 d",        \
        "lemma 2.28", vat_bounds_search_closed, CORRECTED,                 \
        "of MIN; of LRU and ISLRU: twice it at W / 2; of ISMIN: at W - d", \
        NULL                                                               \
  }

static const struct predict_printed search[] = {
    SEARCH_LOWER(PREDICT_HOLDS,
                 "under MIN and ISMIN proved where n is a power of two"),
    SEARCH_UPPER("binary_search"),
    SEARCH_CLOSED,
    {0}};

/* The proof is for steps of powers of two. */
static const struct predict_printed bisect[] = {
    SEARCH_LOWER(PREDICT_TESTED, "proved for searches that end at their key"),
    SEARCH_UPPER("binary_search_plain"),
    SEARCH_CLOSED,
    {0}};

static const struct predict_printed heapify[] = {
    {"lower", "Omega(d + n p / P), W < n / (2 P)", "2.4 Heapify and Heapsort",
     NULL, ASYMPTOTIC,
     "of heapify_levels; this one goes in post-order and misses less", NULL},
    {"upper", "O(d + n p / P)", "2.4 Heapify and Heapsort", NULL, ASYMPTOTIC,
     "of heapify_levels; this one was analysed in the same manner", NULL},
    {0}};

static const struct predict_printed heapify_levels[] = {
    {"lower", "Omega(d + n p / P), W < n / (2 P)", "2.4 Heapify and Heapsort",
     vat_bounds_heapify_levels_printed, ASYMPTOTIC,
     "random keys, any policy: what each level's sifts look at, less W", NULL},
    {"upper", "O(d + n p / P)", "2.4 Heapify and Heapsort",
     vat_bounds_heapify_levels_printed, ASYMPTOTIC,
     "the proof's own strategy, with its constants", NULL},
    {0}};

static const struct predict_printed heapsort[] = {
    {"upper", "no form: 2.1 has it grow as n log2(n)^2", "2.1", NULL,
     ASYMPTOTIC, "of keys in random order it does, up to a constant", NULL},
    {0}};

static const struct predict_printed quicksort[] = {
    {"upper", "O(n / P log(n / P))", "2.5 by theorem 2.32", NULL, ASYMPTOTIC,
     "the constant is 12/7 for medians of three, 2 for random pivots", NULL},
    {0}};

static const struct predict_printed veb[] = {
    {"upper", "n (log_P(n) + log_K(n) ln(log_P(P K^d)))", "2.5 by theorem 2.32",
     vat_bounds_veb_printed, ASYMPTOTIC, "right up to a constant that is not 1",
     NULL},
    {0}};

static const struct predict_printed product[] = {
    {"upper", "K^1.5 / (K^1.5 - 1) n^3 / (a^0.5 P^1.5), a = floor(W / d)",
     "2.5 by theorem 2.32", vat_bounds_matmul_printed, ASYMPTOTIC,
     "the constants of the recursion are left out, and a layer is, as in "
     "theorem 2.32",
     NULL},
    {0}};

static const struct predict_printed rows[] = {
    {"lower", "Theta(n^2 d)", "2.6.2", NULL, ASYMPTOTIC,
     "counted layer by layer", NULL},
    {"upper", "Theta(n^2 d)", "2.6.2", NULL, ASYMPTOTIC,
     "counted layer by layer", NULL},
    {0}};

static const struct predict_printed oblivious[] = {
    {"upper", "sum over i of C(a K^i P, K^i P, n), a = floor(W / d)",
     "theorem 2.32", NULL, REFUTED,
     "it shares W among d layers, but there are d + 1; in the counterexample "
     "it allows 3 misses",
     "printf '%s\\n' 1 0 1 | vat sim - --policy min --tc-nodes 2 --levels 1 "
     "--index-bits 1 --page-bits 0"},
    {"upper", "sum over i of C(a K^i P, K^i P, n), a = floor((W - 1) / d)",
     "theorem 2.32", NULL, CORRECTED, "C is counted for this recursion", NULL},
    {0}};

static const struct predict_printed tall[] = {
    {"upper", "no form: theorem 2.32 does not extend to M >= B^2", "2.5", NULL,
     ASYMPTOTIC,
     "counted for caches of few large blocks (doc/cache-oblivious.md)", NULL},
    {0}};

static const struct predict_printed nothing[] = {{0}};

#define EACH_NODE "each node is missed once at least"
#define HEAPS "few of all heaps miss little"
#define PART "what the parts of a recursion touch, less W each"

const struct predict_form predict_forms[] = {
    {"sequential_scan", vat_bounds_scan, vat_bounds_scan,
     "2.4 Sequential Access, exact", "2.4 Sequential Access, exact", scan},
    {"random_scan", vat_bounds_random_scan_lower, vat_bounds_random_scan_upper,
     "lemma 2.27, layer by layer", "lemma 2.27, what LRU remembers",
     random_access},
    {"permute", vat_bounds_permute_lower, vat_bounds_permute_upper,
     "lemma 2.27, layer by layer", "lemma 2.27, what LRU remembers", swaps},
    {"binary_search", vat_bounds_search_lower, vat_bounds_search_upper,
     "lemma 2.28, layer by layer",
     "lemma 2.28 and theorem 2.14, or what LRU remembers", search},
    {"heapify", vat_bounds_heapify_lower, vat_bounds_heapify_upper, EACH_NODE,
     "2.4 Heapify, proposition 2.30, in post-order", heapify},
    {"heapsort", vat_bounds_heapsort_lower, vat_bounds_heapsort_upper,
     HEAPS ", or " EACH_NODE ", in each phase", "2.4 Heapsort and theorem 2.14",
     heapsort},
    {"introsort", vat_bounds_quicksort_lower, vat_bounds_quicksort_upper,
     "2.5 Quicksort, medians as pivots", "2.5 Quicksort, medians of three",
     quicksort},
    {"heapify_levels", vat_bounds_heapify_levels_lower,
     vat_bounds_heapify_levels_upper, "2.4 Heapify, each level a pass",
     "2.4 Heapify, propositions 2.30 and 2.31", heapify_levels},
    {"heapsort_topdown", vat_bounds_heapsort_topdown_lower,
     vat_bounds_heapsort_topdown_upper,
     "2.4 Heapify, and " HEAPS ", or " EACH_NODE " in the second phase",
     "2.4 Heapsort and theorem 2.14", heapsort},
    {"quicksort_plain", vat_bounds_quicksort_lower,
     vat_bounds_quicksort_plain_upper, "2.5 Quicksort, medians as pivots",
     "2.5 Quicksort, random pivots", quicksort},
    {"binary_search_plain", vat_bounds_bisect_lower, vat_bounds_bisect_upper,
     "lemma 2.28, layer by layer",
     "lemma 2.28 and theorem 2.14, or what LRU remembers", bisect},
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
    {"matmul_rows", vat_bounds_product_rows_lower,
     vat_bounds_product_rows_upper, "2.6.2, layer by layer",
     "2.6.2, layer by layer", nothing},
    {"funnelsort", vat_bounds_funnel_lower, vat_bounds_funnel_upper,
     "what each merge touches, less W", "visits of funnels that fit W", tall},
    {"fft_radix2", vat_bounds_fft_lower, vat_bounds_fft_upper,
     "what each pass touches, less W", "what LRU remembers", nothing},
    {"fft_recursive", vat_bounds_fft_split_lower, vat_bounds_fft_split_upper,
     PART, "parts that fit W", tall},
    {0}};

const struct predict_form *predict_form_find(const char *algo) {
  const struct predict_form *form = predict_forms;
  while (form->algo && strcmp(form->algo, algo)) form++;
  return form->algo ? form : NULL;
}

enum predict_status predict_printed_status(const struct predict_printed *p,
                                           enum vat_bounds_policy policy) {
  return p->status[policy != VAT_BOUNDS_RECENT];
}

const struct predict_printed *predict_printed_next(
    const struct predict_form *form, const struct predict_printed *p,
    enum vat_bounds_policy policy) {
  bool holds = p && predict_printed_status(p, policy) == PREDICT_HOLDS;
  const struct predict_printed *next = p ? p + 1 : form->printed;
  while (holds && next->side && !strcmp(next->side, p->side) &&
         predict_printed_status(next, policy) == PREDICT_CORRECTED)
    next++;
  return next->side ? next : NULL;
}
