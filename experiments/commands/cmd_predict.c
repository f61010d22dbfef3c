/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat predict: bounds of the VAT model, and what is simulated between them. */
#include "experiments/commands/commands.h"
#include "experiments/predict/predict_print.h"

int cmd_predict(int argc, char **argv) {
  struct predict_request request;
  int code = predict_request_parse(&request, argc, argv);
  if (!code) code = predict_run(&request);
  options_fini(&predict_table, &request);
  return code;
}
