/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equations (3.1) to (3.3) of the TMM model, and its machines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "gpu_algos/models/tmm.h"
#include "tests/check.h"

/* Numbers that are easy by hand. */
static const struct tmm_machine toy = {
    "toy", "toy", "", .L = 100, .P = 8, .C = 4, .Z = 256, .Q = 4, .X = 16};

static struct tmm_result told(double T1, double Tinf, double M, double S,
                              double threads) {
  struct tmm_program program = {T1, Tinf, M, S};
  struct tmm_result result;
  tmm_evaluate(&toy, &program, threads, &result);
  return result;
}

/* 8000 operations, 100 in a row, 400 accesses. */
static void test_by_hand(void) {
  struct tmm_result r = told(8000, 100, 400, 1, 4);
  CU_ASSERT_EQUAL(r.threads, 4);
  CU_ASSERT_EQUAL(r.most, 10); /* 8000 / (100 * 8) */
  CU_ASSERT_EQUAL(r.by, TMM_LIMIT_PARALLELISM);
  CU_ASSERT_EQUAL(r.effective, 10000); /* 400 * 100 / 4 */
  CU_ASSERT_EQUAL(r.term[TMM_WORK], 1000);
  CU_ASSERT_EQUAL(r.term[TMM_SPAN], 100);
  CU_ASSERT_EQUAL(r.term[TMM_MEMORY], 1250);
  CU_ASSERT_EQUAL(r.dominant, TMM_MEMORY);
  CU_ASSERT_EQUAL(r.time, 1250);
  CU_ASSERT_EQUAL(r.speedup, 6.4);
  CU_ASSERT_FALSE(r.linear);
  CU_ASSERT_EQUAL(r.least_threads, 5);
  CU_ASSERT_EQUAL(r.most_latency, 200); /* 8000 / 400 * 10 */
  r = told(8000, 100, 400, 1, 5);
  CU_ASSERT(r.linear && r.speedup == 8 && r.time == 1000);
  CU_ASSERT_EQUAL(r.dominant, TMM_WORK);
  r = told(8000, 1000, 400, 1, 5);
  CU_ASSERT_EQUAL(r.threads, 1); /* 8000 / (1000 * 8) */
  CU_ASSERT_EQUAL(r.term[TMM_MEMORY], 5000);
  r = told(8000, 4000, 0, 1, 5);
  CU_ASSERT_EQUAL(r.dominant, TMM_SPAN);
  CU_ASSERT_EQUAL(r.speedup, 2);
}

static void test_threads_are_bounded(void) {
  CU_ASSERT_EQUAL(told(1e9, 1, 1, 1, INFINITY).most, 16);
  CU_ASSERT_EQUAL(told(1e9, 1, 1, 1, INFINITY).by, TMM_LIMIT_HARDWARE);
  CU_ASSERT_EQUAL(told(1e9, 1, 1, 8, INFINITY).most, 8); /* 256 / (4 * 8) */
  CU_ASSERT_EQUAL(told(1e9, 1, 1, 8, INFINITY).by, TMM_LIMIT_LOCAL);
  CU_ASSERT_EQUAL(told(1e9, 1, 1, 8, INFINITY).threads, 8);
  CU_ASSERT_EQUAL(told(1e9, 1, 1, 0, INFINITY).most, 16);
  CU_ASSERT_EQUAL(told(16, 1, 1, 8, INFINITY).most, 2);
}

/*
 * A core, step by step: `threads` of them do `rounds` of `work` operations and
 * an access that takes L; a step is an operation of one that does not wait.
 */
static double walked(unsigned threads, unsigned rounds, unsigned work,
                     unsigned latency) {
  unsigned ready[64] = {0}, left[64], done = 0, next = 0, now = 0;
  for (unsigned i = 0; i < threads; i++) left[i] = rounds * work;
  for (; done < threads; now++)
    for (unsigned i = 0; i < threads; i++) {
      unsigned t = (next + i) % threads;
      if (!left[t] || ready[t] > now) continue;
      if (--left[t] % work == 0) ready[t] = now + 1 + latency;
      done += !left[t];
      next = t + 1;
      break;
    }
  for (unsigned i = 0; i < threads; i++)
    if (ready[i] > now) now = ready[i];
  return now;
}

