/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/device/device.h -- what algorithms run on.
 *
 * The processor, where they run in the workspace itself; or a device with
 * memory of its own, which gets a copy of the workspace (offload.h).
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/human.h"
#include "experiments/cli/spelling.h"
#include "experiments/machine/counters.h"
#include "gpu_algos/algos.h"
#include "huge_pages/page_kind.h"

struct device {
  const char *name; /* as typed: "emu" */
  const char *summary;
  const struct counter_source *counters; /* NULL: the processor's */
  bool own_memory;
  bool warm_up; /* the first run of a size takes longer than later ones */
  bool is_gpu;  /* with a cache to flush, and properties to record */
  /* Where memory is its own: its algorithms, and once more those that are
   * counted while they run; NULL: not built in. */
  const struct gpu_set *set, *counted;
  const char *unbuilt, *fix; /* why there is no set, and what fixes it */
};

/* What the GPU emulator counts. */
extern const struct counter_source counters_emulated;

extern const struct device devices[]; /* the first is the default one */
enum { DEVICES = 3 };

/* Its memory is the host's, and the host runs its kernels. */
bool device_is_emulated(const struct device *device);

/* What runs on it: NULL-ended. */
const struct algo *const *device_algos(const struct device *device);

/* The device called `name`, or the default where it is NULL; NULL: none. */
const struct device *device_find(const char *name);

/* Its algorithm called `name`; NULL: none. */
const struct algo *device_algo(const struct device *device, const char *name);

/* Its algorithms, on a GPU also those that are not built in. */
void device_offer_algos(const struct device *device, struct spelling *spelling);

/* The index-th algorithm of all devices, each name once; NULL past the end. */
const struct algo *device_any_algo(size_t index);

/* "emu, cuda": the devices that have an algorithm of that name; "": none. */
const char *device_names(const char *algo, char names[NAMES_SIZE]);

/* 0, or -1 with `missing` saying why it cannot be used here. */
int device_missing(const struct device *device, struct hp_missing *missing);

/* The same for a run: an exit code, having printed what is wrong. */
int device_open(const struct device *device);

/* Bytes that a workspace on it may have; SIZE_MAX: as on the host. */
size_t device_free_bytes(const struct device *device);

/*
 * {"name","sms",...} for the machine record: what the device says of itself,
 * and how fast it copies, which is measured.  NULL without printing anything
 * where there is nothing to record or it fails.
 */
json_t *device_record(const struct device *device);
