/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/calibrate/calibrate.h"
#include "huge_pages/size_text.h"

enum { CELL = 40 };

/* Three digits, or all before the point. */
static const char *digits(double value, char text[CELL]) {
  snprintf(text, CELL, fabs(value) < 99.5 ? "%.3g" : "%.0f", value);
  return text;
}

/* "12.3 (12.1-12.5)", "-" where it was not found. */
static const char *cell(const struct cal_value *v, char text[CELL]) {
  char value[CELL], lo[CELL], hi[CELL];
  if (!isfinite(v->value))
    snprintf(text, CELL, "-");
  else if (!isfinite(v->lo) || v->lo == v->hi)
    digits(v->value, text);
  else
    snprintf(text, CELL, "%.11s (%.11s-%.11s)", digits(v->value, value),
             digits(v->lo, lo), digits(v->hi, hi));
  return text;
}

/* Texts as long as the block around them. */
#define VALUE(value) cell(&(value), (char[CELL]){""})
#define BYTES(bytes) (isfinite(bytes) ? HP_SIZE_SHOWN((size_t)(bytes)) : "-")

static void print_levels(FILE *out, const struct calibration *cal) {
  fprintf(out, "%-8s %12s %12s %22s %20s\n", "level", "reported", "usable",
          "ns an access", "in flight");
  for (size_t i = 0; i < cal->level_count; i++) {
    const struct cal_level *level = &cal->levels[i];
    fprintf(out, "%-8s %12s %12s %22s %20s\n", level->name,
            BYTES(level->bytes_reported), BYTES(level->bytes_usable.value),
            VALUE(level->ns), VALUE(level->in_flight));
  }
}

static void print_pages(FILE *out, const struct calibration *cal,
                        const struct cal_pages *pages) {
  fprintf(out, "\n%s pages: a TLB entry maps %s\n", pages->kind,
          BYTES(pages->granularity_bytes));
  for (size_t i = 0; i < pages->tlbs; i++)
    fprintf(out, "  TLB %zu: %s entries; a miss costs %s ns\n", i + 1,
            VALUE(pages->tlb[i].entries), VALUE(pages->tlb[i].extra_ns));
  fprintf(out, "  tau %s ns, W %s; walks in flight %s\n", VALUE(pages->tau_ns),
          VALUE(pages->tc_nodes), VALUE(pages->walks_in_flight));
  fputs("  more for a table line from", out);
  for (size_t i = 0; i < cal->level_count; i++)
    fprintf(out, "%s %s: %s ns", i ? "," : "", cal->levels[i].name,
            VALUE(pages->table_line_ns[i]));
  fputc('\n', out);
}

static void print_flows(FILE *out, const struct calibration *cal) {
  fprintf(out, "\nstreams, ns a line: read %s, write %s, copy %s\n",
          VALUE(cal->stream_read), VALUE(cal->stream_write),
          VALUE(cal->stream_copy));
  if (isfinite(cal->neighbours.value))
    fprintf(out, "others bring %s bytes a ns into the last cache\n",
            VALUE(cal->neighbours));
  if (!cal->level_count) return;
  const struct cal_level *memory = &cal->levels[cal->level_count - 1];
  fprintf(out, "random lines of memory, nothing waits: read %s, update %s\n",
          VALUE(memory->read_ns), VALUE(memory->update_ns));
}

/* What the host's frames are like nobody tells its guests. */
static const char on_vm[] =
    "in a virtual machine, the host may scatter frames that are contiguous "
    "here";

static void print_joined(FILE *out, const struct calibration *cal) {
  const struct cal_coalescing *found = &cal->coalescing;
  double joined = cal_coalescing_joined(found);
  bool is_vm = json_is_true(
      json_object_get(json_object_get(cal->machine, "vm"), "is_vm"));
  if (isnan(joined))
    fputs("  undecided: too noisy, or fewer than three repetitions\n", out);
  else if (joined > 1)
    fprintf(out,
            "  an entry holds %.0f pages (%s) if their frames are "
            "contiguous\n",
            joined, BYTES(joined * found->page_bytes));
  else
    fprintf(out, "  contiguous frames do not share an entry%s%s\n",
            is_vm ? "; " : "", is_vm ? on_vm : "");
}

/* "1.02 (0.98-1.04)", "-" where it was not found. */
static const char *ratio_text(const struct cal_value *v, char text[CELL]) {
  if (!isfinite(v->value)) return "-";
  int used = snprintf(text, CELL, "%.2f", v->value);
  if (isfinite(v->lo))
    snprintf(text + used, CELL - (size_t)used, " (%.2f-%.2f)", v->lo, v->hi);
  return text;
}

/* "4", "8 or more", "?". */
static const char *joined_text(const struct cal_coalescing_tlb *tlb,
                               char text[CELL]) {
  if (isnan(tlb->joined)) return "?";
  snprintf(text, CELL, "%.0f%s", tlb->joined,
           cal_coalescing_open(tlb) ? " or more" : "");
  return text;
}

static void print_coalescing(FILE *out, const struct calibration *cal) {
  const struct cal_coalescing *found = &cal->coalescing;
  fputs("\nreach with contiguous frames, divided by that with scattered ones",
        out);
  if (*found->absent) {
    fprintf(out, ": not measured: %s\n", found->absent);
    return;
  }
  fprintf(out, " (proof: %s)\n%-7s %18s", found->proof, "runs of", "1, again");
  for (int r = 1; r < CALIBRATION_RUNS; r++)
    fprintf(out, " %12d pages", 1 << r);
  fputs("  pages an entry\n", out);
  for (size_t i = 0; i < found->tlbs; i++) {
    const struct cal_coalescing_tlb *tlb = &found->tlb[i];
    fprintf(out, "TLB %-3zu", i + 1);
    for (int r = 0; r < CALIBRATION_RUNS; r++)
      fprintf(out, " %18s", ratio_text(&tlb->reach[r], (char[CELL]){""}));
    fprintf(out, "  %14s\n", joined_text(tlb, (char[CELL]){""}));
  }
  print_joined(out, cal);
}

static void print_noise(FILE *out, const struct cal_noise *noise) {
  fprintf(out, "noise: %.0f repetitions in %.0f s; ", noise->repetitions,
          noise->seconds);
  if (isfinite(noise->repeat_range))
    fprintf(out, "the same point varies by %.1f %%, ",
            100 * noise->repeat_range);
  fprintf(out, "a loop without memory by %.1f %%\n", 100 * noise->canary_range);
}

void calibration_print(FILE *out, const struct calibration *cal,
                       bool refreshed) {
  if (refreshed) {
    fputs("measured anew: what vat profile --what-if goes by\n", out);
  } else {
    print_levels(out, cal);
    for (size_t i = 0; i < cal->page_count; i++)
      print_pages(out, cal, &cal->pages[i]);
    print_flows(out, cal);
    print_coalescing(out, cal);
  }
  print_noise(out, &cal->noise);
  for (size_t i = 0; i < cal->warning_count; i++)
    fprintf(out, "%swarning: %s\n", i ? "" : "\n", cal->warnings[i]);
}
