/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/isp_game.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_EVER = 255, MOST = 64 }; /* needs above MOST count as for ever */

struct move {
  uint32_t state; /* the rival's, afterwards, and after the symmetry */
  uint16_t symmetry;
  uint8_t page, misses;
};

/* The rival: states in the order in which they were found, each with its moves
 * from first[state] to first[state + 1]. */
struct states {
  struct isp_state *at;
  uint32_t *slots; /* hash: 1 + state, or 0 */
  size_t count, room, mask;
  size_t *first;
  struct move *moves;
  size_t move_count, move_room;
};

/* The strategy: initial segments as sets of nodes; [0] is empty.  For each
 * (segment, page) the segments that may follow. */
struct segments {
  uint32_t *at;
  size_t count, room;
  size_t *first;
  uint32_t *next;
  size_t next_count, next_room;
  uint8_t *misses;
  uint32_t *images; /* [symmetry][segment] */
};

static void *grown(void *array, size_t *room, size_t count, size_t size) {
  if (count < *room) return array;
  size_t more = *room ? 2 * *room : 256;
  void *larger = reallocarray(array, more, size);
  if (larger) *room = more;
  return larger;
}

static size_t hash_of(const struct isp_state *state) {
  const unsigned char *byte = (const unsigned char *)state;
  uint64_t hash = 1469598103934665603u; /* FNV-1a */
  for (size_t i = 0; i < sizeof *state; i++)
    hash = (hash ^ byte[i]) * 1099511628211u;
  return hash ^ hash >> 29;
}

static size_t slot_of(const struct states *s, const struct isp_state *state) {
  size_t slot = hash_of(state) & s->mask;
  while (s->slots[slot] &&
         memcmp(&s->at[s->slots[slot] - 1], state, sizeof *state))
    slot = (slot + 1) & s->mask;
  return slot;
}

static int rehash(struct states *s) {
  size_t slots = s->mask ? 2 * (s->mask + 1) : 1024;
  free(s->slots);
  s->slots = calloc(slots, sizeof *s->slots);
  if (!s->slots) return -1;
  s->mask = slots - 1;
  for (size_t i = 0; i < s->count; i++)
    s->slots[slot_of(s, &s->at[i])] = (uint32_t)i + 1;
  return 0;
}

/* The number of a state, which may be new; -1 with ENOMEM. */
static long number(struct states *s, const struct isp_state *state) {
  if (2 * s->count >= s->mask && rehash(s)) return -1;
  size_t slot = slot_of(s, state);
  if (s->slots[slot]) return (long)s->slots[slot] - 1;
  struct isp_state *at = grown(s->at, &s->room, s->count, sizeof *at);
  if (!at) return -1;
  s->at = at;
  s->at[s->count] = *state;
  s->slots[slot] = (uint32_t)++s->count;
  return (long)s->count - 1;
}

static int add_move(struct states *s, struct move move) {
  struct move *moves =
      grown(s->moves, &s->move_room, s->move_count, sizeof *moves);
  if (!moves) return -1;
  s->moves = moves;
  s->moves[s->move_count++] = move;
  return 0;
}

/* What a rival may have come to within a translation, without doubles. */
struct partial {
  struct isp_state state;
  unsigned misses;
};

struct partials {
  struct partial *at;
  size_t count, room;
};

static int add_partial(struct partials *list, const struct isp_state *state,
                       unsigned misses) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i].misses == misses &&
        !memcmp(&list->at[i].state, state, sizeof *state))
      return 0;
  struct partial *at = grown(list->at, &list->room, list->count, sizeof *at);
  if (!at) return -1;
  list->at = at;
  list->at[list->count++] = (struct partial){*state, misses};
  return 0;
}

struct play {
  const struct isp_tree *tree;
  const struct isp_rival *rival;
  unsigned nodes, limit; /* W, W + a */
  struct isp_symmetry symmetry;
  struct partials now, next;
  struct states states;
  struct segments segments;
};

