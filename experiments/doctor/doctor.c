/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/doctor.h"

#include <config.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "experiments/cli/program.h"
#include "experiments/device/device.h"
#include "experiments/machine/caches.h"
#include "experiments/machine/counter_backend.h"
#include "experiments/machine/cpu_id.h"
#include "experiments/machine/versions.h"
#include "experiments/results/machine_record.h"
#include "gpu_algos/failure.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/pool.h"
#include "huge_pages/size_text.h"

/* The size of run that page kinds are asked to serve. */
enum { DOCTOR_RUN_BYTES = 1 << 30 };

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
    char name[32];
    const char *kind = !strcmp(caches[i].type, "data")          ? "d"
                       : !strcmp(caches[i].type, "instruction") ? "i"
                                                                : "";
    snprintf(name, sizeof name, "cache L%u%s", caches[i].level, kind);
    findings_info(findings, name,
                  "%s, lines of %zu bytes, shared by %u processor%s",
                  HP_SIZE_SHOWN(caches[i].bytes), caches[i].line_bytes,
                  caches[i].shared_by, caches[i].shared_by == 1 ? "" : "s");
  }
  if (!count)
    findings_info(findings, "caches", "unknown: /sys does not show any");
}

static void examine_machine(struct findings *findings) {
  findings->section = "Machine";
  struct utsname kernel;
  examine_cpu(findings);
  if (!uname(&kernel))
    findings_info(findings, "kernel", "%s %s, %s", kernel.sysname,
                  kernel.release, kernel.machine);
  examine_vm(findings);
  findings_info(findings, "memory", "%s, %s available now",
                HP_SIZE_SHOWN(machine_memory_bytes()),
                HP_SIZE_SHOWN(hp_memory_available()));
  examine_caches(findings);
}

/* "pool: 512 pages of 2 MiB, 512 free; 1 GiB takes 512" */
static void found_pages(struct findings *findings, const struct hp_kind *kind) {
  char page[HP_SIZE_TEXT], run[HP_SIZE_TEXT];
  struct hp_pool pool;
  hp_size_text(kind->bytes, page);
  hp_size_text(DOCTOR_RUN_BYTES, run);
  if (!kind->pooled || hp_pool_read(kind->bytes, &pool))
    findings_ok(findings, kind->name, "pages of %s, no pool needed", page);
  else
    findings_ok(findings, kind->name,
                "pool of %zu pages of %s, %zu free; %s takes %zu", pool.total,
                page, pool.free, run, DOCTOR_RUN_BYTES / kind->bytes);
}

/* Nobody misses a size that is off by default and that a run can switch on. */
static void missing_pages(struct findings *findings, const struct hp_kind *kind,
                          const struct hp_missing *missing) {
  if (kind->named && !kind->holding->is_there(kind->bytes, 0))
    findings_info(findings, kind->name,
                  "off; vat run --reserve (as root) switches them on for its "
                  "page faults");
  else
    findings_missing(findings, kind->name, missing->fix, "for a run of %s: %s",
                     HP_SIZE_SHOWN(DOCTOR_RUN_BYTES), missing->why);
}

static void examine_pages(struct findings *findings) {
  findings->section = "Pages";
  char choice[MACHINE_CHOICE];
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_missing missing;
    if (!hp_kind_explain(kind, DOCTOR_RUN_BYTES, &missing))
      found_pages(findings, kind);
    else
      missing_pages(findings, kind, &missing);
  }
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_setting *s = hp_kind_at(i)->settings;
    for (; s && s->name; s++)
      if (machine_choice(s->path, choice))
        findings_info(findings, s->name, "%s: %s", choice, s->meaning);
  }
}

static void examine_counters(struct findings *findings,
                             const struct counters *counters) {
  findings->section = "Counters";
  for (size_t i = 0; i < counters_count(counters); i++) {
    const struct counter_info *info = counters_info(counters, i);
    if (info->present)
      findings_ok(findings, info->name, "%s", info->source);
    else
      findings_missing(findings, info->name, info->fix, "%s", info->why);
  }
}

static void examine_counting(struct findings *findings) {
  struct counter_site site;
  counter_site_read(&site);
  if (site.paranoid == -2)
    findings_missing(findings, "counting",
                     "boot a kernel built with CONFIG_PERF_EVENTS",
                     "this kernel has no perf events");
  else if (site.may_perf)
    findings_ok(findings, "counting",
                "by capability, at perf_event_paranoid %d", site.paranoid);
  else if (site.paranoid <= 2)
    findings_ok(findings, "counting",
                "perf_event_paranoid %d: in user mode, all that vat needs",
                site.paranoid);
  else
    findings_missing(findings, "counting",
                     "sudo sysctl kernel.perf_event_paranoid=2",
                     "perf_event_paranoid %d forbids it, and this process has "
                     "no CAP_PERFMON",
                     site.paranoid);
}

/* 0, or the errno of writing a pool's size. */
static int pool_error(const struct hp_kind *kind) {
  char path[PATH_MAX], full[PATH_MAX];
  snprintf(path, sizeof path,
           "/sys/kernel/mm/hugepages/hugepages-%zukB/nr_hugepages",
           kind->bytes / 1024);
  if (hp_kernel_path(path, full, sizeof full)) return errno;
  return access(full, W_OK) ? errno : 0;
}

