/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says of an algorithm that is run in the emulator for it, and
 * counted: once a size, on its usual input. */
#include <config.h>
#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/emulated_run.h"
#include "experiments/gpu_models/model.h"
#include "experiments/gpu_models/model_print.h"

static struct gpu_counts counts_of(const struct simt_counters *c) {
  struct gpu_counts counts = {
      .warp_instructions = (double)c->warp_instructions,
      .arithmetic = (double)c->arithmetic,
      .accesses = (double)c->accesses,
      .lines = (double)(c->lines_read + c->lines_written),
      .bank_waves = (double)c->bank_waves,
      .threads = (double)c->threads,
      .thread_blocks = (double)c->thread_blocks};
#ifndef HAVE_EMU_ARITHMETIC
  counts.arithmetic = NAN;
#endif
  return counts;
}

int model_of_emulated(const struct model_request *request) {
  const struct device *emu;
  int code = emulated_open(&emu, "--algo");
  const struct algo *algo = device_algo(emu, request->algo);
  const struct sizes *n = model_request_given(request, "n");
  if (!code && !algo)
    code = fail(VAT_USAGE,
                "--algo %s: --device emu has no such algorithm; vat list algos "
                "has those it has",
                request->algo);
  for (size_t i = 0; !code && i < n->count; i++) {
    struct algo_run run = {.n = n->at[i], .seed = 1};
    struct simt_counters counters;
    struct gpu_counts counts;
    struct model_line line = {
        .name = algo->name, .counted = emu->name, .n = (double)n->at[i]};
    if ((code = emulated_count(emu, algo, &run, &counters))) break;
    counts = counts_of(&counters);
    request->model->of_counts(request->arch, &counts, line.outputs);
    if (!i) model_print_head(request);
    model_print_line(request, &line);
    if (isnan(counts.arithmetic) && i + 1 == n->count) model_note_bound();
  }
  return code;
}
