/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device's own calls, and how they fail. */
#include <string.h>

#include "gpu_algos/failure.h"
#include "tests/gpu_algos/gpu_case.h"

static const struct gpu_device *emu(void) { return gpu_emu()->device; }

static void test_memory_goes_there_and_back(void) {
  char there[100], back[100] = {0};
  uint64_t ns;
  for (size_t i = 0; i < sizeof there; i++) there[i] = (char)i;
  CU_ASSERT_EQUAL(emu()->open(), 0);
  void *memory = emu()->allocate(sizeof there);
  CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
  CU_ASSERT_EQUAL(emu()->upload(memory, there, sizeof there, &ns), 0);
  CU_ASSERT_EQUAL(emu()->download(back, memory, sizeof back, &ns), 0);
  CU_ASSERT_EQUAL(memcmp(there, back, sizeof back), 0);
  emu()->release(memory);
  emu()->release(NULL);
  CU_ASSERT_PTR_NULL(gpu_failure_first());
}

static void test_too_much_memory(void) {
  CU_ASSERT_PTR_NULL(emu()->allocate((size_t)1 << 60));
  const struct gpu_failure *failure = gpu_failure_first();
  CU_ASSERT_PTR_NOT_NULL_FATAL(failure);
  CU_ASSERT_STRING_EQUAL(failure->call,
                         "cudaMalloc of 1152921504606846976 bytes");
  CU_ASSERT_STRING_EQUAL(failure->name, "cudaErrorMemoryAllocation");
  CU_ASSERT_TRUE(failure->memory);
  gpu_failure_forget();
  CU_ASSERT_PTR_NULL(gpu_failure_first());
}

/* A kernel that reaches behind its memory is stopped, named, and told. */
static void test_a_kernel_that_fails(void) {
  struct gpu_case c = {gpu_emu(), gpu_counted(), gpu_index("copy"), 64,
                       1,         NULL};
  struct algo_run run = gpu_case_open(&c), there = run;
  uint64_t ns;
  there.memory = emu()->allocate(run.bytes / 2);
  CU_ASSERT_PTR_NOT_NULL_FATAL(there.memory);
  CU_ASSERT_EQUAL(emu()->run(c.runs->algos[c.index], &there, &ns), -1);
  const struct gpu_failure *failure = gpu_failure_first();
  CU_ASSERT_PTR_NOT_NULL_FATAL(failure);
  CU_ASSERT_STRING_EQUAL(failure->call, "launch of copy_tiles");
  CU_ASSERT_STRING_EQUAL(failure->name, "cudaErrorIllegalAddress");
  CU_ASSERT_PTR_NOT_NULL(strstr(failure->text, "copy_tiles"));
  CU_ASSERT_FALSE(failure->memory);
  gpu_failure_forget();
  emu()->release(there.memory);
  workspace_close(&run);
}

static void test_the_first_failure_is_told(void) {
  gpu_failure_note("one", "cudaErrorA", "a", false);
  gpu_failure_note("two", "cudaErrorB", "b", true);
  CU_ASSERT_STRING_EQUAL(gpu_failure_first()->call, "one");
  gpu_failure_forget();
  CU_ASSERT_PTR_NULL(gpu_failure_first());
}

static const struct check_test tests[] = {
    {"memory goes there and back", test_memory_goes_there_and_back},
    {"more memory than there is", test_too_much_memory},
    {"the first failure is told", test_the_first_failure_is_told},
    {NULL, NULL},
};
static const struct check_test counted_tests[] = {
    {"a kernel that fails is named", test_a_kernel_that_fails},
    {NULL, NULL},
};
extern const struct check_suite suite_gpu_device, suite_gpu_faults;
const struct check_suite suite_gpu_device = {"GPU devices", tests,
                                             gpu_skip_emu};
const struct check_suite suite_gpu_faults = {"kernels that fail", counted_tests,
                                             gpu_skip_counted};