static void examine_reserving(struct findings *findings) {
  char fix[256];
  int error = ENOENT;
  for (size_t i = 0; i < hp_kind_count() && error == ENOENT; i++)
    if (hp_kind_at(i)->pooled) error = pool_error(hp_kind_at(i));
  snprintf(fix, sizeof fix, "sudo %s run --reserve", program_invocation_name);
  if (!error)
    findings_ok(findings, "pools", "--reserve can grow them for a run");
  else if (error == ENOENT)
    findings_missing(findings, "pools",
                     "boot a kernel built with CONFIG_HUGETLBFS",
                     "this kernel has no pools");
  else if (error == EROFS)
    findings_missing(findings, "pools",
                     "run outside of the container, or start it --privileged",
                     "cannot be grown: /sys is read-only here");
  else
    findings_missing(findings, "pools", fix,
                     "only root can grow them for a run (--reserve)");
}

static void examine_rights(struct findings *findings) {
  findings->section = "Rights";
  findings_info(findings, "user", "%s", findings->root ? "root" : "not root");
  examine_counting(findings);
  examine_reserving(findings);
}

static void examine_software(struct findings *findings) {
  findings->section = "Software";
  char path[PATH_MAX];
  for (const struct version *v = versions; v->name; v++)
    if (v->version)
      findings_ok(findings, v->title, "%s, for %s",
                  strcmp(v->version, "unknown") ? v->version : "built in",
                  v->serves);
    else
      findings_missing(findings, v->title,
                       "./bootstrap --install-deps && ./configure && make",
                       "vat was built without it: for %s", v->serves);
  if (program_find("gnuplot", path))
    findings_ok(findings, "gnuplot", "%s, for the figures of the report", path);
  else
    findings_missing(findings, "gnuplot", "sudo apt-get install gnuplot-nox",
                     "missing: vat report cannot draw its figures");
}

static void describe(struct findings *findings, const struct device *device) {
  struct gpu_properties p;
  if (device->set->device->describe(&p)) {
    findings_missing(findings, device->name, "check the GPU with nvidia-smi",
                     "%s: %s", gpu_failure_first()->call,
                     gpu_failure_first()->name);
    gpu_failure_forget();
    return;
  }
  findings_ok(findings, device->name,
              "%s, %d multiprocessors, %.1f GiB, driver for CUDA %d.%d", p.name,
              p.sms, (double)p.memory_bytes / 0x1p30, p.driver / 1000,
              p.driver % 1000 / 10);
}

/* What cannot be fixed on a machine without a GPU is a fact, not a missing. */
static void examine(struct findings *findings, const struct device *device,
                    bool has_gpu) {
  struct hp_missing missing;
  bool absent = device_missing(device, &missing);
  size_t algorithms = 0;
  while (device_algos(device)[algorithms]) algorithms++;
  if (absent && device->is_gpu && !has_gpu)
    findings_info(findings, device->name, "%s; for one: %s", missing.why,
                  missing.fix);
  else if (absent)
    findings_missing(findings, device->name, missing.fix, "%s", missing.why);
  else if (device->is_gpu)
    describe(findings, device);
  else
    findings_ok(findings, device->name, "%zu algorithms%s", algorithms,
                device->counted ? ", counted" : ", not counted");
}

static int count_gpus(void) {
  char path[32];
  int count = 0;
  for (int i = 0; i < 64; i++) {
    snprintf(path, sizeof path, "/dev/nvidia%d", i);
    count += !access(path, F_OK);
  }
  return count;
}

static void examine_gpu(struct findings *findings) {
  findings->section = "GPU";
  char path[PATH_MAX];
  int gpus = count_gpus();
  if (gpus)
    findings_info(findings, "GPUs", "%d by NVIDIA", gpus);
  else
    findings_info(findings, "GPUs", "no NVIDIA GPU (no /dev/nvidia0)");
  for (size_t i = 0; i < DEVICES; i++)
    if (devices[i].own_memory) examine(findings, &devices[i], gpus > 0);
  if (program_find("nvcc", path) ||
      !access(strcpy(path, "/usr/local/cuda/bin/nvcc"), X_OK))
    findings_info(findings, "nvcc", "%s", path);
  else
    findings_info(findings, "nvcc", "none; needed to build for --device cuda");
}

void doctor_examine(struct findings *findings,
                    const struct counters *counters) {
  examine_machine(findings);
  examine_pages(findings);
  examine_counters(findings, counters);
  examine_rights(findings);
  examine_software(findings);
  examine_gpu(findings);
}

/* "huge pages: thp available; for the others see vat doctor" */
void doctor_verdict(FILE *out) {
  bool any = false, all = true;
  struct counter_site site;
  struct vm vm;
  counter_site_read(&site);
  vm_read(&vm);
  fprintf(
      out, "machine: %s, %ld processors, %s free, %s\nhuge pages:",
      site.cpu.model_name, sysconf(_SC_NPROCESSORS_ONLN),
      HP_SIZE_SHOWN(hp_memory_available()),
      vm.is_vm ? "virtual: a TLB miss walks two page tables" : "not virtual");
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
