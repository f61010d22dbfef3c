/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <unistd.h>

#include "experiments/cli/progress.h"
#include "experiments/compare/process_tree.h"
#include "experiments/compare/supervisor.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/pool.h"

/* Sums in /proc/PID/status cost some 20 us a process and no lock; smaps walk
 * the page table under the lock of the address space, 1 ms for 200 MiB of 4 KiB
 * pages.  Each takes at most this share of a run. */
static const double status_share = 0.001, smaps_share = 0.002;
static const double soonest_s = 0.02, smaps_free_s = 0.0005;
/* Of a run that is not timed, half: or what lives some ms is not seen. */
static const double close_share = 0.5, close_soonest_s = 0.001;

/* Memory that cannot be made huge would be tried for all the time. */
static const double collapse_share = 0.2;

/* A larger peak is worth another look from here on. */
static const double growth = 1.1, little = 1 << 20;

/* Bytes, of one process or of many. */
struct process_sizes {
  size_t own;       /* but for what follows */
  size_t anonymous; /* of own, private */
  size_t shared;    /* of many: the most that one has */
  size_t hugetlb;   /* private or shared */
  size_t peak;      /* all */
  bool thp_off;
};

static bool read_sizes(pid_t pid, struct process_sizes *sizes) {
  char path[40], text[HP_TEXT_SIZE];
  size_t rss = 0, most = 0, anonymous = 0, shared = 0, hugetlb = 0, thp = 1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  if (hp_kernel_read_text(path, text, sizeof text)) return false;
  hp_kernel_find_size(text, "VmRSS:", &rss);
  hp_kernel_find_size(text, "VmHWM:", &most);
  hp_kernel_find_size(text, "RssAnon:", &anonymous);
  hp_kernel_find_size(text, "RssShmem:", &shared);
  hp_kernel_find_size(text, "HugetlbPages:", &hugetlb);
  hp_kernel_find_size(text, "THP_enabled:", &thp);
  if (shared > rss) shared = rss; /* they are read one after the other */
  *sizes = (struct process_sizes){.own = (rss - shared) * 1024,
                                  .anonymous = anonymous * 1024,
                                  .shared = shared * 1024,
                                  .hugetlb = hugetlb * 1024,
                                  .peak = (most + hugetlb) * 1024,
                                  .thp_off = !thp};
  return true;
}

/* All pages of the pools that somebody uses. */
static size_t pools_used(void) {
  size_t bytes = 0;
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_pool pool;
    if (kind->pooled && !hp_pool_read(kind->bytes, &pool))
      bytes += (pool.total - pool.free) * pool.page_bytes;
  }
  return bytes;
}

/* The kernel tells of each process what hugetlb pages it has, not which of them
 * others have, too: together they are at most what the pools gave. */
static size_t now_bytes(const struct process_sizes *all) {
  size_t used = all->hugetlb ? pools_used() : 0; /* 0, too: no /sys */
  size_t hugetlb = used && used < all->hugetlb ? used : all->hugetlb;
  return all->own + all->shared + hugetlb;
}

static struct process_sizes read_all_sizes(const pid_t *pids, size_t count) {
  struct process_sizes all = {0}, one;
  for (size_t i = 0; i < count; i++) {
    if (!read_sizes(pids[i], &one)) continue;
    all.own += one.own;
    all.anonymous += one.anonymous + one.hugetlb;
    all.hugetlb += one.hugetlb;
    if (one.shared > all.shared) all.shared = one.shared;
    all.thp_off |= one.thp_off;
  }
  return all;
}

void watch_begin(struct watch *watch, struct launch_result *result,
                 const struct launch *launch) {
  double now = progress_now_s();
  *watch = (struct watch){.result = result,
                          .collapse = launch->collapse,
                          .closely = launch->closely,
                          .chosen = launch->chosen,
                          .sized_bytes = launch->sized_bytes,
                          .start_s = now,
                          .next_s = now + close_soonest_s};
  if (watch->sized_bytes)
    hp_thp_faults_read(watch->sized_bytes, &watch->faults);
}

