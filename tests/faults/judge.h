/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/faults/judge.h -- whether a command took a fault as it should.
 *
 * It ended by itself with an exit code of the contract, told an error in one
 * line of its own, left a results file that can be read and no file that it
 * does not have when all is well, none of them in parts, no process, and the
 * kernel's settings as they were.  An exit code of 0 means that the output is
 * all there and, but for what was measured, the same; or that standard error
 * says what is not.  Of a fault inside a library that does not check its memory
 * it is only asked that nothing be left behind.
 */
#pragma once
#include <stddef.h>

#include "tests/faults/commands.h"
#include "tests/faults/supervise.h"

/* What a run leaves. */
struct traces {
  char *out, *err;
  char *files; /* tree_list() of where it ran */
  char *other; /* of where temporary files go */
  char *cache; /* of what is kept for other commands */
  size_t samples;
  bool odd_times; /* some are negative, or longer than the run can have been */
  const char *unreadable; /* why the results file is, or NULL */
  char reason[512];
};

/* Of a run in `directory`; release with traces_fini(). */
void traces_read(struct traces *traces, const struct faulty_command *command,
                 const char *directory);
void traces_fini(struct traces *traces);

/* NULL, or what is wrong with a run that had a fault, `clean` being one of the
 * same command that had none. */
const char *judge(const struct faulty_command *command,
                  const struct traces *clean, const struct traces *run,
                  const struct outcome *outcome, const struct fault_page *page);

/* The same of a list of files in a cache. */
const char *judge_cache(const char *files);

/* The kernel's settings that vat may change; a static text. */
enum { SETTINGS_SIZE = 4096 };
const char *settings_read(void);
/* Whether they are so within 5 s: others may have pages of a pool, too. */
bool settings_are(const char *before);
