/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/tlb_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/machine/tlb_here.h"

/* One of "l1=64x4", "l2=...", "pwc=...", which ends at `end`. */
static bool take_cache(struct tlb_shape *tlb, const char *text,
                       const char *end) {
  char name[4], entries[8], ways[8];
  int used = 0;
  if (sscanf(text, "%3[^=]=%7[0-9]x%7[0-9]%n", name, entries, ways, &used) < 3)
    return false;
  struct tlb_cache_shape *shape = !strcmp(name, "l1")    ? &tlb->level[0]
                                  : !strcmp(name, "l2")  ? &tlb->level[1]
                                  : !strcmp(name, "pwc") ? &tlb->walk
                                                         : NULL;
  if (text + used != end || !shape || shape->entries) return false;
  shape->entries = (unsigned)atoi(entries);
  shape->ways = (unsigned)atoi(ways);
  return vat_tlb_shape_check(shape);
}

int tlb_shape_parse(const char *text, struct tlb_shape *shape) {
  if (!strcmp(text, "here")) return tlb_here(shape);
  memset(shape, 0, sizeof *shape);
  for (;; text++) {
    const char *end = text + strcspn(text, ",");
    if (!take_cache(shape, text, end)) return -1;
    text = end;
    if (!*text) return shape->level[0].entries ? 0 : -1;
  }
}

const char *tlb_shape_text(const struct tlb_shape *shape,
                           char text[TLB_SHAPE_TEXT]) {
  const struct tlb_cache_shape *l2 = &shape->level[1], *pwc = &shape->walk;
  int used = snprintf(text, TLB_SHAPE_TEXT, "l1=%ux%u", shape->level[0].entries,
                      shape->level[0].ways);
  if (l2->entries)
    used += snprintf(text + used, TLB_SHAPE_TEXT - (size_t)used, ",l2=%ux%u",
                     l2->entries, l2->ways);
  if (pwc->entries)
    snprintf(text + used, TLB_SHAPE_TEXT - (size_t)used, ",pwc=%ux%u",
             pwc->entries, pwc->ways);
  return text;
}

int tlb_option_set(void *at, const char *option, const char *text) {
  errno = 0;
  if (!tlb_shape_parse(text, at)) return VAT_OK;
  if (errno == ENOTSUP)
    return fail(
        VAT_ABSENT,
        "--%s here: this processor or its hypervisor does not report its TLBs; "
        "fix: give their shape, for example --%s l1=64x4,l2=1536x12",
        option, option);
  /* With TLB_ENTRIES_MAX and TLB_WAYS_MAX. */
  return fail(VAT_USAGE,
              "--%s %s: not a TLB shape; write --tlb here for this processor, "
              "or a shape such as l1=64x4,l2=1536x12,pwc=32x4: ENTRIESxWAYS, "
              "where ENTRIES / WAYS is a power of two; at most 1048576 entries "
              "and 1024 ways",
              option, text);
}

static json_t *cache(const struct tlb_cache_shape *shape) {
  if (!shape->entries) return json_null();
  return json_pack("[ii]", (int)shape->entries, (int)shape->ways);
}

json_t *sim_tlb_json(const struct tlb_shape *tlb) {
  return json_pack("{ss s{so so so}}", "policy", "tlb", "tlb", "l1",
                   cache(&tlb->level[0]), "l2", cache(&tlb->level[1]), "pwc",
                   cache(&tlb->walk));
}

static void print_cache(const char *name, const struct tlb_cache_shape *shape) {
  if (shape->entries)
    printf("%s%u entries in %u ways", name, shape->entries, shape->ways);
}

void sim_tlb_print(const struct tlb_shape *tlb) {
  print_cache("TLB: ", &tlb->level[0]);
  print_cache("; second level: ", &tlb->level[1]);
  print_cache("; page-walk cache of a layer: ", &tlb->walk);
  putchar('\n');
}
