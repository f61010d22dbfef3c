/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PAPI and libpfm on a machine without a PMU: libpfm can be made to believe
 * that there is one, which shows that names resolve, and that an event that
 * resolves is still absent.  In child processes, since PAPI looks once. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/machine/counter_backend.h"
#include "tests/experiments/suites.h"

/* Exit status of `run` in a child where libpfm sees `pmu`; stderr, which must
 * stay silent, is counted into `printed`. */
static int in_child(const char *pmu, int (*run)(const struct cpu_arch *),
                    const struct cpu_arch *arch, size_t *printed) {
  int pipe_ends[2], status = -1;
  char byte;
  CU_ASSERT_EQUAL_FATAL(pipe(pipe_ends), 0);
  fflush(NULL);
  pid_t child = fork();
  CU_ASSERT_FATAL(child >= 0);
  if (!child) {
    dup2(pipe_ends[1], STDERR_FILENO);
    dup2(pipe_ends[1], STDOUT_FILENO);
    if (pmu) setenv("LIBPFM_FORCE_PMU", pmu, 1);
    int result = run(arch);
    fflush(NULL);
    _exit(result);
  }
  close(pipe_ends[1]);
  for (*printed = 0; read(pipe_ends[0], &byte, 1) == 1;) ++*printed;
  close(pipe_ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* 0 if all native rungs of `arch` are absent, MISSING_NO_NAME only where
 * `names_may_miss`; else which one was not. */
static int add_all(const struct cpu_arch *arch, bool names_may_miss) {
  const struct counter_backend *papi = counter_backends[BACKEND_PAPI];
  void *state = papi->open();
  if (!state) return 100;
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    struct rung rungs[RUNGS_MAX];
    size_t count = ladder_rungs(arch, (enum quantity_id)q, rungs);
    for (size_t i = 0; i < count; i++) {
      if (rungs[i].kind != RUNG_NATIVE) continue;
      enum counter_missing missing = papi->add(state, &rungs[i]);
      if (missing != MISSING_REFUSED &&
          !(missing == MISSING_NO_NAME && names_may_miss))
        return q + 1;
    }
  }
  struct counter_reading readings[SLOTS_MAX];
  if (papi->start(state) || papi->stop(state, readings)) return 101;
  papi->close(state);
  return 0;
}

static int names_resolve_but_add_fails(const struct cpu_arch *arch) {
  return add_all(arch, false);
}

static int nothing_is_added(const struct cpu_arch *arch) {
  return add_all(arch, true);
}

static const struct cpu_arch *arch_named(const char *name) {
  const struct cpu_arch *arch = cpu_archs;
  while (arch->name && strcmp(arch->name, name)) arch++;
  return arch;
}

static void test_names_resolve_but_do_not_count(void) {
  static const char *const pmus[][2] = {
      {"bdw", "bdw"},
      {"bdw_ep", "bdw_ep"},
      {"skl", "skl"},
      {"skx", "skx"},
      {"clx", "clx"},
      {"icl", "icl"},
      {"icx", "icx"},
      {"spr", "spr"},
      {"amd64_fam17h_zen1", "zen1"},
      {"amd64_fam17h_zen2", "zen2"},
      {"amd64_fam19h_zen3", "zen3"},
      {"amd64_fam19h_zen4", "zen4"},
  };
  for (size_t i = 0; i < sizeof pmus / sizeof *pmus; i++) {
    size_t printed;
    int result = in_child(pmus[i][0], names_resolve_but_add_fails,
                          arch_named(pmus[i][1]), &printed);
    CU_ASSERT_EQUAL(result, 0);
    CU_ASSERT_EQUAL(printed, 0);
    if (result) printf("%s: quantity %d\n", pmus[i][0], result - 1);
  }
}

static void test_without_a_pmu_nothing_counts(void) {
  size_t printed;
  CU_ASSERT_EQUAL(in_child(NULL, nothing_is_added, arch_named("skx"), &printed),
                  0);
  CU_ASSERT_EQUAL(printed, 0);
}

static const char *skip(void) {
  struct counter_site site;
  counter_site_read(&site);
  if (!counter_backends[BACKEND_PAPI]) return "built without PAPI";
  if (site.pmu) return "this machine has a PMU: a forced one would count it";
  return NULL;
}

static const struct check_test tests[] = {
    {"names resolve but do not count", test_names_resolve_but_do_not_count},
    {"without a PMU nothing counts", test_without_a_pmu_nothing_counts},
    {0}};

const struct check_suite suite_counters_papi = {"counters: PAPI", tests, skip};
