/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_pages.c -- transparent huge pages of the PMD size. */
#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/guarded_map.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"
#include "huge_pages/thp_alone.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

#define THP_DIRECTORY "/sys/kernel/mm/transparent_hugepage"

size_t hp_thp_page_bytes(void) {
  size_t bytes, page = hp_base_page_bytes();
  if (!hp_kernel_read_size(THP_DIRECTORY "/hpage_pmd_size", &bytes) &&
      bytes > page && !(bytes & (bytes - 1)))
    return bytes;
  /* One page of 8-byte page table entries, each mapping one page. */
  return page / 8 * page;
}

int hp_thp_map(struct hp_region *region) {
  region->base = hp_guarded_map(region->bytes, region->kind->bytes);
  if (!region->base) return -1;
  region->via = "madvise";
  if (!madvise(region->base, region->bytes, MADV_HUGEPAGE)) return 0;
  hp_guarded_unmap(region->base, region->bytes);
  errno = ENOTSUP;
  return -1;
}

/*
 * A fault that finds no huge page ready takes base pages instead.  Collapsing
 * compacts memory and tries harder; under pressure it wants several tries.
 */
static void thp_settle(struct hp_region *region) {
  for (int tries = 0; tries < 4; tries++) {
    struct hp_granted granted;
    if (hp_region_verify(region, region->bytes, &granted)) return;
    if (hp_granted_is(&granted, region->kind)) return;
    if (madvise(region->base, region->bytes, MADV_COLLAPSE) && errno == EINVAL)
      return;
  }
}

/* True if `path` reads as a choice list with `word` chosen: "a [word] b". */
static bool chosen(const char *path, const char *word) {
  char text[256], bracketed[32];
  if (hp_kernel_read_text(path, text, sizeof text)) return false;
  snprintf(bracketed, sizeof bracketed, "[%s]", word);
  return strstr(text, bracketed);
}

/*
 * Linux 6.8 and later have a switch per size; it rules unless it says
 * "inherit".  Before, the one for all sizes does.
 */
const char *hp_thp_switched_off(size_t bytes, char *path, size_t size) {
  const char *all = THP_DIRECTORY "/enabled";
  snprintf(path, size, THP_DIRECTORY "/hugepages-%zukB/enabled", bytes / 1024);
  if (chosen(path, "never")) return "madvise";
  if (chosen(path, "always") || chosen(path, "madvise")) return NULL;
  snprintf(path, size, "%s", all);
  return chosen(path, "never") ? "madvise" : NULL;
}

/* Bit 1 (Linux 6.18): disabled, except where madvise asks, as we do. */
int hp_thp_disabled_explain(struct hp_missing *missing) {
  int flags = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  if (flags <= 0 || (flags & 3) != 1) return 0;
  snprintf(missing->why, sizeof missing->why,
           "transparent huge pages are disabled for this process "
           "(PR_SET_THP_DISABLE, inherited from its parent)");
  snprintf(missing->fix, sizeof missing->fix,
           "start it from a shell or service that does not disable them");
  errno = ENOTSUP;
  return -1;
}

int hp_thp_explain(const struct hp_kind *kind, size_t bytes,
                   struct hp_missing *missing) {
  char path[128], text[256];
  const char *fix;
  if (hp_kernel_read_text(THP_DIRECTORY "/enabled", text, sizeof text)) {
    if (errno == EMFILE || errno == ENFILE) {
      snprintf(missing->why, sizeof missing->why,
               "%s/enabled cannot be read: %s", THP_DIRECTORY, strerror(errno));
      snprintf(missing->fix, sizeof missing->fix,
               "raise the limit of open files (ulimit -n)");
      return -1;
    }
    snprintf(missing->why, sizeof missing->why,
             "this kernel has no transparent huge pages");
    snprintf(missing->fix, sizeof missing->fix,
             "run on a kernel built with CONFIG_TRANSPARENT_HUGEPAGE");
  } else if ((fix = hp_thp_switched_off(kind->bytes, path, sizeof path))) {
    bool between = kind->bytes != hp_thp_page_bytes();
    snprintf(missing->why, sizeof missing->why,
             "transparent huge pages%s%s are switched off (never)",
             between ? " of " : "", between ? HP_SIZE_SHOWN(kind->bytes) : "");
    snprintf(missing->fix, sizeof missing->fix, "echo %s | sudo tee %s", fix,
             path);
  } else if (!hp_thp_disabled_explain(missing)) {
    return hp_memory_explain(bytes, missing);
  }
  errno = ENOTSUP;
  return -1;
}

static size_t thp_sizes(size_t sizes[HP_KINDS_MAX]) {
  sizes[0] = hp_thp_page_bytes();
  return 1;
}

static const struct hp_setting thp_settings[] = {
    {"thp enabled", "enabled", THP_DIRECTORY "/enabled",
     "who gets them; madvise is enough for vat"},
    {"thp defrag", "defrag", THP_DIRECTORY "/defrag",
     "who waits for memory to be compacted"},
    {"khugepaged defrag", NULL, THP_DIRECTORY "/khugepaged/defrag",
     "whether it compacts memory in the background"},
    {0}};

const struct hp_kind hp_thp_kind = {
    .name = "thp",
    .summary = "transparent huge pages, collapsed where a fault missed",
    .words = "transparent huge pages",
    .sizes = thp_sizes,
    .usual_bytes = (size_t)2 << 20, /* x86-64; arm64 with 4 KiB pages */
    .map = hp_thp_map,
    .settle = thp_settle,
    .explain = hp_thp_explain,
    .settings = thp_settings,
    .for_programs = true,
};
