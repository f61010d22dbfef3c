/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other ways to put a program's memory on larger pages: what people deploy. */
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/planning.h"
#include "experiments/profile/small_blocks.h"

static bool has_heap(const struct planning *p) {
  for (size_t i = 0; i < p->plan.choice_count; i++)
    if (!strcmp(p->plan.choices[i].kind, "heap")) return true;
  return false;
}

static bool has_shared(const struct planning *p) {
  for (size_t i = 0; i < p->plan.choice_count; i++)
    if (p->plan.choices[i].what == PLAN_SHARED) return true;
  return false;
}

static const char *plan_file(const struct planning *p) {
  const char *path = p->request->output;
  return path ? path : "PLAN.json";
}

/* Of the plan; to free(). */
static char *command(const struct planning *p, const char *name) {
  char *const file[] = {(char *)plan_file(p), NULL};
  char *head = plan_command(name, file);
  char *with = memory_format("%s --", head);
  char *all = plan_command(with, p->profiled.program);
  free(head);
  free(with);
  return all;
}

/* Sizes between have a switch that must be set. */
static char *exec(const struct planning *p) {
  return command(p, planning_is_small(p) ? "vat exec --reserve --plan"
                                         : "vat exec --plan");
}

static char *compare(const struct planning *p) {
  return command(p, planning_is_small(p) ? "vat compare --reserve --plan"
                                         : "vat compare --plan");
}

/* jemalloc and others have no pages of a pool. */
static char *allocator(const struct planning *p) {
  struct heap_advice heap;
  if (!has_heap(p)) return NULL;
  heap_advice_of(&p->profile, &heap);
  if (planning_is_thp(p)) return memory_text(heap.advice);
  if (strcmp(heap.name, "glibc")) return NULL;
  return memory_format("GLIBC_TUNABLES=glibc.malloc.hugetlb=%s",
                       p->all.page >> 30 ? "1073741824" : "2");
}

static char *program(const struct planning *p) {
  return application_advice_of(&p->profile);
}

static char *systemd(const struct planning *p) {
  return planning_is_thp(p) ? memory_text("MemoryTHP=madvise") : NULL;
}

static char *prctl_call(const struct planning *p) {
  return planning_is_thp(p) ? memory_text(
                                  "prctl(PR_SET_THP_DISABLE, 1, "
                                  "PR_THP_DISABLE_EXCEPT_ADVISED, 0, 0)")
                            : NULL;
}

static char *shmem(const struct planning *p) {
  if (!planning_is_thp(p) || !has_shared(p)) return NULL;
  return memory_text(
      "echo advise >/sys/kernel/mm/transparent_hugepage/shmem_enabled");
}

static char *tmpfs(const struct planning *p) {
  if (!planning_is_thp(p) || !has_shared(p)) return NULL;
  return memory_text("mount -o remount,huge=advise /dev/shm");
}

static unsigned long long pool_pages(const struct planning *p) {
  uint64_t bytes = p->plan.used_bytes, page = p->all.page;
  if (p->costs.arena && page < SMALL_BLOCKS_CHUNK)
    bytes += SMALL_BLOCKS_CHUNK - page;
  return bytes / page;
}

/* A fault takes the largest size that is on. */
static char *switches(const struct planning *p) {
  if (!planning_is_small(p)) return NULL;
  return memory_format(
      "echo madvise >/sys/kernel/mm/transparent_hugepage/hugepages-%llukB/"
      "enabled",
      (unsigned long long)planning_page(p) >> 10);
}

/* Transparent huge pages take none of these. */
static char *kubernetes(const struct planning *p) {
  if (planning_is_thp(p)) return NULL;
  bool gib = p->all.page >> 30;
  return memory_format("hugepages-%s: %lluMi", gib ? "1Gi" : "2Mi",
                       pool_pages(p) * (p->all.page >> 20));
}

static char *pool(const struct planning *p) {
  if (planning_is_thp(p)) return NULL;
  unsigned long long pages = pool_pages(p);
  return p->all.page >> 30
             ? memory_format("hugepagesz=1G hugepages=%llu", pages)
             : memory_format("vm.nr_hugepages=%llu", pages);
}

/* `make` returns NULL where it does not apply; only for plans that choose
 * something.  What has no name is a variable, and called as that. */
static const struct {
  const char *name;
  char *(*make)(const struct planning *planning);
  const char *meaning;
} ways[] = {
    {"exec", exec, "run the program with this plan"},
    {"compare", compare, "measure what this plan saves"},
    {NULL, allocator,
     "environment; all of the heap, and nothing else: not the plan's part"},
    {"program", program, "switches of the program itself"},
    {"systemd", systemd,
     "[Service], beside vat exec or madvise(): nothing else on huge pages"},
    {"prctl", prctl_call, "the same from a launcher, Linux 6.18 and later"},
    {"shmem", shmem,
     "for shared memory: with never, madvise() has no effect on it; vat exec "
     "needs this only if it is deny"},
    {"switch", switches,
     "the switch of this size, with those of all others at never; vat exec "
     "--reserve and vat compare --reserve set them for a run"},
    {"tmpfs", tmpfs, "the same for files in /dev/shm"},
    {"kubernetes", kubernetes, "limits of the container, beside vat exec"},
    {"pool", pool,
     "the pool for these: sysctl, or the kernel's command line for 1G"},
};

const char *plan_way_meaning(const struct plan_way *way) {
  const char *of_variables = "";
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (!ways[i].name)
      of_variables = ways[i].meaning;
    else if (!strcmp(ways[i].name, way->name))
      return ways[i].meaning;
  return of_variables;
}

void planning_ways(struct planning *p) {
  if (!p->plan.choice_count) return;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char *text = ways[i].make(p);
    if (!text) continue;
    const char *name = ways[i].name;
    *ARRAY_ADD(p->plan.ways, p->plan.way_count) = (struct plan_way){
        name ? memory_text(name)
             : memory_format("%.*s", (int)strcspn(text, "="), text),
        text};
  }
}