/* The rival accesses `node`: from p->now to p->next, and back. */
static int access_node(struct play *p, unsigned node) {
  p->next.count = 0;
  for (size_t i = 0; i < p->now.count; i++) {
    struct isp_state next[ISP_CELLS];
    const struct partial *from = &p->now.at[i];
    unsigned miss = !isp_state_has(&from->state, node);
    unsigned count = p->rival->access(&from->state, p->nodes, node, next);
    for (unsigned to = 0; to < count; to++)
      if (add_partial(&p->next, &next[to], from->misses + miss)) return -1;
  }
  struct partials swap = p->now;
  p->now = p->next;
  p->next = swap;
  return 0;
}

/* All moves from `state` by `page`. */
static int translate(struct play *p, const struct isp_state *state,
                     unsigned page) {
  p->now.count = 0;
  if (add_partial(&p->now, state, 0)) return -1;
  for (unsigned layer = p->tree->levels + 1; layer-- > 0;)
    if (access_node(p, isp_tree_node(p->tree, page, layer))) return -1;
  for (size_t i = 0; i < p->now.count; i++) {
    struct partial *end = &p->now.at[i];
    size_t symmetry =
        isp_symmetry_least(&p->symmetry, p->rival->sorted, &end->state);
    long to = number(&p->states, &end->state);
    if (to < 0 || add_move(&p->states,
                           (struct move){(uint32_t)to, (uint16_t)symmetry,
                                         (uint8_t)page, (uint8_t)end->misses}))
      return -1;
  }
  return 0;
}

static int find_states(struct play *p) {
  struct states *s = &p->states;
  struct isp_state empty;
  size_t first_room = 0;
  memset(&empty, 0, sizeof empty);
  if (number(s, &empty) < 0) return -1;
  for (size_t i = 0; i <= s->count; i++) {
    size_t *first = grown(s->first, &first_room, i, sizeof *first);
    if (!first) return -1;
    s->first = first;
    s->first[i] = s->move_count;
    if (i == s->count) break;
    struct isp_state state = s->at[i];
    for (unsigned page = 0; page < p->tree->pages; page++)
      if (translate(p, &state, page)) return -1;
  }
  return 0;
}

/* The segment's number, which may be new; -1 with ENOMEM.  There are few. */
static long segment(struct segments *s, uint32_t nodes) {
  for (size_t i = 0; i < s->count; i++)
    if (s->at[i] == nodes) return (long)i;
  uint32_t *at = grown(s->at, &s->room, s->count, sizeof *at);
  if (!at) return -1;
  s->at = at;
  s->at[s->count++] = nodes;
  return (long)s->count - 1;
}

/* May `node` leave the segment, and it remains one, with the path? */
static bool may_leave(const struct isp_tree *tree, uint32_t nodes,
                      uint32_t path, unsigned node) {
  if (!(nodes >> node & 1) || path >> node & 1) return false;
  uint64_t below = (UINT64_C(1) << tree->children) - 1;
  unsigned first = tree->children * node + 1;
  return first >= tree->nodes || !(nodes & below << first);
}

/* All of the largest segments inside `nodes` with the path that fit: into
 * segments.next, without doubles behind `from`. */
static int shrink(struct play *p, uint32_t nodes, uint32_t path, size_t from) {
  struct segments *s = &p->segments;
  if ((unsigned)__builtin_popcount(nodes) <= p->limit) {
    long to = segment(s, nodes);
    if (to < 0) return -1;
    for (size_t i = from; i < s->next_count; i++)
      if (s->next[i] == (uint32_t)to) return 0;
    uint32_t *next = grown(s->next, &s->next_room, s->next_count, sizeof *next);
    if (!next) return -1;
    s->next = next;
    s->next[s->next_count++] = (uint32_t)to;
    return 0;
  }
  for (unsigned node = 0; node < p->tree->nodes; node++)
    if (may_leave(p->tree, nodes, path, node) &&
        shrink(p, nodes & ~(UINT32_C(1) << node), path, from))
      return -1;
  return 0;
}

static int find_segments(struct play *p) {
  struct segments *s = &p->segments;
  size_t pages = p->tree->pages, first_room = 0, misses_room = 0;
  if (segment(s, 0) < 0) return -1;
  for (size_t i = 0; i < s->count * pages; i++) {
    uint32_t path = 0, nodes = s->at[i / pages];
    for (unsigned layer = 0; layer <= p->tree->levels; layer++)
      path |= UINT32_C(1) << isp_tree_node(p->tree, i % pages, layer);
    size_t *first = grown(s->first, &first_room, i + 1, sizeof *first);
    if (!first) return -1;
    s->first = first;
    uint8_t *misses = grown(s->misses, &misses_room, i, sizeof *misses);
    if (!misses) return -1;
    s->misses = misses;
    s->misses[i] = (uint8_t)__builtin_popcount(path & ~nodes);
    s->first[i] = s->next_count;
    if (shrink(p, nodes | path, path, s->next_count)) return -1;
    s->first[i + 1] = s->next_count;
  }
  return 0;
}

