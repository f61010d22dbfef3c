/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/vm.h"

#include <stdio.h>
#include <string.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#include "experiments/machine/cpu_id.h"
#include "huge_pages/kernel_files.h"

/* What gives a hypervisor away, and its name. */
struct sign {
  const char *text, *hypervisor;
};

static const struct sign signatures[] = {
    {"KVMKVMKVM\0\0\0", "KVM"},     {"Microsoft Hv", "Hyper-V"},
    {"VMwareVMware", "VMware"},     {"XenVMMXenVMM", "Xen"},
    {"VBoxVBoxVBox", "VirtualBox"}, {"TCGTCGTCGTCG", "QEMU"},
    {"bhyve bhyve ", "bhyve"},      {"prl hyperv  ", "Parallels"},
    {" lrpepyh  vr", "Parallels"},  {"ACRNACRNACRN", "ACRN"},
    {"QNXQVMBSQG\0\0", "QNX"},      {"Linux KVM Hv", "KVM"},
};

const char *vm_of_signature(const char signature[12]) {
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
    if (!memcmp(signatures[i].text, signature, 12))
      return signatures[i].hypervisor;
  return NULL;
}

static void set(struct vm *vm, const char *hypervisor) {
  vm->is_vm = true;
  if (hypervisor)
    snprintf(vm->hypervisor, sizeof vm->hypervisor, "%s", hypervisor);
}

static const char *cpuid_hypervisor(void) {
#if defined __x86_64__ || defined __i386__
  unsigned words[4]; /* eax, ebx, ecx, edx; the signature is the last three */
  char signature[12];
  __cpuid(0x40000000, words[0], words[1], words[2], words[3]);
  memcpy(signature, &words[1], sizeof signature);
  return vm_of_signature(signature);
#else
  return NULL;
#endif
}

/* Words of firmware and device trees that no metal has. */
static const char *hypervisor_of_text(const char *text) {
  static const struct sign words[] = {{"kvm", "KVM"},
                                      {"KVM", "KVM"},
                                      {"QEMU", "QEMU"},
                                      {"VMware", "VMware"},
                                      {"xen", "Xen"},
                                      {"Xen", "Xen"},
                                      {"VirtualBox", "VirtualBox"},
                                      {"Parallels", "Parallels"},
                                      {"Google Compute Engine", "KVM"},
                                      {"Virtual Machine", "Hyper-V"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i].text)) return words[i].hypervisor;
  return NULL;
}

/* Only asked where the processor cannot tell: clouds' metal machines name the
 * cloud here too. */
static void ask_firmware(struct vm *vm) {
  static const char *const files[] = {
      "/proc/device-tree/hypervisor/compatible",
      "/sys/class/dmi/id/sys_vendor",
      "/sys/class/dmi/id/product_name",
  };
  for (size_t i = 0; i < sizeof files / sizeof *files && !vm->is_vm; i++) {
    char text[256];
    if (hp_kernel_read_text(files[i], text, sizeof text)) continue;
    const char *hypervisor = hypervisor_of_text(text);
    if (hypervisor) set(vm, hypervisor);
  }
}

void vm_read(struct vm *vm) {
  struct cpu_id cpu;
  char text[32];
  *vm = (struct vm){0};
  cpu_id_read(&cpu);
  if (cpu.hypervisor)
    set(vm, cpuid_hypervisor());
  else if (!strcmp(cpu.vendor, "ARM"))
    ask_firmware(vm);
  if (!*vm->hypervisor &&
      !hp_kernel_read_text("/sys/hypervisor/type", text, sizeof text) &&
      !strcmp(text, "xen"))
    set(vm, "Xen");
}
