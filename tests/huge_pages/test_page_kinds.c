/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)
#define POOLS "/sys/kernel/mm/hugepages"
#define THP "/sys/kernel/mm/transparent_hugepage"

static void explained(const char *name, size_t bytes, int error,
                      const char *why, const char *fix) {
  struct hp_kind kinds[HP_KINDS_MAX];
  size_t count = hp_kinds_list(kinds), i = 0;
  struct hp_missing missing;
  while (i < count && strcmp(kinds[i].name, name)) i++;
  CU_ASSERT_FATAL(i < count);
  errno = 0;
  CU_ASSERT_EQUAL(hp_kind_explain(&kinds[i], bytes, &missing), error ? -1 : 0);
  if (error) CU_ASSERT_EQUAL(errno, error);
  CU_ASSERT_STRING_EQUAL(missing.why, why);
  CU_ASSERT_STRING_EQUAL(missing.fix, fix);
}

static void test_order_and_names(void) {
  size_t count = hp_kind_count();
  char name[HP_NAME_SIZE];
  CU_ASSERT_FATAL(count >= 4);
  const struct hp_kind *base = hp_kind_at(0);
  CU_ASSERT_EQUAL(base->bytes, (size_t)sysconf(_SC_PAGESIZE));
  CU_ASSERT_STRING_EQUAL(base->name, hp_page_name(base->bytes, name));
  CU_ASSERT_PTR_EQUAL(hp_kind_base(), base);
  CU_ASSERT_STRING_EQUAL(hp_kind_at(1)->name, "thp");
  for (size_t i = 0; i < count; i++) {
    const struct hp_kind *kind = hp_kind_at(i), *before = hp_kind_at(i - 1);
    CU_ASSERT_EQUAL(kind->base, i == 0);
    if (kind->pooled)
      CU_ASSERT_STRING_EQUAL(kind->name, hp_page_name(kind->bytes, name));
    if (!i || (!before->pooled && !before->named)) continue;
    CU_ASSERT_TRUE(kind->pooled != kind->named);
    CU_ASSERT_TRUE(kind->pooled <= before->pooled);
    if (kind->pooled == before->pooled)
      CU_ASSERT_TRUE(before->bytes < kind->bytes);
  }
  CU_ASSERT_PTR_NULL(hp_kind_at(count));
}

static void test_sizes_of_names_in_records(void) {
  CU_ASSERT_EQUAL(hp_kind_usual_bytes("64k"), 64 << 10);
  CU_ASSERT_EQUAL(hp_kind_usual_bytes("16g"), 16384 * MIB);
  CU_ASSERT_EQUAL(hp_kind_usual_bytes("thp"), 2 * MIB);
  CU_ASSERT_EQUAL(hp_kind_usual_bytes("unknown here"), 2 * MIB);
}

static void test_every_kind_is_complete_and_found(void) {
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    CU_ASSERT_PTR_EQUAL(hp_kind_find(kind->name), kind);
    CU_ASSERT_PTR_NOT_NULL(kind->summary);
    CU_ASSERT_TRUE(kind->map && kind->sizes && kind->explain);
  }
  CU_ASSERT_PTR_NOT_NULL(hp_kind_find("2m"));
  CU_ASSERT_PTR_NOT_NULL(hp_kind_find("1g"));
}

static void test_unknown_names(void) {
  static const char *const bad[] = {"", "4K", "2mb", "huge", "thp ", NULL};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(hp_kind_find(bad[i]));
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
}

static void test_other_sizes_appear(void) {
  struct hp_kind kinds[HP_KINDS_MAX];
  fake_machine_start();
  fake_machine_pool(64, 0, 0, 0, 0);
  fake_machine_pool(32768, 0, 0, 0, 0);
  fake_machine_pool(2048, 0, 0, 0, 0);
  fake_machine_write(POOLS "/hugepages-3kB/x", "");
  fake_machine_write(POOLS "/hugepages-96kB/x", "");
  fake_machine_write(POOLS "/hugepages-128kBx/x", "");
  fake_machine_write(POOLS "/hugepages--64kB/x", "");
  fake_machine_write(POOLS "/hugepages-99999999999999999999kB/x", "");
  fake_machine_write(POOLS "/hugepages-18014398509481984kB/x", "");
  fake_machine_write(POOLS "/other/x", "");
  size_t count = hp_kinds_list(kinds);
  CU_ASSERT_EQUAL_FATAL(count, 6);
  CU_ASSERT_STRING_EQUAL(kinds[2].name, "64k");
  CU_ASSERT_STRING_EQUAL(kinds[3].name, "2m");
  CU_ASSERT_STRING_EQUAL(kinds[4].name, "32m");
  CU_ASSERT_STRING_EQUAL(kinds[5].name, "1g");
  fake_machine_stop();
}

