/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/stream/stream.h"

#include <config.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/spelling.h"
#include "experiments/data/data.h"
#include "experiments/device/device.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/size_text.h"

static int find_algo(void *at, const char *option, const char *name) {
  char names[NAMES_SIZE];
  const struct algo *algo = cpu_algo_find(name);
  *(const struct algo **)at = algo;
  if (algo) return VAT_OK;
  if (cpu_algo_unbuilt(name))
    return fail(VAT_ABSENT, "--%s %s: %s", option, name,
                cpu_algo_unbuilt(name));
  if (*device_names(name, names))
    return fail(VAT_USAGE,
                "--%s %s: runs on GPUs only and has no address stream; choose "
                "one that runs on cpu, see `vat list algos`",
                option, name);
  struct spelling spelling = {.typed = name};
  device_offer_algos(&devices[0], &spelling);
  return fail(
      VAT_USAGE,
      "--%s %s: unknown algorithm; %ssee `vat list algos`, or `vat list "
      "bounds` for predict",
      option, name, spelling_hint(&spelling));
}

#define OF_ALGO .needs = "algo", .because = "give --algo ALGO"

const struct option_row stream_rows[] = {
    {.help = "The address stream of an algorithm"},
    {"algo", "ALGO", OPTION_OWN, OPTION_AT(struct stream, algo),
     .set = find_algo, .needs = "n",
     .because = "give both; --n is the size of the input",
     .help = "run this algorithm; see `vat list algos`"},
    {"n", "N", OPTION_SIZE, OPTION_AT(struct stream, n), OF_ALGO,
     .help = "size of its input"},
    {"seed", "S", OPTION_WHOLE, OPTION_AT(struct stream, seed), OF_ALGO,
     .usual = "1", .help = "seed of its input, decimal or 0x..."},
    {"generator", "GENERATOR", OPTION_TEXT, OPTION_AT(struct stream, generator),
     OF_ALGO,
     .help = "generate its input in this way; see `vat list generators`"},
    {"base", "ADDR", OPTION_WHOLE, OPTION_AT(struct stream, base), OF_ALGO,
     .usual = "0x100000000", .help = "address of its workspace"},
    {0}};

int stream_check(const struct stream *stream) {
  if (!stream->algo) return VAT_OK;
  const char *name = stream->algo->name;
  if (stream->generator &&
      data_check_generator(stream->algo, stream->generator))
    return VAT_USAGE;
  size_t bytes = stream->algo->bytes(stream->n);
  if (!bytes)
    return fail(VAT_USAGE, "--n %" PRIu64 ": too large for %s", stream->n,
                name);
  if (bytes - 1 > UINT64_MAX - stream->base)
    return fail(VAT_USAGE,
                "--base 0x%" PRIx64
                ": the workspace would end above 2^64; choose a lower address",
                stream->base);
  return VAT_OK;
}

uint64_t stream_last_address(const struct stream *stream) {
  return stream->base + (stream->algo->bytes(stream->n) - 1);
}

#ifdef HAVE_STREAMS
enum { HUGE_PAGE = 2 << 20 };

struct steps {
  const struct algo *algo;
  void (*next)(struct algo_run *run);
  struct algo_run *run;
  const char *wrong;
};

static void step(void *context) {
  const struct steps *steps = context;
  steps->next(steps->run);
}

static void step_check(void *context) {
  struct steps *steps = context;
  steps->wrong = steps->algo->check(steps->run);
}

static int record(const struct stream *stream, struct algo_run *run,
                  const struct stream_sink *sink) {
  struct steps steps = {stream->algo, stream->algo->setup, run, NULL};
  const struct algo *const *twin = cpu_algos_traced;
  const char *name = stream->algo->name;
  while (*twin && strcmp((*twin)->name, name)) twin++;
  if (!*twin) return fail(VAT_ABSENT, "%s has no address stream", name);
  if (interruptible(step, &steps)) return VAT_FAILED;
  if (stream->watch) stream->watch(true);
  steps.next = (*twin)->run;
  recording_begin(run->memory, run->bytes, stream->base, sink);
  int code = recording_end(!interruptible(step, &steps));
  if (stream->watch) stream->watch(false);
  if (code) return code;
  if (interruptible(step_check, &steps)) return VAT_FAILED;
  return steps.wrong ? fail(VAT_FAILED, "%s: %s", name, steps.wrong) : VAT_OK;
}

/* The workspace, and so many bytes on either side whose addresses nothing else
 * may have.  NULL: there is no room. */