int watch_timeout_ms(const struct watch *watch) {
  double left = watch->next_s - progress_now_s();
  return left > 0 ? (int)(left * 1000) + 1 : 0;
}

static void note_peak(struct launch_result *result, size_t bytes) {
  if (bytes > result->peak_bytes) result->peak_bytes = bytes;
}

/* Read smaps of all, where memory has grown, or what was chosen may be there
 * now, and time allows. */
static void look(struct watch *watch, const pid_t *pids, size_t count,
                 size_t bytes, size_t anonymous) {
  double begun = progress_now_s();
  double share = watch->closely ? close_share : smaps_share;
  double allowed = share * (begun - watch->start_s) + smaps_free_s;
  struct backing sum = {0};
  bool grown =
      (double)bytes >= growth * (double)watch->seen_bytes ||
      (double)anonymous >= growth * (double)watch->seen_anonymous + little;
  if ((!grown && !watch->chosen) ||
      watch->spent_s + growth * watch->look_s > allowed)
    return;
  for (size_t i = 0; i < count; i++)
    backing_add_process(&sum, pids[i], watch->sized_bytes);
  watch->look_s = progress_now_s() - begun;
  watch->spent_s += watch->look_s;
  if (bytes > watch->seen_bytes) watch->seen_bytes = bytes;
  if (anonymous > watch->seen_anonymous) watch->seen_anonymous = anonymous;
  struct backing *best = &watch->result->at_peak;
  if (watch->chosen ? backing_huge(&sum) >= backing_huge(best)
                    : backing_shows_more(&sum, best))
    *best = sum;
}

void watch_sample(struct watch *watch) {
  static pid_t pids[TREE_MAX];
  double begun = progress_now_s();
  if (begun < watch->next_s) return;
  size_t count = process_tree(getpid(), 1, pids);
  struct process_sizes all = read_all_sizes(pids, count);
  size_t bytes = now_bytes(&all);
  watch->result->refused_thp |= all.thp_off;
  note_peak(watch->result, bytes);
  if (all.anonymous > watch->result->peak_private)
    watch->result->peak_private = all.anonymous;
  double cost = progress_now_s() - begun;
  look(watch, pids, count, bytes, all.anonymous);
  double share = watch->closely ? close_share : status_share;
  double wait = cost / share, looked = progress_now_s();
  if (watch->collapse) collapse_processes(pids, count);
  double now = progress_now_s();
  wait = fmax(wait, (now - looked) / collapse_share);
  double soonest = begun + (watch->closely ? close_soonest_s : soonest_s);
  watch->next_s = fmax(now + wait, soonest);
}

static void add_last(struct watch *watch, pid_t pid) {
  struct launch_result *result = watch->result;
  struct process_sizes sizes;
  if (read_sizes(pid, &sizes)) {
    note_peak(result, sizes.peak);
    result->refused_thp |= sizes.thp_off;
  }
  backing_add_process(&result->at_exit, pid, watch->sized_bytes);
}

void watch_exit(struct watch *watch, pid_t pid) {
  double begun = progress_now_s();
  add_last(watch, pid);
  watch->stopped_s += progress_now_s() - begun;
}

/* Who may not see frames goes by what the kernel counted. */
static void count_sized(struct watch *watch) {
  struct launch_result *result = watch->result;
  struct hp_thp_faults now;
  if (!watch->sized_bytes || hp_thp_faults_read(watch->sized_bytes, &now))
    return;
  backing_count_sized(&result->at_exit, watch->sized_bytes, &watch->faults,
                      &now);
  backing_count_sized(&result->at_peak, watch->sized_bytes, &watch->faults,
                      &now);
}

void watch_end(struct watch *watch) {
  static pid_t pids[TREE_MAX];
  size_t count = process_tree(getpid(), 1, pids);
  watch->result->left_behind = count;
  for (size_t i = 0; i < count; i++) add_last(watch, pids[i]);
  count_sized(watch);
}
