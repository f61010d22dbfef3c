/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/models/integrated.h"
#include "gpu_algos/models/sheet.h"
#include "gpu_algos/models/tmm.h"

#define MOST 1e18

enum value { NONE, CORES, GROUP, LATENCY, CHUNK };

#define OF(name, meaning, value) \
  { name, meaning, NAN, value, 1, MOST, true }
#define GIVEN(name, meaning, least) \
  { name, meaning, NAN, NONE, least, MOST, true }
#define NUMBER(name, meaning, usual, least) \
  { name, meaning, usual, NONE, least, MOST, false }
#define THREADS NUMBER("threads", "threads per core, T", NAN, 1e-6)
#define GRID                                                                 \
  OF("P", "cores", CORES), OF("Q", "cores of a multiprocessor", GROUP),      \
      OF("L", "steps of an access to global memory", LATENCY),               \
      OF("C", "words that it moves", CHUNK), THREADS, {                      \
    "active", "blocks of a multiprocessor that are active, B_a", 1, NONE, 1, \
        MOST, true                                                           \
  }

static struct integrated_grid grid_of(const double *p, double blocks) {
  return (struct integrated_grid){.cores = p[0],
                                  .group = p[1],
                                  .latency = p[2],
                                  .threads = p[4],
                                  .active = p[5],
                                  .blocks = blocks};
}

/* What stands in all of its outputs. */
static void tell(const struct integrated_grid *grid, double T1, double M,
                 double *out) {
  double memory = M * grid->latency / grid->threads;
  out[0] = T1;
  out[1] = memory;
  out[2] = memory > T1;
  out[3] =
      calibrated_sched(grid->blocks, grid->active, grid->cores / grid->group);
  out[4] = integrated_time(grid, T1, M);
}

static const char *const bounds[] = {"compute", "memory"};
#define OUTPUTS                                                                \
  {"compute", NULL}, {"memory", NULL}, {"bound", bounds}, {"f_sched", NULL}, { \
    "time", NULL                                                               \
  }

static void any(const double *p, double *out) {
  struct integrated_grid grid = grid_of(p, p[6]);
  tell(&grid, p[7], p[8], out);
}

static const struct sheet_parameter any_in[] = {
    GRID,
    GIVEN("blocks", "blocks that are requested, B_r", 1),
    NUMBER("T1", "work", NAN, 1),
    NUMBER("M", "accesses to global memory", NAN, 0),
    {0}};
static const struct sheet_output any_out[] = {OUTPUTS, {0}};

static void apsp(const double *p, double *out) {
  double n = p[6], side = fmin(p[7], n), blocks = n / side * (n / side);
  struct integrated_grid grid = grid_of(p, blocks);
  double M = integrated_apsp_accesses(n, side, p[3]);
  tell(&grid, M * side * p[3], M, out);
  out[5] = blocks;
  out[6] = sqrt(blocks) / grid.threads;
  out[7] = integrated_apsp_threads(grid.latency, side, p[3]);
}

static const struct sheet_parameter apsp_in[] = {
    GRID,
    GIVEN("n", "vertices", 2),
    GIVEN("sub-block", "rows and columns of a sub-block, S_D", 1),
    {0}};
static const struct sheet_output apsp_out[] = {OUTPUTS,
                                               {"blocks", NULL},
                                               {"sqrt_blocks_per_thread", NULL},
                                               {"compute_bound_threads", NULL},
                                               {0}};

/* (6.10); blocks and threads, and two constants that are fitted. */
static void line(const double *p, double *out) {
  out[0] = sqrt(p[0]) / p[1];
  out[1] = p[2] * out[0] + p[3];
}

static const struct sheet_parameter line_in[] = {
    GIVEN("blocks", "blocks that are requested, B_r", 1),
    THREADS,
    NUMBER("a1", "what a unit of sqrt(B_r) / T takes", 1, 0),
    NUMBER("a0", "what it takes besides", 0, -MOST),
    {0}};
static const struct sheet_output line_out[] = {
    {"sqrt_blocks_per_thread", NULL}, {"time", NULL}, {0}};

static const struct sheet sheets[] = {
    {"kernel", "any kernel, by its work and accesses", "6.1 to 6.3", any_in,
     any_out, any},
    {"apsp_matmul", "all shortest paths, squaring the matrix", "6.5 to 6.9",
     apsp_in, apsp_out, apsp},
    {"apsp_line", "its time, where memory bounds it, as a line", "6.10",
     line_in, line_out, line},
    {0}};

/* A machine of the TMM model. */
static bool machine_at(size_t index, struct sheet_machine *machine) {
  const struct tmm_machine *m = tmm_machines;
  while (index && m->name) m++, index--;
  *machine = (struct sheet_machine){
      m->name, m->title, m->source, {m->P, m->Q, m->L, m->C}};
  return m->name != NULL;
}

const struct sheet_model sheet_model_integrated = {
    .name = "integrated",
    .title = "Integrated model",
    .source = "Ma, PhD thesis 2014, chapter 6",
    .sheets = sheets,
    .machine = machine_at};
