/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "gpu_algos/models/gpu_arch.h"

/* The table: a line is a device.  The first is what Kothapalli et al. measured
 * on; their costs of accesses and operations (3.2) and depth of the pipeline
 * (2) stand in all rows, as no source gives others. */
const struct gpu_arch gpu_archs[] = {
    /* 1.3 GHz is their R; NVIDIA says 1.296. */
    {"gtx280", "GeForce GTX 280", "Kothapalli et al. 2009, sections 2, 3.2, 5",
     .sms = 30, .cores = 8, .depth = 4, .clock_hz = 1.3e9, .warp = 32,
     .served = 16, .banks = 16, .global = 500, .shared = 4, .operation = 4},
    {"gtx285", "GeForce GTX 285",
     "Jurkiewicz, PhD thesis, section 3.6 (multiprocessors); NVIDIA (clock); "
     "else as the GTX 280, whose architecture it shares",
     .sms = 30, .cores = 8, .depth = 4, .clock_hz = 1.476e9, .warp = 32,
     .served = 16, .banks = 16, .global = 500, .shared = 4, .operation = 4},
    {"c1060", "Tesla C1060",
     "Ma, PhD thesis, figure 5.12 (multiprocessors); NVIDIA (clock); else as "
     "the GTX 280, whose architecture it shares",
     .sms = 30, .cores = 8, .depth = 4, .clock_hz = 1.296e9, .warp = 32,
     .served = 16, .banks = 16, .global = 500, .shared = 4, .operation = 4},
    /* From Fermi on, a whole warp is served at once, from 32 banks. */
    {"gtx480", "GeForce GTX 480",
     "Ma, PhD thesis, table 5.4 and section 5.4 (multiprocessors, cores, "
     "clock); cycles as of the GTX 280",
     .sms = 15, .cores = 32, .depth = 4, .clock_hz = 1.4e9, .warp = 32,
     .served = 32, .banks = 32, .global = 500, .shared = 4, .operation = 4},
    {0}};

const struct gpu_arch *gpu_arch_find(const char *name) {
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    if (!strcmp(arch->name, name)) return arch;
  return NULL;
}

/* NVIDIA, CUDA C++ Programming Guide, "Arithmetic Instructions": results a
 * cycle of 32-bit floating-point additions. */
double gpu_arch_cores(int major, int minor) {
  static const struct {
    int major, minor, cores;
  } known[] = {{2, 0, 32},   {2, 1, 48},  {3, 0, 192}, {3, 5, 192},
               {3, 7, 192},  {5, 0, 128}, {5, 2, 128}, {5, 3, 128},
               {6, 0, 64},   {6, 1, 128}, {6, 2, 128}, {7, 0, 64},
               {7, 2, 64},   {7, 5, 64},  {8, 0, 64},  {8, 6, 128},
               {8, 7, 128},  {8, 9, 128}, {9, 0, 128}, {10, 0, 128},
               {10, 3, 128}, {12, 0, 128}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].major == major && known[i].minor == minor)
      return known[i].cores;
  return 0;
}
