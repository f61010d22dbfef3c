/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"
#include "experiments/sim/mixed_tlb_option.h"
#include "experiments/sim/sim.h"
#include "experiments/sim/sim_cost.h"
#include "experiments/sim/sim_one_cache.h"
#include "experiments/sim/sim_parallel.h"
#include "experiments/sim/sim_table.h"
#include "huge_pages/size_text.h"

static json_t *tree_json(const struct vat_tree *tree) {
  return json_pack("{si si si}", "page_bits", (int)tree->page_bits,
                   "index_bits", (int)tree->index_bits, "levels",
                   (int)tree->levels);
}

/* One TC's counts behind its tree. */
static void add_counts(json_t *object, const struct vat_tree *tree,
                       const struct vat_tc_counts *counts) {
  json_t *layers = json_array();
  for (unsigned layer = 0; layer <= tree->levels; layer++)
    json_array_append_new(
        layers, json_integer((json_int_t)counts->misses_by_layer[layer]));
  json_object_update_new(
      object, json_pack("{sI sI so}", "translations",
                        (json_int_t)counts->translations, "misses",
                        (json_int_t)counts->misses, "misses_by_layer", layers));
}

static json_t *side(const struct vat_tree *tree, uint64_t nodes,
                    const struct vat_tc_counts *counts) {
  json_t *object = json_pack("{so*}", "tc_nodes",
                             nodes ? json_integer((json_int_t)nodes) : NULL);
  json_object_update_new(object, tree_json(tree));
  add_counts(object, tree, counts);
  return object;
}

static json_t *curve_json(const struct sim_result *result) {
  json_t *curve = json_array();
  for (size_t i = 0; i < result->curve_points; i++)
    json_array_append_new(curve,
                          json_pack("[II]", (json_int_t)result->curve[i].nodes,
                                    (json_int_t)result->curve[i].misses));
  return curve;
}

static void add_nested(json_t *object, const struct sim_request *request,
                       const struct sim_result *result) {
  bool shared = request->mode == VAT_NESTED_SHARED;
  uint64_t misses = result->counts.misses + result->host.misses;
  json_object_update_new(
      object,
      json_pack(
          "{ss sI sI so so}", "nested", vat_nested_mode_names[request->mode],
          "translations", (json_int_t)result->counts.translations, "misses",
          (json_int_t)misses, "guest",
          side(&request->tree, shared ? 0 : request->nodes, &result->counts),
          "host",
          side(&request->host, shared ? 0 : request->host_nodes,
               &result->host)));
  if (request->guest_memory)
    json_object_set_new(
        object, "guest_memory",
        json_pack("{so so so sI}", "bytes", json_of_u64(request->guest_memory),
                  "seed", json_of_u64(request->guest_seed), "frames",
                  json_of_u64(result->frames.all), "frames_used",
                  (json_int_t)result->frames.used));
}

/* NAN: of nothing there is no share. */
static double per(uint64_t count, uint64_t all) {
  return (double)count / (double)all;
}

static json_t *class_json(const struct sim_result *result, int i) {
  const struct vat_class_counts *class = &result->classes.counts.classes[i];
  return json_pack(
      "{sI sI so so}", "translations", (json_int_t) class->translations,
      "misses", (json_int_t) class->misses, "share_of_translations",
      json_of_real(per(class->translations, result->counts.translations)),
      "share_of_misses",
      json_of_real(per(class->misses, result->counts.misses)));
}

static json_t *classes_json(const struct sim_result *result) {
  const struct sim_classes *classes = &result->classes;
  const struct vat_classify_params *params = &classes->params;
  json_t *each = json_object();
  for (int i = 0; i < VAT_CLASSES; i++)
    json_object_set_new(each, vat_class_names[i], class_json(result, i));
  return json_pack("{so sI sI s{sI sI sI sf si sI sf}}", "classes", each,
                   "sequences", (json_int_t)classes->counts.sequences, "far",
                   (json_int_t)classes->counts.far, "classify", "tau",
                   (json_int_t)params->tau, "cat_gap", (json_int_t)params->gap,
                   "cat_step", (json_int_t)params->step, "rat_theta",
                   params->theta, "rat_part_bits", (int)classes->part_bits,
                   "rat_window", (json_int_t)params->window, "rat_fraction",
                   params->fraction);
}

