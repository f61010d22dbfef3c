/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model: the models of GPUs as calculators. */
#include "experiments/command.h"
#include "experiments/model/model.h"

static int run(int argc, char **argv) {
  struct model_request request;
  int code = model_request_parse(&request, argc, argv);
  if (!code)
    code = request.results ? model_of_counts(&request)
           : request.from  ? model_of_file(&request)
                           : model_of_lists(&request);
  model_request_fini(&request);
  return code;
}

const struct command cmd_model = {
    .name = "model",
    .summary = "what models of GPUs say that a program takes there",
    .run = run,
};
