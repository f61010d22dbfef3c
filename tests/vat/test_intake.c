/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a stream ends, in whatever it went into and under every policy. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/suites_vat.h"
#include "vat/classify.h"
#include "vat/curve.h"
#include "vat/nested.h"
#include "vat/policy.h"

/* A tall tree, and a W below which min counts whole paths and evicts. */
static const struct vat_tree tree = {1, 0, 15};
enum { NODES = 16, HOST_NODES = 99, PAGES = 12, MANY = 6000 };
static const uint64_t pages[PAGES] = {0,    1, 4096, 0, 0,    1,
                                      4096, 0, 0,    1, 4096, 0};

/* What takes a stream: all but `create`, which is NULL with ENOTSUP where it
 * does not take the policy, wraps one function. */
struct taker {
  const char *name;
  void *(*create)(const struct vat_policy *policy,
                  const struct vat_tc_options *options);
  int (*addresses)(void *state, const uint64_t *addresses, size_t count);
  int (*finish)(void *state);
  uint64_t (*misses)(void *state);
  uint64_t (*translations)(void *state);
  void (*destroy)(void *state);
};

static void *tc_create(const struct vat_policy *policy,
                       const struct vat_tc_options *options) {
  return vat_tc_create(policy, &tree, NODES, options);
}

static int tc_addresses(void *state, const uint64_t *addresses, size_t count) {
  return vat_tc_addresses(state, addresses, count);
}

static int tc_pages(void *state, const uint64_t *addresses, size_t count) {
  return vat_tc_pages(state, addresses, count);
}

static int tc_finish(void *state) { return vat_tc_finish(state); }

static uint64_t tc_misses(void *state) { return vat_tc_counts(state).misses; }

static uint64_t tc_translations(void *state) {
  return vat_tc_counts(state).translations;
}

static void tc_destroy(void *state) { vat_tc_destroy(state); }

static void *curve_create(const struct vat_policy *policy,
                          const struct vat_tc_options *options) {
  return vat_curve_create(policy, &tree, options);
}

static int curve_addresses(void *state, const uint64_t *addresses,
                           size_t count) {
  return vat_curve_addresses(state, addresses, count);
}

static int curve_pages(void *state, const uint64_t *addresses, size_t count) {
  return vat_curve_pages(state, addresses, count);
}

static int curve_finish(void *state) { return vat_curve_finish(state); }

/* Of all W together. */
static uint64_t curve_misses(void *state) {
  struct vat_curve_point *points;
  uint64_t sum = 0;
  size_t count;
  if (vat_curve_points(state, &points, &count)) return 0;
  for (size_t i = 0; i < count; i++) sum += points[i].nodes * points[i].misses;
  free(points);
  return sum;
}

static uint64_t curve_translations(void *state) {
  return vat_curve_translations(state);
}

static void curve_destroy(void *state) { vat_curve_destroy(state); }

static void *classify_create(const struct vat_policy *policy,
                             const struct vat_tc_options *options) {
  (void)options;
  return vat_classify_create(policy, &tree, NODES, NULL);
}

static int classify_addresses(void *state, const uint64_t *addresses,
                              size_t count) {
  return vat_classify_addresses(state, addresses, count);
}

static int classify_finish(void *state) { return vat_classify_finish(state); }

static uint64_t classify_sum(void *state, bool misses) {
  const struct vat_classify_counts counts = vat_classify_counts(state);
  uint64_t sum = 0;
  for (unsigned i = 0; i < VAT_CLASSES; i++)
    sum += misses ? counts.classes[i].misses : counts.classes[i].translations;
  return sum;
}

static uint64_t classify_misses(void *state) {
  return classify_sum(state, true);
}

static uint64_t classify_translations(void *state) {
  return classify_sum(state, false);
}

static void classify_destroy(void *state) { vat_classify_destroy(state); }

