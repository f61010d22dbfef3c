/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model: the models of GPUs as calculators. */
#include <stdio.h>

#include "experiments/commands/commands.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/model_request.h"

int cmd_model(int argc, char **argv) {
  const struct calculator *calculator =
      argc > 1 ? calculator_find(argv[1]) : NULL;
  if (calculator) { /* the rest of the line is its */
    char name[64];
    snprintf(name, sizeof name, "vat model %s", calculator->name);
    argv[1] = name;
    return calculator->run(argc - 1, argv + 1);
  }
  struct model_request request;
  int code = model_request_parse(&request, argc, argv);
  if (!code)
    code = request.results ? model_of_counts(&request)
           : request.algo  ? model_of_emulated(&request)
           : request.from  ? model_of_file(&request)
                           : model_of_lists(&request);
  model_print_end();
  options_fini(model_table(), &request);
  return code;
}
