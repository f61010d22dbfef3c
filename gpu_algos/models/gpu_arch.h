/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/gpu_arch.h -- a GPU as the models see it: numbers, a row a
 * device.
 *
 * Cycles are those of the clock that the cores run at.
 */
#pragma once

struct gpu_arch {
  const char *name;   /* as typed: "gtx280" */
  const char *title;  /* as read: "GeForce GTX 280" */
  const char *source; /* of its numbers */
  double sms;         /* multiprocessors */
  double cores;       /* of each: N_C */
  double depth;       /* stages of a core's pipeline: D */
  double clock_hz;    /* R */
  double warp;        /* threads of a warp: N_t */
  double served;      /* threads that one transaction can serve at most */
  double banks;       /* of shared memory, that `served` threads access */
  double global;      /* cycles of an access that nobody shares */
  double shared;      /* cycles of an access to a bank nobody else wants */
  double operation;   /* cycles of a simple operation, such as an addition */
};

extern const struct gpu_arch gpu_archs[]; /* the last has no name */

/* The one called `name`, or NULL. */
const struct gpu_arch *gpu_arch_find(const char *name);

/* Cores of a multiprocessor of that compute capability, 2.0 or later; 0:
 * unknown. */
double gpu_arch_cores(int major, int minor);
