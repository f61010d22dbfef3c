/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of DNA: texts that words are sought in, or reads and the references
 * that they may be of.  FASTA: each a line '>NAME' and lines of letters. FASTQ:
 * a line '@NAME', lines of letters, a line '+', and as many values of quality,
 * a byte each, which are left out here.  Items are as cpu_algos/dna.h has them;
 * an answer is a bit for each letter. */
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/dna.h"
#include "cpu_algos/facs.h"
#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

enum { NONE = 4, NO_LETTER = 5 };

struct reading {
  struct data_source *source;
  struct data_array letters, known, begins;
  uint64_t n;
  bool fastq;
  bool fresh;                               /* the begin of a line */
  bool returned;                            /* the byte before is a CR */
  enum { LETTERS, NAME, PLUS, QUALITY } in; /* what the line is of */
  uint64_t values; /* of quality missing from the record */
};

/* IUPAC's codes of several bases are letters, but none of the four. */
static unsigned code_of(char c) {
  static const char codes[] = "AaCcGgTtUu", others[] = "NRYSWKMBDHVnryswkmbdhv";
  const char *at = c ? strchr(codes, c) : NULL;
  if (at)
    return (unsigned)(at - codes) / 2 < 4 ? (unsigned)(at - codes) / 2 : 3;
  return c && strchr(others, c) ? NONE : NO_LETTER;
}

static int put_letter(struct reading *r, unsigned code) {
  uint64_t n = r->n++;
  if (n % 32 == 0 && data_push(r->source, &r->letters, 0)) return -1;
  if (n % 64 == 0 && data_push(r->source, &r->known, 0)) return -1;
  if (code == NONE) return 0;
  r->letters.items[n / 32] |= (uint64_t)code << 2 * (n % 32);
  r->known.items[n / 64] |= UINT64_C(1) << n % 64;
  return 0;
}

static int refuse_letter(struct data_source *source, char c) {
  if (c > ' ' && c <= '~')
    return data_refuse(source,
                       "'%c' is not a letter of DNA; use ACGTU, or NRYSWKMBDHV "
                       "for unknown ones",
                       c);
  return data_refuse(
      source,
      "byte 0x%02x is not a letter of DNA; the file must be FASTA or FASTQ",
      (unsigned)(unsigned char)c);
}

static int take_letter(struct reading *r, char c) {
  if (c == ' ' || c == '\t' || c == '\r') return 0;
  unsigned code = code_of(c);
  if (code == NO_LETTER) return refuse_letter(r->source, c);
  if (!r->begins.count)
    return data_refuse(r->source,
                       "letters before the first line '>NAME'; start each "
                       "record with such a line");
  return put_letter(r, code);
}

static int take_value(struct reading *r, char c) {
  if (c == '\r') return 0;
  if (c <= ' ' || c > '~')
    return data_refuse(r->source, "byte 0x%02x is not a quality value",
                       (unsigned)(unsigned char)c);
  if (!r->values)
    return data_refuse(r->source,
                       "more quality values than letters, or the next record "
                       "has no line '@NAME'");
  r->values--;
  return 0;
}

/* A record begins, or the line that parts letters from quality. */
static int take_mark(struct reading *r, char c) {
  bool first = !r->begins.count, ended = r->in == QUALITY && !r->values;
  if (r->fastq && r->in == LETTERS && c == '+') {
    r->in = PLUS;
    r->values = r->n - r->begins.items[r->begins.count - 1];
  } else if (r->fastq ? ended && c == '@' : c == '>' || (first && c == '@')) {
    r->fastq = c == '@';
    r->in = NAME;
    return data_push(r->source, &r->begins, r->n);
  }
  return 0;
}

static int take_byte(struct reading *r, char c) {
  if (r->returned && c != '\n')
    return data_refuse(r->source,
                       "a CR within the line; end lines with LF or CR LF");
  r->returned = c == '\r';
  if (r->fresh && take_mark(r, c)) return -1;
  r->fresh = c == '\n';
  if (r->fresh) {
    if (r->in == NAME) r->in = LETTERS;
    if (r->in == PLUS) r->in = QUALITY;
    r->source->line++;
    return 0;
  }
  if (r->in == LETTERS) return take_letter(r, c);
  return r->in == QUALITY ? take_value(r, c) : 0;
}

/* Has the last record what belongs to it? */
static int check_end(struct reading *r) {
  if (!r->fastq || (r->in >= PLUS && !r->values)) return 0;
  if (r->in < PLUS)
    return data_refuse(r->source,
                       "the last record has no quality; add a line '+' and a "
                       "value for each letter, or use FASTA");
  return data_refuse(r->source,
                     "the last record has %llu quality values too few",
                     (unsigned long long)r->values);
}

static int append(struct reading *r, const struct data_array *more) {
  for (size_t i = 0; i < more->count; i++)
    if (data_push(r->source, &r->letters, more->items[i])) return -1;
  return 0;
}

static int take_all(struct reading *r) {
  struct data_source *source = r->source;
  int end;
  if (data_unpack(source)) return -1;
  while (!(end = data_at_end(source)))
    for (; source->at < source->end; source->at++)
      if (take_byte(r, source->buffer[source->at])) return -1;
  return end < 0 ? -1 : check_end(r);
}

static int read_dna(struct data_source *source, struct algo_data *part) {
  struct reading r = {.source = source, .fresh = true};
  int failed = take_all(&r);
  if (!failed) failed = append(&r, &r.known);
  if (!failed) failed = append(&r, &r.begins);
  part->rows = r.n;
  part->cols = r.begins.count;
  free(r.known.items);
  free(r.begins.items);
  data_give(&r.letters, part);
  return failed;
}

/* A line for each letter where a w-mer begins that is a hit: the number of the
 * record, and the place in it. */
static void write_hits(struct data_sink *sink, const struct algo_data *answer) {
  const uint64_t *hits = (const uint64_t *)answer->items;
  const uint64_t whole = 0, *begins = &whole;
  uint64_t records = 1, record = 0;
  if (answer->next) {
    struct cpu_dna dna = cpu_dna_of(answer->next);
    begins = dna.begins;
    records = dna.records;
  }
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    while (record + 1 < records && begins[record + 1] <= i) record++;
    if (!(hits[i / 64] >> i % 64 & 1)) continue;
    data_put_u64(sink, record, "\t");
    data_put_u64(sink, i - begins[record], "\n");
  }
}

const struct data_kind data_dna = {
    .name = "dna",
    .words = 1,
    .one_way = true,
    .read = read_dna,
    .read_queries = read_dna,
    .write = write_hits,
};

/* A line for each read: its number, that of its reference or '-', and how many
 * of its letters are covered, of how many. */
static void write_classes(struct data_sink *sink,
                          const struct algo_data *answer) {
  const struct cpu_facs_class *classes = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_u64(sink, i, "\t");
    if (classes[i].reference)
      data_put_u64(sink, classes[i].reference - 1, "\t");
    else
      data_put_text(sink, "-\t");
    data_put_u64(sink, classes[i].covered, "\t");
    data_put_u64(sink, classes[i].letters, "\n");
  }
}

const struct data_kind data_reads = {
    .name = "reads",
    .words = 1,
    .one_way = true,
    .seeks = "references; name a file with --references",
    .read = read_dna,
    .read_queries = read_dna,
    .write = write_classes,
};
