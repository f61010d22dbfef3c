/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/json_u64.h -- numbers of 64 bits in JSON.
 *
 * JSON integers end at 2^63 - 1 for many readers (ours too): larger numbers are
 * strings of decimal digits.
 */
#ifndef EXPERIMENTS_CLI_JSON_U64_H
#define EXPERIMENTS_CLI_JSON_U64_H
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

json_t *json_of_u64(uint64_t value);

/* From either; false where `json` is neither. */
bool u64_of_json(const json_t *json, uint64_t *value);
#endif
