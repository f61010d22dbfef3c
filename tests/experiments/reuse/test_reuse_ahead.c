/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse profiles that a second process simulates. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/reuse/reuse_ahead.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#ifdef HAVE_STREAMS
enum { COUNT = 24 };

static const struct reuse_params params = {
    .every = 1, .page_bits_count = 1, .page_bits = {12}};
static struct reuse_profile profile, alone;
static struct stream streams[COUNT];
static struct scratch scratch;

static void begin(const char *cache) {
  scratch_init(&scratch);
  setenv("VAT_CACHE_DIR", cache ? cache : scratch_path(&scratch, "cache"), 1);
  for (size_t i = 0; i < COUNT; i++)
    streams[i] = (struct stream){
        .algo = cpu_algo_find("heapsort"), .n = 1000 * (i % 6 + 1), .seed = i};
}

static void end(void) {
  unsetenv("VAT_CACHE_DIR");
  scratch_fini(&scratch);
}

static bool is_childless(void) {
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

static bool is_as_alone(const struct stream *stream) {
  unsigned wrong = reuse_simulate(&alone, stream, &params, NULL) != VAT_OK;
  for (unsigned i = 0; i < REUSE_BUCKETS; i++)
    wrong += profile.lines[0].count[i] != alone.lines[0].count[i];
  return !wrong && profile.accesses == alone.accesses;
}

/* How many are not what they are without a second process, and how many came
 * from the cache. */
static unsigned go_through(unsigned *kept) {
  struct reuse_ahead ahead;
  unsigned wrong = 0;
  *kept = 0;
  reuse_ahead_begin(&ahead, streams, COUNT, &params);
  for (size_t i = 0; i < COUNT; i++) {
    reuse_ahead_wait(&ahead, i);
    wrong += reuse_profile_get(&profile, &streams[i], &params, NULL) != VAT_OK;
    wrong += !is_as_alone(&streams[i]);
    *kept += profile.from_cache;
  }
  reuse_ahead_end(&ahead);
  return wrong + !is_childless();
}

static void test_two_processes_find_what_one_does(void) {
  unsigned kept;
  begin(NULL);
  CU_ASSERT_EQUAL(go_through(&kept), 0); /* kept is up to the machine */
  CU_ASSERT_EQUAL(go_through(&kept), 0);
  CU_ASSERT_EQUAL(kept, COUNT);
  end();
}

/* In a process of its own: it says once that nothing is kept. */
static void test_without_a_cache_the_caller_does_all(void) {
  unsigned kept;
  int status = -1;
  begin("/dev/null/cache");
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    _exit(go_through(&kept) || kept);
  }
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  end();
}

static void test_it_ends_when_told(void) {
  struct reuse_ahead ahead;
  begin(NULL);
  streams[COUNT - 1].n = 3000000; /* seconds */
  reuse_ahead_begin(&ahead, streams, COUNT, &params);
  reuse_ahead_end(&ahead);
  CU_ASSERT(is_childless());
  reuse_ahead_begin(&ahead, streams, 1, &params); /* nothing to do ahead */
  CU_ASSERT_EQUAL(ahead.process, 0);
  reuse_ahead_wait(&ahead, 0);
  reuse_ahead_end(&ahead);
  end();
}
#endif

static const struct check_test tests[] = {
#ifdef HAVE_STREAMS
    {"two processes find what one does", test_two_processes_find_what_one_does},
    {"without a cache the caller does all",
     test_without_a_cache_the_caller_does_all},
    {"it ends when told", test_it_ends_when_told},
#endif
    {NULL, NULL}};
const struct check_suite suite_reuse_ahead = {"reuse ahead", tests, NULL};
