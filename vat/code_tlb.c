/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/code_tlb.h"

const struct vat_tree code_tlb_tree = {9, 12, 4};

static const struct code_tlb_data code_size[CODE_TLB_PAGES] = {{0, 0}, {9, 1}};

static struct mixed_tlb_shape data_shape(const struct code_tlbs_shape *shape) {
  return (struct mixed_tlb_shape){.all = shape->data};
}

size_t vat_code_tlbs_bytes(const struct code_tlbs_shape *shape) {
  const struct mixed_tlb_shape data = data_shape(shape);
  return CODE_TLB_PAGES * vat_mixed_tlb_bytes(&shape->code, &code_tlb_tree) +
         (shape->sizes + 1) * vat_mixed_tlb_bytes(&data, &code_tlb_tree);
}

static char *add(struct mixed_tlb *tlb, const struct mixed_tlb_shape *shape,
                 char *memory) {
  vat_mixed_tlb_init(tlb, shape, &code_tlb_tree, memory);
  return memory + vat_mixed_tlb_bytes(shape, &code_tlb_tree);
}

void vat_code_tlbs_init(struct code_tlbs *tlbs,
                        const struct code_tlbs_shape *shape, void *memory) {
  const struct mixed_tlb_shape data = data_shape(shape);
  char *rest = memory;
  tlbs->sizes = shape->sizes;
  tlbs->own_second = shape->code.all.level[1].entries > 0;
  tlbs->walks_beside_large = 0;
  for (unsigned i = 0; i < CODE_TLB_PAGES; i++)
    rest = add(&tlbs->code[i], &shape->code, rest);
  for (unsigned i = 0; i < shape->sizes; i++) {
    tlbs->size[i] = shape->size[i];
    rest = add(&tlbs->data[i], &data, rest);
  }
  add(&tlbs->beside_large, &data, rest);
}

void vat_code_tlbs_clear(struct code_tlbs *tlbs) {
  for (unsigned i = 0; i < CODE_TLB_PAGES; i++)
    vat_mixed_tlb_clear(&tlbs->code[i]);
  for (unsigned i = 0; i < tlbs->sizes; i++)
    vat_mixed_tlb_clear(&tlbs->data[i]);
  vat_mixed_tlb_clear(&tlbs->beside_large);
  tlbs->walks_beside_large = 0;
}

/* What a first level missed, in the levels of `tlb` behind it. */
static unsigned beyond(struct mixed_tlb *tlb, const struct code_tlb_data *size,
                       uint64_t page) {
  if (vat_mixed_tlb_level(tlb, 1, page, size->digits)) return 0;
  return vat_mixed_tlb_walk(tlb, page, size->leaf);
}

/* The first level of data is the same whatever pages code is on. */
unsigned vat_code_tlbs_data(struct code_tlbs *tlbs, unsigned which,
                            uint64_t page) {
  const struct code_tlb_data *size = &tlbs->size[which];
  struct mixed_tlb *data = &tlbs->data[which];
  if (vat_mixed_tlb_level(data, 0, page, size->digits)) return 0;
  if (!which)
    tlbs->walks_beside_large += beyond(&tlbs->beside_large, size, page) > 0;
  unsigned nodes = beyond(data, size, page);
  data->second_hits += !nodes;
  return nodes;
}

unsigned vat_code_tlbs_first(struct code_tlbs *tlbs, uint64_t page) {
  unsigned missed = 0;
  for (unsigned i = 0; i < CODE_TLB_PAGES; i++)
    if (!vat_mixed_tlb_level(&tlbs->code[i], 0, page, code_size[i].digits))
      missed |= 1U << i;
  return missed;
}

unsigned vat_code_tlbs_beyond(struct code_tlbs *tlbs, unsigned code,
                              uint64_t page) {
  const struct code_tlb_data *size = &code_size[code];
  bool base = code == CODE_TLB_BASE;
  struct mixed_tlb *data = base ? tlbs->data : &tlbs->beside_large;
  unsigned read = 0;
  if (tlbs->own_second &&
      vat_mixed_tlb_level(&tlbs->code[code], 1, page, size->digits))
    return 0;
  for (unsigned i = base ? tlbs->sizes : 1; i-- > 0;)
    read = tlbs->own_second ? vat_mixed_tlb_walk(&data[i], page, size->leaf)
                            : beyond(&data[i], size, page);
  return read;
}
