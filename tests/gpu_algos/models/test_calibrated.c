/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calibrated and the integrated model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/models/integrated.h"
#include "gpu_algos/models/sheet.h"
#include "gpu_algos/models/tmm.h"
#include "tests/check.h"

/* Table 5.4, with 48 KiB of shared memory. */
static const struct calibrated_machine gtx480 = {.sms = 15,
                                                 .smem = 49152,
                                                 .cache = 16384,
                                                 .regs = 32768,
                                                 .warp = 32,
                                                 .min_warps = 6,
                                                 .max_blocks = 120,
                                                 .max_block = 1024,
                                                 .max_sm = 1536};

static double active(double threads, double regs, double smem,
                     enum calibrated_limit *by) {
  struct calibrated_kernel kernel = {threads, regs, smem, 15};
  return calibrated_active(&gtx480, &kernel, by);
}

static void test_occupancy_by_hand(void) {
  enum calibrated_limit by;
  CU_ASSERT_EQUAL(active(1024, 20, 0, &by), 1); /* 32768 / 20480 */
  CU_ASSERT_EQUAL(by, CALIBRATED_REGS);
  CU_ASSERT_EQUAL(active(256, 20, 0, &by), 6); /* 32768 / 5120, 1536 / 256 */
  CU_ASSERT_EQUAL(by, CALIBRATED_REGS);
  CU_ASSERT_EQUAL(active(256, 16, 0, &by), 6);
  CU_ASSERT_EQUAL(by, CALIBRATED_THREADS);
  CU_ASSERT_EQUAL(active(64, 16, 0, &by), 8);
  CU_ASSERT_EQUAL(by, CALIBRATED_BLOCKS);
  CU_ASSERT_EQUAL(active(64, 16, 16000, &by), 3);
  CU_ASSERT_EQUAL(by, CALIBRATED_SMEM);
  CU_ASSERT_EQUAL(active(2048, 63, 0, &by), 0);
  CU_ASSERT_EQUAL(by, CALIBRATED_THREADS);
  CU_ASSERT_EQUAL(active(64, 16, 50000, &by), 0);
  CU_ASSERT_EQUAL(active(2000, 0, 0, &by), 0);
}

/* Blocks are put on a multiprocessor until one more does not fit. */
static void test_blocks_are_put_there(void) {
  struct cpu_random random = {31};
  for (int i = 0; i < 5000; i++) {
    double threads = (double)cpu_random_below(&random, 1024) + 1;
    double regs = (double)cpu_random_below(&random, 64);
    double smem = (double)cpu_random_below(&random, 50000);
    double put = 0;
    enum calibrated_limit by;
    while (put + 1 <= 8 && (put + 1) * threads <= 1536 &&
           (put + 1) * threads * regs <= 32768 && (put + 1) * smem <= 49152)
      put++;
    CU_ASSERT_EQUAL(active(threads, regs, smem, &by), put);
  }
}

/* Blocks are dealt to multiprocessors, B_a at a time; a block's work is 1 /
 * B_r of all. */
static double dealt(unsigned blocks, unsigned at_once, unsigned sms) {
  unsigned waves = 0;
  for (unsigned left = blocks; left; waves++)
    left -= left < at_once * sms ? left : at_once * sms;
  return (double)waves * at_once / blocks * sms;
}

/* "The runtime is minimized at regular intervals" (6.2): exactly at multiples
 * of B_a P / Q, and between them it falls. */
static void test_the_zigzag(void) {
  static const unsigned at_once[] = {1, 3, 4}, sms[] = {1, 15, 30};
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      for (unsigned blocks = 1; blocks <= 500; blocks++) {
        double f = calibrated_sched(blocks, at_once[i], sms[j]);
        double next = calibrated_sched(blocks + 1, at_once[i], sms[j]);
        bool whole = blocks % (at_once[i] * sms[j]) == 0;
        CU_ASSERT_DOUBLE_EQUAL(f, dealt(blocks, at_once[i], sms[j]), 1e-12);
        CU_ASSERT(whole ? f == 1 : f > 1);
        CU_ASSERT(whole ? next >= f : next < f);
        CU_ASSERT_EQUAL(calibrated_blocks_optimal(blocks, at_once[i], sms[j]),
                        whole);
      }
  CU_ASSERT_DOUBLE_EQUAL(calibrated_sched(16, 1, 15), 30 / 16., 1e-12);
  CU_ASSERT(calibrated_sched(1e9 + 1, 1, 15) < 1 + 1e-7);
}

