/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The address streams of the algorithms. */
#include <config.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/stream/stream.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct command_result result;

static void prints(const char *script, const char *expected) {
  run_shell(&result, NULL, script);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(result.out, expected);
  CU_ASSERT_STRING_EQUAL(result.err, "");
}

#ifdef HAVE_STREAMS
enum { BLOCK = 64, MANY = 100003 };

/* What a stream is to look like, and how much of it came. */
struct expected {
  const struct stream *stream;
  uint64_t (*address)(const struct expected *expected, uint64_t i);
  const uint64_t *keys; /* the workspace */
  uint64_t came, loads, wrong, outside, other_sizes, most;
  struct stream_sink sink;
  uint64_t addresses[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
};

static int take(void *arg, size_t count, uint64_t accesses) {
  (void)accesses;
  struct expected *e = arg;
  for (size_t i = 0; i < count; i++, e->came++) {
    uint64_t address = e->addresses[i];
    e->loads += e->kinds[i] == VAT_LOAD;
    e->wrong += e->address && address != e->address(e, e->came);
    e->other_sizes += e->sizes[i] != 8;
    e->outside += address < e->stream->base || !e->sizes[i] ||
                  address > stream_last_address(e->stream) ||
                  e->sizes[i] - 1 > stream_last_address(e->stream) - address ||
                  e->kinds[i] > VAT_STORE;
  }
  return e->came >= e->most ? VAT_ABSENT : VAT_OK;
}

static int flow(const struct stream *stream, struct expected *expected) {
  expected->stream = stream;
  expected->sink = (struct stream_sink){
      .block = {expected->addresses, expected->sizes, expected->kinds},
      .capacity = BLOCK,
      .take = take,
      .arg = expected};
  return stream_run(stream, &expected->sink);
}

static uint64_t all(uint64_t n) { return n; }
static uint64_t twice(uint64_t n) { return 2 * n; }
static uint64_t none(uint64_t n) { return n - n; }
/* Two keys a swap, each loaded and stored; swaps come in pairs. */
static uint64_t swaps(uint64_t n) { return 2 * (n / 2 * 2); }

static void test_counts_are_the_definitions(void) {
  static const struct {
    const char *algo;
    uint64_t (*loads)(uint64_t n), (*stores)(uint64_t n);
  } cases[] = {{"sequential_scan", all, none},
               {"random_scan", twice, none},
               {"permute", swaps, swaps}};
  static const uint64_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, MANY};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      uint64_t n = sizes[k];
      const struct stream stream = {.algo = cpu_algo_find(cases[i].algo),
                                    .n = n,
                                    .seed = k,
                                    .base = 4096};
      struct expected seen = {.most = UINT64_MAX};
      CU_ASSERT_EQUAL(flow(&stream, &seen), VAT_OK);
      CU_ASSERT_EQUAL(seen.loads, cases[i].loads(n));
      CU_ASSERT_EQUAL(seen.came - seen.loads, cases[i].stores(n));
      CU_ASSERT_EQUAL(seen.outside, 0);
      CU_ASSERT_EQUAL(seen.other_sizes, 0);
    }
}

static uint64_t scanned(const struct expected *e, uint64_t i) {
  return e->stream->base + 8 * i;
}

/* The permutation, n keys further, then the key it names. */
static uint64_t looked_up(const struct expected *e, uint64_t i) {
  uint64_t n = e->stream->n;
  return e->stream->base + 8 * (i % 2 ? e->keys[n + i / 2] : n + i / 2);
}

/* Against the workspace as the test itself sets it up. */
static void follow(const char *algo,
                   uint64_t (*address)(const struct expected *, uint64_t)) {
  const struct stream stream = {
      .algo = cpu_algo_find(algo), .n = MANY, .seed = 7, .base = 12345};
  size_t bytes = stream.algo->bytes(MANY);
  uint64_t *keys = malloc(bytes);
  struct algo_run run = {
      .n = MANY, .seed = 7, .memory = (unsigned char *)keys, .bytes = bytes};
  struct expected e = {.address = address, .keys = keys, .most = UINT64_MAX};
  stream.algo->setup(&run);
  CU_ASSERT_EQUAL(flow(&stream, &e), VAT_OK);
  CU_ASSERT_EQUAL(e.wrong, 0);
  CU_ASSERT_EQUAL(e.outside, 0);
  free(keys);
}

