/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/faults/commands.h"

#include <stddef.h>

enum {
  MEASURED = FAULTY_MEASURED,
  POOLS = FAULTY_POOLS,
  WARM = FAULTY_WARM,
  PMU = FAULTY_PMU,
};

#define RUN \
  "run permute random_scan --sizes 1000 --pages 4k,thp --reps 2 --json"

const struct faulty_command faulty_inputs[] = {
    {"results", RUN " -o results.jsonl", "results.jsonl", NULL, MEASURED},
    {"trace", "trace --algo permute --n 500 -o trace.vat", "trace.vat", NULL,
     0},
    {NULL, NULL, NULL, NULL, 0},
};

const struct faulty_command faulty_commands[] = {
    {"list", "list algos", NULL, NULL, 0},
    {"doctor", "doctor", NULL, NULL, MEASURED},
    {"run", RUN " -o r.jsonl", "r.jsonl", NULL, MEASURED},
    {"run-resume", "run -o r.jsonl --resume --json", "r.jsonl", "part.jsonl",
     MEASURED},
    {"run-data",
     "run introsort --pages 4k --reps 1 --json --input @keys.txt "
     "--output sorted.txt -o r.jsonl",
     "r.jsonl", NULL, MEASURED},
    {"run-nodes",
     "run list_ranking_nodes --sizes 1000 --pages 4k --reps 1 --json -o "
     "r.jsonl",
     "r.jsonl", NULL, MEASURED},
    {"run-emu", "run scan --device emu --sizes 1000 --reps 1 --json -o r.jsonl",
     "r.jsonl", NULL, MEASURED},
    {"run-simulate",
     "run permute --sizes 1000 --pages 4k --reps 1 --simulate --json -o "
     "r.jsonl",
     "r.jsonl", NULL, MEASURED},
    {"run-papi",
     "run permute --sizes 1000 --pages 4k --reps 1 --json -o r.jsonl",
     "r.jsonl", NULL, MEASURED | PMU},
    {"run-reserve",
     "run permute --sizes 2^18 --pages 2m --reserve --reps 1 --json -o r.jsonl",
     "r.jsonl", NULL, MEASURED | POOLS},
    {"compare",
     "compare --runs 1 --warmup 0 --pages 4k,thp --json -o c.jsonl -- true",
     NULL, NULL, MEASURED},
    {"compare-reserve",
     "compare --runs 1 --pages 4k,2m --reserve --json -- true", NULL, NULL,
     MEASURED | POOLS},
    {"pages", "pages --all --json", NULL, NULL, MEASURED},
    {"profile", "profile --json --save p.save -o p.json -- true", NULL, NULL,
     MEASURED},
    {"profile-trace", "profile --trace t.vat -- true", NULL, NULL, MEASURED},
    {"sim", "sim @trace.vat --json", NULL, NULL, 0},
    {"sim-curve", "sim --algo permute --n 500 --all-w --json", NULL, NULL, 0},
    {"sim-nested", "sim @trace.vat --nested split", NULL, NULL, 0},
    {"sim-machine",
     "sim @trace.vat --nested shared --policy min --guest-memory 2^30", NULL,
     NULL, 0},
    {"sim-classify", "sim @trace.vat --classify", NULL, NULL, 0},
    {"predict", "predict --algo permute --n 500", NULL, NULL, 0},
    {"trace", "trace --algo permute --n 500 -o t.vat", NULL, NULL, MEASURED},
    {"trace-from", "trace --from @trace.vat --format text -o t.txt", NULL, NULL,
     0},
    {"model", "model maxsum matmul --n 512 --json", NULL, NULL, 0},
    {"model-counted", "model maxsum scan --n 1000 --json", NULL, NULL, 0},
    {"validate",
     "validate --json --machine @validate_machine.json "
     "@validate_results.jsonl",
     NULL, NULL, 0},
    {"validate-warm",
     "validate --json --machine @validate_machine.json "
     "@validate_results.jsonl",
     NULL, NULL, WARM},
    {"calibrate",
     "calibrate --pages 4k --memory 4M --time-budget 0.01 -o m.json", NULL,
     NULL, MEASURED},
    {"report", "report @results.jsonl -o page", NULL, NULL, 0},
    {"report-rows", "report @results.jsonl --json", NULL, NULL, 0},
    {"report-pairs",
     "report --profiled @what_if_profile.json --compared @what_if_compare.json "
     "-o page",
     NULL, NULL, 0},
    {"merge", "merge @results.jsonl -o m.jsonl", NULL, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
