/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/reuse_ahead.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "huge_pages/available_memory.h"

enum { LOOK_MS = 100 /* for signals, which are held back while we wait */ };

/* Both may begin the same one at once: then it is simulated twice. */
struct reuse_ahead_shared {
  atomic_size_t needed, begun; /* by the caller; by the second process */
};

static bool is_worth_it(const struct stream *streams, size_t count) {
  cpu_set_t ours;
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t need = reuse_memory(&streams[i]);
    if (need > most) most = need;
  }
  return count > 1 && most <= hp_memory_available() / 2 &&
         !sched_getaffinity(0, sizeof ours, &ours) && CPU_COUNT(&ours) > 1;
}

/* Notes and errors are the caller's to print, when it comes to the same. */
static void simulate(struct reuse_ahead_shared *shared, int done,
                     const struct stream *streams, size_t count,
                     const struct reuse_params *params) {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (dup2(nowhere, STDERR_FILENO) < 0) return;
  struct reuse_profile *profile = memory_get(sizeof *profile);
  while (count-- > atomic_load(&shared->needed) + 1) {
    atomic_store(&shared->begun, count);
    if (reuse_profile_get(profile, &streams[count], params, NULL) ||
        write(done, "", 1) != 1)
      return;
  }
}

void reuse_ahead_begin(struct reuse_ahead *ahead, const struct stream *streams,
                       size_t count, const struct reuse_params *params) {
  int ends[2];
  pid_t caller = getpid();
  *ahead = (struct reuse_ahead){.done = -1};
  if (!is_worth_it(streams, count)) return;
  void *shared = mmap(NULL, sizeof *ahead->shared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  ahead->shared = shared;
  atomic_init(&ahead->shared->begun, count);
  if (pipe2(ends, O_CLOEXEC)) return;
  ahead->done = ends[0];
  ahead->process = fork();
  if (!ahead->process) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == caller)
      simulate(ahead->shared, ends[1], streams, count, params);
    _exit(0);
  }
  close(ends[1]);
  if (ahead->process < 0) ahead->process = 0;
}

void reuse_ahead_wait(struct reuse_ahead *ahead, size_t i) {
  if (!ahead->process) return;
  atomic_store(&ahead->shared->needed, i);
  while (atomic_load(&ahead->shared->begun) == i && !interrupt_pending()) {
    struct pollfd done = {.fd = ahead->done, .events = POLLIN};
    char byte;
    if (poll(&done, 1, LOOK_MS) > 0 && read(ahead->done, &byte, 1) <= 0) return;
  }
}

void reuse_ahead_end(struct reuse_ahead *ahead) {
  if (ahead->process) {
    kill(ahead->process, SIGTERM);
    waitpid(ahead->process, NULL, 0);
  }
  if (ahead->done >= 0) close(ahead->done);
  if (ahead->shared) munmap(ahead->shared, sizeof *ahead->shared);
  *ahead = (struct reuse_ahead){.done = -1};
}
