/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why less was granted than was asked for. */
#include <inttypes.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/exec/granted.h"

static const char *why_nothing_asked(const struct plan_choice *choice,
                                     uint64_t flags) {
  static const char *const reasons[PLAN_WHATS] = {
      [PLAN_SITE_LARGE] = "no block of this site was allocated",
      [PLAN_SITE_SMALL] = "no block of this site was allocated",
      [PLAN_HEAP] = "the heap of glibc has no memory",
      [PLAN_DATA] = "there is no zeroed static data with a mapping of its own",
      [PLAN_STACK] = "the stack was not seen",
      [PLAN_MAPPINGS] = "no such mapping was made",
      [PLAN_FILE] = "no file of that name was mapped",
      [PLAN_SHARED] = "no such memory was mapped",
      [PLAN_TEXT] =
          "no program or library of that name was there before "
          "main(); fix: the name of its file, as /proc/PID/maps has "
          "it"};
  if (flags & LOOK_OWN_MALLOC)
    return "the program has a malloc of its own; fix: choose mappings";
  if (flags & LOOK_SANDBOX)
    return "the program entered a sandbox (seccomp) before; vat exec changes "
           "nothing in a sandbox";
  if (flags & LOOK_OTHER_BUILD)
    return "the program or a library is another build than that of the plan, "
           "and no function there has these names; fix: profile this one";
  if (!(flags & LOOK_DONE))
    return "it was not seen: the program ended before vat looked at it, or "
           "could not read /proc/self/smaps (killed, chroot, ulimit -n)";
  return reasons[choice->what];
}

/* Memory of a choice on base pages, by what the place of these is. */
enum place { PLACE_SMALL, PLACE_ENDS, PLACE_INSIDE, PLACES };

#define SMALL_MAPPINGS \
  "lie in mappings smaller than a huge page; fix: map 2 MiB or more at once"
#define TOP_OF_STACK                                                           \
  "lie at the top of the stack, above the last multiple of 2 MiB; fix: leave " \
  "stack out unless the program uses more of it"

#define OUTSIDE_TEXT                                                    \
  "lie in code that does not fill 2 MiB of addresses; fix: link large " \
  "programs and libraries with -Wl,-z,max-page-size=2097152"

static const char *const places[PLACES][PLAN_WHATS] = {
    [PLACE_SMALL] =
        {[PLAN_SITE_LARGE] = SMALL_MAPPINGS,
         [PLAN_SITE_SMALL] = SMALL_MAPPINGS,
         [PLAN_HEAP] = "lie in parts of the heap smaller than a huge page; "
                       "fix: site=FUNCTION, for blocks that share huge pages",
         [PLAN_DATA] = "lie in static data smaller than a huge page; fix: one "
                       "array of 4 MiB or more, or leave data out",
         [PLAN_STACK] = TOP_OF_STACK,
         [PLAN_MAPPINGS] = SMALL_MAPPINGS,
         [PLAN_SHARED] = SMALL_MAPPINGS,
         [PLAN_TEXT] = OUTSIDE_TEXT},
    [PLACE_ENDS] = {
        [PLAN_SITE_LARGE] = "lie at the ends of blocks or mappings, outside "
                            "whole huge pages; fix: multiples of 2 MiB",
        [PLAN_SITE_SMALL] = "lie at the ends of mappings, outside whole huge "
                            "pages; fix: multiples of 2 MiB",
        [PLAN_HEAP] = "lie at the ends of the heap or of malloc()'s mappings, "
                      "outside whole huge pages; fix: site=FUNCTION, which "
                      "begins large blocks at multiples of 2 MiB",
        [PLAN_DATA] = "lie at the ends of static data, outside whole huge "
                      "pages; fix: __attribute__((aligned(2097152)))",
        [PLAN_STACK] = TOP_OF_STACK,
        [PLAN_MAPPINGS] = "lie at the ends of mappings, outside whole huge "
                          "pages; fix: map multiples of 2 MiB at multiples "
                          "of 2 MiB",
        [PLAN_TEXT] = OUTSIDE_TEXT}};

static const char *text_inside(uint64_t flags) {
  if (flags & LOOK_CONFINED)
    return "could be on huge pages, but the program began in a sandbox "
           "(seccomp), in which vat exec changes no code; fix: start it "
           "outside (docker run --security-opt seccomp=unconfined)";
  if (flags & LOOK_THREADS)
    return "could be on huge pages, but there were threads before main(), and "
           "vat exec replaces no code that another thread may run; fix: leave "
           "out of LD_PRELOAD what starts them";
  if (flags & LOOK_NO_EXEC)
    return "could be on huge pages, but memory of this program may not become "
           "executable (SELinux: execmem; systemd: MemoryDenyWriteExecute=); "
           "fix: allow it";
  return "are on base pages where a huge page has room: the kernel had none "
         "free, or prctl(PR_SET_THP_DISABLE) forbids them, or Linux is older "
         "than 6.1, or the file is gone; fix: echo 1 | sudo tee "
         "/proc/sys/vm/compact_memory before the run";
}