/* (5.5) and (5.6), for T_r = 960 and 1024 as in figure 5.2. */
static void test_good_choices(void) {
  struct calibrated_kernel kernel = {1024, 0, 0, 15};
  CU_ASSERT(calibrated_threads_good(&gtx480, &kernel, 1));
  CU_ASSERT(calibrated_blocks_good(&gtx480, 90, 1));
  CU_ASSERT_FALSE(calibrated_blocks_good(&gtx480, 91, 1));
  CU_ASSERT_FALSE(calibrated_blocks_good(&gtx480, 135, 1)); /* over 120 */
  kernel.threads = 960;
  CU_ASSERT(calibrated_threads_good(&gtx480, &kernel, 1));
  CU_ASSERT_FALSE(calibrated_threads_good(&gtx480, &kernel, 2)); /* 768 */
  kernel.threads = 970;
  CU_ASSERT_FALSE(calibrated_threads_good(&gtx480, &kernel, 1));
  kernel.threads = 160; /* under 6 warps */
  CU_ASSERT_FALSE(calibrated_threads_good(&gtx480, &kernel, 1));
  kernel.threads = 192;
  CU_ASSERT(calibrated_threads_good(&gtx480, &kernel, 1));
  kernel.regs = 32; /* 1024 threads a multiprocessor, 512 with two blocks */
  CU_ASSERT_FALSE(calibrated_threads_good(&gtx480, &kernel, 1));
  kernel.threads = 512;
  CU_ASSERT(calibrated_threads_good(&gtx480, &kernel, 1));
}

static void test_caches(void) {
  CU_ASSERT_EQUAL(calibrated_cache(16384, 8192, 5), 1);
  CU_ASSERT_EQUAL(calibrated_cache(16384, 16384, 5), 1);
  CU_ASSERT_EQUAL(calibrated_cache(16384, 32768, 5), 3);
  CU_ASSERT_EQUAL(calibrated_hit_rate(16384, 65536), 0.25);
  CU_ASSERT_EQUAL(calibrated_cache(0, 1, 5), 5);
  CU_ASSERT_DOUBLE_EQUAL(calibrated_cache(16384, 1e15, 5), 5, 1e-9);
  double last = 1;
  for (double m = 1000; m < 1e7; m *= 1.01) {
    double f = calibrated_cache(16384, m, 5);
    CU_ASSERT(f >= last && f <= last * 1.05 && f <= 5);
    last = f;
  }
}

/* A filter of random functions, in which strangers are looked up. */
static double tried(unsigned bits, unsigned functions, unsigned elements) {
  enum { FILTERS = 200, STRANGERS = 500 };
  struct cpu_random random = {32};
  double hits = 0;
  for (unsigned f = 0; f < FILTERS; f++) {
    unsigned char *set = calloc(bits, 1);
    for (unsigned i = 0; i < elements * functions; i++)
      set[cpu_random_below(&random, bits)] = 1;
    for (unsigned i = 0; i < STRANGERS; i++) {
      unsigned found = 0;
      for (unsigned k = 0; k < functions; k++)
        found += set[cpu_random_below(&random, bits)];
      hits += found == functions;
    }
    free(set);
  }
  return hits / (FILTERS * STRANGERS);
}

static void test_false_positives(void) {
  for (double m = 2; m < 5000; m *= 3)
    for (double k = 1; k < 9; k++)
      for (double n = 1; n < m; n *= 4) {
        double direct = pow(1 - pow(1 - 1 / m, k * n), k);
        CU_ASSERT_DOUBLE_EQUAL(calibrated_fpr(m, k, n), direct,
                               1e-9 * direct + 1e-15);
      }
  CU_ASSERT_DOUBLE_EQUAL(calibrated_fpr(4096, 3, 800), tried(4096, 3, 800),
                         0.005);
  CU_ASSERT_DOUBLE_EQUAL(calibrated_fpr(4096, 6, 1200), tried(4096, 6, 1200),
                         0.01);
  CU_ASSERT_EQUAL(calibrated_fpr(4096, 6, 0), 0);
}

/* Where blocks come out even it is the TMM model's time without span. */
static void test_integrated_is_the_tmm_model(void) {
  struct cpu_random random = {33};
  for (int i = 0; i < 2000; i++) {
    double sms = (double)cpu_random_below(&random, 30) + 1;
    double at_once = (double)cpu_random_below(&random, 8) + 1;
    double waves = (double)cpu_random_below(&random, 9) + 1;
    struct tmm_machine machine = {
        .L = 500, .P = 32 * sms, .C = 32, .Z = 1e30, .Q = 32, .X = 1e30};
    struct integrated_grid grid = {.cores = machine.P,
                                   .group = 32,
                                   .blocks = waves * at_once * sms,
                                   .active = at_once,
                                   .latency = machine.L};
    struct tmm_program program = {
        (double)cpu_random_below(&random, 1000000) + 1, 1e-30,
        (double)cpu_random_below(&random, 10000) + 1, 0};
    struct tmm_result result;
    grid.threads = (double)cpu_random_below(&random, 48) + 1;
    tmm_evaluate(&machine, &program, grid.threads, &result);
    double time = integrated_time(&grid, program.T1, program.M);
    CU_ASSERT_DOUBLE_EQUAL(time / result.time, 1, 1e-12);
    double f = calibrated_sched(grid.blocks + 1, at_once, sms);
    grid.blocks++;
    time = integrated_time(&grid, program.T1, program.M);
    CU_ASSERT_DOUBLE_EQUAL(time / result.time, f, 1e-12 * f);
  }
}

