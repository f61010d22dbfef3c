/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/models/sheet.h"

#define MOST 1e18
#define KIB 1024.

/* What machines have, in the order of their rows. */
enum value {
  NONE,
  SMS,
  SMEM,
  CACHE,
  REGS,
  WARP,
  WARPS,
  BLOCKS,
  BLOCK,
  SM,
  WARP_REGS,
  PARTS,
  SMEM_UNIT,
  SMEM_OWN,
  THREAD_REGS
};

/* How multiprocessors of compute capability 8.0 and 9.0 allot registers and
 * shared memory. */
#define ALLOT 256, 4, 128, KIB, 255

/* B_max is of 8 blocks a multiprocessor, 32 on later ones, as in table 5.4. */
static const struct sheet_machine machines[] = {
    {"gtx480",
     "GeForce GTX 480",
     "table 5.4, with 48 KiB of shared memory and 16 of cache",
     {15, 48 * KIB, 16 * KIB, 32768, 32, 6, 120, 1024, 1536}},
    {"c1060",
     "Tesla C1060",
     "figure 5.12; NVIDIA, CUDA C Programming Guide, compute capability 1.3, "
     "which has no cache",
     {30, 16 * KIB, 0, 16384, 32, 6, 240, 512, 1024}},
    {"a100",
     "A100",
     "NVIDIA, CUDA C++ Programming Guide, compute capability 8.0",
     {108, 164 * KIB, 28 * KIB, 65536, 32, 6, 108 * 32, 1024, 2048, ALLOT}},
    {"h100",
     "H100 SXM",
     "NVIDIA, CUDA C++ Programming Guide, compute capability 9.0",
     {132, 228 * KIB, 28 * KIB, 65536, 32, 6, 132 * 32, 1024, 2048, ALLOT}},
    {"h200",
     "H200 SXM",
     "as the H100",
     {132, 228 * KIB, 28 * KIB, 65536, 32, 6, 132 * 32, 1024, 2048, ALLOT}}};

/* Whole numbers, all but NUMBER and COEFFICIENTS. */
#define OF(name, meaning, value, least) \
  { name, meaning, NAN, value, least, MOST, true }
#define GIVEN(name, meaning, least) \
  { name, meaning, NAN, NONE, least, MOST, true }
#define USUAL(name, meaning, usual, least) \
  { name, meaning, usual, NONE, least, MOST, true }
#define NUMBER(name, meaning, usual, least) \
  { name, meaning, usual, NONE, least, MOST, false }
#define SMS_ OF("sms", "multiprocessors, P / Q", SMS, 1)
#define KERNEL                                                               \
  GIVEN("threads", "threads of a block, T_r", 1),                            \
      USUAL("regs", "registers of a thread, R_T; 0: they bound none", 0, 0), \
      USUAL("smem", "bytes of shared memory of a block, Z_B", 0, 0)
#define MACHINE                                                               \
  OF("sm-smem", "bytes of shared memory of a multiprocessor, Z", SMEM, 0),    \
      OF("sm-regs", "registers of a multiprocessor, R", REGS, 1),             \
      OF("max-blocks", "blocks in all, B_max", BLOCKS, 1),                    \
      OF("max-sm", "threads of a multiprocessor, T_maxMP", SM, 1),            \
      OF("warp", "threads of a warp, W", WARP, 1),                            \
      OF("max-block", "threads of a block at most, T_maxB", BLOCK, 1),        \
      OF("warp-regs", "what registers of a warp come in; 0: any number",      \
         WARP_REGS, 0),                                                       \
      OF("parts", "parts that registers are shared out to; 0: none", PARTS,   \
         0),                                                                  \
      OF("smem-unit",                                                         \
         "bytes that shared memory of a block comes in; 0: any number",       \
         SMEM_UNIT, 0),                                                       \
      OF("smem-own", "bytes that a block has besides", SMEM_OWN, 0),          \
      OF("thread-regs", "registers of a thread at most; 0: all", THREAD_REGS, \
         0)
#define GRID                                                                 \
  GIVEN("blocks", "blocks that are requested, B_r", 1),                      \
      GIVEN("active", "blocks of a multiprocessor that are active, B_a", 1), \
      SMS_
