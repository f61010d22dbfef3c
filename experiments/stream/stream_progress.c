/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/stream/stream_progress.h"

#include <config.h>
#include <math.h>

#include "experiments/cli/command.h"

#ifdef HAVE_STREAMS
enum { TRIAL_PAGES = 512, TRIAL_OPERATIONS = 1 << 17 };

static int count(void *arg, size_t pages, uint64_t accesses) {
  (void)pages;
  *(double *)arg += (double)accesses;
  return VAT_OK;
}

/* A size that is tried at once, or n. */
static uint64_t trial_size(const struct algo *algo, uint64_t n) {
  while (n > 16 && algo->ram_ops(n) > TRIAL_OPERATIONS)
    n = cpu_algo_fit(algo, n / 2);
  return n;
}

double stream_expected(const struct stream *stream) {
  uint64_t pages[TRIAL_PAGES];
  double accesses = 0;
  const struct stream trial = {.algo = stream->algo,
                               .n = trial_size(stream->algo, stream->n),
                               .seed = stream->seed,
                               .generator = stream->generator};
  const struct stream_sink sink = {.block = {.addresses = pages},
                                   .capacity = TRIAL_PAGES,
                                   .take = count,
                                   .arg = &accesses,
                                   .free = VAT_TC_PAIRS_FREE,
                                   .page_bits = 12};
  if (stream_run(&trial, &sink)) return 0;
  return accesses / trial.algo->ram_ops(trial.n) *
         cpu_algo_ops(stream->algo, stream->n, stream->given);
}
#else
double stream_expected(const struct stream *stream) {
  (void)stream;
  return 0;
}
#endif

void stream_progress_init(struct stream_progress *progress,
                          struct progress *bar, const struct stream *stream) {
  *progress = (struct stream_progress){
      .progress = bar,
      .algo = stream->algo->name,
      .expected = bar->shown ? stream_expected(stream) : 0};
}

void stream_progress_add(struct stream_progress *progress, uint64_t accesses) {
  if (!progress->progress->shown || !(progress->expected > 0)) return;
  /* The input, which is made before, is none of the work that is left. */
  if (!(progress->start_s > 0)) progress->start_s = progress_now_s();
  progress->accesses += (double)accesses;
  progress_draw_part(progress->progress,
                     fmin(1, progress->accesses / progress->expected),
                     progress->start_s, progress->algo);
}
