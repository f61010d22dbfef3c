/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/applications/applications.h -- the table of applications, and
 * which of them a program is.
 */
#pragma once
#include "experiments/applications/application.h"

/* NULL-ended: programs, then runtimes, then allocators.  The first allocator
 * that recognises a program is its allocator. */
extern const struct application *const applications[];

enum { APPLICATIONS_FOUND = 8 };

/* Those that recognise it, in the order of the table, and of allocators only
 * one.  How many. */
size_t applications_of(const struct application_seen *seen,
                       const struct application *found[APPLICATIONS_FOUND]);

/* NULL: none of the table. */
const struct application *applications_allocator(
    const struct application_seen *seen);

/* Its settings; zeroed first. */
void applications_settings(const struct application *application,
                           const struct application_seen *seen,
                           struct application_settings *settings);
