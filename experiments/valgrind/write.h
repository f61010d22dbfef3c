/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/write.h -- the file that output.c writes. */
#pragma once
#include "experiments/valgrind/tool.h"

Bool vt_write_open(void); /* False: not possible; a message was printed */
void vt_write_close(void);
void vt_write(const HChar *format, ...) PRINTF_CHECK(1, 2);
void vt_write_text(const HChar *key, const HChar *text);
/* Object, file and function of a line hold for what is written next. */
void vt_write_location(const struct vt_line *line);
void vt_write_counts(const struct vt_counts *counts);
