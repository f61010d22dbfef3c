/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"

static void test_reads_numbers_only(void) {
  static const char *const bad[] = {
      "", "\n", "max\n", "-1\n", "+1", "99999999999999999999999\n", "x1"};
  size_t value = 7;
  fake_machine_start();
  fake_machine_write("/sys/n", "512\n");
  CU_ASSERT_EQUAL(hp_kernel_read_size("/sys/n", &value), 0);
  CU_ASSERT_EQUAL(value, 512);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fake_machine_write("/sys/n", bad[i]);
    errno = 0;
    CU_ASSERT_EQUAL(hp_kernel_read_size("/sys/n", &value), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
  fake_machine_stop();
}

static void test_absent_file_is_enoent(void) {
  size_t value;
  fake_machine_start();
  errno = 0;
  CU_ASSERT_EQUAL(hp_kernel_read_size("/sys/none", &value), -1);
  CU_ASSERT_EQUAL(errno, ENOENT);
  fake_machine_stop();
}

static void test_shorter_number_replaces_longer(void) {
  size_t value;
  fake_machine_start();
  fake_machine_write("/sys/n", "1000\n");
  int fd = hp_kernel_open("/sys/n", O_RDWR);
  CU_ASSERT_EQUAL(hp_kernel_write_size(fd, 12), 0);
  close(fd);
  CU_ASSERT_EQUAL(hp_kernel_read_size("/sys/n", &value), 0);
  CU_ASSERT_EQUAL(value, 12);
  fake_machine_stop();
}

static void test_key_must_begin_a_line(void) {
  const char *text = "xRss: 1 kB\nRss:   42 kB\nRssAnon: 3 kB";
  size_t value = 0;
  CU_ASSERT_TRUE(hp_kernel_find_size(text, "Rss:", &value));
  CU_ASSERT_EQUAL(value, 42);
  CU_ASSERT_FALSE(hp_kernel_find_size(text, "Pss:", &value));
  CU_ASSERT_FALSE(hp_kernel_find_size("Rss: many\n", "Rss:", &value));
  CU_ASSERT_FALSE(hp_kernel_find_size("", "Rss:", &value));
}

static const struct check_test tests[] = {
    {"what is no number is refused", test_reads_numbers_only},
    {"an absent file is ENOENT", test_absent_file_is_enoent},
    {"a short number replaces a long one", test_shorter_number_replaces_longer},
    {"a key counts only where a line begins", test_key_must_begin_a_line},
    {0},
};
const struct check_suite suite_kernel_files = {"kernel_files", tests, NULL};
