/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/cpu_id.h -- which processor this is, from the text of
 * /proc/cpuinfo, and whether a virtual machine has it.
 *
 * x86 names itself by vendor, family, model and stepping.  arm64 is mapped
 * onto the same fields: vendor "ARM", family = architecture version, model =
 * part, stepping = revision.
 */
#pragma once
#include <stdbool.h>

struct cpu_id {
  char vendor[32];      /* "GenuineIntel", "AuthenticAMD", "ARM" */
  char model_name[128]; /* as the processor calls itself */
  unsigned family, model, stepping;
  bool hypervisor; /* it says that it runs under one */
};

/* Read the first processor of `text`; zeros but for the name "unknown" where
 * the text names none. */
void cpu_id_parse(struct cpu_id *id, const char *text);

/* As above, of this machine's /proc/cpuinfo. */
void cpu_id_read(struct cpu_id *id);

/* A virtual machine or metal, without asking other programs: by the processor's
 * hypervisor bit and signature, Xen's directory in /sys, and where a processor
 * has no such bit the device tree and the firmware (DMI). */
struct vm {
  bool is_vm;
  char hypervisor[32]; /* "KVM", "VMware", ...; "" on metal or if unnamed */
};

void vm_read(struct vm *vm);

/* The hypervisor that signs leaf 0x40000000 of cpuid with these 12 bytes, or
 * NULL. */
const char *vm_of_signature(const char signature[12]);
