/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"
#include "experiments/predict/predict.h"
#include "experiments/sim/tree_options.h"

enum { WORKSPACE_MULTIPLE = 64 /* where the forms let it begin */ };

#define AT(member) OPTION_AT(struct predict_request, member)

/* What theorem 2.14 and 2.16 speak of, in the order of --policy. */
static const struct {
  const char *name;
  enum vat_bounds_policy kind;
} kinds[] = {{"islru", VAT_BOUNDS_RECENT},
             {"lru", VAT_BOUNDS_RECENT},
             {"min", VAT_BOUNDS_MIN},
             {"ismin", VAT_BOUNDS_ISMIN}};

static const struct option_row rows[] = {
    {.rows = stream_rows, AT(stream)},
    {.help = "The translation cache"},
    {"policy", "islru|lru|min|ismin", OPTION_CHOICE, AT(chosen),
     .usual = "islru", .help = "what to evict"},
    {"tc-nodes", "W", OPTION_SIZES, AT(nodes), .usual = "1536",
     .help = "nodes it holds, a list such as 64,1536"},
    {.rows = tree_rows, AT(tree)},
    {.help = "Running"},
    {"no-simulation", NULL, OPTION_FLAG, AT(no_simulation),
     .help = "print the bounds alone"},
    {"json", NULL, OPTION_FLAG, AT(json),
     .help = "print one JSON object a line, one for each W"},
    {0}};

const struct option_table predict_table = {
    .rows = rows,
    .usage = "--algo ALGO --n N",
    .too_many = "unexpected; name the algorithm by --algo",
    .doc =
        "What the theory says an algorithm misses in a translation cache (TC) "
        "at least and at most, and, by simulation, what it misses: exit code 1 "
        "where that is not between.",
};

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
  request->kind = kinds[request->chosen].kind;
  request->policy = vat_policy_find(kinds[request->chosen].name);
  if (!request->stream.algo)
    return fail(VAT_USAGE, "predict what? name an algorithm by --algo");
  int code = stream_check(&request->stream);
  if (!code) code = find_form(request);
  if (!code) code = check_input(&request->stream);
  if (!code) code = find_levels(request);
  return code ? code : check_nodes(request);
}

int predict_request_parse(struct predict_request *request, int argc,
                          char **argv) {
  *request =
      (struct predict_request){.tree = {.index_bits = 9, .page_bits = 12}};
  int code = options_parse(&predict_table, argc, argv, request);
  return code ? code : check(request);
}
