/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/page_kind.h -- the kinds of page a region of memory can ask for.
 *
 * A kind is a page size together with the way the kernel is asked for it:
 * base pages with transparent huge pages forbidden ("4k"), transparent huge
 * pages ("thp"), or a hugetlb pool ("2m", "1g", and every other size the
 * machine reports, named by its size).  2m and 1g are always in the table, so
 * that asking for one on a machine without it is explained, not unknown.
 * Not thread-safe on first use: the table is filled from sysfs once.
 */
#ifndef HUGE_PAGES_PAGE_KIND_H
#define HUGE_PAGES_PAGE_KIND_H
#include <stdbool.h>
#include <stddef.h>

struct hp_region;
struct hp_lack;

enum { HP_NAME_SIZE = 16 }; /* longest kind name, with its NUL */

struct hp_kind {
  char name[HP_NAME_SIZE]; /* "4k", "thp", "2m", "1g", "64k", ... */
  const char *summary;     /* one line for listings */
  size_t bytes;            /* size of the pages it asks for */
  /*
   * Map `region->bytes` (a multiple of `bytes`) of this kind at a multiple of
   * `bytes` and set base and via.  Memory need not be faulted in yet.
   * Returns 0, or -1 with errno ENOMEM (pool or memory exhausted) or ENOTSUP.
   */
  int (*map)(struct hp_region *region);
  void (*unmap)(struct hp_region *region);
  /*
   * After faulting in: make good what the faults missed, as far as it goes.
   * NULL where faulting in is all there is.
   */
  void (*settle)(struct hp_region *region);
  /* hp_kind_explain() for this kind; `bytes` is a multiple of its pages. */
  int (*explain)(const struct hp_kind *kind, size_t bytes,
                 struct hp_lack *lack);
  bool pooled; /* pages come from a hugetlb pool: see huge_pages/pool.h */
};

/* Why a kind cannot be had here, and what mends it; empty strings when it can.
 */
struct hp_lack {
  char why[160];
  char mend[200]; /* a command, or a sentence where none helps */
};

/* The kinds in listing order: base, thp, then hugetlb sizes ascending. */
size_t hp_kind_count(void);
const struct hp_kind *hp_kind_at(size_t index);

/*
 * "given", which no list has: base pages wherever the kernel has free ones, as
 * any program gets them, where "4k" takes them from whole blocks.  What chases
 * in programs' memory take is measured on these.
 */
const struct hp_kind *hp_kind_given(void);

/* The kind called `name`, or NULL with errno EINVAL. */
const struct hp_kind *hp_kind_find(const char *name);

/*
 * Ask whether `bytes` of `kind` can be had now (pool large enough, THP not
 * off, enough free memory and addresses) without mapping any.  Returns 0, and
 * errno as it was, when it can; -1 with errno ENOMEM or ENOTSUP and `lack`
 * filled when it cannot.
 */
int hp_kind_explain(const struct hp_kind *kind, size_t bytes,
                    struct hp_lack *lack);
#endif
