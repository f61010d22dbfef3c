/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/page_kind.h -- the kinds of page a region of memory can ask for.
 *
 * A kind is a page size together with the way the kernel is asked for it:
 * base pages with transparent huge pages forbidden ("4k"), transparent huge
 * pages ("thp"), those of a size between that the kernel has a switch for
 * ("thp-64k"), or a hugetlb pool ("2m", "1g", and every other size the machine
 * reports, named by its size).  2m and 1g are always in the table, so that
 * asking for one on a machine without it is explained, not unknown.
 * Not thread-safe on first use: the table is filled from sysfs once.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct hp_granted;
struct hp_holding;
struct hp_missing;
struct hp_region;

enum {
  HP_NAME_SIZE = 16, /* longest kind name, with its NUL */
  HP_KINDS_MAX = 24  /* of one machine: 64 KiB pages have up to 18 */
};

/* A switch of the kernel that decides who gets pages of a kind. */
struct hp_setting {
  const char *name;    /* "thp enabled"; NULL ends an array */
  const char *key;     /* in records of a machine: "enabled"; NULL: not there */
  const char *path;    /* below /sys; a list of words, one in brackets */
  const char *meaning; /* what it decides */
};

/* What is 0 or NULL has the default that its comment names. */
struct hp_kind {
  char name[HP_NAME_SIZE]; /* "thp"; "": by its size, "4k", "2m", "64k", ... */
  const char *prefix;      /* of names by size: "thp-"; NULL: none */
  const char *summary;     /* one line for listings */
  const char *words; /* "transparent huge pages"; NULL: "2 MiB pages", ... */
  size_t bytes;      /* size of the pages it asks for; set by the table */
  /* The page sizes it comes in here, ascending, each a kind; their number. */
  size_t (*sizes)(size_t sizes[HP_KINDS_MAX]);
  /* Its page size in a record that does not give one; 0: `bytes`. */
  size_t usual_bytes;
  /* Names it has on other machines, the usual one first, ended by NULL; NULL:
   * none but its own. */
  const char *const *known_as;
  /*
   * Map `region->bytes` (a multiple of `bytes`) of this kind at a multiple of
   * `bytes` and set base and via.  Memory need not be faulted in yet.
   * Returns 0, or -1 with errno ENOMEM (pool or memory exhausted) or ENOTSUP.
   */
  int (*map)(struct hp_region *region);
  /* NULL: hp_guarded_unmap() (huge_pages/guarded_map.h). */
  void (*unmap)(struct hp_region *region);
  /*
   * Fault in `bytes` (a multiple of its pages) of the region from `at` on.  -1
   * with errno ENOMEM.  NULL: hp_populate() (huge_pages/kind_list.h).
   */
  int (*populate)(struct hp_region *region, size_t at, size_t bytes);
  /*
   * After faulting in: make good what the faults missed, as far as it goes.
   * NULL where faulting in is all there is.
   */
  void (*settle)(struct hp_region *region);
  /* hp_region_verify() of the whole region; NULL: what smaps reports. */
  int (*verify)(const struct hp_region *region, struct hp_granted *granted);
  /* hp_kind_explain() for this kind; `bytes` is a multiple of its pages. */
  int (*explain)(const struct hp_kind *kind, size_t bytes,
                 struct hp_missing *missing);
  const struct hp_setting *settings; /* NULL: none */
  /* What hp_pool_reserve() takes for it (huge_pages/guardian.h); NULL: nothing
   * is to be taken. */
  const struct hp_holding *holding;
  /* What hp_pool_reserve_alone() takes, so that a program has these pages and
   * no larger ones (huge_pages/thp_alone.h); NULL: programs ask for them. */
  const struct hp_holding *alone;
  bool base;   /* the machine's smallest pages, what others are compared with */
  bool pooled; /* pages come from a hugetlb pool: see huge_pages/pool.h */
  bool named;  /* measured where it is named; not one of --pages all */
  /* Programs can be given it by what they ask for: experiments/exec/page_shim.c
   */
  bool for_programs;
};

/* Why a kind cannot be had here, and what fixes it; empty strings when it can.
 */
struct hp_missing {
  char why[160];
  char fix[200]; /* a command, or a sentence where none helps */
};

/* The kinds in listing order: base, thp, hugetlb sizes, then the sizes between;
 * each ascending. */
size_t hp_kind_count(void);
const struct hp_kind *hp_kind_at(size_t index); /* NULL: past the last */
const struct hp_kind *hp_kind_base(void);       /* the first */

/*
 * "given", which no list has: base pages wherever the kernel has free ones, as
 * any program gets them, where "4k" takes them from whole blocks.  What chases
 * in programs' memory take is measured on these.
 */
const struct hp_kind *hp_kind_given(void);

/* The kind called `name`, or NULL with errno EINVAL. */
const struct hp_kind *hp_kind_find(const char *name);

/* Is it a size of transparent huge pages, "thp-16k" to "thp-1m", that a kernel
 * may have a switch for? */
bool hp_kind_is_between(const char *name);

/*
 * The page size that `name` stands for in a record of any machine: the size it
 * names ("2m", "thp-64k"), else that of the kind here, else 2 MiB.
 */
size_t hp_kind_usual_bytes(const char *name);

/*
 * Ask whether `bytes` of `kind` can be had now (pool large enough, THP not
 * off, enough free memory and addresses) without mapping any.  Returns 0, and
 * errno as it was, when it can; -1 with errno ENOMEM or ENOTSUP and `missing`
 * filled when it cannot.
 */
int hp_kind_explain(const struct hp_kind *kind, size_t bytes,
                    struct hp_missing *missing);
