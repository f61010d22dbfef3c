/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/planning.h -- `vat plan`: from a saved profile to a plan.
 *
 *   planning_open()   reads the profile, and predicts what each site saves
 *   planning_choose() chooses within the budget, and fills the plan
 *   planning_costs()  what that costs, and whether it is worth it
 *   planning_ways()   other ways to the same
 *   planning_print(), planning_to_json()
 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "experiments/exec/page_plan.h"
#include "experiments/profile/candidates.h"
#include "experiments/profile/frame_names.h"
#include "experiments/profile/plan_request.h"
#include "experiments/profile/profile_saved.h"
#include "experiments/profile/what_if_table.h"

/* What a plan costs, and what is behind plan.harm.  NAN: not known. */
struct plan_costs {
  double touched;               /* bytes of the chosen memory on base pages */
  double faulted_now;           /* those times how often they are faulted in */
  double faulted_then;          /* bytes of larger pages, times that */
  double on_base;               /* bytes that are faulted in on base pages, all
                                   the same: as `faulted_now` */
  double read_first;            /* pages that are faulted in once more when
                                   they are written */
  bool arena;                   /* chosen memory is in one */
  double more;                  /* at the peak, with the plan */
  double look_ups_s;            /* user time of finding small blocks; what is
                                   saved is less it */
  double sys_saved_s;           /* of first touches: less than 0 is more time */
  double touch_now, touch_then; /* seconds, of a base page and a larger one */
};

struct planning {
  const struct plan_request *request;
  struct profile_saved saved;
  struct profile_request profiled; /* what the profile was asked for */
  struct profile profile;
  struct what_if_table table;
  const struct what_if *what; /* NULL: no prediction */
  bool *cut; /* sites whose mappings are cut from larger pages */
  /* Of a size between that saves no user time: savings are of system time, that
   * of first touches, less look-ups, instead of what `what` says. */
  bool by_touch;
  struct candidates all;
  struct frame_names names;
  double saving, most;   /* chosen, and at most; seconds, or misses */
  double misses;         /* of all leaves on base pages */
  double *curve;         /* savings of the plan's points; as `saving` */
  double *choice_misses; /* of the plan's choices */
  struct plan_costs costs;
  struct page_plan plan;
};

/* Exit codes; what is wrong has been told.  planning_end() in any case. */
int planning_open(struct planning *planning,
                  const struct plan_request *request);
void planning_choose(struct planning *planning);
void planning_costs(struct planning *planning);

/* Finds the candidates: `all`. */
void planning_find(struct planning *planning, uint64_t page, unsigned tree);
/* System time that the first bytes of an arena take, where that counts. */
double planning_arena_s(const struct planning *planning);

/* What savings in all cannot be told from nothing, in seconds. */
double planning_noise_s(const struct planning *planning);

/* Adds what is chosen to `costs`, but for the arena. */
void planning_add_costs(struct planning *planning,
                        const struct candidate *chosen, size_t count);
void planning_ways(struct planning *planning);
/* Forgets what was chosen, so that it can be chosen anew. */
void planning_forget(struct planning *planning);
void planning_end(struct planning *planning);

/* Of the larger pages that were asked for, bytes; memory is chosen by units of
 * 2 MiB at least, candidates.page. */
uint64_t planning_page(const struct planning *planning);
/* Transparent huge pages, of whatever size; and of one below 2 MiB? */
bool planning_is_thp(const struct planning *planning);
/* What-if's row of the plan's pages, and the tree: "2m" or "1g". */
const char *planning_row_name(const struct planning *planning);
bool planning_is_small(const struct planning *planning);
/* Are savings seconds?  Else misses. */
bool planning_has_time(const struct planning *planning);

void planning_print(const struct planning *planning, FILE *to);
/* The plan, and what else is known of it: what `-o` and `--json` write. */
json_t *planning_to_json(const struct planning *planning);

/* What a way of plan.ways does, for people. */
const char *plan_way_meaning(const struct plan_way *way);
/* A command as a shell takes it, of NULL-ended words; to free(). */
char *plan_command(const char *before, char *const *words);