static void print_json(const struct sim_request *request,
                       const struct sim_result *result) {
  uint64_t cells =
      vat_policy_cells(request->policy, &request->tree, request->nodes);
  bool is_tc = !request->tlb.all.level[0].entries;
  json_t *object = is_tc ? json_pack("{ss}", "policy", request->policy->name)
                         : mixed_tlb_json(&request->tlb);
  if (is_tc && request->policy->draws)
    json_object_set_new(object, "policy_seed",
                        json_of_u64(request->policy_seed));
  if (is_tc && !request->all_w)
    json_object_set_new(object, "tc_nodes",
                        json_integer((json_int_t)request->nodes));
  json_object_update_new(object, tree_json(&request->tree));
  sim_layout_json(object, "layout", &request->layout, &request->tree);
  sim_layout_json(object, "host_layout", &request->host_layout, &request->host);
  json_object_set_new(object, "accesses",
                      json_integer((json_int_t)result->accesses));
  if (request->nested)
    add_nested(object, request, result);
  else if (request->all_w)
    json_object_update_new(
        object, json_pack("{sI so}", "translations",
                          (json_int_t)result->counts.translations, "curve",
                          curve_json(result)));
  else
    add_counts(object, &request->tree, &result->counts);
  if (request->classify.asked)
    json_object_update_new(object, classes_json(result));
  if (request->one_cache) sim_one_cache_json(object, result);
  if (request->processors) sim_parallel_json(object, request, result);
  if (is_tc && !request->all_w && cells != request->nodes)
    json_object_set_new(object, "cells", json_of_u64(cells));
  sim_cost_json(object, request, result);
  json_line(stdout, object, JSON_PRESERVE_ORDER);
}

enum { POWER_TEXT = 32 };

/* 2^bits bytes: "2 MiB". */
static const char *power_text(unsigned bits, char text[POWER_TEXT]) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                      "TiB",   "PiB", "EiB"};
  if (!bits)
    strcpy(text, "1 byte");
  else if (bits < 70)
    snprintf(text, POWER_TEXT, "%u %s", 1u << bits % 10, units[bits / 10]);
  else
    snprintf(text, POWER_TEXT, "2^%u bytes", bits);
  return text;
}

static void print_tree(const char *of, const struct vat_tree *tree) {
  char page[POWER_TEXT];
  printf("%stree: %u level%s, %" PRIu64 " children a node, pages of %s\n", of,
         tree->levels, tree->levels == 1 ? "" : "s",
         UINT64_C(1) << tree->index_bits, power_text(tree->page_bits, page));
}

/* Lines begin with whose they are where there are two: "guest ". */
static struct text_table layers_table(const struct sim_request *request) {
  struct text_table table = {.out = stdout, .gap = 1};
  text_columns(&table, request->nested ? "-14       layer" : "-8 layer");
  text_columns(&table,
               request->one_cache ? "12 a line spans" : "12 a node spans");
  text_columns(&table, "20 misses\t22 misses per translation");
  return table;
}

static void print_layers(struct text_table *table, const char *of,
                         const struct vat_tree *tree,
                         const struct vat_tc_counts *counts,
                         uint64_t translations) {
  char text[POWER_TEXT];
  for (unsigned layer = 0; layer <= tree->levels; layer++) {
    const char *name = !layer ? " leaf" : layer == tree->levels ? " root" : "";
    text_row(table, "%s%u%s\t%s\t%" PRIu64 "\t%.6f", of, layer, name,
             power_text(tree->page_bits + layer * tree->index_bits, text),
             counts->misses_by_layer[layer],
             per(counts->misses_by_layer[layer], translations));
  }
}

static void end_layers(struct text_table *table, const char *all,
                       uint64_t misses, uint64_t translations) {
  text_row(table, "%s\t\t%" PRIu64 "\t%.6f", all, misses,
           per(misses, translations));
  text_table_end(table);
}

static void print_nested(const struct sim_request *request,
                         const struct sim_result *result) {
  uint64_t translations = result->counts.translations;
  bool shared = request->mode == VAT_NESTED_SHARED;
  printf("%s, W = %" PRIu64 "%s", request->policy->name, request->nodes,
         shared ? ", one TC for guest and host\n" : " for the guest");
  if (!shared)
    printf(", %" PRIu64 " for the host%s\n", request->host_nodes,
           request->mode == VAT_NESTED_MISSES
               ? ", which is asked for guest nodes that missed"
               : "");
  print_tree("guest ", &request->tree);
  sim_layout_print(&request->layout, "guest ", &request->tree);
  print_tree("host  ", &request->host);
  sim_layout_print(&request->host_layout, "host  ", &request->host);
  if (request->guest_memory)
    printf("guest memory: %s, %" PRIu64 " of %" PRIu64 " frames in use\n",
           HP_SIZE_SHOWN(request->guest_memory), result->frames.used,
           result->frames.all);
  printf("%" PRIu64 " walks in the host, %.6f a translation\n",
         result->host.translations,
         per(result->host.translations, translations));
  struct text_table table = layers_table(request);
  print_layers(&table, "guest ", &request->tree, &result->counts, translations);
  print_layers(&table, "host  ", &request->host, &result->host, translations);
  end_layers(&table, "      all", result->counts.misses + result->host.misses,
             translations);
}

