/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of machines and processes, from text that was captured or is broken. */
#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "experiments/pages/facts.h"
#include "experiments/pages/process_list.h"
#include "tests/experiments/suites.h"
#include "tests/huge_pages/fake_machine.h"

#define THP "/sys/kernel/mm/transparent_hugepage/"
#define MIB ((size_t)1 << 20)

static struct machine_facts machine(void) {
  struct machine_facts facts;
  machine_facts_read(&facts);
  return facts;
}

static void start(void) {
  fake_machine_start();
  fake_machine_write(THP "hpage_pmd_size", "2097152\n");
}

static void test_switches(void) {
  start();
  CU_ASSERT_FALSE(machine().thp_built);
  fake_machine_write(THP "enabled", "always [madvise] never\n");
  fake_machine_write(THP "shmem_enabled",
                     "always within_size advise [never] deny force\n");
  struct machine_facts facts = machine();
  CU_ASSERT_TRUE(facts.thp_built);
  CU_ASSERT_EQUAL(facts.thp, THP_ADVISED);
  CU_ASSERT_EQUAL(facts.shared, THP_NEVER);
  CU_ASSERT_STRING_EQUAL(facts.thp_switch, THP "enabled");
  /* That of a size decides, but where it inherits. */
  fake_machine_write(THP "hugepages-2048kB/enabled",
                     "always inherit madvise [never]\n");
  fake_machine_write(THP "hugepages-2048kB/shmem_enabled",
                     "always [inherit] within_size advise never\n");
  facts = machine();
  CU_ASSERT_EQUAL(facts.thp, THP_NEVER);
  CU_ASSERT_STRING_EQUAL(facts.thp_switch, THP "hugepages-2048kB/enabled");
  CU_ASSERT_STRING_EQUAL(facts.shared_switch, THP "shmem_enabled");
  CU_ASSERT_FALSE(facts.shared_by_size);
  fake_machine_write(THP "hugepages-2048kB/shmem_enabled",
                     "[always] inherit within_size advise never\n");
  facts = machine();
  CU_ASSERT_TRUE(facts.shared_by_size);
  CU_ASSERT_EQUAL(facts.shared, THP_ALWAYS);
  fake_machine_write(THP "shmem_enabled", "always never [deny] force\n");
  CU_ASSERT_TRUE(machine().shared_denied);
  fake_machine_write(THP "shmem_enabled", "always never deny [force]\n");
  CU_ASSERT_TRUE(machine().shared_forced);
  fake_machine_stop();
}

static void test_broken_switches(void) {
  static const char *const texts[] = {
      "",  "[", "[]", "always madvise never", "[always", "[madvise] [always]",
      "]["};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    start();
    fake_machine_write(THP "enabled", texts[i]);
    enum thp_mode mode = machine().thp;
    CU_ASSERT_EQUAL(mode, i == 4   ? THP_ALWAYS
                          : i == 5 ? THP_ADVISED
                                   : THP_NEVER);
    fake_machine_stop();
  }
}

static void test_khugepaged(void) {
  start();
  fake_machine_write(THP "khugepaged/pages_to_scan", "4096\n");
  fake_machine_write(THP "khugepaged/scan_sleep_millisecs", "10000\n");
  fake_machine_write(THP "khugepaged/max_ptes_none", "0\n");
  struct machine_facts facts = machine();
  CU_ASSERT_DOUBLE_EQUAL(facts.scanned_per_s, 409.6, 1e-9);
  CU_ASSERT_EQUAL(facts.none, 0);
  CU_ASSERT_EQUAL(facts.swapped, facts.huge_bytes / facts.base_bytes / 8);
  fake_machine_write(THP "khugepaged/scan_sleep_millisecs", "0\n");
  CU_ASSERT_DOUBLE_EQUAL(machine().scanned_per_s, 4096000, 1e-9);
  fake_machine_stop();
}