static int find_images(struct play *p) {
  struct segments *s = &p->segments;
  s->images = calloc(p->symmetry.count * s->count, sizeof *s->images);
  if (!s->images) return -1;
  for (size_t i = 0; i < p->symmetry.count * s->count; i++)
    s->images[i] = (uint32_t)segment(
        s, isp_symmetry_image(&p->symmetry, i / s->count, s->at[i % s->count]));
  return 0;
}

/* The least need over what may follow (segment, page), beside a state, if
 * `image` maps segments as the state's symmetry does. */
static unsigned best(const struct segments *s, const uint8_t *need,
                     const uint32_t *image, size_t at) {
  unsigned least = FOR_EVER;
  for (size_t i = s->first[at]; i < s->first[at + 1]; i++)
    if (need[image[s->next[i]]] < least) least = need[image[s->next[i]]];
  return least;
}

static unsigned need_of(const struct play *p, const uint8_t *need, size_t state,
                        size_t segment) {
  const struct segments *s = &p->segments;
  int most = 0;
  for (size_t m = p->states.first[state]; m < p->states.first[state + 1]; m++) {
    const struct move *move = &p->states.moves[m];
    size_t at = segment * p->tree->pages + move->page;
    int after = (int)best(s, need + move->state * s->count,
                          s->images + move->symmetry * s->count, at);
    if (after == FOR_EVER) return FOR_EVER;
    int before = after + s->misses[at] - move->misses;
    if (before > most) most = before;
  }
  return most > MOST ? FOR_EVER : (unsigned)most;
}

/* One round; does it change anything? */
static bool play_round(const struct play *p, const uint8_t *need,
                       uint8_t *after, bool *beyond) {
  size_t segments = p->segments.count, states = p->states.count;
  bool changed = false;
  for (size_t i = 0; i < states * segments; i++) {
    after[i] = (uint8_t)need_of(p, need, i / segments, i % segments);
    changed |= after[i] != need[i];
    *beyond |= after[i] == FOR_EVER;
  }
  return changed;
}

/* Rounds until nothing changes, or [0], two empty TCs, needs something. */
static int solve(const struct play *p, struct isp_answer *answer) {
  size_t pairs = p->segments.count * p->states.count;
  uint8_t *need = calloc(pairs, 1), *after = calloc(pairs, 1);
  bool changed = true, beyond = false;
  int failed = -1;
  if (!need || !after) goto done;
  for (; changed && !need[0]; answer->rounds++) {
    changed = play_round(p, need, after, &beyond);
    uint8_t *swap = need;
    need = after;
    after = swap;
  }
  answer->wins = !need[0];
  failed = need[0] && beyond ? -1 : 0;
  if (failed) errno = ERANGE;
done:
  free(need);
  free(after);
  return failed;
}

int isp_game(const struct isp_tree *tree, const struct isp_rival *rival,
             unsigned nodes, unsigned more, struct isp_answer *answer) {
  struct play p = {
      .tree = tree, .rival = rival, .nodes = nodes, .limit = nodes + more};
  *answer = (struct isp_answer){.rounds = 1};
  if (p.limit <= tree->levels) return 0;
  answer->rounds = 0;
  int failed = isp_symmetry_init(&p.symmetry, tree) || find_states(&p) ||
                       find_segments(&p) || find_images(&p)
                   ? -1
                   : solve(&p, answer);
  answer->states = p.states.count;
  answer->moves = p.states.move_count;
  answer->segments = p.segments.count;
  int error = errno;
  free(p.states.at), free(p.states.slots), free(p.states.first);
  free(p.states.moves);
  free(p.segments.at), free(p.segments.first), free(p.segments.next);
  free(p.segments.misses), free(p.segments.images);
  free(p.symmetry.to), free(p.now.at), free(p.next.at);
  errno = error;
  return failed;
}