#define COEFFICIENTS                                \
  NUMBER("a1", "what a unit of f_app takes", 1, 0), \
      NUMBER("a0", "what it takes besides", 0, -MOST)

/* Of the parameters that KERNEL, SMS_ and MACHINE begin with. */
static struct calibrated_kernel kernel_of(const double *p) {
  return (struct calibrated_kernel){
      .threads = p[0], .regs = p[1], .smem = p[2]};
}

static struct calibrated_machine machine_of(const double *p) {
  return (struct calibrated_machine){.sms = p[3],
                                     .smem = p[4],
                                     .regs = p[5],
                                     .max_blocks = p[6],
                                     .max_sm = p[7],
                                     .warp = p[8],
                                     .max_block = p[9],
                                     .warp_regs = p[10],
                                     .parts = p[11],
                                     .smem_unit = p[12],
                                     .smem_own = p[13],
                                     .thread_regs = p[14]};
}

static void occupancy(const double *p, double *out) {
  struct calibrated_kernel kernel = kernel_of(p);
  struct calibrated_machine machine = machine_of(p);
  enum calibrated_limit by;
  out[0] = calibrated_active(&machine, &kernel, &by);
  out[1] = by;
  out[2] = out[0] / floor(machine.max_blocks / machine.sms);
  out[3] = out[0] * kernel.threads;
  out[4] = out[0] * machine.sms;
}

static const struct sheet_parameter occupancy_in[] = {
    KERNEL, SMS_, MACHINE, {0}};
static const char *const limits[] = {"shared memory", "registers", "blocks",
                                     "threads"};
static const struct sheet_output occupancy_out[] = {
    {"active_blocks", NULL},  {"limited_by", limits}, {"occupancy", NULL},
    {"active_threads", NULL}, {"optimal_step", NULL}, {0}};

static void launch(const double *p, double *out) {
  struct calibrated_kernel kernel = kernel_of(p);
  struct calibrated_machine machine = machine_of(p);
  enum calibrated_limit by;
  machine.min_warps = p[15];
  kernel.blocks = p[16];
  double active = calibrated_active(&machine, &kernel, &by);
  out[0] = active;
  out[1] = calibrated_blocks_optimal(kernel.blocks, active, machine.sms);
  out[2] = calibrated_blocks_good(&machine, kernel.blocks, active);
  out[3] = fmod(kernel.threads, machine.warp) == 0;
  out[4] = active > 0 && calibrated_threads_good(&machine, &kernel, active);
  out[5] =
      active > 0 ? calibrated_sched(kernel.blocks, active, machine.sms) : NAN;
}

static const struct sheet_parameter launch_in[] = {
    KERNEL,
    SMS_,
    MACHINE,
    OF("min-warps", "warps that a block has at least, N_W", WARPS, 0),
    GIVEN("blocks", "blocks that are requested, B_r", 1),
    {0}};
static const struct sheet_output launch_out[] = {{"active_blocks", NULL},
                                                 {"in_b_opt", sheet_truth},
                                                 {"a_b", sheet_truth},
                                                 {"in_t_opt", sheet_truth},
                                                 {"a_t", sheet_truth},
                                                 {"f_sched", NULL},
                                                 {0}};

static void sched(const double *p, double *out) {
  out[0] = calibrated_sched(p[0], p[1], p[2]);
  out[1] = calibrated_blocks_optimal(p[0], p[1], p[2]);
}

static const struct sheet_parameter sched_in[] = {GRID, {0}};
static const struct sheet_output sched_out[] = {
    {"f_sched", NULL}, {"in_b_opt", sheet_truth}, {0}};

static void cache(const double *p, double *out) {
  out[0] = p[0] < p[1];
  out[1] = calibrated_hit_rate(p[1], p[0]);
  out[2] = 1 - out[1];
  out[3] = calibrated_cache(p[1], p[0], p[2]);
}

#define CACHE_                                                                \
  GIVEN("working-set", "bytes that are accessed at random, m", 1),            \
      OF("cache", "bytes of cache of a multiprocessor, C_s", CACHE, 0),       \
      NUMBER("slowdown", "time of what always misses over what hits, G", NAN, \
             1)
