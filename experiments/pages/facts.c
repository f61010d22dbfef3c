/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/facts.h"

#include <config.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"

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

static enum thp_mode mode_of(const char *word) {
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
                               char path[SWITCH_PATH]) {
  char word[16];
  snprintf(path, SWITCH_PATH, THP "/hugepages-%zukB/%s", bytes / 1024, name);
  chosen(path, word, sizeof word);
  if (*word && strcmp(word, "inherit")) return mode_of(word);
  snprintf(path, SWITCH_PATH, THP "/%s", name);
  chosen(path, word, sizeof word);
  return mode_of(word);
}

static size_t number(const char *name, size_t usual) {
  char path[SWITCH_PATH];
  size_t value;
  snprintf(path, sizeof path, THP "/khugepaged/%s", name);
  return hp_kernel_read_size(path, &value) ? usual : value;
}

/* "Node 0, zone   Normal    2   1196 ...": the number of free blocks of 2^0,
 * 2^1, ... base pages. */
static size_t free_blocks(size_t order) {
  char text[HP_TEXT_SIZE], *rest = text;
  size_t sum = 0;
  if (hp_kernel_read_text("/proc/buddyinfo", text, sizeof text))
    return SIZE_MAX;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *at = strstr(line, "zone");
    if (!at) continue;
    at += strcspn(at, " ");
    at += strspn(at, " ");
    at += strcspn(at, " ");
    for (size_t i = 0; *at; i++) {
      char *end;
      size_t blocks = strtoul(at, &end, 10);
      if (end == at) break;
      if (i >= order) sum += blocks << (i - order);
      at = end;
    }
  }
  return sum;
}

static size_t order_of(size_t pages) {
  size_t order = 0;
  while (pages >>= 1) order++;
  return order;
}

void machine_facts_read(struct machine_facts *facts) {
  char text[256];
  size_t base = hp_base_page_bytes(), huge = hp_thp_page_bytes();
  size_t pages = huge / base;
  *facts = (struct machine_facts){.base_bytes = base, .huge_bytes = huge};
  facts->thp_built = !hp_kernel_read_text(THP "/enabled", text, sizeof text);
  facts->thp = switch_of("enabled", huge, facts->thp_switch);
  facts->shared = switch_of("shmem_enabled", huge, facts->shared_switch);
  facts->khugepaged = number("defrag", 0) || number("pages_to_scan", 0);
  facts->none = number("max_ptes_none", pages - 1);
  facts->swapped = number("max_ptes_swap", pages / 8);
  facts->shared_pages = number("max_ptes_shared", pages / 2);
  size_t sleep_ms = number("scan_sleep_millisecs", 10000);
  facts->scanned_per_s = (double)number("pages_to_scan", 8 * pages) * 1000 /
                         (double)(sleep_ms ? sleep_ms : 1);
  facts->free_blocks = free_blocks(order_of(pages));
}

void process_facts_read(struct process_facts *facts, pid_t pid) {
  char path[64], text[HP_TEXT_SIZE];
  size_t enabled;
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  if (hp_kernel_read_text(path, text, sizeof text)) *text = '\0';
  facts->thp_disabled =
      hp_kernel_find_size(text, "THP_enabled:", &enabled) && !enabled;
  snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
  facts->cgroup_room = hp_memory_cgroup_room(path);
}
