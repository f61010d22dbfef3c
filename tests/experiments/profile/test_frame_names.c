/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu_algos/random.h"
#include "experiments/exec/executable.h"
#include "experiments/profile/frame_names.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static char self[PATH_MAX], build[EXECUTABLE_BUILD_ID];

static const char *skip(void) {
  int fd = open("/proc/self/exe", O_RDONLY);
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  bool known = fd >= 0 && length > 0 && !executable_read_build_id(fd, build);
  if (fd >= 0) close(fd);
  return known ? NULL : "this program has no build-id";
}

/* The first is the program. */
static int note_bias(struct dl_phdr_info *info, size_t bytes, void *bias) {
  (void)bytes;
  *(uint64_t *)bias = info->dlpi_addr;
  return 1;
}

static const char *name_of(const char *path, const char *build_id,
                           uint64_t offset, char text[64]) {
  struct profile_object object = {path, build_id};
  struct profile_objects objects = {&object, 1};
  struct frame_names names = {.objects = &objects};
  const char *name = frame_name(&names, &(struct profile_frame){path, offset});
  snprintf(text, 64, "%s", name ? name : "");
  CU_ASSERT_EQUAL(names.files, 1);
  frame_names_fini(&names);
  return text;
}

static uint64_t offset_of(void (*function)(void)) {
  uint64_t bias = 0;
  dl_iterate_phdr(note_bias, &bias);
  return (uint64_t)(uintptr_t)function - bias;
}

static void test_functions_of_calls(void) {
  char text[64];
  uint64_t start = offset_of((void (*)(void))profile_intern);
  CU_ASSERT_STRING_EQUAL(name_of(self, build, start + 1, text),
                         "profile_intern");
  /* Who called last returns to the beginning of the next. */
  CU_ASSERT_STRING_NOT_EQUAL(name_of(self, build, start, text),
                             "profile_intern");
  CU_ASSERT_STRING_EQUAL(name_of(self, build, 1, text), "");
  CU_ASSERT_STRING_EQUAL(name_of(self, build, UINT64_MAX, text), "");
}

static void test_other_builds(void) {
  char text[64];
  uint64_t start = offset_of((void (*)(void))profile_intern);
  CU_ASSERT_STRING_EQUAL(name_of(self, "00", start + 1, text), "");
  CU_ASSERT_STRING_EQUAL(name_of(self, NULL, start + 1, text), "");
  CU_ASSERT_STRING_EQUAL(name_of("/none/there", build, start + 1, text), "");
  CU_ASSERT_STRING_EQUAL(name_of("/", build, start + 1, text), "");
}

/* A small one that is there as long as this runs. */
static int find_library(struct dl_phdr_info *info, size_t bytes, void *path) {
  (void)bytes;
  bool found = strstr(info->dlpi_name, "libcunit") != NULL;
  if (found) snprintf(path, PATH_MAX, "%s", info->dlpi_name);
  return found;
}

/* A small library with its sections damaged: named or not, but read
 * within its bounds. */
static void test_damaged_files(void) {
  struct cpu_random random = {.state = 10};
  struct scratch scratch;
  size_t length = 0;
  char text[64], library[PATH_MAX] = "";
  scratch_init(&scratch);
  dl_iterate_phdr(find_library, library);
  char *whole = scratch_read(library, &length);
  CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
  for (int round = 0; round < 200; round++) {
    char *copy = malloc(length);
    if (!copy) abort();
    memcpy(copy, whole, length);
    /* The head of the file, and the table of sections at its end. */
    for (int i = 0; i < 4; i++) {
      size_t back = cpu_random_below(&random, 2048) + 1;
      size_t at = i ? length - back : 32 + cpu_random_below(&random, 32);
      copy[at] = (char)cpu_random_next(&random);
    }
    const char *path = scratch_write(&scratch, "damaged.so", copy, length);
    int fd = open(path, O_RDONLY);
    char id[EXECUTABLE_BUILD_ID];
    if (!executable_read_build_id(fd, id)) name_of(path, id, 0x1234, text);
    close(fd);
    free(copy);
  }
  free(whole);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"the function that a call is in", test_functions_of_calls},
    {"other builds have other addresses", test_other_builds},
    {"damaged files", test_damaged_files},
    {NULL, NULL}};

const struct check_suite suite_frame_names = {"names of frames", tests, skip};
