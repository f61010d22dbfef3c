/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/gnuplot.h -- gnuplot as a function from script to picture.
 *
 * The script goes in through standard input and the picture comes out of
 * standard output: no shell, and no file name that a script would have to
 * quote.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

enum { GNUPLOT_WHY_SIZE = 256 };

/* A script (or a picture) that needs no disk; NULL with errno. */
FILE *gnuplot_memory(void);

/* The whole of it as a string, to free(); NULL with errno. */
char *gnuplot_read_back(FILE *stream);

/*
 * Run the script that `script` holds (from its start) and write what it draws
 * to `picture`.  Returns 0, or -1 with errno EPROTO (gnuplot refused or died;
 * how in `why`) or an error of the system: in starting gnuplot where `why` says
 * so (ENOENT: there is none), else in writing the picture.
 */
int gnuplot_run(FILE *script, FILE *picture, char why[GNUPLOT_WHY_SIZE]);

/* Draw a picture of so many pixels from here on: SVG, or PNG of twice as many,
 * for screens and print alike. */
void gnuplot_terminal(FILE *script, int width, int height, bool png);

/* Print `text` as a string that no gnuplot syntax can break out of, of what XML
 * takes.  `tic`: the label of a tic is a format, too. */
void gnuplot_quote(FILE *script, const char *text, bool tic);

/* Tics of axes that are no plain numbers; `lo` and `hi` are logarithms. */
void gnuplot_tics_log(FILE *script, char axis, double lo, double hi);
void gnuplot_tics_bytes(FILE *script, double lo, double hi);  /* of x */
void gnuplot_tics_powers(FILE *script, double lo, double hi); /* of y */
/* Of y, from above: names that begin `size` bytes apart. */
void gnuplot_tics_names(FILE *script, const char *names, size_t size,
                        size_t count);
