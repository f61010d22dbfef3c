/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/plot_log.h"

#include <math.h>

#include "experiments/report/gnuplot.h"
#include "huge_pages/size_text.h"

void plot_log_numbers(FILE *script, char axis, double lo, double hi) {
  static const double digits[] = {1, 2, 5};
  const char *comma = "";
  int count = hi - lo > (axis == 'x' ? 2 : 4) ? 1 : 3;
  fprintf(script, "set %ctics (", axis);
  for (int power = (int)floor(lo); power <= hi; power++)
    for (int i = 0; i < count; i++) {
      double number = digits[i] * pow(10, power);
      if (log10(number) < lo || log10(number) > hi) continue;
      fprintf(script, "%s'%g' %.5f", comma, number, log10(number));
      comma = ", ";
    }
  fputs(")\n", script);
}

void plot_log_bytes(FILE *script, double lo, double hi) {
  const char *comma = "";
  fputs("set xtics (", script);
  for (int power = (int)ceil(lo); power <= hi && power < 48; power++) {
    char size[HP_SIZE_TEXT];
    if (power % 3) continue;
    fputs(comma, script);
    gnuplot_quote_tic(script, hp_size_text((size_t)1 << power, size));
    fprintf(script, " %d", power);
    comma = ", ";
  }
  fputs(")\n", script);
}
