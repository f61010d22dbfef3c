/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/progress.h"

void fail_tame(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 127) *text = '?';
}

int fail(int code, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fail_tame(text);
  progress_clear_line();
  fprintf(stderr, "vat: %s\n", text);
  return code;
}

int fail_code(int error) {
  bool absent = error == ENOMEM || error == EAGAIN || error == EMFILE ||
                error == ENFILE || error == ENOSPC || error == EDQUOT;
  return absent ? VAT_ABSENT : VAT_USAGE;
}

int fail_write(const char *what) {
  int error = errno;
  const char *slash = strrchr(what, '/'), *fix = "";
  int folder = error == ENOENT && slash ? (int)(slash - what) : 0;
  if (folder) fix = "; fix: mkdir -p ";
  if (error == EACCES || error == EROFS || error == EISDIR)
    fix = "; fix: name a file in a folder that you may write to";
  if (error == ENOSPC || error == EDQUOT)
    fix = "; fix: free space, or name a file elsewhere";
  if (error == EFBIG) fix = "; fix: ulimit -f unlimited, or a smaller output";
  return fail(fail_code(error), "%s: cannot be written: %s%s%.*s", what,
              strerror(error), fix, folder, what);
}

int fail_without_proc(void) {
  return fail(VAT_ABSENT,
              "/proc is not mounted, and vat needs it to find its own files; "
              "fix: mount -t proc proc /proc");
}
