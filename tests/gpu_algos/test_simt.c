/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/check.h"

extern const struct check_suite *const simt_suites_emu[];
extern const struct check_suite *const simt_suites_counted[];
extern const struct check_suite suite_simt_stacks;

enum { SUITES_MAX = 32 };

static const struct check_suite *all[SUITES_MAX + 1];

static void add(const struct check_suite *const *suites) {
  size_t used = 0;
  while (all[used]) used++;
  for (; *suites && used < SUITES_MAX; suites++) all[used++] = *suites;
}

#if defined SIMT_UCONTEXT
static void add_counted(void) {}
#elif defined HAVE_EMU_COUNTED
static void add_counted(void) { add(simt_suites_counted); }
#else
static const char *why_none(void) {
  return "counts were not built, see configure";
}
static const struct check_suite none = {"counted", NULL, why_none};
static const struct check_suite *const nothing[] = {&none, NULL};
static void add_counted(void) { add(nothing); }
#endif

/* A switch that takes system calls has less to switch between. */
static void be_brief(void) {
#ifdef SIMT_UCONTEXT
  setenv("VAT_CHECK", "brief", 1);
#endif
}

int main(void) {
  be_brief();
  const struct check_suite *const host[] = {&suite_simt_stacks, NULL};
  add(host);
  add(simt_suites_emu);
  add_counted();
  return check_main(all);
}
