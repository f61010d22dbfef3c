/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reasons, on facts that are invented. */
#include <config.h>
#include <stdint.h>
#include <string.h>

#include "experiments/pages/reasons.h"
#include "tests/experiments/suites.h"

#define MIB ((size_t)1 << 20)

static struct machine_facts machine;
static struct process_facts process;
static struct hp_mapping mapping;
static struct file_system tmpfs, disk;
static struct pages_part part;

/* 8 MiB of private memory, advised, and all of the first 2 MiB there, on a
 * machine where that can be huge. */
static void usual(void) {
  machine = (struct machine_facts){.base_bytes = 4096,
                                   .huge_bytes = 2 * MIB,
                                   .linux_version = 6018,
                                   .thp_built = true,
                                   .thp = THP_ADVISED,
                                   .thp_switch = "/thp",
                                   .shared = THP_ADVISED,
                                   .shared_switch = "/shmem",
                                   .none = 511,
                                   .swapped = 64,
                                   .shared_pages = 256,
                                   .scanned_per_s = 400,
                                   .free_blocks = {10, 0}};
  for (size_t i = 2; i < FACTS_NODES; i++) machine.free_blocks[i] = -1;
  process = (struct process_facts){.cgroup_room = SIZE_MAX, .nodes = 3};
  mapping = (struct hp_mapping){.start = 2 * MIB,
                                .end = 10 * MIB,
                                .rights = "rw-p",
                                .rss = 8 * MIB,
                                .flags = HP_MAPPING_ADVISED};
  tmpfs =
      (struct file_system){.type = "tmpfs", .huge = "advise", .point = "/m"};
  disk = (struct file_system){.type = "ext4", .point = "/"};
  part = (struct pages_part){.machine = &machine,
                             .process = &process,
                             .mapping = &mapping,
                             .class = MEMORY_PRIVATE,
                             .start = 2 * MIB,
                             .end = 4 * MIB,
                             .present = 512};
}

static void as_special(void) { part.class = MEMORY_SPECIAL; }
static void as_copied(void) { part.class = MEMORY_COPIED; }
static void as_text(void) {
  part.class = MEMORY_FILE;
  part.system = &disk;
  strcpy(mapping.rights, "r-xp");
}
static void as_file(void) {
  part.class = MEMORY_FILE;
  part.system = &disk;
}
static void as_file_elsewhere(void) {
  part.class = MEMORY_FILE;
  part.system = &disk;
  machine.linux_version = 6015;
}
static void as_small(void) { mapping.end = part.end = 3 * MIB; }
static void as_end(void) {
  part.start = 10 * MIB;
  part.end = mapping.end = 11 * MIB;
}
static void as_not_built(void) { machine.thp_built = false; }
static void as_pool(void) {
  process.hugetlb_asked = 2 * MIB;
  process.hugetlb_empty = true;
  mapping.flags = 0;
}
static void as_shared_off(void) {
  part.class = MEMORY_SHARED;
  machine.shared = THP_NEVER;
}
static void as_tmpfs_off(void) {
  part.class = MEMORY_SHARED;
  part.system = &tmpfs;
  *tmpfs.huge = '\0';
}
static void as_tmpfs_denied(void) {
  part.class = MEMORY_SHARED;
  part.system = &tmpfs;
  machine.shared_denied = true;
  machine.shared = THP_NEVER;
}
static void as_tmpfs_by_size(void) {
  part.class = MEMORY_SHARED;
  part.system = &tmpfs;
  machine.shared_by_size = true;
  machine.shared = THP_NEVER;
}
static void as_tmpfs_not_advised(void) {
  part.class = MEMORY_SHARED;
  part.system = &tmpfs;
  mapping.flags = 0;
}
static void as_shared_not_advised(void) {
  part.class = MEMORY_SHARED;
  mapping.flags = 0;
}
static void as_disabled(void) { process.thp_disabled = true; }
static void as_stack(void) {
  part.class = MEMORY_STACK;
  mapping.flags = 0;
}
static void as_off(void) { machine.thp = THP_NEVER; }
static void as_off_not_advised(void) {
  machine.thp = THP_NEVER;
  mapping.flags = 0;
}
static void as_refused(void) {
  machine.thp = THP_ALWAYS;
  mapping.flags = HP_MAPPING_ADVISED_NOT;
}
static void as_not_advised(void) { mapping.flags = 0; }
static void as_glibc_asks(void) {
  mapping.flags = 0;
  process.glibc_asks = true;
}
static void as_jemalloc(void) {
  mapping.flags = 0;
  process.has_jemalloc = process.glibc_asks = true;
}
static void as_jemalloc_asks(void) {
  as_jemalloc();
  process.jemalloc_asks = true;
}
static void as_small_asks(void) {
  as_small();
  process.glibc_asks = true;
}
static void as_stack_end(void) {
  as_end();
  part.class = MEMORY_STACK;
}
static void as_faults(void) { mapping.flags |= HP_MAPPING_FAULTS; }
static void as_limited(void) { process.cgroup_room = MIB; }
static void as_fragmented(void) { process.nodes = 2; }
static void as_swapped(void) {
  part.present = 502;
  part.swapped = 10;
}
static void as_merged(void) {
  mapping.flags |= HP_MAPPING_MERGED;
  part.shared = 1;
}
static void as_forked(void) { part.shared = 1; }
static void as_partly(void) { part.present = 511; }
static void as_hardly(void) {
  part.present = 2;
  machine.none = 0;
}
static void as_locked(void) { mapping.flags |= HP_MAPPING_LOCKED; }
static void as_early(void) {}
static void as_early_alone(void) { machine.scanned_per_s = 0; }
static void as_everything(void) {
  machine.thp = THP_ALWAYS;
  mapping.flags = 0;
}

