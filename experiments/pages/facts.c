/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/facts.h"

#include <config.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "experiments/applications/application.h"
#include "experiments/cli/memory.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pool.h"

#define THP "/sys/kernel/mm/transparent_hugepage"

/* The word in brackets of "always [madvise] never", or "". */
static void chosen(const char *path, char *word, size_t size) {
  char text[256];
  *word = '\0';
  if (hp_kernel_read_text(path, text, sizeof text)) return;
  const char *open = strchr(text, '[');
  if (!open) return;
  size_t length = strcspn(open + 1, "]");
  if (length < size) snprintf(word, size, "%.*s", (int)length, open + 1);
}

enum thp_mode thp_mode_of(const char *word) {
  static const struct {
    const char *word;
    enum thp_mode mode;
  } words[] = {{"always", THP_ALWAYS},
               {"force", THP_ALWAYS},
               {"within_size", THP_ALWAYS},
               {"madvise", THP_ADVISED},
               {"advise", THP_ADVISED}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(word, words[i].word)) return words[i].mode;
  return THP_NEVER;
}

/* Since Linux 6.8 there is a switch for each size, which decides unless it is
 * on "inherit". */
static enum thp_mode switch_of(const char *name, size_t bytes,
                               char path[SWITCH_PATH], bool *by_size) {
  char word[16];
  snprintf(path, SWITCH_PATH, THP "/hugepages-%zukB/%s", bytes / 1024, name);
  chosen(path, word, sizeof word);
  *by_size = *word && strcmp(word, "inherit");
  if (*by_size) return thp_mode_of(word);
  snprintf(path, SWITCH_PATH, THP "/%s", name);
  chosen(path, word, sizeof word);
  return thp_mode_of(word);
}

static size_t number(const char *name, size_t usual) {
  char path[SWITCH_PATH];
  size_t value;
  snprintf(path, sizeof path, THP "/khugepaged/%s", name);
  return hp_kernel_read_size(path, &value) ? usual : value;
}

/* The blocks of 2^order base pages in "   2   1196 ...", the free ones of 2^0,
 * 2^1, ... */
static long count_blocks(const char *at, size_t order) {
  unsigned long sum = 0;
  for (size_t i = 0; *at; i++) {
    char *end;
    unsigned long blocks = strtoul(at, &end, 10);
    if (end == at || i > 32) break;
    if (i >= order && blocks < LONG_MAX >> 32) sum += blocks << (i - order);
    at = end;
  }
  return sum > LONG_MAX / 4 ? LONG_MAX / 4 : (long)sum;
}

/* "Node 0, zone   Normal    2   1196 ...".  The zone DMA is kept for devices.
 */
static void read_blocks(struct machine_facts *facts) {
  char text[HP_TEXT_SIZE], *rest = text, zone[16];
  size_t order = 0;
  while (facts->base_bytes << order < facts->huge_bytes) order++;
  for (size_t i = 0; i < FACTS_NODES; i++) facts->free_blocks[i] = -1;
  if (hp_kernel_read_text("/proc/buddyinfo", text, sizeof text)) return;
  for (char *line; (line = strsep(&rest, "\n"));) {
    unsigned node;
    int at;
    if (sscanf(line, "Node %u, zone %15s %n", &node, zone, &at) != 2) continue;
    if (node >= FACTS_NODES || !strcmp(zone, "DMA")) continue;
    if (facts->free_blocks[node] < 0) facts->free_blocks[node] = 0;
    facts->free_blocks[node] += count_blocks(line + at, order);
  }
}

static int linux_version(void) {
  struct utsname name;
  int major, minor;
  if (uname(&name) || sscanf(name.release, "%d.%d", &major, &minor) != 2)
    return 0;
  return major * 1000 + minor;
}

void machine_facts_read(struct machine_facts *facts) {
  char text[HP_TEXT_SIZE], word[16];
  size_t base = hp_base_page_bytes(), huge = hp_thp_page_bytes(), kib;
  size_t pages = huge / base;
  bool by_size;
  *facts = (struct machine_facts){
      .base_bytes = base, .huge_bytes = huge, .linux_version = linux_version()};
  facts->thp_built = !hp_kernel_read_text(THP "/enabled", text, sizeof text);
  facts->thp = switch_of("enabled", huge, facts->thp_switch, &by_size);
  facts->shared = switch_of("shmem_enabled", huge, facts->shared_switch,
                            &facts->shared_by_size);
  chosen(THP "/shmem_enabled", word, sizeof word);
  facts->shared_denied = !strcmp(word, "deny");
  facts->shared_forced = !strcmp(word, "force");
  facts->none = number("max_ptes_none", pages - 1);
  facts->swapped = number("max_ptes_swap", pages / 8);
  facts->shared_pages = number("max_ptes_shared", pages / 2);
  size_t sleep_ms = number("scan_sleep_millisecs", 10000);
  facts->scanned_per_s = (double)number("pages_to_scan", 8 * pages) * 1000 /
                         (double)(sleep_ms ? sleep_ms : 1);
  read_blocks(facts);
  if (!hp_kernel_read_text("/proc/meminfo", text, sizeof text) &&
      hp_kernel_find_size(text, "Hugepagesize:", &kib) && kib < SIZE_MAX / 1024)
    facts->hugetlb_bytes = kib * 1024;
}

