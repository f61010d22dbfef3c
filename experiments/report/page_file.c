/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/page_file.h"

#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/out_file.h"

int page_file_write(const char *dir, const char *name,
                    void (*print)(FILE *page, const void *of), const void *of,
                    char error[RESULTS_ERROR_SIZE]) {
  struct out_file file;
  int opened = out_dir_open(dir), code = VAT_OK;
  if (opened < 0 || out_file_begin(&file, opened, name)) {
    code = fail_code(errno);
  } else {
    print(file.stream, of);
    if (out_file_commit(&file)) code = fail_code(errno);
  }
  if (code)
    snprintf(error, RESULTS_ERROR_SIZE, "%.300s/%s: %s", dir, name,
             strerror(errno));
  if (opened >= 0) out_dir_close(opened);
  return code;
}
