/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isp_advantage [K D W [RIVAL...]]: how many more cells an initial segment that
 * does not know the future needs, so that it never has more misses than each
 * rival on W cells (isp_game.h).  Without arguments: what takes a minute or
 * two.  Fails if `any` or `lifo` differ from the theorem of doc/extra-cells.md,
 * or another needs more. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/isp_game.h"

static const struct setting {
  unsigned children, levels, first, last; /* of W */
  const char *rival;                      /* NULL: all */
} settings[] = {
    {2, 1, 2, 3, NULL},    {2, 2, 2, 7, NULL},   {3, 2, 2, 5, NULL},
    {2, 3, 2, 6, NULL},    {3, 2, 6, 8, "plru"}, {2, 3, 7, 9, "plru"},
    {4, 2, 4, 5, "plru"},  {2, 4, 5, 8, "plru"}, {3, 2, 6, 13, "lifo"},
    {2, 3, 7, 14, "lifo"}, {4, 2, 4, 5, "lifo"}, {2, 4, 5, 8, "lifo"},
    {3, 2, 6, 13, "any"},  {2, 3, 7, 14, "any"}};

static bool agrees(const struct isp_rival *rival, unsigned more,
                   unsigned proved) {
  bool exact = !strcmp(rival->name, "any") || !strcmp(rival->name, "lifo");
  if (more == proved || (more < proved && !exact)) return true;
  fprintf(stderr, "isp_advantage: the theorem says %u\n", proved);
  return false;
}

/* The fewest extra cells for one rival. */
static int print_row(const struct isp_tree *tree, const struct isp_rival *rival,
                     unsigned nodes) {
  struct isp_answer answer, lost = {0};
  for (unsigned more = 0;; more++) {
    if (isp_game(tree, rival, nodes, more, &answer)) {
      fprintf(stderr, "isp_advantage: K = %u, d = %u, W = %u, %s: %s\n",
              tree->children, tree->levels, nodes, rival->name,
              strerror(errno));
      return -1;
    }
    if (answer.wins) {
      printf("%2u %2u %3u  %-6s %11u", tree->children, tree->levels, nodes,
             rival->name, more);
      if (more)
        printf(" %16u %9zu\n", lost.rounds, answer.states);
      else
        printf(" %16s %9zu\n", "-", answer.states);
      unsigned proved = isp_extra_cells(tree->children, tree->levels, nodes);
      return fflush(stdout) || !agrees(rival, more, proved) ? -1 : 0;
    }
    lost = answer;
  }
}

/* `name`: one rival, or NULL. */
static int print_rows(unsigned children, unsigned levels, unsigned nodes,
                      const char *name) {
  struct isp_tree tree;
  if (isp_tree_init(&tree, children, levels) || nodes < 2 ||
      nodes > ISP_CELLS || (name && !isp_rival_find(name))) {
    fprintf(stderr,
            "isp_advantage: K = %u, d = %u, W = %u, %s: needs a tree of at "
            "most %d nodes, 2 <= W <= %d, and a rival of isp_rivals.c\n",
            children, levels, nodes, name ? name : "all", ISP_NODES, ISP_CELLS);
    return -1;
  }
  for (const struct isp_rival *r = isp_rivals; r->name; r++)
    if ((!name || !strcmp(name, r->name)) && print_row(&tree, r, nodes))
      return -1;
  return 0;
}

int main(int argc, char **argv) {
  puts(" K  d   W  rival  extra cells  fails with fewer    states");
  puts("                               after (pages)");
  for (int i = 4; i < argc || (argc == 4 && i == 4); i++)
    if (print_rows((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]),
                   (unsigned)atoi(argv[3]), argv[i]))
      return 1;
  if (argc > 3) return 0;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    for (unsigned nodes = settings[i].first; nodes <= settings[i].last; nodes++)
      if (print_rows(settings[i].children, settings[i].levels, nodes,
                     settings[i].rival))
        return 1;
  return 0;
}
