/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "experiments/doctor/doctor.h"
#include "experiments/machine/caches.h"
#include "experiments/machine/counter_backend.h"
#include "experiments/machine/vm.h"
#include "experiments/results/machine_record.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/size_text.h"

static void examine_cpu(struct findings *findings) {
  struct counter_site site;
  counter_site_read(&site);
  findings_info(findings, "processor", "%s, %ld online", site.cpu.model_name,
                sysconf(_SC_NPROCESSORS_ONLN));
  if (site.arch)
    findings_info(findings, "architecture", "%s", site.arch->name);
  else
    findings_info(findings, "architecture",
                  "unknown to vat (%s family %u model %u stepping %u)",
                  *site.cpu.vendor ? site.cpu.vendor : "no vendor",
                  site.cpu.family, site.cpu.model, site.cpu.stepping);
}

static void examine_vm(struct findings *findings) {
  struct vm vm;
  vm_read(&vm);
  if (!vm.is_vm)
    findings_info(findings, "runs on", "metal");
  else
    findings_info(findings, "runs on",
                  "a virtual machine%s%s: a TLB miss walks two page tables",
                  *vm.hypervisor ? " of " : "", vm.hypervisor);
}

static void examine_caches(struct findings *findings) {
  struct cache caches[CACHES_MAX];
  size_t count = caches_read(caches);
  for (size_t i = 0; i < count; i++) {
    char name[32], size[HP_SIZE_TEXT];
    const char *kind = !strcmp(caches[i].type, "data")          ? "d"
                       : !strcmp(caches[i].type, "instruction") ? "i"
                                                                : "";
    snprintf(name, sizeof name, "cache L%u%s", caches[i].level, kind);
    findings_info(findings, name,
                  "%s, lines of %zu bytes, shared by %u processor%s",
                  hp_size_text(caches[i].bytes, size), caches[i].line_bytes,
                  caches[i].shared_by, caches[i].shared_by == 1 ? "" : "s");
  }
  if (!count) findings_info(findings, "caches", "unknown: /sys shows none");
}

void examine_machine(struct findings *findings,
                     const struct counters *counters) {
  struct utsname kernel;
  char all[HP_SIZE_TEXT], available[HP_SIZE_TEXT];
  (void)counters;
  examine_cpu(findings);
  if (!uname(&kernel))
    findings_info(findings, "kernel", "%s %s, %s", kernel.sysname,
                  kernel.release, kernel.machine);
  examine_vm(findings);
  findings_info(findings, "memory", "%s, of which %s can be had now",
                hp_size_text(machine_memory_bytes(), all),
                hp_size_text(hp_memory_available(), available));
  examine_caches(findings);
}
