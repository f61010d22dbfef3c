/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *vat_temporary_directory(void) {
  const char *directory = getenv("TMPDIR");
  return directory && *directory ? directory : "/tmp";
}

int vat_temporary_file(void) {
  const char *directory = vat_temporary_directory();
  char path[4096];
  int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  if (snprintf(path, sizeof path, "%s/vat-XXXXXX", directory) >=
      (int)sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0) unlink(path);
  return file;
}
