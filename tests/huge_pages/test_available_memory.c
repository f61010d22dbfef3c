/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "huge_pages/available_memory.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)

static void test_a_sixteenth_is_left(void) {
  fake_machine_start();
  fake_machine_memory(1600);
  CU_ASSERT_EQUAL(hp_memory_available(), 1500 * MIB);
  fake_machine_stop();
}

static void test_unknown_memory_is_no_limit(void) {
  fake_machine_start();
  CU_ASSERT_EQUAL(hp_memory_available(), SIZE_MAX);
  fake_machine_write("/proc/meminfo", "MemAvailable: lots\n");
  CU_ASSERT_EQUAL(hp_memory_available(), SIZE_MAX);
  fake_machine_stop();
}

/* Group /a has 160 of 320 MiB in use, 32 of them cache; /a/b is unlimited. */
static void test_cgroup_v2_around_us_limits(void) {
  fake_machine_start();
  fake_machine_memory(1600);
  fake_machine_write("/proc/self/cgroup", "0::/a/b\n");
  fake_machine_write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  fake_machine_write("/sys/fs/cgroup/a/b/memory.current", "4096\n");
  fake_machine_write("/sys/fs/cgroup/a/memory.max", "335544320\n");
  fake_machine_write("/sys/fs/cgroup/a/memory.current", "167772160\n");
  fake_machine_write("/sys/fs/cgroup/a/memory.stat",
                     "anon 134217728\ninactive_file 16777216\n"
                     "active_file 16777216\n");
  CU_ASSERT_EQUAL(hp_memory_available(), 192 * MIB / 16 * 15);
  fake_machine_stop();
}

static void test_cgroup_v1_limits(void) {
  fake_machine_start();
  fake_machine_memory(1600);
  fake_machine_write("/proc/self/cgroup", "9:pids:/\n4:memory:/a\n0::/\n");
  fake_machine_write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
                     "167772160\n");
  fake_machine_write("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "0\n");
  CU_ASSERT_EQUAL(hp_memory_available(), 150 * MIB);
  fake_machine_stop();
}

static void test_container_sees_its_group_on_top(void) {
  fake_machine_start();
  fake_machine_memory(1600);
  fake_machine_write("/proc/self/cgroup", "0::/not/here\n");
  fake_machine_write("/sys/fs/cgroup/memory.max", "16777216\n");
  fake_machine_write("/sys/fs/cgroup/memory.current", "33554432\n");
  CU_ASSERT_EQUAL(hp_memory_available(), 0);
  fake_machine_stop();
}

static void test_nonsense_cgroups_are_passed_over(void) {
  char text[9000];
  memset(text, '/', sizeof text);
  memcpy(text, "0::", 3);
  text[sizeof text - 1] = '\0';
  fake_machine_start();
  fake_machine_memory(16);
  fake_machine_write("/proc/self/cgroup", text);
  CU_ASSERT_EQUAL(hp_memory_available(), 15 * MIB);
  fake_machine_write("/proc/self/cgroup", "\n:\n::\n0:\nmemory\n:memory:");
  CU_ASSERT_EQUAL(hp_memory_available(), 15 * MIB);
  fake_machine_stop();
}

static void test_missing_names_both_amounts(void) {
  struct hp_missing missing = {0};
  fake_machine_start();
  fake_machine_memory(1600);
  CU_ASSERT_EQUAL(hp_memory_explain(1500 * MIB, &missing), 0);
  CU_ASSERT_STRING_EQUAL(missing.why, "");
  errno = 0;
  CU_ASSERT_EQUAL(hp_memory_explain(1501 * MIB, &missing), -1);
  CU_ASSERT_EQUAL(errno, ENOMEM);
  CU_ASSERT_PTR_NOT_NULL(strstr(missing.why, "1.5 GiB of memory needed"));
  CU_ASSERT_TRUE(*missing.fix != '\0');
  fake_machine_stop();
}

static const struct check_test tests[] = {
    {"a sixteenth of MemAvailable is left", test_a_sixteenth_is_left},
    {"without /proc nothing is limited", test_unknown_memory_is_no_limit},
    {"a cgroup v2 above us limits, less its page cache",
     test_cgroup_v2_around_us_limits},
    {"a cgroup v1 limits", test_cgroup_v1_limits},
    {"in a container the top group limits",
     test_container_sees_its_group_on_top},
    {"nonsense in /proc/self/cgroup is passed over",
     test_nonsense_cgroups_are_passed_over},
    {"missing memory names both amounts", test_missing_names_both_amounts},
    {0},
};
const struct check_suite suite_available_memory = {"available_memory", tests,
                                                   NULL};