/* Orders 9 and 10 of the zones DMA32 and Normal: 2 + 2 * 3 + 1 of node 0. */
static void test_free_blocks(void) {
  start();
  fake_machine_write("/proc/buddyinfo",
                     "Node 0, zone      DMA      0 0 0 0 0 0 0 0 1 1 3 \n"
                     "Node 0, zone    DMA32      1 1 4 2 5 4 3 3 4 2 3 \n"
                     "Node 0, zone   Normal     13 48 9 9 9 9 9 9 9 1 0 \n"
                     "Node 1, zone   Normal     13 48 9 9 9 9 9 9 9 0 0 \n");
  struct machine_facts facts = machine();
  size_t order = 0;
  while (facts.base_bytes << order < facts.huge_bytes) order++;
  if (order == 9) CU_ASSERT_EQUAL(facts.free_blocks[0], 9);
  CU_ASSERT_EQUAL(facts.free_blocks[1], 0);
  CU_ASSERT_EQUAL(facts.free_blocks[2], -1);
  fake_machine_stop();
}

static void test_broken_buddyinfo(void) {
  static const char *const texts[] = {
      "",
      "\n\n",
      "Node",
      "Node x, zone Normal 1\n",
      "Node 0, zone\n",
      "Node 99, zone Normal 0 0 0 0 0 0 0 0 0 9\n",
      "Node -1, zone Normal 0 0 0 0 0 0 0 0 0 9\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    start();
    fake_machine_write("/proc/buddyinfo", texts[i]);
    struct machine_facts facts = machine();
    for (size_t k = 0; k < FACTS_NODES; k++)
      CU_ASSERT_EQUAL(facts.free_blocks[k], -1);
    fake_machine_stop();
  }
  start();
  fake_machine_write("/proc/buddyinfo",
                     "Node 0, zone Normal 0 0 0 0 0 0 0 0 0 "
                     "99999999999999999999 99999999999999999999 x 7\n");
  CU_ASSERT_TRUE(machine().free_blocks[0] >= 0);
  fake_machine_stop();
}

static struct process_facts process(const char *status) {
  struct process_facts facts;
  struct machine_facts facts_here = {.hugetlb_bytes = 2 * MIB};
  fake_machine_write("/proc/7/status", status);
  process_facts_read(&facts, 7, &facts_here);
  return facts;
}

static void test_states(void) {
  struct process_facts facts;
  start();
  struct machine_facts here = {0};
  process_facts_read(&facts, 7, &here);
  CU_ASSERT_EQUAL(facts.state, PROCESS_GONE);
  CU_ASSERT_EQUAL(process("Name:\tx\nState:\tZ (zombie)\n").state,
                  PROCESS_ZOMBIE);
  facts = process("Name:\tkthreadd\nState:\tS (sleeping)\nNSpid:\t7\n");
  CU_ASSERT_EQUAL(facts.state, PROCESS_KERNEL);
  CU_ASSERT_STRING_EQUAL(facts.name, "kthreadd");
  fake_machine_write("/proc/7/stat", "7 (a) 2) S 2 0 0 0 -1 2129984 0 0\n");
  CU_ASSERT_EQUAL(process("State:\tS (sleeping)\n").state, PROCESS_KERNEL);
  fake_machine_write("/proc/7/stat", "7 (a) 2) R 2 0 0 0 -1 4194316 0 0\n");
  CU_ASSERT_EQUAL(process("State:\tR (running)\n").state, PROCESS_ENDING);
  facts = process(
      "Name:\ta b\nState:\tS (sleeping)\nNSpid:\t7\t12\t1\nVmSize:\t 9 kB\n"
      "THP_enabled:\t0\nMems_allowed_list:\t0-1,3\n");
  CU_ASSERT_EQUAL(facts.state, PROCESS_LIVE);
  CU_ASSERT_STRING_EQUAL(facts.name, "a b");
  CU_ASSERT_EQUAL(facts.pid_inside, 1);
  CU_ASSERT_TRUE(facts.thp_disabled);
  CU_ASSERT_EQUAL(facts.nodes, 0xb);
  process_facts_fini(&facts);
  facts = process("VmSize:\nTHP_enabled:\t1\nNSpid:\tx\nMems_allowed_list:x\n");
  CU_ASSERT_FALSE(facts.thp_disabled);
  CU_ASSERT_EQUAL(facts.nodes, UINT64_MAX);
  process_facts_fini(&facts);
  fake_machine_stop();
}

