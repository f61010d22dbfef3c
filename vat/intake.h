/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/intake.h -- how pages come into a simulation: made of addresses, checked,
 * counted, and without those immediate repeats that cannot change a count; and
 * how a stream of them ends.  Internal to vat/.
 */
#ifndef VAT_INTAKE_H
#define VAT_INTAKE_H
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

/* Pages handed on at a time: enough to look ahead in, and to pay for a call;
 * few enough to stay in the first-level cache. */
enum { INTAKE_BLOCK = 1024 };

/* A stream ends once: by a finish, or by an error, since that may have come
 * amid a block of which some pages were translated. */
struct intake_end {
  bool ended;
  int error; /* errno of what failed; 0: nothing did */
};

/* May the stream go on?  0, or -1 with errno: of what failed, or EINVAL. */
static inline int intake_check(const struct intake_end *end) {
  if (__builtin_expect(!end->ended, 1)) return 0;
  errno = end->error ? end->error : EINVAL;
  return -1;
}

/* End it by the errno of what has just failed; -1. */
int vat_intake_fail(struct intake_end *end);

/* End it by `finish`, which is not called again and where NULL has nothing to
 * do.  0, or -1 with errno; further calls return the same. */
int vat_intake_finish(struct intake_end *end, int (*finish)(void *state),
                      void *state);

struct intake {
  struct intake_end end;
  struct vat_tree tree;
  unsigned repeats_kept; /* of a page in a row: 0, 1, or all (UINT_MAX) */
  bool started;
  uint64_t last;    /* the page translated last */
  unsigned repeats; /* of it in a row so far */
  uint64_t translations;
  uint64_t block[INTAKE_BLOCK];
};

/* Hand `count` pages, each shifted right by `shift`, on to `translate`.  0, or
 * -1 with its errno, which ends the stream, or that of intake_check(), or
 * ERANGE when one is outside the tree: those before it are translated. */
int vat_intake_feed(struct intake *intake, const uint64_t *from, size_t count,
                    unsigned shift,
                    int (*translate)(void *state, const uint64_t *pages,
                                     size_t count),
                    void *state);
#endif