/* The larger term is a lower bound, and both together are an upper one. */
static void test_cores_are_walked_through(void) {
  static const unsigned threads[] = {1, 2, 3, 8, 20, 64}, work[] = {1, 5, 30};
  for (size_t i = 0; i < 6; i++)
    for (size_t j = 0; j < 3; j++) {
      enum { ROUNDS = 50 };
      double T = threads[i];
      struct tmm_machine core = {.L = 100, .P = 1, .X = 64, .Q = 1, .Z = 64};
      struct tmm_program program = {T * ROUNDS * work[j], ROUNDS * work[j],
                                    T * ROUNDS, 1};
      struct tmm_result r;
      tmm_evaluate(&core, &program, T, &r);
      double took = walked(threads[i], ROUNDS, work[j], 100);
      CU_ASSERT(took >= r.term[TMM_WORK] && took >= r.term[TMM_MEMORY]);
      CU_ASSERT(took <= r.term[TMM_WORK] + r.term[TMM_MEMORY]);
    }
}

static double number(struct cpu_random *random, double least, double most) {
  double u = (double)cpu_random_below(random, 1 << 30) / (1 << 30);
  return least * pow(most / least, u);
}

static struct tmm_machine any_machine(struct cpu_random *random) {
  return (struct tmm_machine){.L = number(random, 1, 2000),
                              .P = number(random, 1, 20000),
                              .C = number(random, 1, 64),
                              .Z = number(random, 64, 65536),
                              .Q = number(random, 1, 256),
                              .X = number(random, 1, 256)};
}

static struct tmm_program any_program(struct cpu_random *random) {
  struct tmm_program p = {.T1 = number(random, 1, 1e15), .S = 1};
  p.Tinf = number(random, 1, p.T1);
  p.M = number(random, p.T1 / 1000, p.T1);
  return p;
}

static double time_of(const struct tmm_machine *machine,
                      const struct tmm_program *program, double threads) {
  struct tmm_result r;
  tmm_evaluate(machine, program, threads, &r);
  return r.time;
}

/* Longer latency never helps, more threads never harm; both change the time by
 * no more than their own factor; and the ends are what PRAM says. */
static void test_it_is_monotone_between_its_limits(void) {
  struct cpu_random random = {11};
  for (int i = 0; i < 20000; i++) {
    struct tmm_machine machine = any_machine(&random), other = machine;
    struct tmm_program program = any_program(&random);
    double threads = number(&random, 0.1, 300), factor = 1 + 1e-3;
    double time = time_of(&machine, &program, threads);
    double more = time_of(&machine, &program, threads * factor);
    other.L *= factor;
    double slower = time_of(&other, &program, threads);
    CU_ASSERT(more <= time && more * factor >= time * (1 - 1e-12));
    CU_ASSERT(slower >= time && slower <= time * factor * (1 + 1e-12));
    other.L = 1e-30;
    CU_ASSERT_EQUAL(time_of(&other, &program, threads),
                    tmm_pram(&machine, &program));
    other = machine;
    other.X = 1e30;
    other.Z = 1e60;
    CU_ASSERT(time_of(&other, &program, INFINITY) <= time);
    CU_ASSERT(time >= tmm_pram(&machine, &program));
  }
}

/* (3.3) term by term, and what is said of a linear speed-up. */
static void test_the_speedup_is_what_it_says(void) {
  struct cpu_random random = {12};
  for (int i = 0; i < 20000; i++) {
    struct tmm_machine machine = any_machine(&random);
    struct tmm_program p = any_program(&random);
    struct tmm_result r;
    tmm_evaluate(&machine, &p, number(&random, 0.1, 300), &r);
    double speedup = fmin(
        machine.P,
        fmin(p.T1 / p.Tinf, machine.P * p.T1 * r.threads / (p.M * machine.L)));
    CU_ASSERT_DOUBLE_EQUAL(r.speedup, speedup, 1e-9 * speedup);
    CU_ASSERT_DOUBLE_EQUAL(r.effective / machine.P,
                           fmax(r.term[TMM_WORK], r.term[TMM_MEMORY]),
                           1e-9 * r.effective);
    bool linear = machine.P <= p.T1 / p.Tinf && r.threads >= r.least_threads;
    CU_ASSERT(r.linear == linear ||
              fabs(r.threads / r.least_threads - 1) < 1e-9);
    CU_ASSERT((machine.L <= r.most_latency * (1 + 1e-9)) >=
              (r.linear && r.threads == r.most));
  }
}

