/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/calibrate/calibrate.h"
#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/machine/tlb_here.h"
#include "experiments/profile/what_if_table.h"
#include "experiments/sim/tlb_option.h"
#include "huge_pages/available_memory.h"

/* As doc/calibration.md has it for --refresh; more takes longer to fill, so
 * that a second's share is limited, too. */
static const double memory_most = 1 << 30, memory_a_second = 32 << 20;

/* Of calibrate_s.  All of a calibration takes most of its time for what is not
 * needed here, and gets few repetitions; so the curves that what-if goes by are
 * measured again at once, and after the runs. */
static const double share = 0.5;

/* It pins this process, and what is run afterwards would be pinned, too. */
static int calibrate_unpinned(const struct profile_request *request,
                              struct calibrate_options *options,
                              struct calibration *cal) {
  const double huge = 2 << 20;
  cpu_set_t before;
  bool known = !sched_getaffinity(0, sizeof before, &before);
  double room = fmin((double)hp_memory_available() / 8,
                     memory_a_second * request->calibrate_s);
  options->memory_bytes =
      (uint64_t)(huge * fmax(1, floor(fmin(room, memory_most) / huge)));
  options->pin = -1;
  fflush(stderr);
  int code = calibrate(options, cal);
  if (known) sched_setaffinity(0, sizeof before, &before);
  return code;
}

struct tlb_shape what_if_here_tlbs(const struct calibration *cal) {
  /* They are not found by a chase: those that most processors have. */
  static const uint32_t ways[] = {4, 8};
  struct tlb_shape shape = {0};
  const struct cal_pages *pages = calibration_pages(cal, "4k");
  for (unsigned i = 0; pages && i < pages->tlbs && i < 2; i++) {
    double entries = pages->tlb[i].entries.value;
    if (entries >= ways[i] && entries <= TLB_ENTRIES_MAX)
      shape.level[i] = (struct tlb_cache_shape){
          ways[i] * (uint32_t)exp2(round(log2(entries / ways[i]))), ways[i]};
  }
  return shape;
}

static void choose_tlbs(struct profile_request *request,
                        const struct calibration *cal) {
  char text[TLB_SHAPE_TEXT];
  if (request->cache_given || request->tlb.level[0].entries || request->from)
    return;
  bool told = !tlb_here(&request->tlb);
  if (!told) request->tlb = what_if_here_tlbs(cal);
  if (!request->tlb.level[0].entries) return;
  request->policy = "tlb";
  fprintf(stderr, "vat: note: %s TLBs: --tlb %s\n",
          told ? "this processor's" : "the calibration found these",
          tlb_shape_text(&request->tlb, text));
}

static void announce(const struct profile_request *request) {
  double before = request->calibrate_s;
  fprintf(stderr, "vat: note: calibrating this machine, about %.0f s", before);
  if (what_if_is_timed_here(request))
    fprintf(stderr, ", and %.0f s after the runs that measure the time",
            share * before);
  fputs("; --machine FILE leaves it out\n", stderr);
}

/* What is zeroed becomes `from` with curves of now; or stays as it is.
 * calibrate() reads `from` in a file without a name. */
static int measure_again(const struct profile_request *request,
                         const struct calibration *from,
                         struct calibration *to) {
  char path[64];
  struct calibrate_options options = {
      .refresh = path, .time_budget_s = share * request->calibrate_s};
  int fd = memfd_create("calibration", MFD_CLOEXEC);
  json_t *object = calibration_to_json(from);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int code = fd < 0 || json_dumpfd(object, fd, JSON_COMPACT)
                 ? fail(VAT_ABSENT, "a calibration: %s", strerror(errno))
                 : calibrate_unpinned(request, &options, to);
  json_decref(object);
  if (fd >= 0) close(fd);
  if (!code) return VAT_OK;
  calibration_fini(to);
  *to = (struct calibration){0};
  return fail(code, "note: the calibration before is used alone");
}

int what_if_here_before(struct what_if_table *table,
                        struct profile_request *request) {
  struct calibrate_options options = {
      .pages = "4k,thp", .time_budget_s = share * request->calibrate_s};
  announce(request);
  table->here = true;
  table->cal = memory_zeroed(2, sizeof *table->cal);
  struct calibration *cal = table->cal;
  int code = calibrate_unpinned(request, &options, &cal[table->cals++]);
  if (code) return code;
  if (!measure_again(request, &cal[0], &cal[1])) {
    calibration_fini(&cal[0]);
    cal[0] = cal[1];
    cal[1] = (struct calibration){0};
  }
  choose_tlbs(request, &cal[0]);
  return VAT_OK;
}

void what_if_here_after(struct what_if_table *table,
                        const struct profile_request *request) {
  if (!measure_again(request, &table->cal[0], &table->cal[table->cals]))
    table->cals++;
}
