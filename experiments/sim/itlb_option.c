/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/itlb_option.h"

#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/machine/tlb_here.h"
#include "experiments/sim/mixed_tlb_option.h"

/* The caches there may be, as they are named. */
enum { CACHES = 4, LARGE_BITS = 21 };
static const char *const names[CACHES] = {"l1", "l1-2m", "l2", "l2-2m"};

static const struct tlb_cache_shape *cache(const struct mixed_tlb_shape *shape,
                                           int number) {
  return number % 2 ? &shape->from[0].level[number / 2]
                    : &shape->all.level[number / 2];
}

int itlb_shape_parse(const char *text, struct mixed_tlb_shape *shape) {
  if (!strcmp(text, "here")) return itlb_here(shape);
  if (mixed_tlb_parse(text, shape)) return -1;
  bool large = shape->from[0].page_bits;
  return shape->all.walk.entries || shape->coalesce_bits ||
                 (large && shape->from[0].page_bits != LARGE_BITS) ||
                 shape->from[1].page_bits
             ? -1
             : 0;
}

int itlb_option_set(void *at, const char *option, const char *text) {
  errno = 0;
  if (!itlb_shape_parse(text, at)) return VAT_OK;
  if (errno == ENOTSUP)
    return fail(VAT_ABSENT,
                "--%s here: this processor or its hypervisor does not report "
                "its TLB for instructions; fix: give its shape, for example "
                "--%s l1=128x8,l1-2m=8x8",
                option, option);
  return fail(VAT_USAGE,
              "--%s %s: not a TLB shape for instructions; write --%s here for "
              "this processor, or a shape such as l1=128x8,l1-2m=8x8,l2=512x8: "
              "ENTRIESxWAYS, where ENTRIES / WAYS is a power of two; at most "
              "1048576 entries and 1024 ways",
              option, text, option);
}

const char *itlb_shape_text(const struct mixed_tlb_shape *shape,
                            char text[ITLB_SHAPE_TEXT]) {
  int used = 0;
  for (int i = 0; i < CACHES; i++)
    if (cache(shape, i)->entries)
      used += snprintf(text + used, ITLB_SHAPE_TEXT - (size_t)used,
                       "%s%s=%ux%u", used ? "," : "", names[i],
                       cache(shape, i)->entries, cache(shape, i)->ways);
  return text;
}

json_t *itlb_json(const struct mixed_tlb_shape *shape) {
  json_t *object = json_object();
  for (int i = 0; i < CACHES; i++)
    json_object_set_new(object, names[i],
                        cache(shape, i)->entries
                            ? json_pack("[ii]", (int)cache(shape, i)->entries,
                                        (int)cache(shape, i)->ways)
                            : json_null());
  return object;
}