static size_t asked(const char *environment) {
  fake_machine_write("/proc/7/environ", environment);
  struct process_facts facts = process("State:\tS\nVmSize:\t9 kB\n");
  process_facts_fini(&facts);
  return facts.hugetlb_asked;
}

static void test_what_malloc_asks(void) {
  static const struct {
    const char *environment;
    bool glibc, jemalloc;
  } cases[] = {{"GLIBC_TUNABLES=a=1:glibc.malloc.hugetlb=1", true, false},
               {"GLIBC_TUNABLES=glibc.malloc.hugetlb=0", false, false},
               {"MALLOC_CONF=a:b,thp:always", false, true},
               {"MALLOC_CONF=metadata_thp:always", false, false},
               {"MALLOC_CONF=thp:default", false, false}};
  start();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    asked(cases[i].environment);
    struct process_facts facts = process("State:\tS\nVmSize:\t9 kB\n");
    CU_ASSERT_EQUAL(facts.glibc_asks, cases[i].glibc);
    CU_ASSERT_EQUAL(facts.jemalloc_asks, cases[i].jemalloc);
    CU_ASSERT_FALSE(facts.has_jemalloc);
    process_facts_fini(&facts);
  }
  fake_machine_write("/proc/7/maps",
                     "7f0-7f1 r-xp 0 08:01 7 /usr/lib/libjemalloc.so.2\n");
  struct process_facts facts = process("State:\tS\nVmSize:\t9 kB\n");
  CU_ASSERT_TRUE(facts.has_jemalloc);
  process_facts_fini(&facts);
  fake_machine_stop();
}

static void test_hugetlb_of_malloc(void) {
  start();
  CU_ASSERT_EQUAL(asked("GLIBC_TUNABLES=glibc.malloc.hugetlb=2"), 2 * MIB);
  CU_ASSERT_EQUAL(asked("GLIBC_TUNABLES=a=1:glibc.malloc.hugetlb=1073741824"),
                  1024 * MIB);
  CU_ASSERT_EQUAL(asked("GLIBC_TUNABLES=glibc.malloc.hugetlb=1"), 0);
  CU_ASSERT_EQUAL(asked("GLIBC_TUNABLES="), 0);
  CU_ASSERT_EQUAL(asked("XGLIBC_TUNABLES=glibc.malloc.hugetlb=2"), 0);
  CU_ASSERT_EQUAL(asked(""), 0);
  fake_machine_write("/proc/7/environ",
                     "GLIBC_TUNABLES=glibc.malloc.hugetlb=2");
  CU_ASSERT_TRUE(process("State:\tS\nVmSize:\t9 kB\n").hugetlb_empty);
  fake_machine_pool(2048, 4, 4, 3, 0);
  CU_ASSERT_FALSE(process("State:\tS\nVmSize:\t9 kB\n").hugetlb_empty);
  fake_machine_pool(2048, 4, 4, 4, 0); /* promised to others */
  CU_ASSERT_TRUE(process("State:\tS\nVmSize:\t9 kB\n").hugetlb_empty);
  fake_machine_stop();
}

static struct mounts mounts(const char *text) {
  struct mounts mounts;
  FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  mounts_read(&mounts, file);
  fclose(file);
  return mounts;
}

