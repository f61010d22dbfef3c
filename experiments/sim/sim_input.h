/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_input.h -- the addresses of a trace, once or twice.
 *
 * Which levels a tree needs is known only after the whole trace was read.  A
 * file is then read twice; what comes through a pipe is kept in an unlinked
 * temporary file, packed.
 */
#pragma once
#include <sys/stat.h>
#include <sys/types.h>

#include "experiments/cli/progress.h"
#include "experiments/sim/sim_request.h"
#include "vat/trace.h"

enum { SIM_BLOCK = 4096 };

struct sim_input {
  const struct sim_request *request;
  struct vat_trace *trace;
  struct vat_trace_writer *copy; /* of a pipe; NULL: a file */
  int copy_fd;                   /* -1: none */
  off_t start;                   /* of a file that is standard input */
  bool watched;                  /* a file: it must stay as it was `before` */
  struct stat before;
  unsigned passes, pass; /* for the progress */
  uint64_t last_address; /* the largest that is allowed */
  uint64_t accesses;     /* loads, stores, fetches asked for */
  uint64_t read;         /* in this pass, left out ones too */
  struct progress progress;
  bool spilling;            /* it was said */
  double finishing_since_s; /* progress of what comes after the last address */
  /* A block, and room for the pages that its accesses go on in. */
  struct vat_accesses block; /* these three: */
  uint64_t addresses[SIM_BLOCK];
  uint32_t sizes[SIM_BLOCK];
  uint8_t kinds[SIM_BLOCK];
  uint64_t spanned[SIM_BLOCK];
  size_t at, count;       /* accesses of the block still to be spanned */
  uint64_t spanned_pages; /* of the first of them, done already */
  char error[VAT_TRACE_ERROR_SIZE];
};

/* 0, or an exit code, having printed why. */
int sim_input_open(struct sim_input *input, const struct sim_request *request);
void sim_input_close(struct sim_input *input);

/* Read the trace once, to be read again: its largest address.  As above. */
int sim_input_survey(struct sim_input *input, uint64_t *last_address);

/* Read a block of what is translated: input->count is 0 at the end.  As above.
 */
int sim_input_read(struct sim_input *input);

/* How many addresses, of input->count accesses from input->at on, are to be
 * translated next; they stay valid until the next call.  0 at the end. */
size_t sim_input_more(struct sim_input *input, const uint64_t **addresses);
