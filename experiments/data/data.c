/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/output_path.h"
#include "experiments/data/data_sink.h"

#define AT(member) OPTION_AT(struct data_options, member)

const struct option_row data_rows[] = {
    {.help = "Input and output"},
    {"input", "FILE", OPTION_FILE, AT(input),
     .help = "run ALGO on this file instead of a generated input: keys, "
             "points, ... as text (doc/data-formats.md); - is standard input"},
    {"database", .other_name = true},
    {"reads", .other_name = true},
    {"queries", "FILE", OPTION_TEXT, AT(queries),
     .help = "search for these in the text or database of --input; or the "
             "references for the reads of --input"},
    {"query", .other_name = true},
    {"references", .other_name = true},
    {"output", "FILE", OPTION_FILE, AT(output),
     .help = "write the answer there; - is standard output"},
    {"generator", "GENERATOR,...", OPTION_TEXT, AT(generator),
     .help = "generate inputs of these kinds in turn, or of all kinds of ALGO; "
             "see vat list generators"},
    {0}};

int data_check_generator(const struct algo *algo, const char *generator) {
  if (cpu_algo_generator(algo, generator)) return VAT_OK;
  if (!algo->generators)
    return fail(VAT_USAGE,
                "--generator %s: %s has only one kind of input; leave it out",
                generator, algo->name);
  return fail(VAT_USAGE, "--generator %s: %s has %s", generator, algo->name,
              NAMES_OF(algo->generators));
}

const struct data_kind *const data_kinds[] = {
    &data_dna,
    &data_graph_components,
    &data_graph_distances,
    &data_graph_forest,
    &data_keys,
    &data_list,
    &data_matrix,
    &data_points,
    &data_reads,
    &data_signal,
    &data_text,
    NULL,
};

const struct data_kind *data_kind_find(const char *name) {
  for (size_t i = 0; data_kinds[i]; i++)
    if (!strcmp(data_kinds[i]->name, name)) return data_kinds[i];
  return NULL;
}

static bool is_binary(const struct data_kind *kind, const char *path) {
  size_t length = strlen(path);
  return kind->binary && length >= 4 && !strcmp(path + length - 4, ".u64");
}

/* Of shapes and of the bits of every number, in order. */
static uint64_t hash_of(const struct data_kind *kind, const struct data *data) {
  uint64_t hash = 0;
  for (const struct algo_data *part = data->part; part; part = part->next) {
    const uint64_t *items = part->items;
    uint64_t words = part->count * kind->words;
    hash = cpu_random_fold(hash, part->count);
    hash = cpu_random_fold(cpu_random_fold(hash, part->rows), part->cols);
    for (uint64_t i = 0; i < words; i++) hash = cpu_random_fold(hash, items[i]);
  }
  return hash;
}

/* The first file, or the second. */
static int read_part(struct data *data, const struct data_kind *kind, size_t i,
                     const char *path, char error[DATA_ERROR]) {
  struct data_source source;
  bool binary = !i && is_binary(kind, path);
  int failed = data_source_open(&source, path, binary, error) ||
               (i ? kind->read_queries : kind->read)(&source, &data->part[i]);
  int code = errno;
  data->bytes += source.bytes;
  data_source_close(&source);
  errno = code;
  if (failed) return -1;
  if (i) data->part[0].next = &data->part[i];
  data->hash = hash_of(kind, data);
  return 0;
}

int data_read(struct data *data, const struct data_kind *kind, const char *path,
              const char *queries, char error[DATA_ERROR]) {
  *data = (struct data){0};
  if (read_part(data, kind, 0, path, error)) return -1;
  return queries ? read_part(data, kind, 1, queries, error) : 0;
}

void data_fini(struct data *data) {
  for (size_t i = 0; i < DATA_PARTS; i++) free((void *)data->part[i].items);
  *data = (struct data){0};
}

static int cannot_write(const char *path, int code, char error[DATA_ERROR]) {
  snprintf(error, DATA_ERROR, "%.200s: cannot be written: %s",
           strcmp(path, "-") ? path : "standard output",
           code == EINTR ? "stopped" : strerror(code));
  return -1;
}

int data_write(const struct data_kind *kind, const struct algo_data *answer,
               const char *path, char error[DATA_ERROR]) {
  struct data_sink sink;
  if (!data_sink_open(&sink, path)) {
    sink.binary = is_binary(kind, path);
    sink.total = answer->count;
    kind->write(&sink, answer);
  }
  if (!data_sink_finish(&sink)) return 0;
  return cannot_write(path, sink.error, error);
}

int data_write_try(const char *path, char error[DATA_ERROR]) {
  return output_path_try(path) ? cannot_write(path, errno, error) : 0;
}