static void test_mounts(void) {
  struct mounts all = mounts(
      "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
      "27 23 0:27 / /dev/shm rw - tmpfs tmpfs rw,size=9k,huge=advise,x=1\n"
      "28 1 0:30 / /mnt\\040a rw shared:1 master:2 - tmpfs none rw\n");
  CU_ASSERT_EQUAL_FATAL(all.count, 3);
  const struct file_system *shm = mounts_find(&all, 0x1b);
  CU_ASSERT_PTR_NOT_NULL_FATAL(shm);
  CU_ASSERT_STRING_EQUAL(shm->huge, "advise");
  CU_ASSERT_STRING_EQUAL(shm->point, "/dev/shm");
  CU_ASSERT_TRUE(file_system_is_tmpfs(shm));
  const struct file_system *root = mounts_find(&all, (uint64_t)0xfe << 32);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT_STRING_EQUAL(root->type, "ext4");
  CU_ASSERT_FALSE(file_system_is_tmpfs(root) || file_system_is_tmpfs(NULL));
  CU_ASSERT_STRING_EQUAL(all.at[2].huge, "");
  CU_ASSERT_PTR_NULL(mounts_find(&all, 0)); /* memory without a file */
  CU_ASSERT_PTR_NULL(mounts_find(&all, 1));
  mounts_fini(&all);
  CU_ASSERT_EQUAL(file_system_since("ext4"), 6016);
  CU_ASSERT_EQUAL(file_system_since("nfs"), 0);
}

static void test_broken_mounts(void) {
  struct mounts all = mounts(
      "\n22\n22 1 254:0 / /\n22 1 254:0 / / rw - \n22 1 x:0 / / rw - ext4 a b\n"
      "22 1 254:0 / / rw -ext4 a b\n22 1 254:1 / /ok rw - xfs a");
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_STRING_EQUAL(all.at[0].type, "xfs");
  CU_ASSERT_STRING_EQUAL(all.at[0].point, "/ok");
  mounts_fini(&all);
}

/* Those of groups inside count, each once; 0 is one beyond the namespace. */
static void test_processes_of_a_cgroup(void) {
  struct process_list list;
  fake_machine_start();
  fake_machine_write("/sys/fs/cgroup/a/cgroup.procs", "12\n7\n0\n");
  fake_machine_write("/sys/fs/cgroup/a/b/cgroup.procs", "9\n7\nx\n-3\n");
  fake_machine_write("/sys/fs/cgroup/a/b/c/other", "1\n");
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {"/sys/fs/cgroup/a", "/a", "a"};
    CU_ASSERT_EQUAL_FATAL(process_list_cgroup(&list, names[i]), 0);
    CU_ASSERT_EQUAL_FATAL(list.count, 3);
    CU_ASSERT_TRUE(list.at[0] == 7 && list.at[1] == 9 && list.at[2] == 12);
    CU_ASSERT_EQUAL(list.outside, 2);
    process_list_fini(&list);
  }
  errno = 0;
  CU_ASSERT_EQUAL(process_list_cgroup(&list, "/nowhere"), -1);
  CU_ASSERT_EQUAL(errno, ENOENT);
  process_list_fini(&list);
  fake_machine_write("/proc/7/status", "");
  fake_machine_write("/proc/31/status", "");
  fake_machine_write("/proc/self/status", "");
  CU_ASSERT_EQUAL_FATAL(process_list_all(&list), 0);
  CU_ASSERT_EQUAL(list.count, 2);
  process_list_fini(&list);
  fake_machine_stop();
}

static const struct check_test tests[] = {
    {"the switches of the size and of all", test_switches},
    {"broken switches are off", test_broken_switches},
    {"how fast khugepaged is", test_khugepaged},
    {"free blocks of each node", test_free_blocks},
    {"broken lines of buddyinfo are passed over", test_broken_buddyinfo},
    {"live, ended and of the kernel", test_states},
    {"what malloc asks for", test_what_malloc_asks},
    {"what malloc was told to take", test_hugetlb_of_malloc},
    {"file systems and their options", test_mounts},
    {"broken mounts are passed over", test_broken_mounts},
    {"the processes of a cgroup, and all", test_processes_of_a_cgroup},
    {0},
};
const struct check_suite suite_pages_facts = {"pages_facts", tests, NULL};
