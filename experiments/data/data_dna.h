/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_dna.h -- records of DNA, FASTA or FASTQ, packed or not;
 * as cpu_algos/dna.h has them. */
#pragma once
#include "experiments/data/data_kind.h"

/* As struct data_kind has it. */
int data_dna_read(struct data_source *source, struct algo_data *part);
