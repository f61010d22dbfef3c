/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that forbids itself system calls (seccomp) is killed by the first
 * one that it did not foresee.  It knows those of the libraries that it is
 * linked to, but not ours: from then on the library makes none of its own.  A
 * sandbox is entered by prctl() or syscall(), which are interposed; libseccomp
 * calls these, too.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/look.h"
#include "experiments/exec/shim.h"

enum { ARGUMENTS = 6 };

#if defined __x86_64__
static long ask_kernel(long number, const long *at) {
  register long fourth __asm__("r10");
  register long fifth __asm__("r8");
  register long sixth __asm__("r9");
  long result;
  fourth = at[3], fifth = at[4], sixth = at[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(at[0]), "S"(at[1]), "d"(at[2]),
                     "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined __aarch64__
static long ask_kernel(long number, const long *at) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0");
  register long x1 __asm__("x1");
  register long x2 __asm__("x2");
  register long x3 __asm__("x3");
  register long x4 __asm__("x4");
  register long x5 __asm__("x5");
  x0 = at[0], x1 = at[1], x2 = at[2], x3 = at[3], x4 = at[4], x5 = at[5];
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#endif

/* The last look is before: the sandbox may forbid it.  Returns whether the
 * program was in one already. */
static bool enter(void) {
  bool before = shim.sandboxed;
  if (before) return true;
  for (uint32_t i = 0; i < shim.ranges.choices; i++)
    shim.ranges.flags[i] |= LOOK_SANDBOX;
  shim_report_now();
  shim.sandboxed = true;
  return false;
}

/* A program that only asked whether there are sandboxes. */
static void enter_not(bool before) {
  shim.sandboxed = before;
  for (uint32_t i = 0; !before && i < shim.ranges.choices; i++)
    shim.ranges.flags[i] &= (uint8_t)~LOOK_SANDBOX;
}

#if defined __x86_64__ || defined __aarch64__
static long call(long number, const long *at) {
  bool enters = number == SYS_seccomp && (at[0] == SECCOMP_SET_MODE_STRICT ||
                                          at[0] == SECCOMP_SET_MODE_FILTER);
  enters |= number == SYS_prctl && at[0] == PR_SET_SECCOMP;
  bool before = enters && enter();
  long result = ask_kernel(number, at);
  if (result >= 0 || result < -4095) return result;
  if (enters) enter_not(before);
  errno = (int)-result;
  return -1;
}

static void read_arguments(long *at, int count, va_list args) {
  for (int i = 0; i < count; i++) at[i] = va_arg(args, long);
}

SHIM_EXPORT long syscall(long number, ...) {
  long at[ARGUMENTS];
  va_list args;
  va_start(args, number);
  read_arguments(at, ARGUMENTS, args);
  va_end(args);
  return call(number, at);
}

SHIM_EXPORT int prctl(int option, ...) {
  long at[ARGUMENTS] = {option};
  va_list args;
  va_start(args, option);
  read_arguments(at + 1, 4, args);
  va_end(args);
  return (int)call(SYS_prctl, at);
}
#else
SHIM_EXPORT int prctl(int option, ...) {
  long at[4];
  va_list args;
  va_start(args, option);
  for (int i = 0; i < 4; i++) at[i] = va_arg(args, long);
  va_end(args);
  bool enters = option == PR_SET_SECCOMP, before = enters && enter();
  int result = (int)syscall(SYS_prctl, option, at[0], at[1], at[2], at[3]);
  if (result < 0 && enters) enter_not(before);
  return result;
}
#endif