static void test_scans_access_what_their_definition_says(void) {
  follow("sequential_scan", scanned);
  follow("random_scan", looked_up);
}

/* Letters of which there is not a word are not looked at. */
static bool has_work(const struct algo *algo, uint64_t n) {
  const char *data = algo->data ? algo->data : "";
  return n >= (strcmp(data, "dna") && strcmp(data, "reads") ? 2 : 11);
}

/* Each is checked behind its stream; flow() is VAT_OK if that went well. */
static void test_every_algorithm_has_a_stream(void) {
  for (size_t i = 0; cpu_algos[i]; i++)
    for (uint64_t n = 0; n < 2000 && cpu_algos[i]->ram_ops(n) < 1 << 16;
         n = 2 * n + 1) {
      const struct stream stream = {.algo = cpu_algos[i], .n = n, .seed = n};
      struct expected seen = {.most = UINT64_MAX};
      CU_ASSERT_EQUAL(flow(&stream, &seen), VAT_OK);
      CU_ASSERT_EQUAL(seen.outside, 0);
      CU_ASSERT(!has_work(cpu_algos[i], n) || seen.came >= n / 2);
    }
}

static int add_up(void *arg, size_t count, uint64_t accesses) {
  (void)count;
  *(double *)arg += (double)accesses;
  return VAT_OK;
}

