/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/algo_sets.h"

#include <config.h>
#include <errno.h>
#include <string.h>

/* What the thesis ran as quicksort, "a synonym" for the STL's introsort; and
 * what is analysed there, where the former is not built in. */
#ifdef HAVE_STDSORT
#define QUICKSORT "std_sort"
#define STD_SORT , "std_sort"
#else
#define QUICKSORT "quicksort_plain"
#define STD_SORT
#endif

const struct algo_set cpu_algo_sets[] = {
    {"default",
     "the programs of section 2.1 of the thesis, tuned",
     {"permute", "random_scan", "binary_search", "heapify", "heapsort",
      "introsort", "sequential_scan"}},
    {"thesis",
     "the programs of section 2.1 of the thesis, as it has them",
     {"permute", "random_scan", "binary_search_plain", "heapify_levels",
      "heapsort_topdown", QUICKSORT, "sequential_scan"}},
    {"both",
     "both of these, side by side",
     {"permute", "random_scan", "binary_search", "binary_search_plain",
      "heapify", "heapify_levels", "heapsort", "heapsort_topdown", "introsort",
      QUICKSORT, "sequential_scan"}},
    {"searches",
     "layouts of sorted keys",
     {"binary_search_plain", "binary_search", "veb_search", "eytzinger_search",
      "eytzinger_prefetch", "bplus_search"}},
    {"sorts",
     "sorts of an array",
     {"heapsort_topdown", "heapsort", "quicksort_plain", "introsort" STD_SORT}},
    {"transposes",
     "transposes of a matrix",
     {"transpose_rows", "transpose_recursive", "transpose_morton"}},
    {0}};

const struct algo_set *cpu_algo_set_find(const char *name) {
  for (const struct algo_set *set = cpu_algo_sets; set->name; set++)
    if (!strcmp(set->name, name)) return set;
  errno = EINVAL;
  return NULL;
}

size_t cpu_algo_set_count(const struct algo_set *set) {
  size_t count = 0;
  while (count < ALGO_SET_MOST && set->algos[count]) count++;
  return count;
}

bool cpu_algo_is_default(const struct algo *algo) {
  for (size_t i = 0; i < cpu_algo_set_count(cpu_algo_sets); i++)
    if (!strcmp(cpu_algo_sets[0].algos[i], algo->name)) return true;
  return false;
}
