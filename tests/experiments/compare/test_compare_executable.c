/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/compare/arms.h"
#include "experiments/compare/supervisor.h"
#include "experiments/exec/environment.h"
#include "experiments/exec/executable.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

enum { NOBODY = 65534 };

#if defined __x86_64__
enum { OUR_MACHINE = EM_X86_64 };
#else
enum { OUR_MACHINE = EM_AARCH64 };
#endif

struct image {
  Elf64_Ehdr header;
  Elf64_Phdr segments[2];
  char text[128];
};

/* A 64-bit program of the loader named, or a static one that holds `words`. */
static struct image image_of(const char *loader, const char *words) {
  struct image image = {.header = {.e_type = ET_DYN,
                                   .e_machine = OUR_MACHINE,
                                   .e_phoff = offsetof(struct image, segments),
                                   .e_phentsize = sizeof(Elf64_Phdr),
                                   .e_phnum = 2},
                        .segments = {{.p_type = PT_LOAD},
                                     {.p_type = loader ? PT_INTERP : PT_NOTE,
                                      .p_offset = offsetof(struct image, text),
                                      .p_filesz = sizeof image.text}}};
  memcpy(image.header.e_ident, ELFMAG, SELFMAG);
  image.header.e_ident[EI_CLASS] = ELFCLASS64;
  image.header.e_ident[EI_DATA] = ELFDATA2LSB;
  strcpy(image.text, loader ? loader : words);
  return image;
}

static int look(struct executable *program, const void *bytes, size_t count) {
  struct scratch scratch;
  scratch_init(&scratch);
  int fd = open(scratch_write(&scratch, "p", bytes, count), O_RDONLY);
  *program = (struct executable){.form = EXECUTABLE_UNKNOWN};
  int failed = executable_read_elf(program, fd), error = errno;
  close(fd);
  scratch_fini(&scratch);
  errno = error;
  return failed;
}