/* The time left is told by it. */
static void test_how_many_accesses_there_will_be(void) {
  uint64_t addresses[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
  for (size_t i = 0; cpu_algos[i]; i++) {
    struct stream stream = {.algo = cpu_algos[i], .n = 1 << 18, .seed = 3};
    double came = 0;
    const struct stream_sink sink = {.block = {addresses, sizes, kinds},
                                     .capacity = BLOCK,
                                     .take = add_up,
                                     .arg = &came};
    while (stream.algo->ram_ops(stream.n) > 1 << 18) stream.n /= 2;
    CU_ASSERT_EQUAL(stream_run(&stream, &sink), VAT_OK);
    double expected = stream_expected(&stream);
    bool near = expected > came / 3 && expected < came * 3;
    if (!near) printf("%s: %g of %g\n", stream.algo->name, expected, came);
    CU_ASSERT(near);
  }
}

static void test_a_sink_may_end_it(void) {
  const struct stream stream = {
      .algo = cpu_algo_find("introsort"), .n = MANY, .seed = 7};
  struct expected seen = {.most = 2 * BLOCK};
  CU_ASSERT_EQUAL(flow(&stream, &seen), VAT_ABSENT);
  CU_ASSERT_EQUAL(seen.came, 2 * BLOCK);
}

/* At most 1000, and few enough that it takes some 10000 operations. */
static uint64_t small_size(const struct algo *algo) {
  uint64_t n = 1000;
  while (algo->ram_ops(n) > 1 << 14) n -= n / 8 + 1;
  return n;
}

/* The stream through a file is the stream without one, twice.  Of how large the
 * workspace is, which gives a tree its levels, a file does not tell where its
 * end is not used.  One format is the other, read and written, so that each is
 * read by every kind of simulation only where that reads more than addresses.
 */
static void test_a_trace_is_the_stream(void) {
  static const char script[] =
      "set -e; for n in $N $((N + 3)); do\n"
      "a=\"--algo $ALGO --n $n --seed 3 --base 0xffc\"\n"
      "for format in vat lackey; do\n"
      "  \"$VAT\" trace $a --format $format -o $format\n"
      "  \"$VAT\" trace $a --format $format -o u; cmp u $format\n"
      "done\n"
      "\"$VAT\" trace --from lackey --format vat -o u; cmp u vat\n"
      "\"$VAT\" trace --from vat --format lackey -o u; cmp u lackey\n"
      "set -- '' --all-w\n"
      "[ $n != $N ] || [ -z $ALL ] || set -- \"$@\" --span '--policy min' "
      "'--nested shared'"
      " '--tc-nodes 24' '--policy lru --tc-nodes 9' '--policy ismin --tc-nodes"
      " 12' '--page-bits 0' '--page-bits 13'\n"
      "for sim; do\n"
      "  formats=vat\n"
      "  case $sim in ''|--span|*shared|*' 13') formats='vat lackey' ;; esac\n"
      "  sim=\"--json --page-bits 6 --levels 3 $sim\"\n"
      "  \"$VAT\" sim $a $sim > one\n"
      "  for format in $formats; do \"$VAT\" sim - $sim < $format | cmp - one"
      "; done\n"
      "done; done\n";
  struct scratch scratch;
  scratch_init(&scratch);
  for (size_t i = 0; cpu_algos[i]; i++) {
    char n[24];
    snprintf(n, sizeof n, "%d", (int)small_size(cpu_algos[i]));
    setenv("N", n, 1);
    setenv("ALGO", cpu_algos[i]->name, 1);
    setenv("ALL", i % 3 ? "" : "all", 1); /* kinds of simulation */
    run_shell(&result, scratch.dir, script);
    if (result.code) printf("\n%s: %s", cpu_algos[i]->name, result.err);
    CU_ASSERT_EQUAL(result.code, 0);
    CU_ASSERT_STRING_EQUAL(result.err, "");
  }
  scratch_fini(&scratch);
}

/* Long enough that it goes from pages in turns to accesses all over and back,
 * several times: what is noted of it changes, and its figures do not. */
static void test_a_long_trace_is_the_stream(void) {
  static const char script[] =
      "a='--algo suffix_array_seq --n 20000'\n"
      "\"$VAT\" trace $a --format vat -o t || exit 9\n"
      "for w in 10 19 20 200; do for policy in lru islru; do\n"
      "  sim=\"--policy $policy --tc-nodes $w --page-bits 8 --levels 4 "
      "--json\"\n"
      "  \"$VAT\" sim $a $sim > one || exit 9\n"
      "  \"$VAT\" sim t $sim | cmp - one || exit 9\n"
      "done; done\n";
  struct scratch scratch;
  scratch_init(&scratch);
  run_shell(&result, scratch.dir, script);
  CU_ASSERT_EQUAL(result.code, 0);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  scratch_fini(&scratch);
}

static void test_small_ones(void) {
  prints("\"$VAT\" trace --algo sequential_scan --n 3 --format lackey",
         " L 100000000,8\n L 100000008,8\n L 100000010,8\n");
  prints("\"$VAT\" trace --algo random_scan --n 1 --format text --base 16",
         "0x18\n0x10\n");
  prints("\"$VAT\" trace --algo random_scan --n 0 --format text",
         "# 0 accesses\n");
  prints("\"$VAT\" trace --algo permute --n 0 --format lackey",
         "==0== 0 accesses\n");
  prints("\"$VAT\" trace --algo permute --n 0 --format text | \"$VAT\" sim -",
         "0 accesses, 0 translations\n");
  prints(
      "\"$VAT\" trace --algo heapify --n 1 --format lackey | gzip | "
      "\"$VAT\" sim - --levels 3",
      "0 accesses, 0 translations\n");
  prints(
      "\"$VAT\" trace --algo permute --n 0 | \"$VAT\" trace --from - "
      "--format lackey | \"$VAT\" trace --from - --format text",
      "# 0 accesses\n");
  prints("\"$VAT\" sim --algo heapsort --n 0", "0 accesses, 0 translations\n");
  prints("\"$VAT\" trace --algo heapsort --n 0 | \"$VAT\" sim -",
         "0 accesses, 0 translations\n");
  prints(
      "\"$VAT\" trace --algo heapsort --n 1 | \"$VAT\" sim - --tree amd64-4k "
      "--policy min --nested split",
      "0 accesses, 0 translations\n");
  prints("\"$VAT\" sim --algo heapsort --n 0 --all-w --json --levels 4",
         "{\"policy\": \"islru\", \"page_bits\": 12, \"index_bits\": 9, "
         "\"levels\": 4, \"accesses\": 0, \"translations\": 0, "
         "\"curve\": [[5, 0]]}\n");
  prints(
      "seeded() {\n"
      "  \"$VAT\" trace --algo permute --n 9 --format text --seed \"$1\"\n"
      "}\n"
      "ten=$(seeded 10)\n"
      "test \"$(seeded 010)\" = \"$ten\" || echo octal\n"
      "test \"$(seeded 0xa)\" = \"$ten\" || echo not hexadecimal\n"
      "test \"$(seeded 8)\" != \"$ten\" || echo all the same",
      "");
  prints("\"$VAT\" sim --algo sequential_scan --n 1e6 --json",
         "{\"policy\": \"islru\", \"tc_nodes\": 1536, \"page_bits\": 12, "
         "\"index_bits\": 9, \"levels\": 3, \"accesses\": 1000000, "
         "\"translations\": 1000000, \"misses\": 1960, "
         "\"misses_by_layer\": [1954, 4, 1, 1]}\n");
}
#endif

static void refuses(const char *arguments, int code, const char *line) {
  char script[512];
  snprintf(script, sizeof script, "\"$VAT\" %s", arguments);
  run_shell(&result, NULL, script);
  CU_ASSERT_EQUAL(result.code, code);
  CU_ASSERT_STRING_EQUAL(result.out, "");
  if (!strstr(result.err, line)) printf("\n%s: %s", arguments, result.err);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, line));
  CU_ASSERT_EQUAL(strlen(result.err), strcspn(result.err, "\n") + 1);
}

