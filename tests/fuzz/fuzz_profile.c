/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for what `vat profile` and `vat sim` are told of TLBs and
 * allocators, for what the Valgrind tool leaves and for what perf prints of
 * samples; run.sh builds and runs it, with which of them in VAT_FUZZ_FORMAT.
 * What is accepted must be what it says and must make a profile that can be
 * printed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/profile/profile.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/sampled.h"
#include "experiments/sim/itlb_option.h"
#include "experiments/sim/tlb_option.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void check_cache(const struct tlb_cache_shape *shape, bool must) {
  if ((shape->entries || must) && !vat_tlb_shape_check(shape)) abort();
}

/* Said again, a shape is the same. */
static void read_tlb(const char *text) {
  struct tlb_shape shape, again;
  char said[TLB_SHAPE_TEXT];
  if (tlb_shape_parse(text, &shape)) return;
  check_cache(&shape.level[0], true);
  check_cache(&shape.level[1], false);
  check_cache(&shape.walk, false);
  if (tlb_shape_parse(tlb_shape_text(&shape, said), &again) ||
      memcmp(&shape, &again, sizeof shape))
    abort();
}

/* The same of fetches. */
static void read_itlb(const char *text) {
  struct mixed_tlb_shape shape, again;
  char said[ITLB_SHAPE_TEXT];
  if (itlb_shape_parse(text, &shape)) return;
  for (int level = 0; level < 2; level++) {
    check_cache(&shape.all.level[level], !level);
    check_cache(&shape.from[0].level[level], false);
  }
  if (itlb_shape_parse(itlb_shape_text(&shape, said), &again) ||
      memcmp(&shape, &again, sizeof shape))
    abort();
}

static void read_allocator(const char *text) {
  if (!profile_allocator_check(text)) return;
  const char *equals = strrchr(text, '=');
  if (!equals || equals == text || strlen(equals) > strlen("=posix_memalign"))
    abort();
}

static void read_profile(const uint8_t *bytes, size_t count) {
  char error[PROFILE_ERROR_SIZE] = "", *program[] = {"a", NULL};
  struct profile_request request = {.policy = "islru", .program = program};
  struct profile profile;
  FILE *file = fmemopen((void *)bytes, count, "r");
  FILE *nowhere = fopen("/dev/null", "w");
  if (!file || !nowhere) abort();
  profile = (struct profile){0};
  if (profile_read(&profile, file, "out", error)) {
    if (!*error) abort();
  } else {
    profile_finish(&profile);
    if (profile_print(&request, &profile, nowhere) ||
        profile_json(&request, &profile, nowhere) ||
        profile_callgrind(&request, &profile, nowhere))
      abort();
  }
  profile_fini(&profile);
  fclose(nowhere);
  fclose(file);
}

/* What is refused is told, to nobody here. */
static void read_samples(const uint8_t *bytes, size_t count) {
  struct profile_request request = {.nodes = 16, .from = "samples"};
  struct sampled sampled;
  FILE *file = fmemopen((void *)bytes, count, "r"), *told = stderr;
  FILE *nowhere = fopen("/dev/null", "w");
  if (!file || !nowhere) abort();
  stderr = nowhere;
  if (!sampled_make(&sampled, &request, file)) {
    const struct miss_value *all = sampled.all;
    for (int s = 0; s < SAMPLED_SIZES; s++)
      if (!(0 <= all[s].lo && all[s].lo <= all[s].value &&
            all[s].value <= all[s].hi && all[s].hi < 1e300))
        abort();
    if (sampled_print(&sampled, nowhere) || sampled_json(&sampled, nowhere))
      abort();
  }
  stderr = told;
  sampled_fini(&sampled);
  fclose(nowhere);
  fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  const char *name = getenv("VAT_FUZZ_FORMAT");
  if (!name) abort();
  if (!strcmp(name, "outputs")) {
    if (count) read_profile(bytes, count);
    return 0;
  }
  if (!strcmp(name, "samples")) {
    if (count) read_samples(bytes, count);
    return 0;
  }
  char *text = strndup((const char *)bytes, count);
  if (!text) abort();
  if (!strcmp(name, "tlb")) read_tlb(text);
  if (!strcmp(name, "itlb")) read_itlb(text);
  if (!strcmp(name, "allocator")) read_allocator(text);
  free(text);
  return 0;
}