static void test_too_many_sizes(void) {
  struct hp_kind kinds[HP_KINDS_MAX];
  fake_machine_start();
  for (size_t kib = 8; kib < (size_t)8 << 30; kib *= 2)
    fake_machine_pool(kib, 0, 0, 0, 0);
  CU_ASSERT_EQUAL(hp_kinds_list(kinds), HP_KINDS_MAX);
  fake_machine_stop();
}

static void test_thp_size_is_the_kernels(void) {
  fake_machine_start();
  fake_machine_write(THP "/hpage_pmd_size", "33554432\n");
  CU_ASSERT_EQUAL(hp_thp_page_bytes(), 32 * MIB);
  size_t page = hp_base_page_bytes();
  fake_machine_write(THP "/hpage_pmd_size", "12345\n");
  CU_ASSERT_EQUAL(hp_thp_page_bytes(), page / 8 * page);
  fake_machine_stop();
}

static void test_no_hugetlb_at_all(void) {
  fake_machine_start();
  explained("2m", 64 * MIB, ENOTSUP,
            "this kernel has no hugetlb pages of any size",
            "run on a kernel built with CONFIG_HUGETLBFS");
  fake_machine_stop();
}

static void test_no_such_size(void) {
  fake_machine_start();
  fake_machine_pool(2048, 0, 0, 0, 0);
  explained("1g", 1, ENOTSUP,
            "the CPU or the kernel has no huge pages of 1 GiB",
            "run on a machine that has " POOLS "/hugepages-1048576kB");
  fake_machine_stop();
}

static void test_empty_pool(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, 0, 0, 0, 0);
  explained("2m", 1024 * MIB, ENOMEM,
            "the pool of 2 MiB pages has 0 of 512 needed pages free",
            "echo 512 | sudo tee " POOLS "/hugepages-2048kB/nr_hugepages");
  fake_machine_stop();
}

/* 100 pages, 40 free of which 10 are promised: 30 to be had, 70 missing. */
static void test_short_pool(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, 100, 40, 10, 0);
  explained("2m", 60 * MIB, 0, "", "");
  explained("2m", 200 * MIB - 1, ENOMEM,
            "the pool of 2 MiB pages has 30 of 100 needed pages free",
            "echo 170 | sudo tee " POOLS "/hugepages-2048kB/nr_hugepages");
  fake_machine_stop();
}

static void test_pool_that_memory_cannot_fill(void) {
  fake_machine_start();
  fake_machine_memory(1600);
  fake_machine_pool(2048, 0, 0, 0, 0);
  explained("2m", 1502 * MIB, ENOMEM,
            "the pool of 2 MiB pages has 0 of 751 needed pages free, and only "
            "1.5 GiB of memory is free to grow it",
            "choose a smaller size, or end programs that use memory");
  fake_machine_stop();
}

static void test_overcommitted_pool(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, 12, 0, 0, 2);
  fake_machine_write(POOLS "/hugepages-2048kB/nr_overcommit_hugepages", "12\n");
  explained("2m", 20 * MIB, 0, "", "");
  explained("2m", 22 * MIB, ENOMEM,
            "the pool of 2 MiB pages has 0 of 11 needed pages free",
            "echo 23 | sudo tee " POOLS "/hugepages-2048kB/nr_hugepages");
  fake_machine_stop();
}

static void test_thp_never(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  explained("thp", 1, ENOTSUP, "this kernel has no transparent huge pages",
            "run on a kernel built with CONFIG_TRANSPARENT_HUGEPAGE");
  fake_machine_write(THP "/enabled", "always madvise [never]\n");
  explained("thp", 1, ENOTSUP,
            "transparent huge pages are switched off (never)",
            "echo madvise | sudo tee " THP "/enabled");
  fake_machine_write(THP "/enabled", "always [madvise] never\n");
  explained("thp", 1, 0, "", "");
  fake_machine_stop();
}

static void test_thp_switch_of_the_size_rules(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_write(THP "/hpage_pmd_size", "2097152\n");
  fake_machine_write(THP "/enabled", "[always] madvise never\n");
  fake_machine_write(THP "/hugepages-2048kB/enabled",
                     "always inherit madvise [never]\n");
  explained("thp", 1, ENOTSUP,
            "transparent huge pages are switched off (never)",
            "echo madvise | sudo tee " THP "/hugepages-2048kB/enabled");
  fake_machine_write(THP "/enabled", "always madvise [never]\n");
  fake_machine_write(THP "/hugepages-2048kB/enabled",
                     "always inherit [madvise] never\n");
  explained("thp", 1, 0, "", "");
  fake_machine_write(THP "/hugepages-2048kB/enabled",
                     "always [inherit] madvise never\n");
  explained("thp", 1, ENOTSUP,
            "transparent huge pages are switched off (never)",
            "echo madvise | sudo tee " THP "/enabled");
  fake_machine_stop();
}

