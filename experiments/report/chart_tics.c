/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/chart_tics.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/report/gnuplot.h"
#include "huge_pages/size_text.h"

/* 0.5, 1, 2, 5, 10, ...; powers of ten alone where there is no room for
 * others. */
void chart_tics_log(FILE *script, char axis, double lo, double hi) {
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

/* "4 KiB", "32 KiB", ... */
void chart_tics_bytes(FILE *script, double lo, double hi) {
  const char *comma = "";
  fputs("set xtics (", script);
  for (int power = (int)ceil(lo); power <= hi && power < 48; power++) {
    if (power % 3) continue;
    fputs(comma, script);
    gnuplot_quote(script, HP_SIZE_SHOWN((size_t)1 << power), true);
    fprintf(script, " %d", power);
    comma = ", ";
  }
  fputs(")\n", script);
}

/* "10" and a power of one digit or two, set high. */
void chart_tics_powers(FILE *script, double lo, double hi) {
  static const char *const digits[] = {
      "\342\201\260", "\302\271",     "\302\262",     "\302\263",
      "\342\201\264", "\342\201\265", "\342\201\266", "\342\201\267",
      "\342\201\270", "\342\201\271"};
  const char *comma = "";
  fputs("set ytics (", script);
  for (int power = (int)lo; power <= (int)hi; power++) {
    int size = abs(power);
    fprintf(script, "%s'10%s%s%s' %d", comma, power < 0 ? "\342\201\273" : "",
            size > 9 ? digits[size / 10 % 10] : "", digits[size % 10], power);
    comma = ", ";
  }
  fputs(")\n", script);
}

void chart_tics_rows(FILE *script, const struct chart_panel *panel) {
  fputs("set grid x lc rgb '#C0808080' lt 1 lw 0.5\nset ytics (", script);
  for (size_t i = 0; i < panel->row_count; i++) {
    if (i) fputs(", ", script);
    gnuplot_quote(script, panel->rows[i], true);
    fprintf(script, " %zu", panel->row_count - i);
  }
  fputs(")\n", script);
}
