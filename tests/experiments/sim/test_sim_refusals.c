/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `vat sim` refuses: exit code 2, one line that says what and where. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/sim/sim_input.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct scratch scratch;

struct refusal {
  const char *script; /* vat is "$VAT" */
  const char *says;   /* what the line begins with, behind "vat: " */
};

static void refused_all(const struct refusal *refusals) {
  scratch_init(&scratch);
  scratch_write(&scratch, "t", "0\n0x1000\n8192\n", 14);
  for (; refusals->script; refusals++)
    shell_refuses(scratch.dir, refusals->script, refusals->says);
  scratch_fini(&scratch);
}

static void test_what_is_no_trace(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim nowhere", "nowhere: No such file"},
      {"\"$VAT\" sim .", ".: Is a directory"},
      {"\"$VAT\" sim - < .", "standard input: Is a directory"},
      {"\"$VAT\" sim - <&-", "standard input: "},
      {": > empty; \"$VAT\" sim empty", "empty: empty"},
      {": | \"$VAT\" sim -", "standard input: empty"},
      {"echo '# 1' > comment; \"$VAT\" sim comment", "comment: an empty trace"},
      {"echo '# 1' | \"$VAT\" sim -", "standard input: an empty trace"},
      {"printf '\\0\\1\\2\\377' > bin; \"$VAT\" sim bin", "bin: offset 0: "},
      {"printf '\\0\\1\\2\\377' | \"$VAT\" sim -",
       "standard input: offset 0: "},
      {"echo nonsense > line; \"$VAT\" sim line", "line:1: "},
      {"echo 'I  04001000,3' > fetch; \"$VAT\" sim fetch",
       "fetch: the trace has only instruction fetches"},
      {"echo 'I  04001000,3' | \"$VAT\" sim -",
       "standard input: the trace has only instruction fetches"},
      {"echo 'I  04001000,3' | \"$VAT\" sim - --levels 3",
       "standard input: the trace has only instruction fetches"},
      {0}};
  refused_all(refusals);
}

static void test_traces_that_go_wrong_later(void) {
  static const struct refusal refusals[] = {
      {"(cat t; echo foo) > bad; \"$VAT\" sim bad",
       "bad:4: \"foo\" is no line"},
      {"(cat t; echo foo) | \"$VAT\" sim -", "standard input:4: \"foo\""},
      {"(cat t; echo foo) | \"$VAT\" sim - --levels 2 --policy min",
       "standard input:4: \"foo\""},
      {"(cat t; echo ' L 00001000,8') > mixed; \"$VAT\" sim mixed",
       "mixed:4: \" L 00001000,8\" is of format lackey"},
      {"(cat t; head -c 10000000 /dev/zero | tr '\\0' 1) > long;"
       " \"$VAT\" sim long",
       "long:4: a line of more than"},
      {"head -c 10000000 /dev/zero | tr '\\0' 1 | \"$VAT\" sim -",
       "standard input:1: "},
      {"(cat t; echo 0x10000000000000000) > wide; \"$VAT\" sim wide",
       "wide:4: \"0x10000000000000000\" is no line"},
      {0}};
  refused_all(refusals);
}

static void test_damaged_vat_traces(void) {
  static const struct refusal refusals[] = {
      {"seq 1000000 1300000 > n; \"$VAT\" trace --from n --format vat -o whole;"
       " head -c 400 whole > cut; \"$VAT\" sim cut",
       "cut: offset "},
      {"head -c 10 whole > cut; \"$VAT\" sim cut", "cut: offset "},
      {"head -c 400 whole | \"$VAT\" sim -", "standard input: offset "},
      {"(head -c 100 whole; printf WRONG; tail -c +106 whole) > bad;"
       " \"$VAT\" sim bad",
       "bad: offset "},
      {"(cat whole; echo 5) > more; \"$VAT\" sim more", "more: offset "},
      {"gzip -c n | head -c 999 > n.gz; \"$VAT\" sim n.gz",
       "n.gz: offset 999 of the packed bytes"},
      {0}};
  refused_all(refusals);
}

