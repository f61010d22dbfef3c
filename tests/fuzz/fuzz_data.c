/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the readers of data; run.sh builds and runs it, with
 * the kind in VAT_FUZZ_FORMAT (u64: binary keys).  What is rejected must say
 * why; what is accepted must come back from what is written of it, and every
 * algorithm must either refuse it or do its work on it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/data/data.h"
#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { MOST = 1 << 26 };

static int read_file(struct data *data, const struct data_kind *kind,
                     bool binary, int fd, char error[DATA_ERROR]) {
  struct data_source source;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  *data = (struct data){.bytes = 0};
  *error = '\0';
  int failed = data_source_open(&source, path, binary, error) ||
               kind->read(&source, &data->part[0]);
  data_source_close(&source);
  if (failed && !*error) abort();
  return failed;
}

static bool same(const struct algo_data *a, const struct algo_data *b,
                 unsigned words) {
  size_t bytes = a->count * words * sizeof(uint64_t);
  return a->count == b->count && a->rows == b->rows && a->cols == b->cols &&
         !memcmp(a->items, b->items, bytes);
}

static void write_back(const struct data_kind *kind, bool binary,
                       const struct algo_data *answer) {
  char error[DATA_ERROR];
  struct data again;
  int fd = memfd_create("answer", MFD_CLOEXEC);
  struct data_sink sink = {.binary = binary, .output.dir = -1};
  sink.output.in_place = true;
  sink.output.stream = fdopen(dup(fd), "w");
  sink.buffer = malloc(DATA_SINK);
  if (!sink.output.stream || !sink.buffer) abort();
  kind->write(&sink, answer);
  if (data_sink_finish(&sink)) abort();
  if (read_file(&again, kind, binary, fd, error)) abort();
  if (!same(answer, again.part, kind->words)) abort();
  data_fini(&again);
  close(fd);
}

static void run(const struct algo *algo, const struct algo_data *given) {
  struct algo_run run = {.n = cpu_given_n(given), .seed = 1, .given = given};
  run.bytes = cpu_algo_bytes(algo, run.n, given);
  if (!run.bytes || run.bytes > MOST) return;
  void *memory = NULL; /* on a page, as algorithms have it, and no longer */
  if (posix_memalign(&memory, 4096, run.bytes)) abort();
  run.memory = memory;
  if (!run.memory) abort();
  algo->setup(&run);
  algo->run(&run);
  if (algo->check(&run)) abort();
  struct algo_data answer = {0};
  if (algo->answer) algo->answer(&run, &answer);
  free(run.memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  const char *name = getenv("VAT_FUZZ_FORMAT");
  bool binary = name && !strcmp(name, "u64");
  const struct data_kind *kind =
      name && !binary ? data_kind_find(name) : &data_keys;
  char error[DATA_ERROR];
  struct data data;
  struct algo_data query; /* where two files are needed, the same again */
  int fd = memfd_create("data", MFD_CLOEXEC);
  if (!kind || fd < 0 || write(fd, bytes, count) != (ssize_t)count) abort();
  if (!read_file(&data, kind, binary, fd, error)) {
    query = data.part[0];
    if (kind->read_queries) data.part[0].next = &query;
    for (const struct algo_data *part = data.part; part; part = part->next)
      if (!kind->one_way) write_back(kind, binary, part);
    for (size_t i = 0; cpu_algos[i]; i++)
      if (cpu_algos[i]->data && !strcmp(cpu_algos[i]->data, kind->name) &&
          !(cpu_algos[i]->refuse && cpu_algos[i]->refuse(data.part)))
        run(cpu_algos[i], data.part);
  }
  data_fini(&data);
  close(fd);
  return 0;
}