/* Of sizes below 2 MiB, whatever the choice. */
static const char *const small_places[PLACES] = {
    [PLACE_SMALL] =
        "lie in mappings smaller than such a page, or that do not "
        "hold a whole one",
    [PLACE_ENDS] =
        "lie at the ends of mappings, outside whole pages of this "
        "size",
    [PLACE_INSIDE] =
        "are on other pages where one of this size has room: the kernel had "
        "none free at the first touch, or they were touched before they were "
        "chosen, or a part was given back; fix: echo 1 | sudo tee "
        "/proc/sys/vm/compact_memory before the run"};

static const char *place_text(const struct plan_choice *choice,
                              const struct hp_kind *kind, enum place place,
                              uint64_t flags) {
  const char *text =
      kind->alone ? small_places[place] : places[place][choice->what];
  if (text) return text;
  if (choice->what == PLAN_SHARED)
    return "of shared memory are on base pages: they lie outside whole huge "
           "pages, or /sys/kernel/mm/transparent_hugepage/shmem_enabled is "
           "deny, or Linux is older than 6.1, or memory is short; fix: echo "
           "advise > that file";
  if (choice->what == PLAN_TEXT) return text_inside(flags);
  return "are on base pages where a huge page has room: the kernel had none "
         "free at the first touch, or they were touched before they were "
         "chosen, or a part was given back; fix: echo 1 | sudo tee "
         "/proc/sys/vm/compact_memory before the run";
}

/* Each place with bytes, the largest first.  To free(). */
static char *why_base_pages(const struct plan_choice *choice,
                            const struct hp_kind *kind,
                            const struct look_sum *sum, uint64_t missing) {
  uint64_t bytes[PLACES] = {sum->small, sum->ends, 0};
  if (bytes[PLACE_SMALL] > missing) bytes[PLACE_SMALL] = missing;
  missing -= bytes[PLACE_SMALL];
  if (bytes[PLACE_ENDS] > missing) bytes[PLACE_ENDS] = missing;
  bytes[PLACE_INSIDE] = missing - bytes[PLACE_ENDS];
  char *text = NULL;
  for (;;) {
    enum place most = PLACE_SMALL;
    for (enum place i = PLACE_SMALL; i < PLACES; i++)
      if (bytes[i] > bytes[most]) most = i;
    if (!bytes[most] || (text && bytes[most] < 4096)) return text;
    char *before = text;
    text = memory_format("%s%s%" PRIu64 " bytes %s", before ? before : "",
                         before ? "; " : "", bytes[most],
                         place_text(choice, kind, most, sum->flags));
    free(before);
    bytes[most] = 0;
  }
}

/* NULL: the places of the base pages are the reason. */
static const char *why_not_all(const struct plan_choice *choice,
                               const struct hp_kind *kind,
                               const struct look_sum *sum) {
  if (sum->flags & LOOK_FORKED)
    return "children that fork made have no pages of the pool; fix: --pages "
           "thp";
  if (sum->flags & LOOK_POOL_EMPTY)
    return "the pool of these pages was used up; fix: --reserve SIZE, or a "
           "larger pool";
  if (choice->what == PLAN_FILE)
    return "its file system gives no huge pages, or parts of it are smaller "
           "than one; fix: a tmpfs mounted with huge=advise, or "
           "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
  if (kind->pooled)
    return "pieces smaller than a page of the pool, or it was used up; fix: "
           "--reserve SIZE";
  return NULL;
}

char *granted_why(const struct plan_choice *choice, const struct hp_kind *kind,
                  const struct look_sum *sum) {
  if (choice->what == PLAN_SHARED && kind->alone)
    return memory_text(
        "vat has no such pages for shared memory; fix: --pages thp");
  if (choice->what == PLAN_SHARED && kind->pooled)
    return memory_text(
        "vat has no pages of a pool for shared memory; fix: SHM_HUGETLB, "
        "MFD_HUGETLB or MAP_HUGETLB in the source, or --pages thp");
  if (choice->refused) return memory_text(choice->refused);
  if (!sum->asked) return memory_text(why_nothing_asked(choice, sum->flags));
  if (sum->granted >= sum->asked) return NULL;
  uint64_t missing = sum->asked - sum->granted;
  missing = sum->other < missing ? missing - sum->other : 0;
  const char *reason = why_not_all(choice, kind, sum);
  char *text =
      reason ? memory_text(reason) : why_base_pages(choice, kind, sum, missing);
  if (!sum->other) return text;
  const char *other = kind->pooled  ? "transparent huge pages or another pool"
                      : kind->alone ? "larger pages"
                                    : "pages of a pool";
  char *all =
      memory_format("%s%s%" PRIu64 " bytes are on %s instead", text ? text : "",
                    text ? "; " : "", sum->other, other);
  free(text);
  return all;
}
