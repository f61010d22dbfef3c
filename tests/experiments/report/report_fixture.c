/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/report/report_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/report.h"

#define EVIL "'<script>`id`\\\"&"
static const char evil_head[] =
    "{\"record\":\"machine\",\"schema\":1,\"cpu\":\"" EVIL "\",\"" EVIL
    "\":\"" EVIL
    "\",\"caches\":[1,{\"level\":\"x\"}],"
    "\"versions\":{\"" EVIL "\":\"" EVIL "\"},\"counters\":[7,{\"name\":\"" EVIL
    "\",\"present\":false,\"why\":\"" EVIL "\",\"mend\":\"" EVIL
    "\"}],"
    "\"page_kinds\":{\"a\":[]}}\n";

void report_fixture_evil(struct scratch *scratch, char *path, size_t size) {
  FILE *file = fopen(scratch_path(scratch, "evil.jsonl"), "w");
  fputs(evil_head, file);
  for (int rep = 0; rep < 4; rep++)
    for (int huge = 0; huge < 2; huge++)
      fprintf(file,
              "{\"record\":\"sample\",\"algo\":\"" EVIL "\",\"device\":\"" EVIL
              "\",\"n\":64,\"pages_asked\":\"%s\",\"pages_granted\":{\"%s\":"
              "4096},\"granted_ok\":true,\"rep\":%d,\"ns\":%d,\"ram_ops\":64,"
              "\"ns_per_op\":%g,\"counters\":{\"" EVIL
              "\":5},\"check\":\"ok\","
              "\"seed\":1}\n",
              huge ? "'<i>'`id`" : "4k", huge ? "2m" : "4k", rep,
              huge ? 320 : 640, huge ? 5.0 : 10.0);
  fclose(file);
  snprintf(path, size, "%s", scratch->path);
}

const char *report_fixture_no_gnuplot(void) {
  char why[GNUPLOT_WHY_SIZE];
  FILE *script = tmpfile(), *picture = tmpfile();
  fputs("set terminal svg\nplot x\n", script);
  int failed = gnuplot_run(script, picture, why);
  fclose(script);
  fclose(picture);
  return failed ? "no gnuplot that draws SVG" : NULL;
}

bool report_fixture_has(const struct scratch *scratch, const char *name) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", scratch->dir, name);
  return !access(path, F_OK);
}

size_t report_fixture_files(const struct scratch *scratch) {
  size_t count = 0;
  DIR *stream = opendir(scratch->dir);
  while (readdir(stream)) count++;
  closedir(stream);
  return count - 2;
}

int report_fixture_write(const char *const *results_paths, size_t count,
                         const char *dir, char error[RESULTS_ERROR_SIZE]) {
  int code = VAT_OK;
  size_t made = 0;
  struct results *results = memory_zeroed(count + 1, sizeof *results);
  for (; !code && made < count; made++)
    if (results_read(&results[made], results_paths[made], error))
      code = fail_code(errno);
  if (!code)
    code =
        report_write_results(results, results_paths, count, NULL, dir, error);
  while (made--) results_fini(&results[made]);
  free(results);
  return code;
}
