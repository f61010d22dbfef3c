/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_layout.h -- --layout and --host-layout of `vat sim`. */
#pragma once
#include <jansson.h>

#include "experiments/sim/layout_file.h"

struct sim_layout {
  const char *path; /* NULL: all pages have the tree's size */
  struct layout_file file;
};

/* Read the file of --`option`, if there is one.  An exit code, having printed
 * what is wrong. */
int sim_layout_read(struct sim_layout *layout, const char *option);

/* `levels`, or so many more that the largest page is below the root. */
unsigned sim_layout_levels(const struct sim_layout *layout,
                           const struct vat_tree *tree, unsigned levels);

/* The layout of a tree, to be destroyed; NULL: none is asked for.  An exit
 * code, as above. */
int sim_layout_make(const struct sim_layout *layout, const char *option,
                    const struct vat_tree *tree, struct vat_layout **made);

/* Add "key":{"default_page_bits":...,"ranges":[{"page_bits":...,
 * "ranges":...,"bytes":...},...]}, or nothing. */
void sim_layout_json(json_t *object, const char *key,
                     const struct sim_layout *layout,
                     const struct vat_tree *tree);
/* A line, or nothing; `of` as "guest ". */
void sim_layout_print(const struct sim_layout *layout, const char *of,
                      const struct vat_tree *tree);
