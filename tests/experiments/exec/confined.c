/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confined HOW PROG ARG...: PROG, which may not have something that vat needs
 * to change its code.  Exits with 77 where the kernel does not have that. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65 /* Linux 6.3 */
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

/* A filter that allows everything. */
static int enter_sandbox(void) {
  struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {1, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int argc, char **argv) {
  int failed = 1;
  if (argc < 3) return 2;
  if (!strcmp(argv[1], "seccomp")) failed = enter_sandbox();
  if (!strcmp(argv[1], "exec"))
    failed = prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0);
  if (!strcmp(argv[1], "thp")) failed = prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  if (failed) return 77;
  execvp(argv[2], argv + 2);
  return 127;
}
