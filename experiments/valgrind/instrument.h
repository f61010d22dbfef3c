/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/instrument.h -- see instrument.c. */
#pragma once
/* Valgrind's headers want this order. */
#include "pub_tool_basics.h"
/* And then: */
#include "pub_tool_tooliface.h"

IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout, const VexGuestExtents *from,
                    const VexArchInfo *host, IRType guest_word,
                    IRType host_word);
