/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_vat_write.h -- the writer of vat's own trace format. */
#ifndef VAT_TRACE_VAT_WRITE_H
#define VAT_TRACE_VAT_WRITE_H
#include "vat/trace_format.h"

extern const struct trace_encoder vat_trace_vat_encoder;
#endif