static void test_addresses_outside_the_tree(void) {
  static const struct refusal refusals[] = {
      {"(cat t; echo '# far'; echo 0x200000) > far; \"$VAT\" sim far --levels "
       "1",
       "far:5: address 0x200000 lies outside the tree, which ends at 0x1fffff"},
      {"\"$VAT\" sim - --levels 1 < far",
       "standard input:5: address 0x200000 "},
      {"cat far | \"$VAT\" sim - --levels 1", "standard input: access 4: "},
      {"\"$VAT\" sim far --levels 1 --policy ismin --json", "far:5: "},
      {"echo ' L 001ffffc,8' > over; \"$VAT\" sim over --levels 1 --span",
       "over:1: address 0x200003 lies outside"},
      {"echo 0xffffffffffffffff > top; \"$VAT\" sim top --tree amd64-4k-5",
       "top:1: address 0xffffffffffffffff lies outside"},
      {"\"$VAT\" sim top --index-bits 1", "the addresses need a tree of 52"},
      {"\"$VAT\" sim top --index-bits 20 --page-bits 0",
       "top:1: address 0xffffffffffffffff lies outside"},
      {0}};
  refused_all(refusals);
}

static void test_options_out_of_range(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim t --tc-nodes 0", "--tc-nodes 0: "},
      {"\"$VAT\" sim t --tc-nodes -1", "--tc-nodes -1: "},
      {"\"$VAT\" sim t --tc-nodes 2^63", "--tc-nodes 2^63: "},
      {"\"$VAT\" sim t --tc-nodes many", "--tc-nodes many: "},
      {"\"$VAT\" sim t --index-bits 0", "--index-bits 0: "},
      {"\"$VAT\" sim t --index-bits 33", "--index-bits 33: "},
      {"\"$VAT\" sim t --page-bits 49", "--page-bits 49: "},
      {"\"$VAT\" sim t --levels 0", "--levels 0: "},
      {"\"$VAT\" sim t --levels 16", "--levels 16: "},
      {"\"$VAT\" sim t --memory 0", "--memory 0: "},
      {"\"$VAT\" sim t --nested split --table-base -1", "--table-base -1: "},
      {"\"$VAT\" sim t --levels 4 --tc-nodes 4 --policy ismin",
       "--tc-nodes 4: ismin needs a TC of at least 5 nodes"},
      {0}};
  refused_all(refusals);
}

static void test_what_policies_cannot_do(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim t --levels 4 --tc-nodes 4 --policy rrmin",
       "--tc-nodes 4: rrmin needs a TC of at least 5 nodes"},
      {"\"$VAT\" sim t --levels 4 --tc-nodes 4 --policy lis",
       "--tc-nodes 4: lis needs a TC of at least 5 nodes"},
      {"\"$VAT\" sim t --all-w --policy lis",
       "--all-w: not possible with policy lis"},
      {"\"$VAT\" sim t --nested shared --policy rrmin",
       "--nested shared: not possible with policy rrmin"},
      /* Nothing is printed of lru, either. */
      {"\"$VAT\" sim t --nested shared --policy lru,lis",
       "--nested shared: not possible with policy lis"},
      {"\"$VAT\" sim t --nested shared --policy ismin --tc-nodes 4 --levels 2 "
       "--host-levels 2",
       "--tc-nodes 4: ismin needs one TC of at least 5 nodes"},
      {"\"$VAT\" sim t --nested misses --policy lru,lis",
       "--nested misses: not possible with policy lis"},
      {"\"$VAT\" sim t --all-w --policy lru,lis",
       "--all-w: not possible with policy lis"},
      {"\"$VAT\" sim t --all-w --policy fifo",
       "--all-w: not possible with policy fifo; choose islru, lru, min"},
      {"\"$VAT\" sim t --all-w --policy clock",
       "--all-w: not possible with policy clock"},
      {"\"$VAT\" sim t --all-w --policy random",
       "--all-w: not possible with policy random"},
      {"\"$VAT\" sim t --all-w --policy plru",
       "--all-w: not possible with policy plru"},
      {"\"$VAT\" sim t --nested shared --policy fifo",
       "--nested shared: not possible with policy fifo; choose lru, islru, "
       "min"},
      {"\"$VAT\" sim t --classify --policy clock",
       "--classify: not possible with policy clock; choose lru or islru"},
      {"\"$VAT\" sim t --policy-seed 2", "--policy-seed without --policy: "},
      {"\"$VAT\" sim t --policy-seed 2 --policy lru",
       "--policy-seed: policy lru draws nothing; choose random"},
      {0}};
  refused_all(refusals);
}

