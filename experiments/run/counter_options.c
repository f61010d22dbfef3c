/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --counters: from a list to counters that are open. */
#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/spelling.h"
#include "experiments/machine/counters.h"
#include "experiments/run/run_options.h"

/* The names of a comma list, each known to the device, and once. */
struct chosen {
  const struct device *device;
  const char *names[COUNTERS_MAX];
  size_t count;
};

/* "sectors" is sectors_read and sectors_written. */
static bool is_named(const char *counter, const char *name) {
  size_t length = strlen(name);
  return !strncmp(counter, name, length) &&
         (!counter[length] || !strcmp(counter + length, "_read") ||
          !strcmp(counter + length, "_written"));
}

static int choose(void *at, const char *option, const char *name) {
  struct chosen *chosen = at;
  const struct counter_info *info;
  struct spelling spelling = {.typed = name};
  const size_t before = chosen->count;
  for (size_t i = 0; (info = counters_known(chosen->device->counters, i));
       i++) {
    spelling_offer(&spelling, info->name);
    if (!is_named(info->name, name)) continue;
    for (size_t k = 0; k < before; k++)
      if (!strcmp(chosen->names[k], info->name))
        return fail(VAT_USAGE, "--counters: %s is named twice", info->name);
    if (chosen->count == COUNTERS_MAX)
      return fail(VAT_USAGE, "--counters: too many names; name at most %d",
                  COUNTERS_MAX);
    chosen->names[chosen->count++] = info->name;
  }
  if (chosen->count > before) return VAT_OK;
  return fail(VAT_USAGE,
              "--%s %s: unknown counter of --device %s; %ssee `vat list "
              "counters`",
              option, name, chosen->device->name, spelling_hint(&spelling));
}

/* What was asked for by name has to be there. */
static int check_present(const struct counters *counters) {
  for (size_t i = 0; i < counters_count(counters); i++) {
    const struct counter_info *info = counters_info(counters, i);
    if (!info->present)
      return fail(VAT_ABSENT, "--counters: %s is absent: %s%s%s", info->name,
                  info->why, *info->fix ? "; fix: " : "", info->fix);
  }
  return VAT_OK;
}

struct counters *run_counters(const struct plan *plan, int *code) {
  const char *list = *plan->counters ? plan->counters : "auto";
  struct chosen chosen = {.device = plan->device};
  bool all = !strcmp(list, "auto"), none = !strcmp(list, "none");
  struct counters *counters = NULL;
  *code =
      all || none ? VAT_OK : option_items(&chosen, "counters", list, choose);
  if (!*code &&
      !(counters = counters_open(plan->device->counters,
                                 all ? NULL : chosen.names, chosen.count)))
    *code = fail(VAT_ABSENT, "counters: %s", strerror(errno));
  if (!*code && plan_threads(plan) > 1)
    counters_deny(counters, "they count one thread, and this run has more",
                  "leave out threads=");
  if (!*code && !all) *code = check_present(counters);
  if (!*code) return counters;
  counters_close(counters);
  return NULL;
}
