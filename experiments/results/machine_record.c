/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/machine_record.h"

#include <config.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "experiments/machine/caches.h"
#include "experiments/machine/cpu_id.h"
#include "experiments/machine/versions.h"
#include "experiments/results/sample.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/pool.h"

size_t machine_memory_bytes(void) {
  char text[HP_TEXT_SIZE];
  size_t kib;
  if (hp_kernel_read_text("/proc/meminfo", text, sizeof text) ||
      !hp_kernel_find_size(text, "MemTotal:", &kib))
    return 0;
  return kib * 1024;
}

bool machine_choice(const char *path, char choice[MACHINE_CHOICE]) {
  char text[256];
  *choice = '\0';
  if (hp_kernel_read_text(path, text, sizeof text)) return false;
  const char *start = strchr(text, '[');
  start = start ? start + 1 : text;
  snprintf(choice, MACHINE_CHOICE, "%.*s", (int)strcspn(start, "] \n"), start);
  return true;
}

bool machine_has_pages(const struct hp_kind *kind, struct hp_missing *missing) {
  struct hp_pool pool;
  *missing = (struct hp_missing){0};
  if (kind->pooled && !hp_pool_read(kind->bytes, &pool) && pool.total)
    return true;
  return !hp_kind_explain(kind, kind->bytes, missing);
}

/* Text as JSON: empty is null, and what is not UTF-8 is not told. */
static json_t *text_or_null(const char *text) {
  json_t *value = text && *text ? json_string(text) : NULL;
  return value ? value : json_null();
}

static json_t *caches_record(void) {
  struct cache caches[CACHES_MAX];
  size_t count = caches_read(caches);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(
        list,
        json_pack("{s:i, s:s, s:I, s:I, s:i}", "level", (int)caches[i].level,
                  "type", caches[i].type, "bytes", (json_int_t)caches[i].bytes,
                  "line_bytes", (json_int_t)caches[i].line_bytes, "shared_by",
                  (int)caches[i].shared_by));
  return list;
}

static json_t *pools_record(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_pool pool;
    if (!kind->pooled || hp_pool_read(kind->bytes, &pool)) continue;
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:I, s:I}", "kind", kind->name,
                        "page_bytes", (json_int_t)kind->bytes, "total",
                        (json_int_t)pool.total, "free", (json_int_t)pool.free));
  }
  return list;
}

static json_t *page_kinds_record(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_missing missing;
    bool present = machine_has_pages(kind, &missing);
    if (kind->named && !present) continue; /* nobody misses it */
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:b, s:o, s:o}", "name", kind->name,
                        "page_bytes", (json_int_t)kind->bytes, "present",
                        present, "why", text_or_null(missing.why), "mend",
                        text_or_null(missing.fix)));
  }
  return list;
}

static json_t *thp_record(void) {
  const struct hp_setting *setting = hp_kind_find("thp")->settings;
  json_t *object = json_object();
  for (; setting->name; setting++) {
    char choice[MACHINE_CHOICE];
    if (!setting->key) continue;
    machine_choice(setting->path, choice);
    json_object_set_new(object, setting->key, text_or_null(choice));
  }
  return object;
}

static json_t *counters_record(const struct counters *counters) {
  json_t *list = json_array();
  size_t count = counters ? counters_count(counters) : 0;
  for (size_t i = 0; i < count; i++) {
    const struct counter_info *info = counters_info(counters, i);
    json_array_append_new(
        list,
        json_pack("{s:s, s:s, s:b, s:o, s:o, s:o}", "name", info->name, "unit",
                  info->unit, "present", info->present, "source",
                  text_or_null(info->source), "why", text_or_null(info->why),
                  "mend", text_or_null(info->fix)));
  }
  return list;
}

static json_t *versions_record(void) {
  json_t *object = json_object();
  for (const struct version *v = versions; v->name; v++)
    json_object_set_new(object, v->name, text_or_null(v->version));
  return object;
}

static json_t *time_record(void) {
  char text[32];
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return json_string(text);
}

json_t *machine_record(const struct counters *counters) {
  struct cpu_id cpu;
  struct vm vm;
  struct utsname kernel = {0};
  cpu_id_read(&cpu);
  vm_read(&vm);
  uname(&kernel);
  return json_pack(
      "{s:s, s:i, s:s, s:o, s:{s:o, s:i, s:i, s:i, s:i}, s:o, s:{s:b, s:o},"
      " s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "record", "machine", "schema", RESULTS_SCHEMA, "vat", PACKAGE_VERSION,
      "host_cpu", text_or_null(cpu.model_name), "cpu", "vendor",
      text_or_null(cpu.vendor), "family", (int)cpu.family, "model_number",
      (int)cpu.model, "stepping", (int)cpu.stepping, "cores_online",
      (int)sysconf(_SC_NPROCESSORS_ONLN), "kernel",
      text_or_null(kernel.release), "vm", "is_vm", vm.is_vm, "hypervisor",
      text_or_null(vm.hypervisor), "caches", caches_record(), "memory_bytes",
      (json_int_t)machine_memory_bytes(), "page_bytes",
      (json_int_t)sysconf(_SC_PAGESIZE), "page_kinds", page_kinds_record(),
      "pools", pools_record(), "thp", thp_record(), "counters",
      counters_record(counters), "versions", versions_record(), "compiler",
      text_or_null(version_of_compiler), "time", time_record());
}