static void test_loaders_tell_the_libc(void) {
  static const struct {
    const char *loader, *words;
    enum executable_form form;
    bool tunables;
  } cases[] = {
      {"/lib64/ld-linux-x86-64.so.2", NULL, EXECUTABLE_GLIBC, false},
      {"/lib/ld-linux-aarch64.so.1", NULL, EXECUTABLE_GLIBC, false},
      {"/lib/ld-musl-x86_64.so.1", NULL, EXECUTABLE_MUSL, false},
      {"/system/bin/linker64", NULL, EXECUTABLE_UNKNOWN, false},
      {NULL, "nothing", EXECUTABLE_STATIC, false},
      {NULL, "glibc.malloc.hugetlb", EXECUTABLE_STATIC, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct executable program;
    struct image image = image_of(cases[i].loader, cases[i].words);
    CU_ASSERT_EQUAL(look(&program, &image, sizeof image), 0);
    CU_ASSERT_EQUAL(program.form, cases[i].form);
    CU_ASSERT_EQUAL(program.tunables, cases[i].tunables);
    CU_ASSERT(program.same_words);
  }
}

/* A 32-bit program: the same words at other places. */
static void test_32_bit_programs_are_known(void) {
  struct {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    char text[32];
  } image = {.header = {.e_type = ET_EXEC,
                        .e_machine = EM_386,
                        .e_phoff = sizeof(Elf32_Ehdr),
                        .e_phentsize = sizeof(Elf32_Phdr),
                        .e_phnum = 1},
             .segment = {.p_type = PT_INTERP,
                         .p_offset = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
                         .p_filesz = 32},
             .text = "/lib/ld-linux.so.2"};
  struct executable program;
  memcpy(image.header.e_ident, ELFMAG, SELFMAG);
  image.header.e_ident[EI_CLASS] = ELFCLASS32;
  image.header.e_ident[EI_DATA] = ELFDATA2LSB;
  CU_ASSERT_EQUAL(look(&program, &image, sizeof image), 0);
  CU_ASSERT_EQUAL(program.form, EXECUTABLE_GLIBC);
  CU_ASSERT_FALSE(program.same_words);
}

static void test_what_is_cut_or_odd_is_refused_or_read(void) {
  struct executable program;
  struct image whole = image_of("/lib64/ld-linux-x86-64.so.2", NULL);
  for (size_t count = 0; count < sizeof whole; count++) {
    int failed = look(&program, &whole, count);
    bool has_segment = count >= offsetof(struct image, segments[1]);
    CU_ASSERT_EQUAL(failed, has_segment ? 0 : -1);
  }
  struct image odd = whole;
  odd.header.e_phoff = UINT64_MAX - 8;
  CU_ASSERT_EQUAL(look(&program, &odd, sizeof odd), -1);
  CU_ASSERT_EQUAL(errno, ENOEXEC);
  odd = whole;
  odd.segments[1].p_offset = UINT64_MAX;
  odd.segments[1].p_filesz = UINT64_MAX;
  CU_ASSERT_EQUAL(look(&program, &odd, sizeof odd), 0);
  CU_ASSERT_EQUAL(program.form, EXECUTABLE_UNKNOWN);
  odd = whole;
  odd.header.e_type = ET_REL;
  CU_ASSERT_EQUAL(look(&program, &odd, sizeof odd), -1);
  CU_ASSERT_EQUAL(errno, ENOEXEC);
}

static void script_is(const char *text, const char *interpreter) {
  char found[PATH_MAX];
  struct scratch scratch;
  scratch_init(&scratch);
  int fd = open(scratch_write(&scratch, "s", text, strlen(text)), O_RDONLY);
  int failed = executable_read_script(fd, found);
  CU_ASSERT_EQUAL(failed, interpreter ? 0 : -1);
  if (interpreter && !failed) CU_ASSERT_STRING_EQUAL(found, interpreter);
  close(fd);
  scratch_fini(&scratch);
}

static void test_scripts_name_their_interpreter(void) {
  script_is("#!/bin/sh\n", "/bin/sh");
  script_is("#! /usr/bin/env python3\n", "/usr/bin/env");
  script_is("#!/bin/sh", "/bin/sh");
  script_is("#!\n", NULL);
  script_is("# a comment\n", NULL);
  script_is("", NULL);
}

static int found(const char *path, char why[EXECUTABLE_WHY]) {
  struct executable program;
  *why = '\0';
  return executable_find(&program, path, why) ? errno : 0;
}

static void test_setuid_programs_are_refused(void) {
  char why[EXECUTABLE_WHY];
  struct scratch scratch;
  struct image image = image_of(NULL, "nothing");
  scratch_init(&scratch);
  const char *path = scratch_write(&scratch, "p", &image, sizeof image);
  CU_ASSERT_EQUAL(found(path, why), EACCES);
  CU_ASSERT_EQUAL(chmod(path, 0755), 0);
  CU_ASSERT_EQUAL(found(path, why), 0);
  CU_ASSERT_EQUAL(chmod(path, 04755), 0);
  CU_ASSERT_EQUAL(found(path, why), 0); /* of the user who runs it */
  if (!geteuid()) {
    CU_ASSERT_EQUAL(chown(path, NOBODY, NOBODY), 0);
    CU_ASSERT_EQUAL(chmod(path, 04755), 0);
    CU_ASSERT_EQUAL(found(path, why), EPERM);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "setuid"));
  }
  scratch_fini(&scratch);
}

