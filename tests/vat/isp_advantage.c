/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isp_advantage [K D W...]: how many more cells an initial segment that does
 * not know the future needs, so that it never has more misses than each rival
 * on W cells (isp_game.h).  Without arguments: what takes a minute or two. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/isp_game.h"

static const struct setting {
  unsigned children, levels, first, last; /* of W */
} settings[] = {{2, 1, 2, 3}, {2, 2, 3, 7}, {3, 2, 3, 5}, {2, 3, 4, 6}};

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
      return fflush(stdout);
    }
    lost = answer;
  }
}

static int print_rows(unsigned children, unsigned levels, unsigned nodes) {
  struct isp_tree tree;
  if (isp_tree_init(&tree, children, levels) || nodes <= levels ||
      nodes > ISP_CELLS) {
    fprintf(stderr,
            "isp_advantage: K = %u, d = %u, W = %u: needs a tree of at most %d "
            "nodes and d < W <= %d\n",
            children, levels, nodes, ISP_NODES, ISP_CELLS);
    return -1;
  }
  for (const struct isp_rival *r = isp_rivals; r->name; r++)
    if (print_row(&tree, r, nodes)) return -1;
  return 0;
}

int main(int argc, char **argv) {
  puts(" K  d   W  rival  extra cells  fails with fewer    states");
  puts("                               after (pages)");
  for (int i = 3; i < argc; i++)
    if (print_rows((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]),
                   (unsigned)atoi(argv[i])))
      return 1;
  if (argc > 3) return 0;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    for (unsigned nodes = settings[i].first; nodes <= settings[i].last; nodes++)
      if (print_rows(settings[i].children, settings[i].levels, nodes)) return 1;
  return 0;
}
