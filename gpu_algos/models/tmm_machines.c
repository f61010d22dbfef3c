/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "gpu_algos/models/gpu_arch.h"
#include "gpu_algos/models/tmm.h"

/* Words of so many KiB. */
#define KIB(n) ((n)*1024.0 / 4)

/* NVIDIA's guide has ranges of L, AMD's too: the upper end is taken, since
 * threads have to hide a latency under load.  C is 32 on all of NVIDIA's
 * (3.1.3), though before Fermi a transaction serves 16 threads. */
#define NVIDIA_GUIDE \
  "NVIDIA, CUDA C Programming Guide 5.0, section 5.2.3 (L) and appendix F"
#define TESLA "L 400 to 800; " NVIDIA_GUIDE
#define KEPLER "L 200 to 400; " NVIDIA_GUIDE
#define LUO                                                     \
  "L measured: Luo et al., arXiv:2402.13499; NVIDIA, CUDA C++ " \
  "Programming Guide, compute capabilities; multiprocessors: NVIDIA"

/* The table: a line is a machine. */
const struct tmm_machine tmm_machines[] = {
    {"gtx280", "GeForce GTX 280", TESLA, .L = 800, .P = 240, .C = 32,
     .Z = KIB(16), .Q = 8, .X = 1024 / 8.},
    {"gtx480", "GeForce GTX 480", TESLA "; thesis, table 5.4", .L = 800,
     .P = 480, .C = 32, .Z = KIB(48), .Q = 32, .X = 1536 / 32.},
    {"gtx580", "GeForce GTX 580", TESLA "; X: thesis, 4.2.3", .L = 800,
     .P = 512, .C = 32, .Z = KIB(48), .Q = 32, .X = 1536 / 32.},
    {"gtx680", "GeForce GTX 680", KEPLER "; thesis, 4.1.7", .L = 400, .P = 1536,
     .C = 32, .Z = KIB(48), .Q = 192, .X = 2048 / 192.},
    {"c1060", "Tesla C1060", TESLA, .L = 800, .P = 240, .C = 32, .Z = KIB(16),
     .Q = 8, .X = 1024 / 8.},
    /* 496 wavefronts of 64 threads in all (Linux, evergreen.c: 248 for each of
     * two shader engines). */
    {"hd5870", "Radeon HD 5870",
     "thesis, 3.1.3; L 300 to 600: AMD Accelerated Parallel Processing guide; "
     "X: Linux, evergreen.c",
     .L = 600, .P = 1600, .C = 64, .Z = KIB(32), .Q = 80,
     .X = 496 * 64 / 1600.},
    /* No local memory: the registers of 128 streams stand in, 32 of 8 bytes
     * each.  Nobody tells L, but what the machine was built to hide; so it and
     * P, which buyers chose, are upper ends as well. */
    {"threadstorm", "uRiKA, Threadstorm processors",
     "thesis, 3.1.3 (C, Q, X); EuroBen, Overview of Recent Supercomputers "
     "2007, Cray XMT (P at most; L at most: what 128 streams of 8 references "
     "hide)",
     .L = 1024, .P = 8192, .C = 1, .Z = 128 * 32 * 8 / 4., .Q = 1, .X = 128},
    {"a100", "A100", LUO, .L = 466, .P = 108 * 64, .C = 32, .Z = KIB(164),
     .Q = 64, .X = 2048 / 64.},
    {"h100", "H100 SXM", LUO, .L = 479, .P = 132 * 128, .C = 32, .Z = KIB(228),
     .Q = 128, .X = 2048 / 128.},
    {"h200", "H200 SXM", LUO "; L as of the H100", .L = 479, .P = 132 * 128,
     .C = 32, .Z = KIB(228), .Q = 128, .X = 2048 / 128.},
    {0}};

const struct tmm_machine *tmm_machine_find(const char *name) {
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    if (!strcmp(m->name, name)) return m;
  return NULL;
}

/* CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability": threads and KiB of shared memory of a multiprocessor. */
bool tmm_machine_of(struct tmm_machine *machine, int major, int minor,
                    double sms) {
  static const struct {
    int major, minor, threads, kib;
  } known[] = {{2, 0, 1536, 48},  {2, 1, 1536, 48},   {3, 0, 2048, 48},
               {3, 5, 2048, 48},  {3, 7, 2048, 112},  {5, 0, 2048, 64},
               {5, 2, 2048, 96},  {5, 3, 2048, 64},   {6, 0, 2048, 64},
               {6, 1, 2048, 96},  {6, 2, 2048, 64},   {7, 0, 2048, 96},
               {7, 2, 2048, 96},  {7, 5, 1024, 64},   {8, 0, 2048, 164},
               {8, 6, 1536, 100}, {8, 7, 1536, 164},  {8, 9, 1536, 100},
               {9, 0, 2048, 228}, {10, 0, 2048, 228}, {10, 3, 2048, 228},
               {12, 0, 1536, 100}};
  double cores = gpu_arch_cores(major, minor);
  for (size_t i = 0; cores > 0 && i < sizeof known / sizeof *known; i++)
    if (known[i].major == major && known[i].minor == minor) {
      machine->P = sms * cores;
      machine->C = 32;
      machine->Z = KIB(known[i].kib);
      machine->Q = cores;
      machine->X = known[i].threads / cores;
      return true;
    }
  return false;
}
