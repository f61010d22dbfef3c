/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/trace_output.h -- where a trace is written.
 *
 * Standard output, a device or pipe, or a file that appears only when it is
 * whole: until then it has a name of its own, which failing and the standard
 * signals that end a process take away.  One at a time in a process.
 */
#pragma once
#include <stdbool.h>

#include "experiments/cli/out_dir.h"

struct trace_output {
  struct out_file file; /* stream NULL: written in place */
  char *path;           /* of the file, links followed */
  int fd;
  bool opened; /* fd, by us */
};

/* "-" is standard output.  0, or -1 with errno set; then, too, fini. */
int trace_output_begin(struct trace_output *output, const char *path);
int trace_output_fd(const struct trace_output *output);
/* Make it appear.  0, or -1 with errno set. */
int trace_output_commit(struct trace_output *output);
/* Also after a failure: takes away what did not become whole. */
void trace_output_fini(struct trace_output *output);
