/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/device/offload.h -- run on a device that has memory of its own.
 *
 * Its copy of the workspace is uploaded before each run and downloaded after
 * it, both timed apart from the run: as a whole, or where parameters ask for
 * parts, or the device has no room for all of it, each of them around its run,
 * beside that of the one before.  The cache of the device is made to hold other
 * things at first, as it would among larger inputs.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/device/device.h"

struct offload {
  const struct device *device;
  void *memory;        /* of the device */
  size_t room;         /* a workspace that is larger is worked on in parts */
  const char *smaller; /* what to choose where that is too much */
  void *flush;         /* as large as the cache twice over; NULL: it has none */
  size_t flush_bytes;
  bool counted; /* run what is counted, where there is a choice */
  uint64_t upload_ns, download_ns; /* of the last run */
};

/* Take memory for workspaces of `bytes`, where parts are of what does not fit
 * in `room`; of `smaller`, as "smaller --sizes", there would be enough.  An
 * exit code, having printed what is wrong, as are all below. */
int offload_open(struct offload *offload, const struct device *device,
                 size_t bytes, size_t room, const char *smaller);
void offload_close(struct offload *offload); /* zeroed is fine */

/* Bytes that a run needs there. */
size_t offload_bytes(const struct algo *algo, const struct algo_run *run,
                     size_t room);

/* A run that is interrupted (interrupt.h) prints nothing. */
int offload_upload(struct offload *offload, const struct algo *algo,
                   const struct algo_run *run);
int offload_run(struct offload *offload, const struct algo *algo,
                struct algo_run *run, uint64_t *ns);
int offload_download(struct offload *offload, const struct algo *algo,
                     const struct algo_run *run);
