/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/interrupt.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static void step_raise(void *context) {
  raise(*(int *)context);
  _exit(9); /* the jump leaves before this */
}

static void step_nothing(void *context) { ++*(int *)context; }

/* Run `child` in a process of its own; its wait status. */
static int status_of(void (*child)(int signal), int signal_number) {
  fflush(NULL);
  pid_t pid = fork();
  if (!pid) {
    child(signal_number);
    _exit(0);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

static void abandon_and_die(int number) {
  if (interrupt_arm()) _exit(2);
  if (!interruptible(step_raise, &number)) _exit(3);
  if (!interrupt_pending()) _exit(4);
  int calls = 0; /* nothing more is begun */
  if (!interruptible(step_nothing, &calls) || calls) _exit(5);
  interrupt_disarm();
  interrupt_die();
}

static void test_a_step_is_abandoned_and_the_signal_seen(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < 3; i++) {
    int status = status_of(abandon_and_die, numbers[i]);
    CU_ASSERT(WIFSIGNALED(status));
    CU_ASSERT_EQUAL(WTERMSIG(status), numbers[i]);
  }
}

static void wait_outside(int number) {
  if (interrupt_arm()) _exit(2);
  raise(number); /* held back: this line is left in peace */
  if (!interrupt_pending()) _exit(3);
  int calls = 0;
  if (!interruptible(step_nothing, &calls)) _exit(4);
  interrupt_disarm();
  interrupt_die();
}

static void test_outside_a_step_a_signal_waits(void) {
  int status = status_of(wait_outside, SIGTERM);
  CU_ASSERT(WIFSIGNALED(status));
  CU_ASSERT_EQUAL(WTERMSIG(status), SIGTERM);
}

static volatile bool held_on, released;

static void step_hold(void *context) {
  interrupt_hold();
  raise(*(int *)context);
  held_on = true; /* it came, and this is not abandoned */
  interrupt_release();
  released = true;
}

static void hold_and_die(int number) {
  if (interrupt_arm()) _exit(2);
  interrupt_hold(); /* outside a step it changes nothing */
  interrupt_release();
  if (!interruptible(step_hold, &number) || !held_on || released) _exit(3);
  interrupt_hold(); /* there is no step to abandon any more */
  interrupt_release();
  interrupt_disarm();
  interrupt_die();
}

static void test_a_held_step_is_abandoned_later(void) {
  int status = status_of(hold_and_die, SIGINT);
  CU_ASSERT(WIFSIGNALED(status));
  CU_ASSERT_EQUAL(WTERMSIG(status), SIGINT);
}

static void ignore(int number) {
  signal(number, SIG_IGN);
  if (interrupt_arm()) _exit(2);
  raise(number);
  int calls = 0;
  if (interrupt_pending() || interruptible(step_nothing, &calls) || calls != 1)
    _exit(3);
  interrupt_disarm();
  raise(number);
  interrupt_die();
}

static void test_what_the_caller_ignores_stays_ignored(void) {
  CU_ASSERT_EQUAL(status_of(ignore, SIGHUP), 0);
}

static const struct check_test tests[] = {
    {"a step is abandoned and the signal seen",
     test_a_step_is_abandoned_and_the_signal_seen},
    {"outside a step a signal waits", test_outside_a_step_a_signal_waits},
    {"what must not be abandoned is not", test_a_held_step_is_abandoned_later},
    {"what the caller ignores stays ignored",
     test_what_the_caller_ignores_stays_ignored},
    {0}};

const struct check_suite suite_interrupt = {.name = "interrupt",
                                            .tests = tests};
