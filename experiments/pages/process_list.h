/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/process_list.h -- which processes there are. */
#pragma once
#include <stddef.h>
#include <sys/types.h>

struct process_list {
  pid_t *at; /* ascending, each once */
  size_t count;
  size_t outside; /* of a cgroup, beyond this pid namespace */
};

/* All; -1 with errno where /proc cannot be read. */
int process_list_all(struct process_list *list);
/* Those of a cgroup and of the cgroups in it.  `path` is its directory, or its
 * name as /proc/PID/cgroup has it, "/system.slice/cron.service".  -1 with
 * errno: ENOENT. */
int process_list_cgroup(struct process_list *list, const char *path);
void process_list_fini(struct process_list *list);
