/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/output_sites.h -- whose memory was missed, and by which
 * calls, for output.c. */
#pragma once
void vt_output_sites(void);
void vt_output_calls(void);