static const struct {
  void (*as)(void);
  const char *name, *fix; /* words of it */
  bool alone;
} cases[] = {
    {as_special, "special", "none:", false},
    {as_copied, "file-copied", "malloc()", false},
    {as_text, "file", "vat exec --huge text", false},
    {as_file, "file", "madvise(MADV_HUGEPAGE) before", false},
    {as_file_elsewhere, "file", "mount -t tmpfs -o huge=within_size", false},
    {as_small, "too-small", "glibc.malloc.hugetlb=1", false},
    {as_small_asks, "too-small", "by mmap() or malloc(); GLIBC_TUNABLES asks",
     false},
    {as_stack_end, "unaligned", "none: the kernel places the stack", false},
    {as_end, "unaligned", "at a multiple of 2 MiB", false},
    {as_not_built, "not-built", "CONFIG_TRANSPARENT_HUGEPAGE", true},
    {as_pool, "pool-empty",
     "echo 4 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/", true},
    {as_shared_off, "shared-off", "echo advise | sudo tee /shmem", true},
    {as_tmpfs_off, "shared-off", "mount -o remount,huge=advise /m", true},
    {as_tmpfs_denied, "shared-off", "echo advise | sudo tee /shmem", true},
    {as_tmpfs_by_size, "shared-off", "echo advise | sudo tee /shmem", true},
    {as_tmpfs_not_advised, "shared-not-advised",
     "mount -o remount,huge=within_size /m", true},
    {as_shared_not_advised, "shared-not-advised",
     "echo within_size | sudo tee /shmem", true},
    {as_disabled, "disabled", "prctl(PR_SET_THP_DISABLE)", true},
    {as_stack, "stack", "MADV_COLLAPSE", true},
    {as_off, "off", "echo madvise | sudo tee /thp", true},
    {as_off_not_advised, "off", "echo always | sudo tee /thp", true},
    {as_refused, "advised-not", "instead of MADV_NOHUGEPAGE", true},
    {as_not_advised, "not-advised", "echo always | sudo tee /thp", true},
    {as_glibc_asks, "not-advised", "/thp; or madvise(", true},
    {as_jemalloc, "not-advised", "with MALLOC_CONF=thp:always", true},
    {as_jemalloc_asks, "not-advised", "/thp; or madvise(", true},
    {as_faults, "userfaultfd", "UFFDIO_UNREGISTER", true},
    {as_limited, "cgroup-limit", "1 MiB are left", true},
    {as_fragmented, "no-free-block",
     "node 0 has 10 (not for this process), node 1 has 0", true},
    {as_swapped, "swapped", "max_ptes_swap, 64", true},
    {as_merged, "merged", "MADV_UNMERGEABLE", true},
    {as_forked, "forked", "max_ptes_shared, 256", true},
    {as_partly, "partly-used", "khugepaged does it", true},
    {as_hardly, "partly-used", "khugepaged does not", true},
    {as_locked, "locked", "MCL_ONFAULT", true},
    {as_early, "touched-early", "400 base pages a second, which takes 5 s",
     true},
    {as_early_alone, "touched-early", "khugepaged is too slow", true},
    {as_everything, "touched-early", "MADV_COLLAPSE", true},
};
enum { CASES = sizeof cases / sizeof *cases };

static void test_each_reason(void) {
  for (size_t i = 0; i < CASES; i++) {
    char fix[FIX_SIZE];
    usual();
    cases[i].as();
    const struct pages_reason *reason = pages_reason_of(&part);
    CU_ASSERT_STRING_EQUAL(reason->name, cases[i].name);
    reason->fix(&part, fix);
    if (!strstr(fix, cases[i].fix)) CU_ASSERT_STRING_EQUAL(fix, cases[i].fix);
    CU_ASSERT_TRUE(strlen(fix) < FIX_SIZE - 1); /* nothing was cut */
    CU_ASSERT_EQUAL(pages_reason_alone(reason, &part), cases[i].alone);
  }
}