static void print_point(struct text_table *table,
                        const struct sim_result *result, uint64_t nodes) {
  size_t i = result->curve_points - 1;
  while (i > 0 && result->curve[i].nodes > nodes) i--;
  uint64_t misses = result->curve[i].misses;
  text_row(table, "%" PRIu64 "\t%" PRIu64 "\t%.6f", nodes, misses,
           per(misses, result->counts.translations));
}

/* Enough of the curve to see its shape: powers of two between its ends. */
static void print_curve(const struct sim_request *request,
                        const struct sim_result *result) {
  uint64_t first = result->curve[0].nodes;
  uint64_t last = result->curve[result->curve_points - 1].nodes;
  uint64_t nodes = 1;
  printf("%s, every W from %" PRIu64 " on; --json has all, %zu step%s\n",
         request->policy->name, first, result->curve_points,
         result->curve_points == 1 ? "" : "s");
  print_tree("", &request->tree);
  struct text_table table = {.out = stdout, .gap = 1};
  text_columns(&table, "14 W\t20 misses\t22 misses per translation");
  print_point(&table, result, first);
  while (nodes <= first) nodes *= 2;
  for (; nodes < last; nodes *= 2) print_point(&table, result, nodes);
  if (last > first) print_point(&table, result, last);
  text_table_end(&table);
  puts("from there on only first accesses miss");
}

/* Of 2^bits bytes: it may be more than any machine has. */
static const char *part_text(unsigned bits, char text[HP_SIZE_TEXT]) {
  if (bits < 63) return hp_size_text((size_t)1 << bits, text);
  snprintf(text, HP_SIZE_TEXT, "2^%u bytes", bits);
  return text;
}

static void share_cells(struct text_table *table, uint64_t of, uint64_t all) {
  text_cell(table, "%" PRIu64, of);
  text_cell_if(table, all, "%.2f %%", 100 * per(of, all));
}

static void print_classes(const struct sim_result *result) {
  const struct sim_classes *classes = &result->classes;
  const struct vat_classify_params *params = &classes->params;
  char part[HP_SIZE_TEXT];
  struct text_table table = {.out = stdout, .gap = 1};
  text_columns(&table,
               "-12 stretches\t20 translations\t11 share\t20 misses\t11 share");
  for (int i = 0; i < VAT_CLASSES; i++) {
    const struct vat_class_counts *class = &classes->counts.classes[i];
    text_cell(&table, "%s", vat_class_names[i]);
    share_cells(&table, class->translations, result->counts.translations);
    share_cells(&table, class->misses, result->counts.misses);
    text_row_end(&table);
  }
  text_table_end(&table);
  printf("%" PRIu64 " consecutive: tau %" PRIu64 ", gaps of up to %" PRIu64
         ", steps of up to %" PRIu64 " page%s\n",
         classes->counts.sequences, params->tau, params->gap, params->step,
         params->step == 1 ? "" : "s");
  printf("%" PRIu64
         " far, in parts of %s not accessed since W misses; random "
         "from %g on of %" PRIu64 "\n",
         classes->counts.far, part_text(classes->part_bits, part),
         params->fraction, params->window);
}

static void print_cache(const struct sim_request *request) {
  uint64_t cells =
      vat_policy_cells(request->policy, &request->tree, request->nodes);
  if (request->tlb.all.level[0].entries) {
    mixed_tlb_print(&request->tlb);
    return;
  }
  printf("%s, W = %" PRIu64, request->policy->name, request->nodes);
  if (request->one_cache) printf(" lines of data and tables");
  if (cells != request->nodes) printf(", %" PRIu64 " cells", cells);
  if (request->policy->draws) printf(", seed %" PRIu64, request->policy_seed);
  putchar('\n');
}

static void print_text(const struct sim_request *request,
                       const struct sim_result *result) {
  printf("%" PRIu64 " accesses, %" PRIu64 " translations\n", result->accesses,
         result->counts.translations);
  if (!result->accesses) return; /* an algorithm's: traces have some */
  if (request->nested) {
    print_nested(request, result);
  } else if (request->all_w) {
    print_curve(request, result);
  } else {
    print_cache(request);
    if (request->processors) sim_parallel_print(request, result);
    print_tree("", &request->tree);
    sim_layout_print(&request->layout, "", &request->tree);
    struct vat_tree tree = request->tree;
    struct text_table table = layers_table(request);
    if (request->one_cache) {
      tree.page_bits += VAT_LINE_ENTRY_BITS;
      sim_one_cache_row(&table, result);
    }
    print_layers(&table, "", &tree, &result->counts,
                 result->counts.translations);
    end_layers(&table, "all", result->counts.misses,
               result->counts.translations);
    if (request->classify.asked) print_classes(result);
    if (request->processors) sim_parallel_print_most(request, result);
  }
  sim_cost_print(request, result);
}

void sim_print(const struct sim_request *request,
               const struct sim_result *result) {
  if (request->table)
    sim_table_print(request, result);
  else
    (request->json ? print_json : print_text)(request, result);
}
