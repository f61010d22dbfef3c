/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/vm.h -- virtual machine or metal, without asking other
 * programs: the processor's hypervisor bit and signature, Xen's directory in
 * /sys, and where a processor has no such bit the device tree and the firmware
 * (DMI).
 */
#pragma once
#include <stdbool.h>

struct vm {
  bool is_vm;
  char hypervisor[32]; /* "KVM", "VMware", ...; "" on metal or if unnamed */
};

void vm_read(struct vm *vm);

/* The hypervisor that signs leaf 0x40000000 of cpuid with these 12 bytes, or
 * NULL. */
const char *vm_of_signature(const char signature[12]);
