/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/site_calls.h -- which calls tell allocation sites apart,
 * and what return addresses they leave on the stack.
 *
 * Sites are known by lines of source, inlined ones too, so that a person knows
 * them.  Another program that is to know them, without Valgrind, has no more
 * than return addresses: chains of these, of which a site has several where the
 * compiler made several calls of a line, or where functions recur.
 */
#pragma once
#include "experiments/valgrind/site.h"

/* Of what is allocated now: NULL behind the last. */
void vt_site_calls_here(struct vt_line **calls);

/* Where a call returns to, while the object is there. */
struct vt_frame vt_frame_of(const struct vt_callsite *at);

/* What is allocated now is the site's: keep the frames that led here, as many
 * as its calls need, if they are new. */
void vt_chain_here(struct vt_site *site);

/* The same in a context that was here before: functions recur, or there would
 * be nothing new.  Of many allocations some are looked at. */
void vt_chain_again(struct vt_site *site);
