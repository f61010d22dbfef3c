/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which processor a /proc/cpuinfo names, on texts as real machines give them.
 */
#include <stdlib.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"
#include "tests/experiments/suites.h"

#define X86(vendor, family, model, name, stepping, flags)                   \
  "processor\t: 0\nvendor_id\t: " vendor "\ncpu family\t: " #family         \
  "\nmodel\t\t: " #model "\nmodel name\t: " name "\nstepping\t: " #stepping \
  "\nmicrocode\t: 0x1\ncpu MHz\t\t: 2500.000\nflags\t\t: fpu " flags        \
  "\nbugs\t\t: spectre_v1\n\nprocessor\t: 1\nvendor_id\t: other\n"
#define INTEL(model, stepping) \
  X86("GenuineIntel", 6, model, "Intel(R) Xeon(R)", stepping, "vme sse2")
#define AMD(family, model) \
  X86("AuthenticAMD", family, model, "AMD EPYC", 1, "vme sse2")

static const struct {
  const char *arch; /* NULL: not in the table */
  const char *text;
} machines[] = {
    {"bdw_ep", INTEL(79, 1)},
    {"bdw", INTEL(61, 4)},
    {"skx", INTEL(85, 4)},
    {"clx", INTEL(85, 7)},
    {"icx", INTEL(106, 6)},
    {"spr", INTEL(143, 8)},
    {"emr", INTEL(207, 2)},
    {"gnr", INTEL(173, 1)},
    {"adl_glc", INTEL(151, 2)},
    {"adl_glc", INTEL(183, 1)},
    {"zen1", AMD(23, 1)},
    {"zen2", AMD(23, 49)},
    {"zen3", AMD(25, 1)},
    {"zen4", AMD(25, 17)},
    {"zen5", AMD(26, 2)},
    {NULL, INTEL(15, 11)},                              /* Core 2 */
    {NULL, AMD(26, 80)},                                /* after Zen 5 */
    {NULL, X86("GenuineIntel", 15, 143, "P4", 1, "")},  /* another family */
    {NULL, X86("HygonGenuine", 24, 1, "Hygon", 1, "")}, /* not verified */
    {"arm64",
     "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd evtstrm aes\n"
     "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n"
     "CPU part\t: 0xd0c\nCPU revision\t: 1\n\nprocessor\t: 1\n"},
};

static void test_each_machine_is_recognised(void) {
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
    struct cpu_id id;
    cpu_id_parse(&id, machines[i].text);
    const struct cpu_arch *arch = cpu_arch_find(&id);
    const char *found = arch ? arch->name : "none";
    CU_ASSERT_STRING_EQUAL(found, machines[i].arch ? machines[i].arch : "none");
  }
}

static void test_fields_are_of_the_first_processor(void) {
  struct cpu_id id;
  cpu_id_parse(&id, INTEL(85, 7));
  CU_ASSERT_STRING_EQUAL(id.vendor, "GenuineIntel");
  CU_ASSERT_STRING_EQUAL(id.model_name, "Intel(R) Xeon(R)");
  CU_ASSERT_EQUAL(id.family, 6);
  CU_ASSERT_EQUAL(id.model, 85);
  CU_ASSERT_EQUAL(id.stepping, 7);
}

static void test_arm_is_named_by_implementer_and_part(void) {
  struct cpu_id id;
  const char *text = machines[sizeof machines / sizeof *machines - 1].text;
  cpu_id_parse(&id, text);
  CU_ASSERT_STRING_EQUAL(id.vendor, "ARM");
  CU_ASSERT_STRING_EQUAL(id.model_name, "ARM implementer 0x41");
  CU_ASSERT_EQUAL(id.model, 0xd0c);
}

static void test_the_hypervisor_flag_is_a_whole_word(void) {
  struct cpu_id id;
  cpu_id_parse(&id, X86("GenuineIntel", 6, 85, "x", 4, "sse2 hypervisor lahf"));
  CU_ASSERT_TRUE(id.hypervisor);
  cpu_id_parse(&id, X86("GenuineIntel", 6, 85, "x", 4, "lahf hypervisor"));
  CU_ASSERT_TRUE(id.hypervisor);
  cpu_id_parse(&id, X86("GenuineIntel", 6, 85, "x", 4, "nohypervisor x"));
  CU_ASSERT_FALSE(id.hypervisor);
  cpu_id_parse(&id, X86("GenuineIntel", 6, 85, "x", 4, "hypervisors"));
  CU_ASSERT_FALSE(id.hypervisor);
  cpu_id_parse(&id, X86("GenuineIntel", 6, 85, "x", 4, ""));
  CU_ASSERT_FALSE(id.hypervisor);
}

static void test_garbage_names_no_processor(void) {
  static const char *const texts[] = {"",
                                      "\n\n\n",
                                      "vendor_id",
                                      "vendor_id GenuineIntel",
                                      ":::\n:\n:",
                                      "model name\t: x\n",
                                      "flags: hypervisor"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct cpu_id id;
    cpu_id_parse(&id, texts[i]);
    CU_ASSERT_STRING_EQUAL(id.vendor, "");
    CU_ASSERT_STRING_EQUAL(id.model_name, "unknown");
    CU_ASSERT_PTR_NULL(cpu_arch_find(&id));
  }
}

static void test_overlong_values_are_cut(void) {
  static char text[4096];
  strcpy(text, "vendor_id\t: ");
  memset(text + strlen(text), 'v', 4000);
  struct cpu_id id;
  cpu_id_parse(&id, text);
  CU_ASSERT_EQUAL(strlen(id.vendor), sizeof id.vendor - 1);
}

/* Every text made by breaking a good one is taken or refused, never overrun:
 * the sanitizers watch. */
static void test_broken_texts_are_survived(void) {
  const char *good = INTEL(85, 7);
  size_t length = strlen(good);
  unsigned state = 1;
  for (int round = 0; round < 2000; round++) {
    char *text = strdup(good);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (int k = 0; k < 8; k++) {
      state = state * 1103515245 + 12345;
      text[(state >> 8) % length] = "\0\n:\t 0x"[(state >> 4) % 8];
    }
    struct cpu_id id;
    cpu_id_parse(&id, text);
    cpu_arch_find(&id);
    free(text);
  }
}

static const struct check_test tests[] = {
    {"each machine is recognised", test_each_machine_is_recognised},
    {"fields are of the first processor",
     test_fields_are_of_the_first_processor},
    {"arm is named by implementer and part",
     test_arm_is_named_by_implementer_and_part},
    {"the hypervisor flag is a whole word",
     test_the_hypervisor_flag_is_a_whole_word},
    {"garbage names no processor", test_garbage_names_no_processor},
    {"overlong values are cut", test_overlong_values_are_cut},
    {"broken texts are survived", test_broken_texts_are_survived},
    {0}};

const struct check_suite suite_counters_cpu = {"counters: processors", tests,
                                               NULL};