static void test_an_environment_changes_where_it_is_told(void) {
  char *before[] = {(char[]){"A=1"}, (char[]){"AB=2"}, (char[]){"C=3"}, NULL};
  const char *changes[] = {"A", "9", "D", "", NULL};
  char **after = environment_with(before, changes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(after);
  CU_ASSERT_STRING_EQUAL(after[0], "AB=2");
  CU_ASSERT_STRING_EQUAL(after[1], "C=3");
  CU_ASSERT_STRING_EQUAL(after[2], "A=9");
  CU_ASSERT_STRING_EQUAL(after[3], "D=");
  CU_ASSERT_PTR_NULL(after[4]);
  environment_free(after);
}

/* What `text` gives for `pattern`, written in pieces; NAN: nothing. */
static bool caught(const char *text, const char *pattern, double *value,
                   char last[LAUNCH_WORDS]) {
  struct output_tail tail;
  regex_t regex;
  int writer;
  CU_ASSERT_EQUAL_FATAL(output_tail_init(&tail, &writer, -1), 0);
  CU_ASSERT_EQUAL_FATAL(regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE),
                        0);
  for (const char *at = text; *at; at++) {
    CU_ASSERT_EQUAL(write(writer, at, 1), 1);
    if (at[0] == 'x') output_tail_drain(&tail);
  }
  close(writer);
  output_tail_drain(&tail);
  CU_ASSERT_EQUAL(tail.fd, -1);
  bool found_one = output_tail_metric(&tail, &regex, value);
  output_tail_last_line(&tail, last, LAUNCH_WORDS);
  regfree(&regex);
  output_tail_fini(&tail);
  return found_one;
}

static void test_the_last_figure_is_caught(void) {
  double value;
  char last[LAUNCH_WORDS];
  CU_ASSERT(
      caught("x 1 op\nx 2.5e3 op\nend\n\n", "x ([^ ]*) op", &value, last));
  CU_ASSERT_EQUAL(value, 2500);
  CU_ASSERT_STRING_EQUAL(last, "end");
  CU_ASSERT(caught("rps=1\rrps=2\rrps=3 rps=4", "rps=([0-9]+)", &value, last));
  CU_ASSERT_EQUAL(value, 4);
  CU_ASSERT_FALSE(caught("x none op\n", "x ([^ ]*) op", &value, last));
  CU_ASSERT_FALSE(caught("", "(.*)", &value, last));
  CU_ASSERT_STRING_EQUAL(last, "");
  CU_ASSERT_FALSE(caught("a\n", "(b?)", &value, last));
}

static void test_only_the_end_of_much_output_is_kept(void) {
  struct output_tail tail;
  static char line[1 << 16];
  regex_t regex;
  double value;
  int writer;
  memset(line, 'z', sizeof line);
  line[sizeof line - 1] = '\n';
  memcpy(line, "n=7 ", 4);
  CU_ASSERT_EQUAL_FATAL(output_tail_init(&tail, &writer, -1), 0);
  CU_ASSERT_EQUAL_FATAL(regcomp(&regex, "^n=([0-9])", REG_EXTENDED), 0);
  for (int i = 0; i < 100; i++) {
    CU_ASSERT_EQUAL(write(writer, line, sizeof line), sizeof line);
    output_tail_drain(&tail);
    CU_ASSERT(tail.used <= 2 * (size_t)OUTPUT_TAIL);
  }
  close(writer);
  output_tail_drain(&tail);
  CU_ASSERT(tail.used >= OUTPUT_TAIL);
  CU_ASSERT(output_tail_metric(&tail, &regex, &value));
  CU_ASSERT_EQUAL(value, 7);
  regfree(&regex);
  output_tail_fini(&tail);
}

static const struct check_test tests[] = {
    {"loaders tell the libc", test_loaders_tell_the_libc},
    {"32-bit programs are known", test_32_bit_programs_are_known},
    {"what is cut or odd is refused, or read",
     test_what_is_cut_or_odd_is_refused_or_read},
    {"scripts name their interpreter", test_scripts_name_their_interpreter},
    {"setuid programs are refused", test_setuid_programs_are_refused},
    {"an environment changes where it is told",
     test_an_environment_changes_where_it_is_told},
    {"the last figure is caught", test_the_last_figure_is_caught},
    {"only the end of much output is kept",
     test_only_the_end_of_much_output_is_kept},
    {NULL, NULL},
};

const struct check_suite suite_compare_executable = {
    .name = "compare: programs and their output",
    .tests = tests,
};
