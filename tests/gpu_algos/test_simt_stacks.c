/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "gpu_algos/simt/stacks.h"
#include "tests/check.h"

enum { PAGE = 4096, MAPPINGS_MOST = 1 << 17 };

static const size_t crowd_bytes = (size_t)2 * MAPPINGS_MOST * PAGE;

static void entry(void) { abort(); }

/* Every other page is made a mapping of its own, until the kernel has had
 * enough of them. */
static char *use_up_mappings(void) {
  char *crowd = mmap(NULL, crowd_bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (crowd == MAP_FAILED) return NULL;
  for (size_t at = PAGE; at < crowd_bytes; at += (size_t)2 * PAGE)
    if (mprotect(crowd + at, PAGE, PROT_READ)) return crowd;
  munmap(crowd, crowd_bytes);
  return NULL;
}

static void test_no_stack_is_without_a_guard(void) {
  struct simt_stacks stacks, others;
  CU_ASSERT_EQUAL_FATAL(simt_stacks_init(&stacks, 3), 0);
  char *crowd = use_up_mappings();
  CU_ASSERT_PTR_NOT_NULL_FATAL(crowd);
  const void *first = simt_stacks_take(&stacks, entry);
  const void *none = simt_stacks_take(&stacks, entry);
  int error = errno;
  int init = simt_stacks_init(&others, 3);
  munmap(crowd, crowd_bytes);
  const char *second = simt_stacks_take(&stacks, entry);
  CU_ASSERT_PTR_NOT_NULL(first);
  CU_ASSERT_PTR_NULL(none);
  CU_ASSERT_EQUAL(error, ENOMEM);
  CU_ASSERT_EQUAL(init, -1);
  CU_ASSERT_PTR_NOT_NULL(second);
  CU_ASSERT_EQUAL(stacks.guarded, 2);
  simt_stacks_fini(&stacks);
}

static const char *why_not(void) {
  long most = 0;
  FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
  if (!file) return "how many mappings a process may have is not told";
  if (fscanf(file, "%ld", &most) != 1) most = 0;
  fclose(file);
  return most > 0 && most < MAPPINGS_MOST ? NULL
                                          : "more mappings than are tried";
}

static const struct check_test tests[] = {
    {"no stack is without a guard", test_no_stack_is_without_a_guard}, {0}};
const struct check_suite suite_simt_stacks = {"stacks", tests, why_not};
