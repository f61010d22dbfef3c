/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_pieces.h -- a program's straight pieces in numbers:
 * a sentence a page kind, and a table of the pieces. */
#pragma once
#include <stdio.h>

#include "experiments/report/pieces.h"

/* Nothing where the program has no fit. */
void report_pieces(FILE *page, const struct survey *survey, size_t program);

/* "3 straight pieces fit (error 2.9 %) better than ...", without a full stop.
 */
enum { PIECES_TEXT = 240 };
const char *pieces_text(const struct pieces_line *line, char text[PIECES_TEXT]);
