/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices: a line of rows and columns, then the rows; a second matrix may
 * follow.  Empty lines are skipped, since one stands well between two. */
#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"
#include "huge_pages/available_memory.h"

struct header {
  uint64_t rows, cols;
  uint64_t line;
};

static int read_header(struct data_source *source, struct header *header) {
  uint64_t count;
  source->expected = "a matrix begins with its numbers of rows and columns";
  header->line = source->line;
  if (data_take_u64(source, &header->rows) ||
      data_take_u64(source, &header->cols) || data_end_line(source))
    return -1;
  if (!header->rows != !header->cols) {
    source->line = header->line;
    return data_refuse(source,
                       "rows without columns, or columns without rows; "
                       "0 0 is a matrix without elements");
  }
  if (!__builtin_mul_overflow(header->rows, header->cols, &count) &&
      count <= hp_memory_available() / sizeof(double))
    return 0;
  source->line = header->line;
  return data_refuse(source, "%llu x %llu numbers do not fit the free memory",
                     (unsigned long long)header->rows,
                     (unsigned long long)header->cols);
}

static int read_row(struct data_source *source, const struct header *header,
                    struct data_array *elements) {
  for (uint64_t j = 0; j < header->cols; j++) {
    int more = data_next_word(source);
    if (more < 0) return -1;
    if (!more)
      return data_refuse(
          source, "%llu numbers in the row; line %llu announces rows of %llu",
          (unsigned long long)j, (unsigned long long)header->line,
          (unsigned long long)header->cols);
    if (data_push_double(source, elements)) return -1;
  }
  return data_end_line(source);
}

static int read_rows(struct data_source *source, const struct header *header,
                     struct data_array *elements) {
  source->expected = "the rows have as many numbers as the matrix has columns";
  for (uint64_t i = 0; i < header->rows && header->cols; i++) {
    int more = data_next_line(source);
    if (more < 0) return -1;
    if (!more)
      return data_refuse(
          source,
          "the file ends after %llu of the %llu rows that line %llu announces",
          (unsigned long long)i, (unsigned long long)header->rows,
          (unsigned long long)header->line);
    if (read_row(source, header, elements)) return -1;
  }
  return 0;
}

static int read_part(struct data_source *source, struct algo_data *part) {
  struct header header = {0};
  struct data_array elements = {0};
  int failed =
      read_header(source, &header) || read_rows(source, &header, &elements);
  data_give(&elements, part);
  part->rows = header.rows;
  part->cols = header.cols;
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
