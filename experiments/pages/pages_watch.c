/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/pages_watch.h"

#include <config.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "huge_pages/size_text.h"

struct watch {
  FILE *out;
  const struct process_pages *now;
  size_t least; /* change that is worth seeing */
  bool any;
};

static void print_name(FILE *out, const struct process_pages *pages) {
  char name[sizeof pages->name];
  memcpy(name, pages->name, sizeof name);
  fail_tame(name);
  fprintf(out, "  %s (process %d): ", name, (int)pages->pid);
}

static void compare(struct watch *watch, const char *what, size_t before,
                    size_t after) {
  size_t change = before > after ? before - after : after - before;
  if (change < watch->least) return;
  watch->any = true;
  if (!watch->out) return;
  print_name(watch->out, watch->now);
  fprintf(watch->out, "%s %s, before %s\n", what, HP_SIZE_SHOWN(after),
          HP_SIZE_SHOWN(before));
}

static size_t why_bytes(const struct pages_whys *whys,
                        const struct pages_reason *reason) {
  for (size_t i = 0; i < whys->count; i++)
    if (whys->at[i].reason == reason) return whys->at[i].bytes;
  return 0;
}

static void compare_process(struct watch *watch,
                            const struct process_pages *was,
                            const struct process_pages *is) {
  for (size_t i = 0; *is->on.kinds[i].name; i++)
    compare(watch, HUMAN_PAGES(is->on.kinds[i].name),
            pages_on_of(&was->on, is->on.kinds[i].name), is->on.kinds[i].bytes);
  for (size_t i = 0; *was->on.kinds[i].name; i++)
    if (!pages_on_of(&is->on, was->on.kinds[i].name))
      compare(watch, HUMAN_PAGES(was->on.kinds[i].name), was->on.kinds[i].bytes,
              0);
  for (size_t i = 0; pages_reasons[i]; i++)
    compare(watch, pages_reasons[i]->name,
            why_bytes(&was->why, pages_reasons[i]),
            why_bytes(&is->why, pages_reasons[i]));
}

static const struct process_pages *find(const struct pages_survey *survey,
                                        pid_t pid) {
  for (size_t i = 0; i < survey->count; i++)
    if (survey->at[i].pid == pid) return &survey->at[i];
  return NULL;
}

static void note(struct watch *watch, const struct process_pages *pages,
                 const char *what) {
  watch->any = true;
  if (!watch->out) return;
  print_name(watch->out, pages);
  fprintf(watch->out, "%s, %s\n", what, HP_SIZE_SHOWN(pages->resident));
}

bool pages_watch_print(FILE *out, const struct pages_survey *before,
                       const struct pages_survey *after, size_t huge_bytes) {
  struct watch watch = {.out = out};
  for (size_t i = 0; i < after->count; i++) {
    const struct process_pages *is = &after->at[i];
    const struct process_pages *was = find(before, is->pid);
    watch.now = is;
    watch.least =
        is->resident / 16 < huge_bytes ? is->resident / 16 + 1 : huge_bytes;
    if (was)
      compare_process(&watch, was, is);
    else
      note(&watch, is, "is new");
  }
  for (size_t i = 0; i < before->count; i++)
    if (!find(after, before->at[i].pid))
      note(&watch, &before->at[i], "is gone");
  return watch.any;
}