static unsigned char *map_apart(size_t bytes, size_t around) {
  if (bytes > hp_memory_available()) return NULL;
  size_t all = bytes + 2 * around;
  unsigned char *whole = mmap(
      NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return NULL;
  unsigned char *memory = mmap(whole + around, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (memory == MAP_FAILED) {
    munmap(whole, all);
    return NULL;
  }
  /* Whose addresses are simulated need not pay for translating them. */
  madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

static int refuse_memory(const struct stream *stream, size_t bytes,
                         size_t around) {
  char need[HP_SIZE_TEXT];
  struct hp_missing missing;
  if (bytes <= hp_memory_available() &&
      hp_address_space_explain(bytes + 2 * around, &missing))
    return fail(VAT_ABSENT, "--n %" PRIu64 ": %s needs %s; %s; fix: %s",
                stream->n, stream->algo->name, hp_size_text(bytes, need),
                missing.why, missing.fix);
  return fail(VAT_ABSENT,
              "--n %" PRIu64
              ": %s needs %s, more memory than is free; choose a smaller --n",
              stream->n, stream->algo->name, hp_size_text(bytes, need));
}

int stream_run(const struct stream *stream, const struct stream_sink *sink) {
  size_t bytes = cpu_algo_bytes(stream->algo, stream->n, stream->given);
  size_t around = HUGE_PAGE; /* so that it shares no page of the sink's */
  if (sink->free && around >> sink->page_bits == 0)
    around = (size_t)1 << sink->page_bits;
  unsigned char *memory = map_apart(bytes, around);
  if (!memory) return refuse_memory(stream, bytes, around);
  struct algo_run run = {.n = stream->n,
                         .seed = stream->seed,
                         .memory = memory,
                         .bytes = bytes,
                         .given = stream->given,
                         .generator = stream->generator,
                         .parameters = stream->parameters};
  int code = record(stream, &run, sink);
  munmap(memory - around, bytes + 2 * around);
  return code;
}

enum { TRIAL_PAGES = 512, TRIAL_OPERATIONS = 1 << 17 };

static int count(void *arg, size_t pages, uint64_t accesses) {
  (void)pages;
  *(double *)arg += (double)accesses;
  return VAT_OK;
}

double stream_expected(const struct stream *stream) {
  uint64_t pages[TRIAL_PAGES];
  double accesses = 0;
  struct stream trial = {.algo = stream->algo,
                         .n = stream->n,
                         .seed = stream->seed,
                         .generator = stream->generator};
  const struct stream_sink sink = {.block = {.addresses = pages},
                                   .capacity = TRIAL_PAGES,
                                   .take = count,
                                   .arg = &accesses,
                                   .free = VAT_TC_PAIRS_FREE,
                                   .page_bits = 12};
  while (trial.n > 16 && trial.algo->ram_ops(trial.n) > TRIAL_OPERATIONS)
    trial.n = cpu_algo_fit(trial.algo, trial.n / 2);
  if (stream_run(&trial, &sink)) return 0;
  return accesses / trial.algo->ram_ops(trial.n) *
         cpu_algo_ops(stream->algo, stream->n, stream->given);
}
#else
int stream_run(const struct stream *stream, const struct stream_sink *sink) {
  (void)sink;
  return fail(VAT_ABSENT,
              "--algo %s: this vat was built without address streams; "
              "./configure says why in its summary",
              stream->algo->name);
}

double stream_expected(const struct stream *stream) {
  (void)stream;
  return 0;
}
#endif

size_t stream_without_fetches(const struct vat_accesses *block, size_t count) {
  if (!memchr(block->kinds, VAT_FETCH, count)) return count;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    block->addresses[kept] = block->addresses[i];
    block->sizes[kept] = block->sizes[i];
    block->kinds[kept] = block->kinds[i];
    kept += block->kinds[i] != VAT_FETCH;
  }
  return kept;
}

void stream_progress_init(struct stream_progress *progress,
                          struct progress *bar, const struct stream *stream) {
  /* A trial run is worth its time where somebody looks on. */
  *progress = (struct stream_progress){
      .progress = bar,
      .algo = stream->algo->name,
      .expected = bar->on_terminal ? stream_expected(stream) : 0};
}

void stream_progress_add(struct stream_progress *progress, uint64_t accesses) {
  if (!(progress->expected > 0)) {
    progress_draw(progress->progress, 0, NAN, progress->algo);
    return;
  }
  /* The input, which is made before, is none of the work that is left. */
  if (!(progress->start_s > 0)) progress->start_s = progress_now_s();
  progress->accesses += (double)accesses;
  progress_draw_part(progress->progress,
                     fmin(1, progress->accesses / progress->expected),
                     progress->start_s, progress->algo);
}