static void test_bad_usage(void) {
  static const char *const commands[] = {"sim", "trace --format text"};
  static const char *const cases[][2] = {
      {"", "with --algo"},
      {"--algo nosuch --n 3", "--algo nosuch: unknown algorithm"},
      {"--algo permute", "give both; --n is the size"},
      {"--n 3", "--n without --algo"},
      {"--seed 3", "--seed without --algo"},
      {"--base 3", "--base without --algo"},
      {"--algo permute --n x", "--n x: not a size"},
      {"--algo permute --n -1", "--n -1: not a size"},
      {"--algo permute --n 2^99", "--n 2^99: too large"},
      {"--algo permute --n 2^61", "too large for permute"},
      {"--algo permute --n 3 --seed -1", "--seed -1: not a number"},
      {"--algo permute --n 3 --base 1x", "--base 1x: not a number"},
      {"--algo permute --n 3 --base 0xfffffffffffffff0", "end above 2^64"},
      {"--algo permute --n 3 --instr", "--instr and --algo exclude each other"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t k = 0; k < 2; k++) {
      char arguments[256];
      snprintf(arguments, sizeof arguments, "%s %s", commands[k], cases[i][0]);
      refuses(arguments, VAT_USAGE, cases[i][1]);
    }
  refuses("sim x --algo permute --n 3", VAT_USAGE, "x and --algo");
  refuses("sim --format text --algo permute --n 3", VAT_USAGE,
          "--format and --algo exclude each other");
  refuses("sim --levels 2 --algo permute --n 3", VAT_USAGE,
          "ends at 0x100000017, outside the tree, which ends at 0x3fffffff");
  refuses("trace --from x --algo permute --n 3", VAT_USAGE,
          "--from and --algo exclude each other");
  refuses("trace --from-format text --algo permute --n 3", VAT_USAGE,
          "--from-format and --algo exclude each other");
}

static void test_what_this_machine_does_not_have(void) {
#ifdef HAVE_STREAMS
  static const char line[] =
      "--n 1152921504606846976: permute needs 8589934592 GiB, more memory than "
      "is free";
#else
  static const char line[] = "built without address streams";
#endif
  refuses("sim --algo permute --n 2^60 --json", VAT_ABSENT, line);
  refuses("trace --algo permute --n 2^60", VAT_ABSENT, line);
}

static void test_the_help_has_options_where_they_belong(void) {
  prints(
      "\"$VAT\" sim --help | sed -n '/^ The trace$/,/^$/p' | "
      "grep -o '^ *--[a-z]*'",
      "      --format\n      --instr\n      --span\n");
}

static const struct check_test tests[] = {
#ifdef HAVE_STREAMS
    {"counts are the definitions'", test_counts_are_the_definitions},
    {"scans access what their definition says",
     test_scans_access_what_their_definition_says},
    {"every algorithm has a stream", test_every_algorithm_has_a_stream},
    {"how many accesses there will be", test_how_many_accesses_there_will_be},
    {"a sink may end it", test_a_sink_may_end_it},
    {"a trace is the stream", test_a_trace_is_the_stream},
    {"a long trace is the stream", test_a_long_trace_is_the_stream},
    {"small ones", test_small_ones},
#endif
    {"options stand where they belong",
     test_the_help_has_options_where_they_belong},
    {"bad usage", test_bad_usage},
    {"what this machine does not have", test_what_this_machine_does_not_have},
    {0}};

const struct check_suite suite_stream = {"stream", tests, NULL};
