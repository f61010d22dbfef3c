/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/temporary_file.h -- a file that nobody else can see and that is gone with
 * this process, in TMPDIR or /tmp.
 */
#pragma once

/* Where it is: TMPDIR, or /tmp. */
const char *vat_temporary_directory(void);

/* A descriptor for reading and writing; -1 with errno. */
int vat_temporary_file(void);
