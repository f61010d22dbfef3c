/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/as_found.h -- what vat changes in itself at its start, and
 * programs that it executes are to have as it was. */
#pragma once

/* Standard files that are closed become /dev/null, so that no other file takes
 * their numbers; a file-size limit becomes an error of write(). */
void as_found_begin(void);

/* Before execve(). */
void as_found_restore(void);
