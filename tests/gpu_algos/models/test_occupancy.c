/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Active blocks against NVIDIA's own formula, cuda_occupancy.h of the CUDA
 * toolkit, on random kernels. */
#include <config.h>

#include "tests/check.h"
extern const struct check_suite suite_occupancy;

#ifdef HAVE_CUDA_OCCUPANCY_H
#include <cuda_occupancy.h>
#include <stddef.h>
#include <stdlib.h>

#include "cpu_algos/random.h"
#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/models/sheet.h"

enum { KERNELS = 20000, RESERVED = 1024 };

/* A machine as both have it.  Header and model share no number but those. */
struct pair {
  cudaOccDeviceProp theirs;
  struct calibrated_machine ours;
};

/* Of the presets, whose numbers the sheet has in its parameters. */
static double of_preset(const char *preset, const char *parameter) {
  const struct sheet *sheet = sheet_find(&sheet_model_calibrated, "launch");
  int at = sheet_parameter_find(sheet, parameter);
  struct sheet_machine machine;
  if (at < 0 || !sheet_machine_find(&sheet_model_calibrated, preset, &machine))
    abort();
  return machine.value[sheet->parameters[at].value - 1];
}

static struct calibrated_machine machine_of(const char *preset) {
  return (struct calibrated_machine){
      .sms = of_preset(preset, "sms"),
      .smem = of_preset(preset, "sm-smem"),
      .regs = of_preset(preset, "sm-regs"),
      .warp = of_preset(preset, "warp"),
      .max_blocks = of_preset(preset, "max-blocks"),
      .max_block = of_preset(preset, "max-block"),
      .max_sm = of_preset(preset, "max-sm"),
      .warp_regs = of_preset(preset, "warp-regs"),
      .parts = of_preset(preset, "parts"),
      .smem_unit = of_preset(preset, "smem-unit"),
      .smem_own = of_preset(preset, "smem-own"),
      .thread_regs = of_preset(preset, "thread-regs")};
}

/* As cudaGetDeviceProperties() of such a device fills it. */
static cudaOccDeviceProp properties(int major, size_t sm_kib, int regs,
                                    int max_sm, int sms, size_t reserved) {
  size_t block = (size_t)48 << 10, sm = sm_kib << 10;
  return (cudaOccDeviceProp){.computeMajor = major,
                             .maxThreadsPerBlock = 1024,
                             .maxThreadsPerMultiprocessor = max_sm,
                             .regsPerBlock = regs,
                             .regsPerMultiprocessor = regs,
                             .warpSize = 32,
                             .sharedMemPerBlock = block,
                             .sharedMemPerMultiprocessor = sm,
                             .numSms = sms,
                             .sharedMemPerBlockOptin = sm - reserved,
                             .reservedSharedMemPerBlock = reserved};
}

static cudaOccResult theirs_of(const cudaOccDeviceProp *properties,
                               const struct calibrated_kernel *kernel) {
  size_t smem = (size_t)kernel->smem;
  cudaOccFuncAttributes attributes = {
      .maxThreadsPerBlock = 1024,
      .numRegs = (int)kernel->regs,
      .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
      .maxDynamicSharedSizeBytes = smem,
      .numBlockBarriers = 1};
  cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
  cudaOccResult result;
  CU_ASSERT_EQUAL_FATAL(
      cudaOccMaxActiveBlocksPerMultiprocessor(
          &result, properties, &attributes, &state, (int)kernel->threads, smem),
      CUDA_OCC_SUCCESS);
  return result;
}

/* Theirs names all that bound it, ours the first. */
static bool is_named(unsigned theirs, enum calibrated_limit ours) {
  static const unsigned bit[] = {[CALIBRATED_SMEM] = OCC_LIMIT_SHARED_MEMORY,
                                 [CALIBRATED_REGS] = OCC_LIMIT_REGISTERS,
                                 [CALIBRATED_BLOCKS] = OCC_LIMIT_BLOCKS,
                                 [CALIBRATED_THREADS] = OCC_LIMIT_WARPS};
  return theirs & bit[ours];
}

static bool agree(const struct pair *machine,
                  const struct calibrated_kernel *kernel,
                  enum calibrated_limit *by) {
  cudaOccResult theirs = theirs_of(&machine->theirs, kernel);
  double ours = calibrated_active(&machine->ours, kernel, by);
  bool same = ours == theirs.activeBlocksPerMultiprocessor &&
              is_named(theirs.limitingFactors, *by);
  if (!same)
    fprintf(stderr, "sm_%d0: %g threads, %g registers, %g bytes: %g, not %d\n",
            machine->theirs.computeMajor, kernel->threads, kernel->regs,
            kernel->smem, ours, theirs.activeBlocksPerMultiprocessor);
  return same;
}

/* Multiples of the units from one, or from none, on; more than there may be of
 * each, too. */