static void test_virtual_machines_that_cannot_be(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim t --nested split --guest-memory 4095",
       "--guest-memory 4095: less than one page of the guest"},
      {"\"$VAT\" sim t --nested split --guest-memory 2^31 --host-levels 2",
       "--guest-memory 2147483648: the host's tree of 2 levels translates only "
       "2^30 bytes"},
      {"printf '0\\n8192\\n' | \"$VAT\" sim - --tree amd64-4k --nested split "
       "--guest-memory 24576",
       "--guest-memory 24576: the pages of the trace and of the guest's tables "
       "need more than its 6 frames"},
      {0}};
  refused_all(refusals);
}

static void test_names_that_are_none(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim t --policy lfu", "--policy lfu: unknown policy"},
      {"\"$VAT\" sim t --policy ''", "--policy : unknown policy"},
      {"\"$VAT\" sim t --format csv", "csv: no such trace format"},
      {"\"$VAT\" sim t --tree vax", "--tree vax: unknown tree"},
      {"\"$VAT\" sim t --nested split --host-tree vax",
       "--host-tree vax: unknown tree"},
      {"\"$VAT\" sim t --nested both",
       "--nested both: must be split, misses or shared"},
      {0}};
  refused_all(refusals);
}

static void test_options_that_contradict_each_other(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim", "nothing to simulate"},
      {"\"$VAT\" sim t t", "t: one trace at a time"},
      {"\"$VAT\" sim t --all-w --tc-nodes 9",
       "--all-w and --tc-nodes exclude each other"},
      {"\"$VAT\" sim t --tlb l1=12x4", "--tlb l1=12x4: not a TLB shape"},
      {"\"$VAT\" sim t --tlb l1=64x4 --policy lru",
       "--tlb and --policy exclude each other"},
      {"\"$VAT\" sim t --tlb l1=64x4 --tc-nodes 9",
       "--tlb and --tc-nodes exclude each other"},
      {"\"$VAT\" sim t --tlb l1=64x4 --all-w",
       "--tlb and --all-w exclude each other"},
      {"\"$VAT\" sim t --tlb l1=64x4 --nested split",
       "--tlb and --nested exclude each other"},
      {"\"$VAT\" sim t --tlb l1=64x4 --classify",
       "--tlb and --classify exclude each other"},
      {"\"$VAT\" sim t --table hashed --policy rrmin",
       "--table: not possible with policy rrmin; choose a policy other than"},
      {"\"$VAT\" sim t --table hashed --all-w",
       "--table and --all-w exclude each other"},
      {"\"$VAT\" sim t --table hashed --levels 3",
       "--table and --levels exclude each other"},
      {"\"$VAT\" sim t --load 0.3", "--load without --table"},
      {"\"$VAT\" sim t --table hashed --load 1", "--load 1: "},
      {"\"$VAT\" sim t --table tree", "--table tree: must be hashed"},
      {"\"$VAT\" sim t --all-w --nested split",
       "--all-w and --nested exclude each other"},
      {"\"$VAT\" sim t --host-tree amd64-2m", "--host-tree without --nested"},
      {"\"$VAT\" sim t --host-index-bits 9",
       "--host-index-bits without --nested"},
      {"\"$VAT\" sim t --host-page-bits 12",
       "--host-page-bits without --nested"},
      {"\"$VAT\" sim t --host-levels 4", "--host-levels without --nested"},
      {"\"$VAT\" sim t --host-tc-nodes 64", "--host-tc-nodes without --nested"},
      {"\"$VAT\" sim t --table-base 0x100000", "--table-base without --nested"},
      {"\"$VAT\" sim t --guest-memory 2^20", "--guest-memory without --nested"},
      {"\"$VAT\" sim t --nested split --guest-seed 2",
       "--guest-seed without --guest-memory"},
      {"\"$VAT\" sim t --nested split --guest-memory 2^20 --table-base 0",
       "--guest-memory and --table-base exclude each other"},
      {"\"$VAT\" sim t --nested shared --host-tc-nodes 64",
       "--host-tc-nodes with --nested shared: "},
      {0}};
  refused_all(refusals);
}

