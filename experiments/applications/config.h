/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/applications/config.h -- settings in the configuration files of
 * applications, with the files that they include.
 *
 * Of a name that is set more than once the last one counts in all of these
 * formats, so whoever takes the settings overwrites.
 */
#pragma once
#include "experiments/applications/seen.h"

enum config_kind {
  CONFIG_NOTHING, /* a comment, or a line that is damaged */
  CONFIG_SETTING,
  CONFIG_INCLUDE, /* a file: `value` */
  CONFIG_FOLDER,  /* all files of a folder: `value` */
  CONFIG_GROUP    /* "[mysqld]": `name` */
};

struct config_line {
  enum config_kind kind;
  char *name, *value; /* within the line; never NULL where the kind has them */
};

struct config_style {
  struct config_line (*split)(char *line); /* which it changes */
  const char *suffix;   /* of the files of a folder that are read */
  bool includes_of_cwd; /* a relative path is relative to the folder that the
                           program was started in, not to the file's */
};

extern const struct config_style config_postgresql, config_redis, config_mysql;

typedef void (*config_take)(void *to, const struct config_line *line,
                            const char *file);

/*
 * Give `take` the settings and groups of `path`, an absolute path, in their
 * order.  False: it cannot be read.  A file that it includes and that cannot
 * be read is skipped; so is what includes deeper than CONFIG_DEPTH, and what
 * comes after CONFIG_FILES files.
 */
enum { CONFIG_DEPTH = 8, CONFIG_FILES = 256 };
bool config_read(const struct application_seen *seen,
                 const struct config_style *style, const char *path,
                 config_take take, void *to);
