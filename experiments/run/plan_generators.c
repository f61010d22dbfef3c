/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/run/plan.h"

static int refuse(char reason[PLAN_REASON], const struct algo *algo,
                  const char *name, size_t length) {
  char names[NAMES_SIZE] = "";
  for (size_t i = 0; algo->generators && algo->generators[i]; i++)
    names_add(names, algo->generators[i]);
  snprintf(reason, PLAN_REASON, "%.*s: %s has %.300s",
           (int)(length < 64 ? length : 64), name, algo->name,
           algo->generators ? names : "one kind of input only");
  errno = EINVAL;
  return -1;
}

/* The entry of algo->generators that is the first `length` of `name`. */
static const char *find(const struct algo *algo, const char *name,
                        size_t length) {
  for (size_t i = 0; algo->generators && algo->generators[i]; i++)
    if (!strncmp(algo->generators[i], name, length) &&
        !algo->generators[i][length])
      return algo->generators[i];
  return NULL;
}

static void add(struct plan *plan, const struct plan_entry *of,
                const char *generator) {
  plan_add(plan, of->algo, &of->sizes);
  if (generator != of->algo->generators[0])
    plan->entries[plan->count - 1].generator = generator;
}

static void add_all(struct plan *plan, const struct plan_entry *of) {
  const char *const *name = of->algo->generators;
  if (!name) plan_add(plan, of->algo, &of->sizes);
  for (; name && *name; name++) add(plan, of, *name);
}

static int add_named(struct plan *plan, const struct plan_entry *of,
                     const char *list, char reason[PLAN_REASON]) {
  size_t first = plan->count;
  for (;; list++) {
    size_t length = strcspn(list, ",");
    const char *generator = find(of->algo, list, length);
    if (!generator) return refuse(reason, of->algo, list, length);
    add(plan, of, generator);
    for (size_t i = first; i + 1 < plan->count; i++)
      if (plan->entries[i].generator ==
          plan->entries[plan->count - 1].generator) {
        snprintf(reason, PLAN_REASON, "%s is named twice", generator);
        errno = EINVAL;
        return -1;
      }
    list += length;
    if (!*list) return 0;
  }
}

int plan_generators(struct plan *plan, const char *list,
                    char reason[PLAN_REASON]) {
  struct plan before = {.entries = plan->entries, .count = plan->count};
  int failed = 0;
  plan->entries = NULL;
  plan->count = 0;
  for (size_t i = 0; !failed && i < before.count; i++)
    if (!strcmp(list, "all"))
      add_all(plan, &before.entries[i]);
    else
      failed = add_named(plan, &before.entries[i], list, reason);
  int error = errno;
  plan_fini(&before);
  errno = error;
  return failed;
}
