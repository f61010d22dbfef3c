/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_graph.h -- graphs, of which there are several kinds of
 * data: they are read alike, and the answers differ. */
#pragma once
#include "experiments/data/data_kind.h"

/* For data_kind.read: edges, struct cpu_graph_edge. */
int data_read_graph(struct data_source *source, struct data *data);
