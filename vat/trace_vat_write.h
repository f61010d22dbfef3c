/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_vat_write.h -- the writer of vat's own trace format. */
#pragma once
#include "vat/trace_format.h"

extern const struct trace_encoder vat_trace_vat_encoder;
