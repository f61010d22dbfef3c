/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/fault.h -- kernels that touch what is not there.
 *
 * Around allocations of the device, and below the stacks, lie pages that fault:
 * that ends the launch, not the program.
 */
#pragma once
#include <stdbool.h>

/* While a grid runs faults of kernels end their block.  Others go where they
 * went before. */
void simt_faults_watch(void);
void simt_faults_unwatch(void);

/* A host thread needs a stack to take a fault on: the fiber's may be what is
 * full.  NULL in *stack: it has one already.  False: no memory. */
bool simt_faults_begin_thread(void **stack);
void simt_faults_end_thread(void *stack);
