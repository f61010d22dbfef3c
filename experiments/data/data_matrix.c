/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices: a line of rows and columns, then the rows; a second matrix may
 * follow.  Empty lines are skipped, since one stands well between two. */
#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"
#include "huge_pages/available_memory.h"

struct reading {
  struct data_source *source;
  uint64_t rows, cols;
  uint64_t header; /* the line that announces them */
  struct data_array elements;
};

static int read_header(struct reading *r) {
  struct data_source *source = r->source;
  uint64_t count;
  source->expected = "a matrix begins with its numbers of rows and columns";
  r->header = source->line;
  if (data_take_u64(source, &r->rows) || data_take_u64(source, &r->cols) ||
      data_end_line(source))
    return -1;
  source->line = r->header; /* of what is refused */
  if (!r->rows != !r->cols)
    return data_refuse(source,
                       "rows without columns, or columns without rows; "
                       "0 0 is a matrix without elements");
  if (__builtin_mul_overflow(r->rows, r->cols, &count) ||
      count > hp_memory_available() / sizeof(double))
    return data_refuse(source, "%llu x %llu numbers do not fit the free memory",
                       (unsigned long long)r->rows,
                       (unsigned long long)r->cols);
  source->line++;
  return 0;
}

static int read_row(struct reading *r) {
  for (uint64_t j = 0; j < r->cols; j++) {
    int more = data_next_word(r->source);
    if (more < 0) return -1;
    if (!more)
      return data_refuse(
          r->source,
          "%llu numbers in the row; line %llu announces rows of %llu",
          (unsigned long long)j, (unsigned long long)r->header,
          (unsigned long long)r->cols);
    if (data_push_double(r->source, &r->elements)) return -1;
  }
  return data_end_line(r->source);
}

static int read_rows(struct reading *r) {
  r->source->expected =
      "the rows have as many numbers as the matrix has columns";
  for (uint64_t i = 0; i < r->rows && r->cols; i++) {
    int more = data_next_line(r->source);
    if (more < 0) return -1;
    if (!more)
      return data_refuse(
          r->source,
          "the file ends after %llu of the %llu rows that line %llu announces",
          (unsigned long long)i, (unsigned long long)r->rows,
          (unsigned long long)r->header);
    if (read_row(r)) return -1;
  }
  return 0;
}

static int read_part(struct data_source *source, struct algo_data *part) {
  struct reading r = {.source = source};
  int failed = read_header(&r) || read_rows(&r);
  data_give(&r.elements, part);
  part->rows = r.rows;
  part->cols = r.cols;
  return failed ? -1 : 0;
}

static int read_matrices(struct data_source *source, struct algo_data *parts) {
  size_t count = 0;
  int more;
  while ((more = data_next_line(source)) > 0) {
    if (count == DATA_PARTS)
      return data_refuse(source,
                         "a third matrix (at most two are allowed), or more "
                         "rows than announced");
    if (read_part(source, &parts[count])) return -1;
    if (count) parts[count - 1].next = &parts[count];
    count++;
  }
  if (more < 0) return -1;
  if (count) return 0;
  return data_refuse(source,
                     "empty; a matrix begins with its numbers of rows and "
                     "columns, 0 0 if it has none");
}

static void write_matrix(struct data_sink *sink,
                         const struct algo_data *answer) {
  const double *element = answer->items;
  data_put_u64(sink, answer->rows, " ");
  data_put_u64(sink, answer->cols, "\n");
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++)
    data_put_double(sink, *element++, (i + 1) % answer->cols ? " " : "\n");
}

const struct data_kind data_matrix = {
    .name = "matrix",
    .words = 1,
    .read = read_matrices,
    .write = write_matrix,
};
