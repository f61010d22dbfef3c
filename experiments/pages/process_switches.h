/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/process_switches.h -- what a running program's own switches
 * for larger pages are set to; of those that experiments/applications knows.
 */
#pragma once
#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

/* Lines for people; nothing where none is known or the process is gone. */
void process_switches_print(FILE *to, pid_t pid);

/* [{"application","version","settings":[{"name","value","why","from","large",
 * "advice","needs"}]}]; what is not known is null. */
json_t *process_switches_json(pid_t pid);