static void *nested_create(const struct vat_policy *policy,
                           const struct vat_tc_options *options,
                           enum vat_nested_mode mode) {
  struct vat_nested_options o = {
      .policy = policy,
      .guest = tree,
      .host = {4, 4, 4},
      .guest_nodes = mode == VAT_NESTED_SHARED ? NODES + HOST_NODES : NODES,
      .host_nodes = HOST_NODES,
      .mode = mode,
      .table_base = UINT64_MAX};
  if (options) o.tc = *options;
  return vat_nested_create(&o);
}

static void *split_create(const struct vat_policy *policy,
                          const struct vat_tc_options *options) {
  return nested_create(policy, options, VAT_NESTED_SPLIT);
}

static void *misses_create(const struct vat_policy *policy,
                           const struct vat_tc_options *options) {
  return nested_create(policy, options, VAT_NESTED_MISSES);
}

static void *shared_create(const struct vat_policy *policy,
                           const struct vat_tc_options *options) {
  return nested_create(policy, options, VAT_NESTED_SHARED);
}

static int nested_addresses(void *state, const uint64_t *addresses,
                            size_t count) {
  return vat_nested_addresses(state, addresses, count);
}

static int nested_finish(void *state) { return vat_nested_finish(state); }

static uint64_t nested_misses(void *state) {
  return vat_nested_guest(state).misses + 1000 * vat_nested_host(state).misses;
}

static uint64_t nested_translations(void *state) {
  return vat_nested_guest(state).translations;
}

static void nested_destroy(void *state) { vat_nested_destroy(state); }

static const struct taker takers[] = {
    {"addresses of a TC", tc_create, tc_addresses, tc_finish, tc_misses,
     tc_translations, tc_destroy},
    {"pages of a TC", tc_create, tc_pages, tc_finish, tc_misses,
     tc_translations, tc_destroy},
    {"addresses of a curve", curve_create, curve_addresses, curve_finish,
     curve_misses, curve_translations, curve_destroy},
    {"pages of a curve", curve_create, curve_pages, curve_finish, curve_misses,
     curve_translations, curve_destroy},
    {"classify", classify_create, classify_addresses, classify_finish,
     classify_misses, classify_translations, classify_destroy},
    {"nested: split", split_create, nested_addresses, nested_finish,
     nested_misses, nested_translations, nested_destroy},
    {"nested: misses", misses_create, nested_addresses, nested_finish,
     nested_misses, nested_translations, nested_destroy},
    {"nested: shared", shared_create, nested_addresses, nested_finish,
     nested_misses, nested_translations, nested_destroy},
    {0}};

/* Check each taker with each policy that it takes; lru it always does. */
static void check_all(bool (*check)(const struct taker *taker,
                                    const struct vat_policy *policy)) {
  for (const struct taker *taker = takers; taker->name; taker++)
    for (size_t p = 0; vat_policies[p]; p++) {
      errno = 0;
      void *state = taker->create(vat_policies[p], NULL);
      CU_ASSERT(state || errno == ENOTSUP);
      CU_ASSERT(state || vat_policies[p] != vat_policy_find("lru"));
      taker->destroy(state);
      if (!state || check(taker, vat_policies[p])) continue;
      printf("\n%s, %s\n", taker->name, vat_policies[p]->name);
      CU_FAIL("it differs");
    }
}

static bool fails_with(int result, int error) {
  return result == -1 && errno == error;
}

static bool finish_twice(const struct taker *taker,
                         const struct vat_policy *policy) {
  void *state = taker->create(policy, NULL);
  bool same = !taker->addresses(state, pages, PAGES) && !taker->finish(state);
  uint64_t misses = taker->misses(state);
  same &= misses > 0 && !taker->finish(state) && !taker->finish(state) &&
          taker->misses(state) == misses && taker->translations(state) == PAGES;
  taker->destroy(state);
  return same;
}

static void test_a_second_finish_changes_nothing(void) {
  check_all(finish_twice);
}

static bool finish_nothing_twice(const struct taker *taker,
                                 const struct vat_policy *policy) {
  void *state = taker->create(policy, NULL);
  bool same = !taker->finish(state) && !taker->finish(state) &&
              fails_with(taker->addresses(state, pages, 1), EINVAL) &&
              !taker->misses(state) && !taker->translations(state);
  taker->destroy(state);
  return same;
}

