/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "experiments/results/sample.h"
#include "huge_pages/size_text.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static const char whole[] =
    "{\"record\":\"sample\",\"algo\":\"heapsort\",\"device\":\"cpu\","
    "\"n\":1024,\"pages_asked\":\"2m\",\"pages_granted\":{\"2m\":2097152},"
    "\"rep\":3,\"ns\":51200,\"ram_ops\":10240,\"ns_per_op\":5,"
    "\"counters\":{\"walks_2m\":17,\"cycles\":null},\"check\":\"ok\","
    "\"seed\":7}";

static void test_fields_arrive(void) {
  char why[SAMPLE_WHY_SIZE];
  struct sample s;
  json_t *json = json_loads(whole, 0, NULL);
  CU_ASSERT_EQUAL_FATAL(sample_from_json(&s, json, why), 0);
  CU_ASSERT_STRING_EQUAL(s.algo, "heapsort");
  CU_ASSERT_STRING_EQUAL(s.device, "cpu");
  CU_ASSERT_STRING_EQUAL(s.pages_asked, "2m");
  CU_ASSERT_EQUAL(s.n, 1024);
  CU_ASSERT_EQUAL(s.rep, 3);
  CU_ASSERT_EQUAL(s.ns, 51200);
  CU_ASSERT_EQUAL(s.ram_ops, 10240);
  CU_ASSERT_EQUAL(s.seed, 7);
  CU_ASSERT_TRUE(s.granted_ok && s.check_ok);
  CU_ASSERT_EQUAL(s.pages_granted.sizes, 1);
  CU_ASSERT_EQUAL(s.pages_granted.by[0].page_bytes, 2097152);
  CU_ASSERT_EQUAL_FATAL(s.counters, 2);
  CU_ASSERT_TRUE(s.counter[0].present && s.counter[0].value == 17);
  CU_ASSERT_FALSE(s.counter[1].present);
  json_decref(json);
}

/* `whole` with one key set to a JSON value, or without it (NULL). */
static int read_with(const char *key, const char *value, struct sample *s,
                     char *why) {
  json_t *json = json_loads(whole, 0, NULL);
  if (value)
    json_object_set_new(json, key, json_loads(value, JSON_DECODE_ANY, NULL));
  else
    json_object_del(json, key);
  *why = '\0';
  int failed = sample_from_json(s, json, why);
  json_decref(json);
  return failed;
}

static void test_each_missing_key_is_named(void) {
  static const char *const keys[] = {
      "algo", "device",  "n",         "pages_asked", "pages_granted", "rep",
      "ns",   "ram_ops", "ns_per_op", "counters",    "check",         "seed"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char why[SAMPLE_WHY_SIZE];
    struct sample s;
    errno = 0;
    CU_ASSERT_EQUAL(read_with(keys[i], NULL, &s, why), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, keys[i]));
  }
}

static const struct {
  const char *key, *value;
} bad[] = {
    {"algo", "7"},
    {"algo", "\"\""},
    {"algo", "\"a\\u001b[31m\""},
    {"algo", "\"\\u00fc\""},
    {"algo", "\"0123456789012345678901234567890123456789012345678\""},
    {"device", "\"sixteen-letters!\""},
    {"alloc", "\"\""},
    {"alloc", "null"},
    {"alloc", "\"sixteen-letters!\""},
    {"n", "-1"},
    {"n", "1.5"},
    {"n", "\"-5\""},
    {"n", "\"18446744073709551615\""},
    {"n", "true"},
    {"rep", "-1"},
    {"rep", "4294967296"},
    {"ns", "-51200"},
    {"ns", "0"},
    {"ns", "null"},
    {"ram_ops", "0"},
    {"ram_ops", "-10240"},
    {"ram_ops", "\"10240\""},
    {"ns_per_op", "4.9"},
    {"ns_per_op", "-5"},
    {"pages_granted", "[]"},
    {"pages_granted", "{\"thp\":5}"},
    {"pages_granted", "{\"4k\":-4096}"},
    {"pages_granted", "{\"4kb\":4096}"},
    {"pages_granted", "{\"0k\":4096}"},
    {"pages_granted", "{\"99999999999999999999k\":4096}"},
    {"pages_granted",
     "{\"1k\":1,\"2k\":1,\"4k\":1,\"8k\":1,\"1m\":1,\"2m\":1,\"4m\":1,"
     "\"8m\":1,\"16m\":1,\"32m\":1,\"64m\":1,\"1g\":1,\"2g\":1}"},
    {"granted_ok", "1"},
    {"counters", "[]"},
    {"counters", "{\"cycles\":-1}"},
    {"counters", "{\"cycles\":1.5}"},
    {"counters", "{\"\":1}"},
    {"counters", "{\"a counter with a name beyond all measure\":1}"},
    {"counters",
     "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
     "\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,"
     "\"q\":1,\"r\":1,\"s\":1,\"t\":1,\"u\":1,\"v\":1,\"w\":1,\"x\":1,"
     "\"y\":1}"},
    {"check", "true"},
    {"seed", "-1"},
    {"seed", "\"18446744073709551616\""},
};

static void test_bad_values_are_refused(void) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char why[SAMPLE_WHY_SIZE];
    struct sample s;
    if (!read_with(bad[i].key, bad[i].value, &s, why))
      printf("\naccepted: %s %s\n", bad[i].key, bad[i].value);
    CU_ASSERT_NOT_EQUAL(*why, '\0');
  }
}

