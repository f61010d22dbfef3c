/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/trace_pipe.h -- how the tool hands accesses to
 * `vat profile --trace`: through a pipe, in parcels that are written whole, as
 * POSIX promises for up to 4096 bytes, so that several processes can share it.
 */
#pragma once
#include <stdint.h>

enum { VT_LOAD, VT_STORE }; /* as enum vat_access_kind has it */

struct vt_traced {
  uint64_t address;
  uint32_t bytes;
  uint32_t kind;
};

enum { VT_PARCEL = (4096 - 16) / sizeof(struct vt_traced) };

struct vt_parcel {
  uint32_t process;
  uint32_t count;
  uint32_t processor; /* a number of those of the process */
  uint32_t reserved;
  struct vt_traced traced[VT_PARCEL];
};