static void test_a_stream_of_nothing_ends_like_others(void) {
  check_all(finish_nothing_twice);
}

static bool go_on(const struct taker *taker, const struct vat_policy *policy) {
  static const uint64_t outside = UINT64_MAX;
  void *state = taker->create(policy, NULL);
  bool same = !taker->addresses(state, pages, PAGES) && !taker->finish(state);
  uint64_t misses = taker->misses(state);
  same &= fails_with(taker->addresses(state, pages + 1, 2), EINVAL) &&
          fails_with(taker->addresses(state, pages, 0), EINVAL) &&
          fails_with(taker->addresses(state, &outside, 1), EINVAL) &&
          !taker->finish(state) && taker->misses(state) == misses &&
          taker->translations(state) == PAGES;
  taker->destroy(state);
  return same;
}

static void test_nothing_goes_in_after_the_end(void) { check_all(go_on); }

/* What lies outside the tree is left out, and that is all. */
static bool go_on_after_range(const struct taker *taker,
                              const struct vat_policy *policy) {
  static const uint64_t outside = UINT64_MAX;
  void *plain = taker->create(policy, NULL);
  void *state = taker->create(policy, NULL);
  bool same = !taker->addresses(plain, pages, PAGES) && !taker->finish(plain) &&
              !taker->addresses(state, pages, 3) &&
              fails_with(taker->addresses(state, &outside, 1), ERANGE) &&
              !taker->addresses(state, pages + 3, PAGES - 3) &&
              !taker->finish(state) &&
              taker->misses(state) == taker->misses(plain);
  taker->destroy(plain);
  taker->destroy(state);
  return same;
}

static void test_a_stream_goes_on_after_what_is_outside(void) {
  check_all(go_on_after_range);
}

/* Policies that know the future keep the stream in memory, for which there is
 * no room, or in a file, which cannot be made.  Few pages are not kept until
 * the end. */
static bool fail_to_keep(const struct taker *taker,
                         const struct vat_policy *policy) {
  static const struct vat_tc_options tight = {.memory_bytes = 1};
  static uint64_t many[MANY];
  if (!policy->offline) return true;
  for (size_t i = 0; i < MANY; i++) many[i] = i;
  void *state = taker->create(policy, &tight);
  bool same = fails_with(taker->addresses(state, many, MANY), ENOENT) &&
              fails_with(taker->addresses(state, many, 1), ENOENT) &&
              fails_with(taker->finish(state), ENOENT) &&
              fails_with(taker->finish(state), ENOENT);
  taker->destroy(state);
  state = taker->create(policy, &tight);
  same &= !taker->addresses(state, pages, PAGES) &&
          fails_with(taker->finish(state), ENOENT) &&
          fails_with(taker->finish(state), ENOENT) &&
          fails_with(taker->addresses(state, pages, PAGES), ENOENT);
  taker->destroy(state);
  return same;
}

static void test_what_has_failed_goes_on_failing(void) {
  char *before = getenv("TMPDIR");
  if (before) before = strdup(before);
  setenv("TMPDIR", "/proc/nonexistent", 1);
  check_all(fail_to_keep);
  if (before)
    setenv("TMPDIR", before, 1);
  else
    unsetenv("TMPDIR");
  free(before);
}

/* As vat_policy_find() returns it within the call. */
static void test_no_policy_is_refused(void) {
  for (const struct taker *taker = takers; taker->name; taker++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(taker->create(NULL, NULL));
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
}

static const struct check_test tests[] = {
    {"a second finish changes nothing", test_a_second_finish_changes_nothing},
    {"a stream of nothing ends like others",
     test_a_stream_of_nothing_ends_like_others},
    {"nothing goes in after the end", test_nothing_goes_in_after_the_end},
    {"a stream goes on after what is outside",
     test_a_stream_goes_on_after_what_is_outside},
    {"what has failed goes on failing", test_what_has_failed_goes_on_failing},
    {"no policy is refused", test_no_policy_is_refused},
    {0}};

const struct check_suite suite_intake = {.name = "intake", .tests = tests};