static void test_backing_decides_when_not_said(void) {
  static const struct {
    const char *granted;
    bool ok;
  } cases[] = {
      {"{\"2m\":2097152}", true},
      {"{\"2m\":2097152,\"4k\":0}", true},
      {"{\"2m\":2097152,\"4k\":4096}", false},
      {"{\"2m\":2097152,\"none\":4096}", false},
      {"{\"4k\":2097152}", false},
      {"{}", false},
  };
  char why[SAMPLE_WHY_SIZE];
  struct sample s;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CU_ASSERT_EQUAL(read_with("pages_granted", cases[i].granted, &s, why), 0);
    CU_ASSERT_EQUAL(s.granted_ok, cases[i].ok);
  }
  CU_ASSERT_EQUAL(read_with("pages_asked", "\"thp\"", &s, why), 0);
  CU_ASSERT_TRUE(s.granted_ok);
  CU_ASSERT_EQUAL(read_with("granted_ok", "false", &s, why), 0);
  CU_ASSERT_FALSE(s.granted_ok);
}

static void test_sizes_come_sorted(void) {
  char why[SAMPLE_WHY_SIZE];
  struct sample s;
  CU_ASSERT_EQUAL(read_with("pages_granted",
                            "{\"1g\":3,\"4k\":1,\"2m\":2,\"none\":9}", &s, why),
                  0);
  CU_ASSERT_EQUAL_FATAL(s.pages_granted.sizes, 3);
  for (size_t i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(s.pages_granted.by[i].bytes, i + 1);
  CU_ASSERT_EQUAL(s.pages_granted.missing, 9);
}

static void test_page_names_are_sizes(void) {
  CU_ASSERT_EQUAL(hp_page_bytes("4k"), 4096);
  CU_ASSERT_EQUAL(hp_page_bytes("2m"), 2097152);
  CU_ASSERT_EQUAL(hp_page_bytes("1g"), 1073741824);
  CU_ASSERT_EQUAL(hp_page_bytes("16g"), 17179869184);
  static const char *const not [] = {"", "thp", "k", "4", "4kk", "-4k", "0m"};
  for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
    CU_ASSERT_EQUAL(hp_page_bytes(not [i]), 0);
}

static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static struct sample random_sample(uint64_t *state) {
  struct sample s = {.n = 1 + next(state) / 4,
                     .rep = (uint32_t)next(state),
                     .ns = (next(state) >> (next(state) % 64)) | 1,
                     .ram_ops = 1 + (double)(next(state) >> 20) / 7,
                     .seed = next(state),
                     .granted_ok = next(state) & 1,
                     .check_ok = next(state) & 1};
  for (size_t i = 0; i < 1 + next(state) % (sizeof s.algo - 1); i++)
    s.algo[i] = (char)(' ' + next(state) % 95);
  strcpy(s.device, "cpu");
  strcpy(s.pages_asked, "thp");
  s.pages_granted.sizes = next(state) % (HP_GRANTED_SIZES + 1);
  for (size_t i = 0; i < s.pages_granted.sizes; i++) {
    s.pages_granted.by[i].page_bytes = (size_t)4096 << (3 * i);
    s.pages_granted.by[i].bytes = 1 + next(state) / 4;
  }
  s.pages_granted.missing = next(state) % 2 ? next(state) : 0;
  s.counters = next(state) % (SAMPLE_COUNTERS + 1);
  for (size_t i = 0; i < s.counters; i++) {
    snprintf(s.counter[i].name, sizeof s.counter[i].name, "counter_%zu", i);
    s.counter[i].present = next(state) & 1;
    s.counter[i].value = s.counter[i].present ? next(state) : 0;
  }
  return s;
}

static void test_any_sample_survives_the_round_trip(void) {
  uint64_t state = 42;
  for (int i = 0; i < 2000; i++) {
    char why[SAMPLE_WHY_SIZE] = "";
    struct sample s = random_sample(&state), back;
    json_t *json = sample_to_json(&s);
    char *line = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_t *read = json_loads(line, 0, NULL);
    CU_ASSERT_EQUAL(sample_from_json(&back, read, why), 0);
    if (*why) printf("\nround %d: %s: %s\n", i, why, line);
    CU_ASSERT(fabs(back.ram_ops - s.ram_ops) <= 1e-14 * s.ram_ops);
    back.ram_ops = s.ram_ops;
    CU_ASSERT_STRING_EQUAL(back.algo, s.algo);
    CU_ASSERT(back.n == s.n && back.rep == s.rep && back.ns == s.ns);
    CU_ASSERT(back.seed == s.seed && back.check_ok == s.check_ok);
    CU_ASSERT(back.granted_ok == s.granted_ok && back.counters == s.counters);
    CU_ASSERT(
        !memcmp(&back.pages_granted, &s.pages_granted, sizeof s.pages_granted));
    CU_ASSERT(!memcmp(back.counter, s.counter, sizeof s.counter));
    free(line);
    json_decref(json);
    json_decref(read);
  }
}

static void test_what_the_reader_would_refuse_is_not_written(void) {
  struct sample s = {.algo = "a", .device = "cpu", .n = 1, .ram_ops = NAN};
  errno = 0;
  CU_ASSERT_PTR_NULL(sample_to_json(&s));
  CU_ASSERT_EQUAL(errno, EINVAL);
}

static const struct check_test tests[] = {
    {"every field of a sample arrives", test_fields_arrive},
    {"a missing key is refused by its name", test_each_missing_key_is_named},
    {"values of the wrong type or range are refused",
     test_bad_values_are_refused},
    {"without granted_ok the backing decides",
     test_backing_decides_when_not_said},
    {"granted page sizes come in ascending order", test_sizes_come_sorted},
    {"page names are read as sizes", test_page_names_are_sizes},
    {"any sample survives the round trip",
     test_any_sample_survives_the_round_trip},
    {"a sample without RAM complexity is not written",
     test_what_the_reader_would_refuse_is_not_written},
    {NULL, NULL},
};

const struct check_suite suite_results_json = {
    .name = "results_json",
    .tests = tests,
};