/* (6.7) as it is printed, for 8192 vertices in sub-blocks of 32 (6.4). */
static void test_apsp_by_hand(void) {
  struct integrated_grid grid = {480, 32, 65536, 4, 4, 800};
  double n = 8192;
  double memory = n * n * 13 * 800 * 256 / (32 * 4), work = n * n * n * 13;
  double f = ceil(32 * 65536 / (4 * 480.)) * 4 / (32 * 65536);
  CU_ASSERT_DOUBLE_EQUAL(
      integrated_apsp_time(&grid, n, 32) / (fmax(work, memory) * f), 1, 1e-12);
  CU_ASSERT_EQUAL(integrated_apsp_accesses(n, 32, 32), work / 1024);
  CU_ASSERT_EQUAL(integrated_apsp_threads(800, 32, 32), 0.78125);
  /* 6.3.2: S_D = 64, 32, 16 flatten at 8, 16, 32 threads. */
  for (double side = 16; side <= 64; side *= 2)
    CU_ASSERT_EQUAL(integrated_apsp_threads(16384, side, 32), 512 / side);
}

/* From memory to computing at T = L / (S_D C), without a jump. */
static void test_apsp_turns_where_it_says(void) {
  struct integrated_grid grid = {480, 32, 256 * 256, 1, 1, 16384};
  double turn = integrated_apsp_threads(16384, 32, 32), flat, before;
  grid.threads = 2 * turn;
  flat = integrated_apsp_time(&grid, 8192, 32);
  grid.threads = turn;
  CU_ASSERT_DOUBLE_EQUAL(integrated_apsp_time(&grid, 8192, 32) / flat, 1,
                         1e-12);
  grid.threads = turn / 2;
  before = integrated_apsp_time(&grid, 8192, 32);
  CU_ASSERT_DOUBLE_EQUAL(before / flat, 2, 1e-12);
}

/* At both ends of what has two, on all machines: numbers, or NAN where no block
 * fits; and names there are. */
static void test_all_sheets_take_their_ranges(void) {
  static const struct sheet_model *const models[] = {&sheet_model_calibrated,
                                                     &sheet_model_integrated};
  struct sheet_machine machine;
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; models[k]->machine(i, &machine); i++)
      for (const struct sheet *s = models[k]->sheets; s->name; s++)
        for (int ends = 0; ends < 2; ends++) {
          double in[SHEET_PARAMETERS_MAX], out[SHEET_OUTPUTS_MAX];
          for (int j = 0; s->parameters[j].name; j++) {
            const struct sheet_parameter *p = &s->parameters[j];
            in[j] = p->value           ? machine.value[p->value - 1]
                    : !isnan(p->usual) ? p->usual
                    : ends             ? p->least + 1000
                                       : p->least;
            CU_ASSERT(j < SHEET_PARAMETERS_MAX && strlen(p->meaning));
            CU_ASSERT(in[j] >= p->least && in[j] <= p->most);
            CU_ASSERT_EQUAL(sheet_parameter_find(s, p->name), j);
          }
          s->evaluate(in, out);
          for (int j = 0; s->outputs[j].key; j++) {
            CU_ASSERT(j < SHEET_OUTPUTS_MAX && !isinf(out[j]));
            CU_ASSERT(!s->outputs[j].names || s->outputs[j].names[(int)out[j]]);
            CU_ASSERT_EQUAL(sheet_output_find(s, s->outputs[j].key), j);
          }
          CU_ASSERT_PTR_EQUAL(sheet_find(models[k], s->name), s);
        }
  CU_ASSERT_FALSE(sheet_machine_find(models[0], "no such", &machine));
  CU_ASSERT(sheet_machine_find(models[1], "gtx480", &machine));
  CU_ASSERT(machine.value[0] == 480 && machine.value[1] == 32);
}

static const struct check_test tests[] = {
    {"occupancy by hand", test_occupancy_by_hand},
    {"blocks are put there", test_blocks_are_put_there},
    {"the zigzag", test_the_zigzag},
    {"good choices", test_good_choices},
    {"caches", test_caches},
    {"false positives", test_false_positives},
    {"integrated is the TMM model", test_integrated_is_the_tmm_model},
    {"APSP by hand", test_apsp_by_hand},
    {"APSP turns where it says", test_apsp_turns_where_it_says},
    {"all sheets take their ranges", test_all_sheets_take_their_ranges},
    {0}};

const struct check_suite suite_calibrated = {"calibrated, integrated model",
                                             tests, NULL};
