/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"
#include "experiments/predict/predict.h"
#include "experiments/sim/tree_options.h"

enum {
  KEY_POLICY = 256,
  KEY_NODES,
  KEY_NO_SIMULATION,
  KEY_JSON,
  WORKSPACE_MULTIPLE = 64, /* where the forms let it begin */
};

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "The translation cache", 3},
    {"policy", KEY_POLICY, "islru|lru|min|ismin", 0,
     "what to evict (default: islru)", 0},
    {"tc-nodes", KEY_NODES, "W", 0,
     "nodes it holds, a list such as 64,1536 (default: 1536)", 0},
    {0, 0, NULL, 0, "Running", 6},
    {"no-simulation", KEY_NO_SIMULATION, NULL, 0, "print the bounds alone", 0},
    {"json", KEY_JSON, NULL, 0, "print one JSON object a line, one for each W",
     0},
    {0}};

/* What theorem 2.14 and 2.16 speak of. */
static const struct {
  const char *name;
  enum vat_bounds_policy kind;
} kinds[] = {{"islru", VAT_BOUNDS_RECENT},
             {"lru", VAT_BOUNDS_RECENT},
             {"min", VAT_BOUNDS_MIN},
             {"ismin", VAT_BOUNDS_ISMIN}};

static void choose_policy(struct predict_request *request, const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i].name, name)) {
      request->kind = kinds[i].kind;
      request->policy = vat_policy_find(name);
      return;
    }
  exit(fail(VAT_USAGE,
            "--policy %s: there are bounds of islru, lru, min and "
            "ismin",
            name));
}

static void choose_nodes(struct predict_request *request, const char *text) {
  char error[128];
  free(request->nodes.at);
  request->nodes.at = NULL;
  if (sizes_parse(text, &request->nodes, error, sizeof error))
    exit(fail(fail_code(errno), "--tc-nodes %s: %s", text, error));
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct predict_request *request = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &request->stream;
      state->child_inputs[1] = &request->tree;
      return 0;
    case KEY_POLICY:
      choose_policy(request, value);
      return 0;
    case KEY_NODES:
      choose_nodes(request, value);
      return 0;
    case KEY_NO_SIMULATION:
      request->no_simulation = true;
      return 0;
    case KEY_JSON:
      request->json = true;
      return 0;
    case ARGP_KEY_ARG:
      exit(fail(VAT_USAGE, "%s: unexpected; name the algorithm by --algo",
                value));
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static int find_form(struct predict_request *request) {
  char names[NAMES_SIZE] = "";
  const char *name = request->stream.algo->name;
  request->form = predict_form_find(name);
  if (request->form) return VAT_OK;
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    names_add(names, form->algo);
  return fail(VAT_USAGE, "--algo %s: the theory has no bounds of it, but of %s",
              name, names);
}

/* Forms are of random inputs and of whole words. */
static int check_input(const struct stream *stream) {
  const struct algo *algo = stream->algo;
  if (stream->generator && strcmp(stream->generator, algo->generators[0]))
    return fail(VAT_USAGE, "--generator %s: the bounds are of random inputs",
                stream->generator);
  if (stream->base % WORKSPACE_MULTIPLE)
    return fail(VAT_USAGE, "--base 0x%llx: the bounds take a multiple of %d",
                (unsigned long long)stream->base, WORKSPACE_MULTIPLE);
  return VAT_OK;
}

static int find_levels(struct predict_request *request) {
  struct vat_tree *tree = &request->tree;
  uint64_t page = stream_last_address(&request->stream) >> tree->page_bits;
  unsigned least = vat_tree_levels_for(tree->index_bits, page);
  if (!tree->levels) tree->levels = least;
  if (vat_tree_check(tree))
    return fail(VAT_USAGE,
                "the workspace needs a tree of %u levels, and %d are the most: "
                "give more --index-bits or --page-bits",
                tree->levels, VAT_LEVELS_MAX);
  if (vat_tree_holds(tree, page)) return VAT_OK;
  return fail(VAT_USAGE,
              "--algo %s: its workspace ends outside a tree of %u levels: a "
              "lower --base, or %u --levels",
              request->stream.algo->name, tree->levels, least);
}

static int check_nodes(const struct predict_request *request) {
  unsigned levels = request->tree.levels;
  if (request->nodes.at[0] > levels) return VAT_OK;
  return fail(VAT_USAGE,
              "--tc-nodes %llu: the bounds need a TC of at least %u nodes, one "
              "more than the tree's %u levels",
              (unsigned long long)request->nodes.at[0], levels + 1, levels);
}

static int check(struct predict_request *request) {
  int code = stream_check(&request->stream);
  if (!code && !request->stream.algo)
    code = fail(VAT_USAGE, "predict what? name an algorithm by --algo");
  if (!code) code = find_form(request);
  if (!code) code = check_input(&request->stream);
  if (!code) code = find_levels(request);
  if (!code && !request->nodes.at)
    code = sizes_range(1536, 1536, 2, &request->nodes)
               ? fail(VAT_ABSENT, "out of memory")
               : VAT_OK;
  return code ? code : check_nodes(request);
}

int predict_request_parse(struct predict_request *request, int argc,
                          char **argv) {
  static const struct argp_child children[] = {
      {&stream_argp, 0, NULL, 0}, {&tree_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      .options = option_table,
      .parser = parse,
      .children = children,
      .args_doc = "--algo ALGO --n N",
      .doc =
          "What the theory says an algorithm misses in a translation cache "
          "(TC) "
          "at least and at most, and, by simulation, what it misses: exit code "
          "1 where that is not between.",
  };
  *request = (struct predict_request){
      .policy = vat_policies[0], .tree = {.index_bits = 9, .page_bits = 12}};
  int code = command_parse(&argp, argc, argv, request);
  return code ? code : check(request);
}