/* Where times are equal, found by halving. */
static double halved(const struct tmm_machine *machine,
                     const struct tmm_program *a, const struct tmm_program *b) {
  double low = 1e-12, high = 1e15;
  bool first = time_of(machine, a, low) < time_of(machine, b, low);
  for (int i = 0; i < 200; i++) {
    double middle = sqrt(low * high);
    if ((time_of(machine, a, middle) < time_of(machine, b, middle)) == first)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void test_crossings_are_found(void) {
  struct cpu_random random = {13};
  int found = 0;
  for (int i = 0; i < 3000; i++) {
    struct tmm_machine machine = any_machine(&random);
    struct tmm_program a = any_program(&random), b = any_program(&random);
    machine.X = machine.Z = 1e30; /* as many threads as it takes */
    b.T1 = a.T1 * number(&random, 0.1, 10);
    b.M = a.M * number(&random, 0.01, 100);
    a.Tinf = b.Tinf = 1e-30;
    double crossing = tmm_crossing(&machine, &a, &b);
    CU_ASSERT(isnan(crossing) == !((a.M < b.M) == (a.T1 > b.T1)));
    CU_ASSERT(isnan(crossing) == isnan(tmm_crossing(&machine, &b, &a)));
    if (isnan(crossing)) continue;
    CU_ASSERT_DOUBLE_EQUAL(halved(&machine, &a, &b) / crossing, 1, 1e-6);
    found++;
  }
  CU_ASSERT(found > 1000);
  struct tmm_program same = {100, 10, 50, 1};
  CU_ASSERT(isnan(tmm_crossing(&toy, &same, &same)));
}

static void test_machines_are_found_by_name(void) {
  for (const struct tmm_machine *m = tmm_machines; m->name; m++) {
    CU_ASSERT_PTR_EQUAL(tmm_machine_find(m->name), m);
    CU_ASSERT(strlen(m->title) && strlen(m->source));
    CU_ASSERT(m->L > 100 && m->L < 2000 && m->P >= m->Q && m->Q >= 1);
    CU_ASSERT_EQUAL(fmod(m->P, m->Q), 0);
    CU_ASSERT(m->C >= 1 && m->C <= 64 && m->Z >= 4096 && m->X > 10);
  }
  CU_ASSERT_PTR_NULL(tmm_machine_find("no such"));
}

/* Rows that a compute capability tells as well. */
static void test_capabilities_say_what_rows_say(void) {
  static const struct {
    const char *name;
    int major, minor;
    double sms;
  } cases[] = {{"gtx480", 2, 0, 15}, {"gtx580", 2, 0, 16}, {"gtx680", 3, 0, 8},
               {"a100", 8, 0, 108},  {"h100", 9, 0, 132},  {"h200", 9, 0, 132}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tmm_machine *row = tmm_machine_find(cases[i].name);
    struct tmm_machine m = {.L = 7};
    CU_ASSERT(tmm_machine_of(&m, cases[i].major, cases[i].minor, cases[i].sms));
    CU_ASSERT_EQUAL(m.L, 7);
    CU_ASSERT(m.P == row->P && m.C == row->C && m.Z == row->Z);
    CU_ASSERT(m.Q == row->Q && m.X == row->X);
  }
  struct tmm_machine m = {.L = 7};
  CU_ASSERT_FALSE(tmm_machine_of(&m, 1, 3, 30));
  CU_ASSERT_FALSE(tmm_machine_of(&m, 99, 0, 30));
}

static const struct check_test tests[] = {
    {"by hand", test_by_hand},
    {"threads are bounded", test_threads_are_bounded},
    {"cores are walked through", test_cores_are_walked_through},
    {"it is monotone between its limits",
     test_it_is_monotone_between_its_limits},
    {"the speed-up is what it says", test_the_speedup_is_what_it_says},
    {"crossings are found", test_crossings_are_found},
    {"machines are found by name", test_machines_are_found_by_name},
    {"capabilities say what rows say", test_capabilities_say_what_rows_say},
    {0}};

const struct check_suite suite_tmm = {"TMM model", tests, NULL};
