/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/output_sites.h -- whose memory was missed, and by which
 * calls, for output.c. */
#ifndef EXPERIMENTS_VALGRIND_OUTPUT_SITES_H
#define EXPERIMENTS_VALGRIND_OUTPUT_SITES_H
void vt_output_sites(void);
void vt_output_calls(void);
#endif