static void test_no_reason_without_a_case(void) {
  for (size_t r = 0; pages_reasons[r]; r++) {
    size_t i = 0;
    while (i < CASES && strcmp(cases[i].name, pages_reasons[r]->name)) i++;
    if (i == CASES) CU_ASSERT_STRING_EQUAL(pages_reasons[r]->name, "");
    for (size_t k = 0; k < r; k++)
      CU_ASSERT_TRUE(strcmp(pages_reasons[k]->name, pages_reasons[r]->name));
  }
}

/* As the page for users has them. */
static void test_the_table_of_the_document(void) {
  static char text[32768];
  char row[64];
  const char *at = text;
  FILE *page = fopen(VAT_TEST_SOURCE "/doc/pages.md", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(page);
  text[fread(text, 1, sizeof text - 1, page)] = '\0';
  fclose(page);
  for (size_t i = 0; pages_reasons[i]; i++) {
    snprintf(row, sizeof row, "\n| `%s` | ", pages_reasons[i]->name);
    const char *found = strstr(at, row);
    if (!found) CU_ASSERT_STRING_EQUAL(row, "a row, behind that before");
    if (found) at = found;
  }
}

/* Of two reasons the one to change first is named, and that alone would not
 * do. */
static void test_two_reasons(void) {
  static const struct {
    void (*a)(void), (*b)(void);
    const char *name;
    bool alone;
  } pairs[] = {{as_disabled, as_not_advised, "disabled", false},
               {as_refused, as_disabled, "disabled", false},
               {as_not_advised, as_limited, "not-advised", false},
               {as_not_advised, as_fragmented, "not-advised", false},
               {as_not_advised, as_partly, "not-advised", true},
               {as_limited, as_fragmented, "cgroup-limit", false},
               {as_pool, as_disabled, "pool-empty", true},
               {as_stack, as_off, "stack", true},
               {as_stack, as_disabled, "disabled", true},
               {as_end, as_not_advised, "unaligned", false}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    usual();
    pairs[i].a();
    pairs[i].b();
    const struct pages_reason *reason = pages_reason_of(&part);
    CU_ASSERT_STRING_EQUAL(reason->name, pairs[i].name);
    CU_ASSERT_EQUAL(pages_reason_alone(reason, &part), pairs[i].alone);
  }
}

/* Unknown nodes are not full ones. */
static void test_blocks_that_are_not_told(void) {
  usual();
  for (size_t i = 0; i < FACTS_NODES; i++) machine.free_blocks[i] = -1;
  CU_ASSERT_STRING_EQUAL(pages_reason_of(&part)->name, "touched-early");
}

static void test_classes(void) {
  static const struct {
    const char *name, *rights;
    unsigned flags;
    uint64_t inode;
    const struct file_system *system;
    enum memory_class class;
  } rows[] = {
      {"", "rw-p", 0, 0, NULL, MEMORY_PRIVATE},
      {"[heap]", "rw-p", 0, 0, NULL, MEMORY_PRIVATE},
      {"[anon:glibc]", "rw-p", 0, 0, NULL, MEMORY_PRIVATE},
      {"[stack]", "rw-p", 0, 0, NULL, MEMORY_STACK},
      {"[vdso]", "r-xp", 0, 0, NULL, MEMORY_SPECIAL},
      {"[uprobes]", "r-xp", 0, 0, NULL, MEMORY_SPECIAL},
      {"/dev/dri/card0", "rw-s", HP_MAPPING_DEVICE, 9, NULL, MEMORY_SPECIAL},
      {"/dev/zero (deleted)", "rw-s", 0, 9, NULL, MEMORY_SHARED},
      {"/SYSV00000000 (deleted)", "rw-s", 0, 9, NULL, MEMORY_SHARED},
      {"/memfd:x (deleted)", "rw-s", 0, 9, NULL, MEMORY_SHARED},
      {"/dev/shm/x", "rw-s", 0, 9, &tmpfs, MEMORY_SHARED},
      {"/memfd:x", "r--s", 0, 9, &disk, MEMORY_FILE},
      {"/usr/bin/x", "r-xp", 0, 9, &disk, MEMORY_FILE},
      {"/usr/bin/x", "r-xp", 0, 9, NULL, MEMORY_FILE}};
  usual();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct hp_mapping m = {.flags = rows[i].flags, .inode = rows[i].inode};
    strcpy(m.name, rows[i].name);
    strcpy(m.rights, rows[i].rights);
    CU_ASSERT_EQUAL(memory_class_of(&m, rows[i].system), rows[i].class);
  }
}

static const struct check_test tests[] = {
    {"each reason is named, with a fix", test_each_reason},
    {"no reason is without a case", test_no_reason_without_a_case},
    {"the document has all, in their order", test_the_table_of_the_document},
    {"of two reasons the first is named", test_two_reasons},
    {"blocks that are not told are no reason", test_blocks_that_are_not_told},
    {"names and files tell the class", test_classes},
    {0},
};
const struct check_suite suite_pages_reasons = {"pages_reasons", tests, NULL};