/* "0-1,3": bits 0, 1 and 3. */
static uint64_t parse_nodes(const char *text) {
  uint64_t nodes = 0;
  text += strspn(text, " \t");
  while (*text >= '0' && *text <= '9') {
    char *end;
    unsigned long first = strtoul(text, &end, 10), last = first;
    if (*end == '-') last = strtoul(end + 1, &end, 10);
    for (unsigned long i = first; i <= last && i < FACTS_NODES; i++)
      nodes |= UINT64_C(1) << i;
    text = end + (*end == ',');
  }
  return nodes ? nodes : UINT64_MAX;
}

/* The value of a line of status, or "". */
static const char *value_of(const char *status, const char *key) {
  for (const char *line = status; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (!strncmp(line, key, strlen(key)))
      return line + strlen(key) + strspn(line + strlen(key), " \t");
  }
  return "";
}

/* Of a process without memory: the flag PF_KTHREAD is the same in all kernels.
 */
static enum process_state without_memory(pid_t pid) {
  enum { FLAGS_BEFORE = 6, KERNEL_THREAD = 0x200000 };
  char path[64], text[HP_TEXT_SIZE];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (hp_kernel_read_text(path, text, sizeof text)) return PROCESS_KERNEL;
  const char *at = strrchr(text, ')'); /* of the name, which may have any */
  for (int i = 0; at && i <= FLAGS_BEFORE; i++) at = strchr(at + 1, ' ');
  return at && !(strtoul(at, NULL, 10) & KERNEL_THREAD) ? PROCESS_ENDING
                                                        : PROCESS_KERNEL;
}

static void read_status(struct process_facts *facts, pid_t pid,
                        const char *status) {
  size_t enabled;
  const char *state = value_of(status, "State:");
  const char *name = value_of(status, "Name:");
  snprintf(facts->name, sizeof facts->name, "%.*s", (int)strcspn(name, "\n"),
           name);
  if (*state == 'Z' || *state == 'X' || *state == 'x')
    facts->state = PROCESS_ZOMBIE;
  else
    facts->state =
        *value_of(status, "VmSize:") ? PROCESS_LIVE : without_memory(pid);
  facts->thp_disabled =
      hp_kernel_find_size(status, "THP_enabled:", &enabled) && !enabled;
  facts->nodes = parse_nodes(value_of(status, "Mems_allowed_list:"));
  for (const char *at = value_of(status, "NSpid:"); *at && *at != '\n';) {
    char *end;
    facts->pid_inside = (int)strtol(at, &end, 10);
    if (end == at) break;
    at = end + strspn(end, " \t");
  }
}

static FILE *open_of(pid_t pid, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
  int file = hp_kernel_open(path, 0);
  return file < 0 ? NULL : memory_need(fdopen(file, "r"));
}

/* Of glibc.malloc.hugetlb: 1 is THP, 2 the usual size, a larger number a size.
 */
static void take_tunables(struct process_facts *facts, const char *tunables,
                          size_t usual) {
  char text[APPLICATION_VALUE] = "0";
  setting_of_list(tunables, "glibc.malloc.hugetlb", '=', ":", text);
  unsigned long value = strtoul(text, NULL, 0);
  facts->glibc_asks = value > 0;
  facts->hugetlb_asked = value == 2 ? usual : value > 2 ? value : 0;
}

static void take_variable(struct process_facts *facts, const char *text,
                          size_t usual) {
  static const char tunables[] = "GLIBC_TUNABLES=", conf[] = "MALLOC_CONF=";
  char value[APPLICATION_VALUE];
  if (!strncmp(text, tunables, strlen(tunables)))
    take_tunables(facts, text + strlen(tunables), usual);
  if (!strncmp(text, conf, strlen(conf)))
    facts->jemalloc_asks =
        setting_of_list(text + strlen(conf), "thp", ':', ",", value) &&
        !strcmp(value, "always");
}

static void find_jemalloc(struct process_facts *facts, pid_t pid) {
  char *line = NULL;
  size_t room = 0;
  FILE *file = open_of(pid, "maps");
  if (!file) return;
  while (!facts->has_jemalloc && getline(&line, &room, file) > 0)
    facts->has_jemalloc = strstr(line, "/libjemalloc") != NULL;
  free(line);
  fclose(file);
}

static void read_environment(struct process_facts *facts, pid_t pid,
                             size_t usual) {
  struct hp_pool pool;
  char *text = NULL;
  size_t room = 0;
  FILE *file = open_of(pid, "environ");
  if (!file) return;
  while (getdelim(&text, &room, '\0', file) > 0)
    take_variable(facts, text, usual);
  free(text);
  fclose(file);
  facts->hugetlb_empty =
      hp_pool_read(facts->hugetlb_asked, &pool) || pool.free <= pool.reserved;
}

void process_facts_read(struct process_facts *facts, pid_t pid,
                        const struct machine_facts *machine) {
  char path[64], text[HP_TEXT_SIZE];
  *facts = (struct process_facts){.state = PROCESS_GONE};
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  if (hp_kernel_read_text(path, text, sizeof text)) return;
  read_status(facts, pid, text);
  if (facts->state != PROCESS_LIVE) return;
  snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
  facts->cgroup_room = hp_memory_cgroup_room(path);
  read_environment(facts, pid, machine->hugetlb_bytes);
  find_jemalloc(facts, pid);
  FILE *mountinfo = open_of(pid, "mountinfo");
  if (!mountinfo) return;
  mounts_read(&facts->mounts, mountinfo);
  fclose(mountinfo);
}

void process_facts_fini(struct process_facts *facts) {
  mounts_fini(&facts->mounts);
}
