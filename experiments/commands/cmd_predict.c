/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat predict: bounds of the VAT model, and what is simulated between them. */
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/commands/commands.h"
#include "experiments/predict/predict.h"

static int predict(const struct predict_request *request) {
  struct prediction *predictions =
      memory_zeroed(request->nodes.count, sizeof *predictions);
  int code = predict_run(request, predictions);
  if (!code) code = predict_print(request, predictions);
  free(predictions);
  return code;
}

static int run(int argc, char **argv) {
  struct predict_request request;
  int code = predict_request_parse(&request, argc, argv);
  if (!code) code = predict(&request);
  options_fini(&predict_table, &request);
  return code;
}

const struct command cmd_predict = {
    .name = "predict",
    .summary = "bound an algorithm's misses by the theory's closed forms",
    .options = &predict_table,
    .run = run,
};
