/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isp_search [POLICY k d W MORE]: hill-climbing for a stream on which ISMIN
 * with W + MORE cells misses more than POLICY with W cells, in a tree of height
 * d with K = 2^k.  If there is one, every strategy with the ISP needs more than
 * MORE extra cells.  Without arguments: what doc/extra-cells.md says about MIN
 * and PLRU.  Fails if a stream is found where there should be none, or none
 * where there is one. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/isp_game.h"
#include "vat/policy.h"

enum { LENGTH = 120, CHANGES = 4000, STARTS = 25 };

struct stream {
  size_t count;
  uint64_t page[LENGTH];
};

struct search {
  const char *policy;
  struct vat_tree tree;
  uint64_t nodes, more;
  uint64_t streams; /* tried so far */
};

static uint64_t below(uint64_t m) {
  static uint64_t state = 61;
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

static int64_t misses(const struct search *s, const struct stream *stream,
                      const char *policy, uint64_t nodes) {
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(policy), &s->tree, nodes, NULL);
  if (!tc || vat_tc_pages(tc, stream->page, stream->count) ||
      vat_tc_finish(tc)) {
    perror("isp_search");
    exit(1);
  }
  int64_t count = (int64_t)vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return count;
}

/* How many misses ISMIN is behind. */
static int64_t behind(struct search *s, const struct stream *stream) {
  s->streams++;
  return misses(s, stream, "ismin", s->nodes + s->more) -
         misses(s, stream, s->policy, s->nodes);
}

/* A page: any, or one near a page of the stream. */
static uint64_t draw(const struct search *s, const struct stream *stream) {
  unsigned bits = s->tree.index_bits * s->tree.levels;
  uint64_t page = below(UINT64_C(1) << bits);
  if (!stream->count || !below(3)) return page;
  uint64_t span = UINT64_C(1) << below(bits + 1);
  return stream->page[below(stream->count)] ^ (page & (span - 1));
}

static void take_out(struct stream *stream, size_t at) {
  stream->count--;
  memmove(stream->page + at, stream->page + at + 1,
          (stream->count - at) * sizeof *stream->page);
}

/* A page more, a page less, or another page. */
static void change(const struct search *s, struct stream *stream) {
  size_t at = below(stream->count);
  uint64_t page = draw(s, stream), kind = below(3);
  if (kind == 0 && stream->count < LENGTH) {
    memmove(stream->page + at + 1, stream->page + at,
            (stream->count - at) * sizeof *stream->page);
    stream->count++;
  } else if (kind == 1 && stream->count > 3) {
    take_out(stream, at);
    return;
  }
  stream->page[at] = page;
}

/* From a random stream by changes that make it no worse.  Is it behind? */
static bool climb(struct search *s, struct stream *best) {
  size_t length = 5 + below(60);
  for (best->count = 0; best->count < length; best->count++)
    best->page[best->count] = draw(s, best);
  int64_t most = behind(s, best);
  for (unsigned i = 0; i < CHANGES && most <= 0; i++) {
    struct stream next = *best;
    for (uint64_t changes = 1 + below(3); changes > 0; changes--)
      change(s, &next);
    int64_t now = behind(s, &next);
    if (now < most) continue;
    most = now;
    *best = next;
  }
  return most > 0;
}

/* Without pages that it can do without. */
static void shorten(struct search *s, struct stream *stream) {
  for (size_t at = 0; at < stream->count;) {
    struct stream next = *stream;
    take_out(&next, at);
    bool still = behind(s, &next) > 0;
    if (still) *stream = next;
    at = still ? 0 : at + 1;
  }
}

static bool find(struct search *s) {
  struct stream stream = {0};
  bool found = false;
  for (unsigned start = 0; start < STARTS && !found; start++)
    found = climb(s, &stream);
  uint64_t streams = s->streams;
  if (found) shorten(s, &stream);
  printf("%-6s K = %2u, d = %2u, W = %2" PRIu64 " + %" PRIu64 ": %6" PRIu64
         " streams,",
         s->policy, 1u << s->tree.index_bits, s->tree.levels, s->nodes, s->more,
         streams);
  for (size_t i = 0; found && i < stream.count; i++)
    printf(" %" PRIu64, stream.page[i]);
  puts(found ? "" : " none is behind");
  fflush(stdout);
  return found;
}

/* MIN on d + 1 cells and on some more, with the extra cells of the theorem; and
 * with one less than that, which is too few (for W = d + 1, short streams show
 * it). */
static int search_min(void) {
  int failed = 0;
  for (unsigned i = 0; i < 16; i++) {
    struct search s = {"min", {1 + i % 2, 0, 2 + i / 4}, 0, 0, 0};
    unsigned children = 1u << s.tree.index_bits, levels = s.tree.levels;
    bool least = i / 2 % 2 == 0;
    s.nodes = levels + 1;
    if (!least) s.nodes += 1 + below(children * (levels - 1) * levels);
    s.more = isp_extra_cells(children, levels, s.nodes);
    failed |= find(&s);
    s.streams = 0;
    s.more--;
    if (least) failed |= !find(&s);
  }
  return failed;
}

/* PLRU needs an extra cell in the first trees.  In the others, W is a power of
 * two, and nobody knows. */
static int search_plru(void) {
  static const unsigned trees[][4] = {
      {1, 5, 6, 1},  {1, 6, 7, 1},  {1, 9, 10, 1},  {1, 3, 4, 0},
      {2, 3, 4, 0},  {1, 4, 8, 0},  {1, 5, 8, 0},   {1, 6, 8, 0},
      {1, 7, 8, 0},  {2, 3, 8, 0},  {2, 5, 8, 0},   {2, 7, 8, 0},
      {1, 4, 16, 0}, {1, 8, 16, 0}, {1, 12, 16, 0}, {1, 15, 16, 0}};
  int failed = 0;
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
    struct search s = {
        "plru", {trees[i][0], 0, trees[i][1]}, trees[i][2], 0, 0};
    failed |= find(&s) != trees[i][3];
  }
  return failed;
}

int main(int argc, char **argv) {
  if (argc != 6) return search_min() | search_plru();
  struct search s = {argv[1],
                     {(unsigned)atoi(argv[2]), 0, (unsigned)atoi(argv[3])},
                     (uint64_t)atoi(argv[4]),
                     (uint64_t)atoi(argv[5]),
                     0};
  find(&s);
  return 0;
}