static int map_with_few_addresses(void) {
  struct rlimit limit;
  struct hp_missing missing;
  struct hp_region region;
  if (getrlimit(RLIMIT_AS, &limit)) return 1;
  limit.rlim_cur = 256 * MIB;
  if (setrlimit(RLIMIT_AS, &limit)) return 1;
  for (size_t i = 0; i < 2; i++) {
    errno = 0;
    if (!hp_region_map(&region, hp_kind_at(i), 300 * MIB, NULL, NULL) ||
        errno != ENOMEM)
      return 2;
    if (!hp_kind_explain(hp_kind_at(i), 300 * MIB, &missing) || errno != ENOMEM)
      return 3;
    if (!strstr(missing.why, "(ulimit -v) leaves") ||
        !strstr(missing.fix, "ulimit -v unlimited"))
      return 4;
  }
  return 0;
}

static void test_limited_address_space(void) {
  hp_kind_count();
  pid_t child = fork();
  if (!child) _exit(map_with_few_addresses());
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

static void test_what_is_to_be_had_keeps_errno(void) {
  struct hp_missing missing;
  errno = EXDEV;
  CU_ASSERT_EQUAL(hp_kind_explain(hp_kind_at(0), 1, &missing), 0);
  CU_ASSERT_EQUAL(errno, EXDEV);
}

static void test_thp_disabled_for_the_process(void) {
  pid_t child = fork();
  if (!child) {
    struct hp_missing missing;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    int failed = hp_kind_explain(hp_kind_find("thp"), 1, &missing);
    _exit(failed && errno == ENOTSUP && *missing.why && *missing.fix ? 0 : 1);
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

static void test_short_memory_is_explained_for_base_and_thp(void) {
  struct hp_missing missing;
  fake_machine_start();
  fake_machine_memory(16);
  fake_machine_write(THP "/enabled", "always [madvise] never\n");
  for (size_t i = 0; i < 2; i++) {
    errno = 0;
    CU_ASSERT_EQUAL(hp_kind_explain(hp_kind_at(i), 32 * MIB, &missing), -1);
    CU_ASSERT_EQUAL(errno, ENOMEM);
    CU_ASSERT_PTR_NOT_NULL(strstr(missing.why, "memory"));
  }
  fake_machine_stop();
}

static void test_size_beyond_addresses(void) {
  struct hp_missing missing;
  for (size_t i = 0; i < hp_kind_count(); i++) {
    errno = 0;
    CU_ASSERT_EQUAL(hp_kind_explain(hp_kind_at(i), SIZE_MAX, &missing), -1);
    CU_ASSERT_EQUAL(errno, ENOMEM);
    CU_ASSERT_TRUE(*missing.why != '\0');
  }
}

static const struct check_test tests[] = {
    {"a limit on address space is ENOMEM and named",
     test_limited_address_space},
    {"what can be had leaves errno alone", test_what_is_to_be_had_keeps_errno},
    {"base, thp, hugetlb sizes, then those between", test_order_and_names},
    {"every kind is complete and found by name",
     test_every_kind_is_complete_and_found},
    {"page sizes of names in records", test_sizes_of_names_in_records},
    {"unknown names are EINVAL", test_unknown_names},
    {"sizes the machine reports appear, nonsense does not",
     test_other_sizes_appear},
    {"more sizes than the table holds are cut", test_too_many_sizes},
    {"the THP size is what the kernel says", test_thp_size_is_the_kernels},
    {"a kernel without hugetlb is explained", test_no_hugetlb_at_all},
    {"a size the machine does not have is explained", test_no_such_size},
    {"an empty pool: how many to echo", test_empty_pool},
    {"a short pool: promised pages are not free", test_short_pool},
    {"a pool beyond memory is explained", test_pool_that_memory_cannot_fill},
    {"surplus pages that may come are counted", test_overcommitted_pool},
    {"THP never or absent: the fix", test_thp_never},
    {"the switch of the size overrules", test_thp_switch_of_the_size_rules},
    {"PR_SET_THP_DISABLE is noticed", test_thp_disabled_for_the_process},
    {"short memory is explained",
     test_short_memory_is_explained_for_base_and_thp},
    {"a size beyond all addresses is ENOMEM", test_size_beyond_addresses},
    {0},
};
const struct check_suite suite_page_kinds = {"page_kinds", tests, NULL};
