/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/as_found.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "experiments/cli/command.h"

static bool was_closed[STDERR_FILENO + 1];
static struct sigaction of_large_files;

/* A standard file that is closed would be given to the next file opened, and
 * messages would end up there.  Opened the wrong way round, writing fails. */
static void fill_standard_files(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    was_closed[fd] = true;
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      _exit(VAT_USAGE);
  }
}

void as_found_begin(void) {
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  fill_standard_files();
  sigaction(SIGXFSZ, &ignore, &of_large_files);
}

/* They are closed by execve() only: should that fail, vat may say so. */
void as_found_restore(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (was_closed[fd]) fcntl(fd, F_SETFD, FD_CLOEXEC);
  sigaction(SIGXFSZ, &of_large_files, NULL);
}
