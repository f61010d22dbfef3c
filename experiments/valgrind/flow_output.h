/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/flow_output.h -- writes what flow.c and flow_walks.c
 * found, as experiments/profile/profile_flow.c reads it. */
#pragma once
#include "experiments/valgrind/sites.h"

void vt_flow_output_site(const struct vt_site *site);
void vt_flow_output(void);
