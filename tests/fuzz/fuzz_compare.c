/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for what `vat compare` reads of others: an executable, a
 * script's first line, the text of smaps, and what a program prints; and for
 * what it prints itself, where others read that.  run.sh builds and runs it,
 * with which of them in VAT_FUZZ_FORMAT. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/compare/backing.h"
#include "experiments/compare/supervisor.h"
#include "experiments/exec/executable.h"
#include "experiments/profile/what_if_measured.h"
#include "experiments/validate/mosaics.h"
#include "huge_pages/page_kind.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void read_executable(int fd) {
  struct executable program = {.form = EXECUTABLE_UNKNOWN};
  char interpreter[PATH_MAX], build_id[EXECUTABLE_BUILD_ID] = "";
  if (!executable_read_elf(&program, fd) && program.form > EXECUTABLE_STATIC)
    abort();
  if (!executable_read_script(fd, interpreter) && !*interpreter) abort();
  if (!executable_read_build_id(fd, build_id) && !*build_id) abort();
}

static void read_smaps(int fd) {
  struct backing backing = {0};
  FILE *smaps = fdopen(dup(fd), "r");
  if (!smaps || backing_add(&backing, smaps, NULL)) abort();
  fclose(smaps);
  size_t all = backing_total(&backing);
  if (backing.open > all || backing.files > all || backing.edges > all ||
      backing_of_kind(&backing, hp_kind_find("thp")) > backing.open)
    abort();
}

static void read_output(const uint8_t *bytes, size_t count) {
  struct output_tail tail;
  regex_t regex;
  char last[32];
  double value = 0;
  int writer;
  if (output_tail_init(&tail, &writer, -1) ||
      regcomp(&regex, "=([-0-9.e]*)", REG_EXTENDED | REG_NEWLINE) ||
      write(writer, bytes, count) != (ssize_t)count)
    abort();
  close(writer);
  output_tail_drain(&tail);
  output_tail_metric(&tail, &regex, &value);
  output_tail_last_line(&tail, last, sizeof last);
  if (strlen(last) >= sizeof last || value != value) abort();
  regfree(&regex);
  output_tail_fini(&tail);
}

static void read_compared(int fd) {
  char path[32], why[PATH_MAX + 400] = "";
  const char *const paths[] = {path};
  struct mosaics mosaics;
  struct what_if_correction correction;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (mosaics_read(&mosaics, paths, 1, why, sizeof why)) {
    if (!*why || strchr(why, '\n')) abort();
  } else {
    json_decref(mosaics_to_json(&mosaics));
  }
  mosaics_fini(&mosaics);
  if (!what_if_measured_read(&correction, path, "2m", NULL) &&
      correction.known &&
      !(correction.measured.lo <= correction.measured.value &&
        correction.measured.value <= correction.measured.hi))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  const char *name = getenv("VAT_FUZZ_FORMAT");
  int fd = memfd_create("file", MFD_CLOEXEC);
  if (!name || fd < 0 || write(fd, bytes, count) != (ssize_t)count) abort();
  lseek(fd, 0, SEEK_SET);
  if (!strcmp(name, "executable")) read_executable(fd);
  if (!strcmp(name, "smaps")) read_smaps(fd);
  if (!strcmp(name, "output")) read_output(bytes, count);
  if (!strcmp(name, "compared")) read_compared(fd);
  close(fd);
  return 0;
}
