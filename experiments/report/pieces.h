/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/pieces.h -- the time per operation of each program, as
 * straight pieces over log2 n (segmented.h), and which end of a cache or TLB
 * each break is nearest to.
 *
 * Found once, when the report is made: the intervals take some milliseconds a
 * line.
 */
#pragma once
#include "experiments/report/segmented.h"
#include "experiments/report/survey.h"

/* A program on one kind of pages. */
struct pieces_line {
  size_t program;   /* of the survey */
  const char *kind; /* one of its kinds */
  struct segmented fit;
  double x[SEGMENTED_SIZES]; /* log2 n of each point */
  size_t count;
};

struct pieces {
  struct pieces_line *lines; /* program by program; those with a fit */
  size_t count;
};

/* They become the survey's, and must outlive it. */
void pieces_make(struct pieces *pieces, struct survey *survey);
void pieces_fini(struct pieces *pieces);

/* NULL: it has too few sizes. */
const struct pieces_line *pieces_find(const struct survey *survey,
                                      size_t program, const char *kind);

/* How far a piece reaches, in log2 n: to the breaks before and after it, to its
 * points where these are steps. */
double pieces_from(const struct pieces_line *line, size_t piece);
double pieces_to(const struct pieces_line *line, size_t piece);

/*
 * Memory that a level holds, or that the entries of a TLB map.  From the
 * calibration of this machine, or else the caches alone, as the machine reports
 * them.
 */
struct reach {
  char name[32]; /* "L2", "TLB 1" */
  double bytes;
};
enum { REACHES_MOST = 12 };
size_t reaches_of(const struct survey *survey, const char *kind,
                  struct reach reaches[REACHES_MOST]);

/* Bytes that the program works on at log2 n = x, and the reverse: straight
 * between the sizes that were measured, in logarithms, and beyond them.  NAN:
 * unknown. */
double pieces_bytes(const struct survey *survey, size_t program, double x);
double pieces_place(const struct survey *survey, size_t program, double bytes);

/* Nearest to where the piece begins, and how many doublings of memory it is
 * away; false: it is the first piece, or nothing is known. */
bool pieces_nearest(const struct survey *survey, const struct pieces_line *line,
                    size_t piece, struct reach *nearest, double *doublings);

/* Breaks of all lines; how many of them are within PIECES_NEAR doublings of a
 * reach, and how many would be if they were anywhere that a break can be. */
#define PIECES_NEAR 0.5
struct pieces_breaks {
  size_t count, near;
  double by_chance;
};
struct pieces_breaks pieces_breaks_of(const struct survey *survey);
