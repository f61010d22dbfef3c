/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/verdict.h"

#include <unistd.h>

#include "experiments/machine/counter_backend.h"
#include "experiments/machine/cpu_id.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

static void print_machine(FILE *out) {
  struct counter_site site;
  struct vm vm;
  counter_site_read(&site);
  vm_read(&vm);
  fprintf(
      out, "machine: %s, %ld processors, %s free, %s\n", site.cpu.model_name,
      sysconf(_SC_NPROCESSORS_ONLN), HP_SIZE_SHOWN(hp_memory_available()),
      vm.is_vm ? "virtual: a TLB miss walks two page tables" : "not virtual");
}

/* "huge pages: thp available; not 2m, 1g: vat doctor has the commands" */
void verdict_print(FILE *out) {
  bool any = false, all = true;
  print_machine(out);
  fputs("huge pages:", out);
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_missing missing;
    bool there = !hp_kind_explain(kind, kind->bytes, &missing);
    all &= there;
    if (kind->base || !there) continue;
    fprintf(out, "%s %s", any ? "," : "", kind->name);
    any = true;
  }
  fputs(any ? " available" : " none available", out);
  if (!all) fputs("; for the others see vat doctor", out);
  fputs("\n\n", out);
}
