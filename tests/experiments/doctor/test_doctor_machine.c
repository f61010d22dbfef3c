/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine record, and the facts it is made of, on captured machines. */
#include <string.h>
#include <unistd.h>

#include "experiments/machine/caches.h"
#include "experiments/machine/cpu_id.h"
#include "experiments/machine/versions.h"
#include "experiments/results/machine_record.h"
#include "tests/experiments/suites.h"
#include "tests/huge_pages/fake_machine.h"

/* Keys in their order, and how a value of each begins. */
static const struct {
  const char *key;
  json_type type;
} keys[] = {
    {"record", JSON_STRING},
    {"schema", JSON_INTEGER},
    {"vat", JSON_STRING},
    {"host_cpu", JSON_STRING},
    {"cpu", JSON_OBJECT},
    {"kernel", JSON_STRING},
    {"vm", JSON_OBJECT},
    {"caches", JSON_ARRAY},
    {"memory_bytes", JSON_INTEGER},
    {"page_bytes", JSON_INTEGER},
    {"page_kinds", JSON_ARRAY},
    {"pools", JSON_ARRAY},
    {"thp", JSON_OBJECT},
    {"counters", JSON_ARRAY},
    {"versions", JSON_OBJECT},
    {"compiler", JSON_STRING},
    {"time", JSON_STRING},
};

static void check_record(json_t *record) {
  size_t i = 0;
  const char *key;
  json_t *value;
  CU_ASSERT_PTR_NOT_NULL_FATAL(record);
  CU_ASSERT_EQUAL_FATAL(json_object_size(record), sizeof keys / sizeof *keys);
  json_object_foreach(record, key, value) {
    CU_ASSERT_STRING_EQUAL(key, keys[i].key);
    CU_ASSERT_EQUAL(json_typeof(value), keys[i].type);
    i++;
  }
}

static void test_the_record_holds_what_it_promises(void) {
  struct counters *counters = counters_open(NULL, NULL, 0);
  json_t *record = machine_record(counters), *counter;
  size_t i;
  check_record(record);
  json_array_foreach(json_object_get(record, "counters"), i, counter) {
    bool present = json_is_true(json_object_get(counter, "present"));
    CU_ASSERT_EQUAL(present,
                    json_is_string(json_object_get(counter, "source")));
    CU_ASSERT_EQUAL(present, json_is_null(json_object_get(counter, "why")));
  }
  CU_ASSERT_EQUAL(i, counters_count(counters));
  json_decref(record);
  counters_close(counters);
}

static void test_a_machine_that_tells_nothing_has_a_record(void) {
  fake_machine_start();
  json_t *record = machine_record(NULL);
  check_record(record);
  json_t *cpu = json_object_get(record, "cpu");
  CU_ASSERT_TRUE(json_is_null(json_object_get(cpu, "vendor")));
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(record, "memory_bytes")),
                  0);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(record, "counters")), 0);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(record, "pools")), 0);
  json_decref(record);
  fake_machine_stop();
}

