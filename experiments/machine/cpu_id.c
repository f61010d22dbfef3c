/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/cpu_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#include "huge_pages/kernel_files.h"

/* Copy the value of "key<blanks>: value" if `line` is of that key. */
static bool take_text(const char *line, const char *key, char *value,
                      size_t size) {
  size_t length = strlen(key);
  if (strncmp(line, key, length)) return false;
  line += length;
  line += strspn(line, " \t");
  if (*line != ':') return false;
  line += 1 + strspn(line + 1, " \t");
  snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
  return true;
}

/* The same for a number, decimal or 0x. */
static bool take_number(const char *line, const char *key, unsigned *value) {
  char text[32];
  if (!take_text(line, key, text, sizeof text)) return false;
  *value = (unsigned)strtoul(text, NULL, 0);
  return true;
}

static bool has_flag(const char *line, const char *flag) {
  size_t length = strlen(flag), end = strcspn(line, "\n");
  for (const char *at = line; (at = strstr(at, flag)); at += length) {
    if (at + length > line + end) return false;
    if (at[-1] == ' ' && strchr(" \n", at[length])) return true;
  }
  return false;
}

static void take_line(struct cpu_id *id, const char *line) {
  char implementer[32];
  if (take_text(line, "vendor_id", id->vendor, sizeof id->vendor) ||
      take_text(line, "model name", id->model_name, sizeof id->model_name) ||
      take_number(line, "cpu family", &id->family) ||
      take_number(line, "model", &id->model) ||
      take_number(line, "stepping", &id->stepping) ||
      take_number(line, "CPU architecture", &id->family) ||
      take_number(line, "CPU part", &id->model) ||
      take_number(line, "CPU revision", &id->stepping))
    return;
  if (take_text(line, "CPU implementer", implementer, sizeof implementer)) {
    strcpy(id->vendor, "ARM");
    if (!*id->model_name)
      snprintf(id->model_name, sizeof id->model_name, "ARM implementer %s",
               implementer);
  }
  if (!strncmp(line, "flags", 5)) id->hypervisor = has_flag(line, "hypervisor");
}

void cpu_id_parse(struct cpu_id *id, const char *text) {
  *id = (struct cpu_id){0};
  bool named = false;
  for (const char *line = text; *line;) {
    /* An empty line ends a processor. */
    if (*line == '\n' && named) break;
    take_line(id, line);
    named = *id->vendor != '\0';
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  if (!named) *id = (struct cpu_id){0};
  if (!*id->model_name) strcpy(id->model_name, "unknown");
}

void cpu_id_read(struct cpu_id *id) {
  char text[HP_TEXT_SIZE];
  if (hp_kernel_read_text("/proc/cpuinfo", text, sizeof text)) text[0] = '\0';
  cpu_id_parse(id, text);
}

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
