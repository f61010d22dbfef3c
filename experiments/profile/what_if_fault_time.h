/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_fault_time.h -- the user time that page faults
 * take.
 *
 * The processor enters the kernel and comes back, and begins anew what it had
 * begun: that is not the kernel's time.  With larger pages, a site has as many
 * faults less as it has base pages on them, each time that these are mapped.
 */
#pragma once
#include "experiments/profile/what_if.h"

/* `faults` of runs that take `user_s`; 0 where they, or `cycle_ns`, are not
 * known: then they take no time. */
struct what_if_fault_time what_if_fault_time(const struct profile *profile,
                                             double cycle_ns, double faults,
                                             double user_s);

/* input->time less that of all faults. */
struct what_if_time what_if_without_faults(const struct what_if_input *input);

/* Seconds that a site saves with pages of `page_bytes` where `input` gives it
 * larger ones. */
double what_if_fault_s(const struct what_if_input *input, size_t site,
                       double page_bytes);

/* Adds what pages of input->page_bytes save of it to what is saved of all
 * sites, and finds the ratio. */
void what_if_add_fault_time(struct what_if *what,
                            const struct what_if_input *input);