static const struct sheet_parameter cache_in[] = {CACHE_, {0}};
static const struct sheet_output cache_out[] = {{"fits", sheet_truth},
                                                {"hit_rate", NULL},
                                                {"miss_rate", NULL},
                                                {"f_cache", NULL},
                                                {0}};

static void fpr(const double *p, double *out) {
  out[0] = calibrated_fpr(p[0], p[1], p[2]);
}

static const struct sheet_parameter fpr_in[] = {
    GIVEN("m-bits", "bits of the Bloom vector, m", 2),
    GIVEN("k", "hash functions", 1),
    NUMBER("elements", "elements that are hashed into it, n_e", NAN, 0),
    {0}};
static const struct sheet_output fpr_out[] = {{"fpr", NULL}, {0}};

/* (5.9), (5.14), with two constants as (5.24). */
static void tell(double f_app, double f_cache, double f_sched, double a1,
                 double a0, double n, double *out) {
  out[0] = f_app;
  out[1] = f_cache;
  out[2] = f_sched;
  out[3] = a1 * f_app * f_cache * f_sched + a0;
  out[4] = n / out[3];
}

static const struct sheet_output time_out[] = {
    {"f_app", NULL}, {"f_cache", NULL},    {"f_sched", NULL},
    {"time", NULL},  {"throughput", NULL}, {0}};

static void hashing(const double *p, double *out) {
  tell(p[8], calibrated_cache(p[4], p[3], p[5]),
       calibrated_sched(p[0], p[1], p[2]), p[6], p[7], p[8], out);
}

static const struct sheet_parameter hashing_in[] = {
    GRID, CACHE_, COEFFICIENTS, GIVEN("n", "words that are looked up", 1), {0}};

static void bloom_blastn(const double *p, double *out) {
  tell(p[5] * p[6] / p[7] * p[8], 1, calibrated_sched(p[0], p[1], p[2]), p[3],
       p[4], p[8], out);
}

static const struct sheet_parameter bloom_blastn_in[] = {
    GRID,
    COEFFICIENTS,
    GIVEN("k", "hash functions", 1),
    GIVEN("query", "letters of the query, Q_s", 1),
    GIVEN("n-sub", "letters of a sub-query", 1),
    GIVEN("n", "letters of the database", 1),
    {0}};

static void facs(const double *p, double *out) {
  tell(p[8] * p[9] / (p[1] * p[2]), calibrated_cache(p[4], p[3], p[5]),
       calibrated_sched(p[0], p[1], p[2]), p[6], p[7], p[9], out);
}

static const struct sheet_parameter facs_in[] = {
    GRID,
    CACHE_,
    COEFFICIENTS,
    GIVEN("k", "hash functions", 1),
    GIVEN("n", "reads that are classified", 1),
    {0}};

static const struct sheet sheets[] = {
    {"occupancy", "blocks that are active at once", "5.1 to 5.3", occupancy_in,
     occupancy_out, occupancy},
    {"launch", "is a choice of blocks and threads a good one?", "5.2 to 5.6",
     launch_in, launch_out, launch},
    {"sched", "what blocks that do not come out even cost", "5.13", sched_in,
     sched_out, sched},
    {"cache", "what misses cost", "5.7, 5.10 to 5.12", cache_in, cache_out,
     cache},
    {"fpr", "false positives of a Bloom filter", "5.18", fpr_in, fpr_out, fpr},
    {"hashing", "random look-ups", "5.15, 5.9, 5.14", hashing_in, time_out,
     hashing},
    {"bloom_blastn", "BLAST's Bloom filter, in shared memory", "5.20 to 5.24",
     bloom_blastn_in, time_out, bloom_blastn},
    {"facs", "classes of reads, by Bloom filters in global memory",
     "5.27, 5.28", facs_in, time_out, facs},
    {0}};

static bool machine_at(size_t index, struct sheet_machine *machine) {
  if (index >= sizeof machines / sizeof *machines) return false;
  *machine = machines[index];
  return true;
}

const struct sheet_model sheet_model_calibrated = {
    .name = "calibrated",
    .title = "Calibrated model",
    .source = "Ma, PhD thesis 2014, chapter 5",
    .sheets = sheets,
    .machine = machine_at};
