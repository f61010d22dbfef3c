/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/chart_file.h"

#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/out_file.h"
#include "experiments/report/gnuplot.h"

static int cannot_draw(const char *path, const char *why) {
  if (*why && errno == ENOENT)
    return fail(VAT_ABSENT,
                "--figure %s: gnuplot is missing, which draws it: run "
                "./bootstrap --install-deps or sudo apt-get install "
                "gnuplot-nox",
                path);
  return fail(*why ? VAT_ABSENT : fail_code(errno), "--figure %s: %s", path,
              *why ? why : strerror(errno));
}

static bool is_png(const char *path) {
  size_t length = strlen(path);
  return length > 4 && !strcmp(path + length - 4, ".png");
}

int chart_file_write(const struct chart *chart, const char *path) {
  char why[GNUPLOT_WHY_SIZE] = "";
  struct out_file file;
  FILE *script = gnuplot_memory();
  int failed = script ? out_file_open(&file, path) : -1;
  if (script && !failed) {
    chart_gnuplot(script, chart, is_png(path) ? CHART_PNG : CHART_SVG);
    failed = gnuplot_run(script, file.stream, why);
    if (!failed) failed = out_file_commit(&file);
  }
  int code = failed ? cannot_draw(path, why) : VAT_OK;
  if (script) {
    out_file_end(&file);
    fclose(script);
  }
  return code;
}

char *chart_svg(const struct chart *chart) {
  char why[GNUPLOT_WHY_SIZE] = "", *svg = NULL;
  FILE *script = gnuplot_memory(), *picture = gnuplot_memory();
  if (script && picture && chart_has_points(chart)) {
    chart_gnuplot(script, chart, CHART_SVG);
    if (!gnuplot_run(script, picture, why)) svg = gnuplot_read_back(picture);
  }
  if (script) fclose(script);
  if (picture) fclose(picture);
  return svg;
}