static struct calibrated_kernel random_kernel(struct cpu_random *random,
                                              unsigned threads, unsigned regs,
                                              unsigned smem, double most) {
  unsigned steps = (unsigned)(most / smem);
  /* Small blocks as often as large ones. */
  unsigned scale = 1u << cpu_random_below(random, 5);
  return (struct calibrated_kernel){
      .threads =
          (double)(threads +
                   threads * cpu_random_below(random, 1088 / threads / scale)),
      .regs = (double)(regs * cpu_random_below(random, 300 / regs)),
      .smem = (double)(smem * cpu_random_below(random, steps / scale))};
}

/* The header takes 256 registers of a thread; NVIDIA's guide, and nvcc, 255. */
static bool is_disputed(const struct calibrated_kernel *kernel) {
  return kernel->regs == 256;
}

/* All terms bound some of the kernels, or the test would be of fewer; but that
 * of blocks where as many of the smallest are too many threads. */
static void expect_all_agree(const struct pair *machine, unsigned threads,
                             unsigned regs, unsigned smem) {
  struct cpu_random random = {51};
  unsigned bound[CALIBRATED_LIMITS] = {0}, wrong = 0;
  for (unsigned i = 0; i < KERNELS && wrong < 10; i++) {
    struct calibrated_kernel kernel =
        random_kernel(&random, threads, regs, smem, machine->ours.smem * 1.1);
    enum calibrated_limit by;
    if (is_disputed(&kernel)) continue;
    wrong += !agree(machine, &kernel, &by);
    bound[by]++;
  }
  CU_ASSERT_EQUAL(wrong, 0);
  bool crowded = machine->ours.max_blocks / machine->ours.sms * threads >
                 machine->ours.max_sm;
  for (int i = 0; i < CALIBRATED_LIMITS; i++)
    CU_ASSERT(bound[i] > 100 || (i == CALIBRATED_BLOCKS && crowded));
}

static void test_compute_capability_8_and_9(void) {
  struct pair a100 = {properties(8, 164, 65536, 2048, 108, RESERVED),
                      machine_of("a100")};
  struct pair h100 = {properties(9, 228, 65536, 2048, 132, RESERVED),
                      machine_of("h100")};
  struct pair h200 = {h100.theirs, machine_of("h200")};
  expect_all_agree(&a100, 1, 1, 1);
  expect_all_agree(&h100, 1, 1, 1);
  expect_all_agree(&h200, 1, 1, 1);
}

/* The header begins with compute capability 3.0, with 16 blocks a
 * multiprocessor and 255 registers a thread; with those, and kernels that need
 * no rounding there, a GTX 480 is one for both: 4 parts of whole warps, 256
 * registers, 256 bytes. */
static void test_equation_5_2(void) {
  struct pair fermi = {properties(3, 48, 32768, 1536, 15, 0),
                       machine_of("gtx480")};
  fermi.ours.max_blocks = 16 * fermi.ours.sms;
  fermi.ours.thread_regs = 255;
  CU_ASSERT(!fermi.ours.warp_regs && !fermi.ours.smem_unit);
  expect_all_agree(&fermi, 128, 8, 256);
}

/* Each rule is needed: a machine without it is wrong about some kernel. */
static void test_each_difference_is_one(void) {
  static const size_t rules[] = {
      offsetof(struct calibrated_machine, warp_regs),
      offsetof(struct calibrated_machine, parts),
      offsetof(struct calibrated_machine, smem_unit),
      offsetof(struct calibrated_machine, smem_own),
      offsetof(struct calibrated_machine, thread_regs),
      offsetof(struct calibrated_machine, max_block)};
  struct calibrated_machine whole = machine_of("h100");
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    struct calibrated_machine less = whole;
    struct cpu_random random = {52};
    unsigned differ = 0;
    memcpy((char *)&less + rules[r], &(double){0}, sizeof(double));
    for (unsigned i = 0; i < KERNELS; i++) {
      struct calibrated_kernel kernel =
          random_kernel(&random, 1, 1, 1, whole.smem * 1.1);
      enum calibrated_limit by;
      differ += calibrated_active(&whole, &kernel, &by) !=
                calibrated_active(&less, &kernel, &by);
    }
    CU_ASSERT(differ > 0);
    if (!differ) fprintf(stderr, "rule %zu changes nothing\n", r);
  }
}

static const struct check_test tests[] = {
    {"as NVIDIA has it, of compute capability 8.0 and 9.0",
     test_compute_capability_8_and_9},
    {"as NVIDIA has it, where (5.2) is all", test_equation_5_2},
    {"each rule beside (5.2) is needed", test_each_difference_is_one},
    {0}};
static const char *skip(void) { return NULL; }
#else
static const struct check_test tests[] = {{0}};
static const char *skip(void) {
  return "no cuda_occupancy.h; install CUDA, or nvidia-cuda-toolkit";
}
#endif

const struct check_suite suite_occupancy = {"occupancy, by NVIDIA", tests,
                                            skip};