static void test_results_that_do_not_arrive(void) {
  static const struct refusal refusals[] = {
      {"\"$VAT\" sim t >/dev/full", "standard output cannot be written: "},
      {"\"$VAT\" sim t --json >/dev/full",
       "standard output cannot be written: "},
      {"\"$VAT\" sim t >&-", "standard output cannot be written: "},
      {"\"$VAT\" sim t --json >&-", "standard output cannot be written: "},
      {0}};
  refused_all(refusals);
}

/* Between the two passes; what it says goes nowhere. */
static int read_again(const char *bytes, size_t count) {
  struct sim_request request = {.trace = scratch_path(&scratch, "t"),
                                .tree = {.index_bits = 9, .page_bits = 12}};
  struct sim_input *input = malloc(sizeof *input);
  const uint64_t *addresses;
  uint64_t last;
  size_t count_read;
  int code, nowhere = open("/dev/null", O_WRONLY), errors = dup(STDERR_FILENO);
  CU_ASSERT_EQUAL_FATAL(sim_input_open(input, &request), VAT_OK);
  CU_ASSERT_EQUAL(sim_input_survey(input, &last), VAT_OK);
  CU_ASSERT_EQUAL(last, 8192);
  if (bytes) scratch_write(&scratch, "t", bytes, count);
  input->last_address = last;
  dup2(nowhere, STDERR_FILENO);
  while (!(code = sim_input_read(input)) &&
         (count_read = sim_input_more(input, &addresses)))
    continue;
  dup2(errors, STDERR_FILENO);
  sim_input_close(input);
  free(input);
  close(nowhere);
  close(errors);
  return code;
}

static void test_a_trace_that_changes_meanwhile(void) {
  static const struct {
    const char *bytes;
    int code;
  } changes[] = {{NULL, VAT_OK},
                 {"0\n", VAT_USAGE},
                 {"0\n8192\n", VAT_USAGE},
                 {"0\n0x10000\n8192\n", VAT_USAGE},
                 {"x", VAT_USAGE}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    const char *bytes = changes[i].bytes;
    scratch_init(&scratch);
    scratch_write(&scratch, "t", "0\n0x1000\n8192\n", 14);
    CU_ASSERT_EQUAL(read_again(bytes, bytes ? strlen(bytes) : 0),
                    changes[i].code);
    scratch_fini(&scratch);
  }
}

static const struct check_test tests[] = {
    {"what is no trace", test_what_is_no_trace},
    {"traces that go wrong later", test_traces_that_go_wrong_later},
    {"damaged vat traces", test_damaged_vat_traces},
    {"addresses outside the tree", test_addresses_outside_the_tree},
    {"options out of range", test_options_out_of_range},
    {"what policies cannot do", test_what_policies_cannot_do},
    {"virtual machines that cannot be", test_virtual_machines_that_cannot_be},
    {"names that are none", test_names_that_are_none},
    {"options that contradict each other",
     test_options_that_contradict_each_other},
    {"results that do not arrive", test_results_that_do_not_arrive},
    {"a trace that changes meanwhile", test_a_trace_that_changes_meanwhile},
    {0}};

const struct check_suite suite_sim_refusals = {"sim: refusals", tests, NULL};
