/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, and the references that they may be of: both DNA. */
#include "cpu_algos/facs.h"
#include "experiments/data/data_dna.h"
#include "experiments/data/data_sink.h"

static int read_reads(struct data_source *source, struct data *data) {
  return data_dna_read(source, &data->part[0]);
}

/* A line for each read: its number, that of its reference or '-', and how many
 * of its letters are covered, of how many. */
static void write_classes(struct data_sink *sink,
                          const struct algo_data *answer) {
  const struct cpu_facs_class *classes = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_u64(sink, i);
    data_put(sink, "\t", 1);
    if (classes[i].reference)
      data_put_u64(sink, classes[i].reference - 1);
    else
      data_put(sink, "-", 1);
    data_put(sink, "\t", 1);
    data_put_u64(sink, classes[i].covered);
    data_put(sink, "\t", 1);
    data_put_u64(sink, classes[i].letters);
    data_put(sink, "\n", 1);
  }
}

const struct data_kind data_reads = {
    .name = "reads",
    .words = 1,
    .one_way = true,
    .seeks = "the references that they may be of; name a file by --references",
    .read = read_reads,
    .read_queries = data_dna_read,
    .write = write_classes,
};