/* Not the bare host name, which may be a word such as "vm": as a JSON value. */
static void test_the_record_does_not_tell_whose_it_is(void) {
  char host[256] = "", quoted[300];
  gethostname(host, sizeof host - 1);
  snprintf(quoted, sizeof quoted, "\": \"%s\"", host);
  json_t *record = machine_record(NULL);
  char *text = json_dumps(record, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_PTR_NULL(strstr(text, quoted));
  CU_ASSERT_PTR_NULL(strstr(text, "/home"));
  CU_ASSERT_PTR_NULL(strstr(text, "uuid"));
  free(text);
  json_decref(record);
}

static void test_the_choice_is_the_bracketed_word(void) {
  char choice[MACHINE_CHOICE];
  fake_machine_start();
  fake_machine_write("/sys/a", "always [madvise] never\n");
  fake_machine_write("/sys/b", "1\n");
  fake_machine_write("/sys/c", "always [a-word-that-goes-on-and-on-and-on\n");
  fake_machine_write("/sys/d", "");
  CU_ASSERT_TRUE(machine_choice("/sys/a", choice));
  CU_ASSERT_STRING_EQUAL(choice, "madvise");
  CU_ASSERT_TRUE(machine_choice("/sys/b", choice));
  CU_ASSERT_STRING_EQUAL(choice, "1");
  CU_ASSERT_TRUE(machine_choice("/sys/c", choice));
  CU_ASSERT_EQUAL(strlen(choice), MACHINE_CHOICE - 1);
  CU_ASSERT_TRUE(machine_choice("/sys/d", choice));
  CU_ASSERT_STRING_EQUAL(choice, "");
  CU_ASSERT_FALSE(machine_choice("/sys/none", choice));
  CU_ASSERT_STRING_EQUAL(choice, "");
  fake_machine_stop();
}

static void test_a_pool_taken_by_others_is_there(void) {
  struct hp_missing missing;
  fake_machine_start();
  fake_machine_memory(4096);
  fake_machine_pool(2048, 8, 0, 0, 0);
  CU_ASSERT_TRUE(machine_has_pages(hp_kind_find("2m"), &missing));
  CU_ASSERT_STRING_EQUAL(missing.why, "");
  fake_machine_pool(2048, 0, 0, 0, 0);
  CU_ASSERT_FALSE(machine_has_pages(hp_kind_find("2m"), &missing));
  CU_ASSERT_TRUE(*missing.why && *missing.fix);
  fake_machine_stop();
}

#define INDEX "/sys/devices/system/cpu/cpu0/cache/index"

static void write_cache(const char *index, const char *level, const char *type,
                        const char *size, const char *shared) {
  const char *const files[][2] = {{"level", level},
                                  {"type", type},
                                  {"size", size},
                                  {"coherency_line_size", "64"},
                                  {"shared_cpu_list", shared}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[128];
    snprintf(path, sizeof path, INDEX "%s/%s", index, files[i][0]);
    fake_machine_write(path, files[i][1]);
  }
}

static void test_caches_are_read_from_sys(void) {
  struct cache caches[CACHES_MAX];
  fake_machine_start();
  CU_ASSERT_EQUAL(caches_read_sysfs(caches), 0);
  write_cache("0", "1", "Data\n", "48K\n", "0,56\n");
  write_cache("1", "1", "Instruction\n", "32K\n", "0\n");
  write_cache("2", "2", "Unified\n", "2M\n", "garbage\n");
  write_cache("3", "3", "Unified\n", "107520K\n", "0-27,56-83\n");
  CU_ASSERT_EQUAL_FATAL(caches_read_sysfs(caches), 4);
  CU_ASSERT_EQUAL(caches[0].level, 1);
  CU_ASSERT_STRING_EQUAL(caches[0].type, "data");
  CU_ASSERT_EQUAL(caches[0].bytes, 48 << 10);
  CU_ASSERT_EQUAL(caches[0].line_bytes, 64);
  CU_ASSERT_EQUAL(caches[0].shared_by, 2);
  CU_ASSERT_STRING_EQUAL(caches[1].type, "instruction");
  CU_ASSERT_EQUAL(caches[1].shared_by, 1);
  CU_ASSERT_EQUAL(caches[2].bytes, 2 << 20);
  CU_ASSERT_EQUAL(caches[2].shared_by, 1);
  CU_ASSERT_STRING_EQUAL(caches[3].type, "unified");
  CU_ASSERT_EQUAL(caches[3].bytes, 105 << 20);
  CU_ASSERT_EQUAL(caches[3].shared_by, 56);
  fake_machine_stop();
}

/* Each is the other's reference, where there are both. */
static void test_hwloc_and_sys_agree_on_caches(void) {
  struct cache by_hwloc[CACHES_MAX], by_sysfs[CACHES_MAX];
  size_t count = caches_read_hwloc(by_hwloc);
  if (!count || count != caches_read_sysfs(by_sysfs)) return;
  caches_read(by_hwloc);
  for (size_t i = 0; i < count; i++) {
    bool found = false;
    for (size_t k = 0; k < count; k++)
      found = found || (by_hwloc[i].level == by_sysfs[k].level &&
                        by_hwloc[i].bytes == by_sysfs[k].bytes &&
                        by_hwloc[i].line_bytes == by_sysfs[k].line_bytes &&
                        !strcmp(by_hwloc[i].type, by_sysfs[k].type));
    CU_ASSERT_TRUE(found);
  }
}

static void test_hypervisors_are_known_by_their_signature(void) {
  CU_ASSERT_STRING_EQUAL(vm_of_signature("KVMKVMKVM\0\0\0"), "KVM");
  CU_ASSERT_STRING_EQUAL(vm_of_signature("Microsoft Hv"), "Hyper-V");
  CU_ASSERT_STRING_EQUAL(vm_of_signature("XenVMMXenVMM"), "Xen");
  CU_ASSERT_PTR_NULL(vm_of_signature("GenuineIntel"));
  CU_ASSERT_PTR_NULL(vm_of_signature("\0\0\0\0\0\0\0\0\0\0\0\0"));
}

static void write_cpu(const char *flags) {
  char text[256];
  snprintf(text, sizeof text,
           "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
           "model\t\t: 85\nflags\t\t: fpu %s\n",
           flags);
  fake_machine_write("/proc/cpuinfo", text);
}

static void test_metal_is_told_from_a_virtual_machine(void) {
  struct vm vm;
  fake_machine_start();
  write_cpu("vme");
  fake_machine_write("/sys/class/dmi/id/product_name",
                     "Google Compute Engine\n");
  vm_read(&vm);
  CU_ASSERT_FALSE(vm.is_vm);
  CU_ASSERT_STRING_EQUAL(vm.hypervisor, "");
  write_cpu("vme hypervisor");
  vm_read(&vm);
  CU_ASSERT_TRUE(vm.is_vm);
  write_cpu("vme");
  fake_machine_write("/sys/hypervisor/type", "xen\n");
  vm_read(&vm);
  CU_ASSERT_TRUE(vm.is_vm);
  CU_ASSERT_STRING_EQUAL(vm.hypervisor, "Xen");
  fake_machine_stop();
}

static void test_arm_is_asked_through_its_firmware(void) {
  struct vm vm;
  fake_machine_start();
  fake_machine_write("/proc/cpuinfo",
                     "processor\t: 0\nCPU implementer\t: 0x41\n"
                     "CPU architecture: 8\nCPU part\t: 0xd0c\n");
  vm_read(&vm);
  CU_ASSERT_FALSE(vm.is_vm);
  fake_machine_write("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  vm_read(&vm);
  CU_ASSERT_TRUE(vm.is_vm);
  CU_ASSERT_STRING_EQUAL(vm.hypervisor, "QEMU");
  fake_machine_stop();
}

static void test_versions_are_numbers(void) {
  size_t count = 0;
  for (const struct version *v = versions; v->name; v++, count++) {
    CU_ASSERT_TRUE(*v->title && *v->serves);
    if (v->version && strcmp(v->version, "unknown"))
      CU_ASSERT_EQUAL(strspn(v->version, "0123456789."), strlen(v->version));
  }
  CU_ASSERT_EQUAL(count, 6);
}

static const struct check_test tests[] = {
    {"the record holds what it promises",
     test_the_record_holds_what_it_promises},
    {"a machine that tells nothing has a record",
     test_a_machine_that_tells_nothing_has_a_record},
    {"the record does not tell whose it is",
     test_the_record_does_not_tell_whose_it_is},
    {"the choice is the bracketed word", test_the_choice_is_the_bracketed_word},
    {"a pool taken by others is there", test_a_pool_taken_by_others_is_there},
    {"caches are read from /sys", test_caches_are_read_from_sys},
    {"hwloc and /sys agree on caches", test_hwloc_and_sys_agree_on_caches},
    {"hypervisors are known by their signature",
     test_hypervisors_are_known_by_their_signature},
    {"metal is told from a virtual machine",
     test_metal_is_told_from_a_virtual_machine},
    {"arm is asked through its firmware",
     test_arm_is_asked_through_its_firmware},
    {"versions are numbers", test_versions_are_numbers},
    {0}};

const struct check_suite suite_doctor_machine = {"machine", tests, NULL};
