/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/forks.h -- the pages of a process that forks: who writes
 * first to private memory that both have copies it, which is a page fault, also
 * of a page that was touched before.
 */
#pragma once

/* Behind a fork: in the parent; in the child, where nothing has been touched
 * by it, whose sites are cleared. */
void vt_forks_parent(void);
void vt_forks_child(void);
