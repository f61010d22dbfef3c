/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

void findings_fini(struct findings *findings) {
  free(findings->at);
  *findings = (struct findings){0};
}

static void copy_fix(const struct findings *findings, struct finding *finding,
                     const char *fix) {
  static const char sudo[] = "sudo ", hint[] = "  # as root";
  bool keep = findings->sudo && !findings->root, dropped = false;
  size_t used = 0, room = sizeof finding->fix - sizeof hint;
  while (*fix && used < room) {
    bool drop = !keep && !strncmp(fix, sudo, strlen(sudo));
    if (drop)
      fix += strlen(sudo);
    else
      finding->fix[used++] = *fix++;
    dropped = dropped || drop;
  }
  strcpy(finding->fix + used, dropped && !findings->root ? hint : "");
}

void findings_add(struct findings *f, enum finding_state state,
                  const char *name, const char *fix, const char *format, ...) {
  struct finding *finding = ARRAY_ADD(f->at, f->count);
  *finding = (struct finding){.section = f->section, .state = state};
  snprintf(finding->name, sizeof finding->name, "%s", name);
  va_list args;
  va_start(args, format);
  vsnprintf(finding->value, sizeof finding->value, format, args);
  va_end(args);
  copy_fix(f, finding, fix);
  f->missing += state == FINDING_MISSING;
}

json_t *findings_to_json(const struct findings *findings) {
  static const char *const states[] = {"ok", "info", "lack"};
  json_t *list = json_array();
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *f = &findings->at[i];
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:s, s:s?}", "section", f->section,
                        "name", f->name, "state", states[f->state], "value",
                        f->value, "mend", *f->fix ? f->fix : NULL));
  }
  return list;
}

enum { WIDTH = 80, NAME = 17, INDENT = 6, FIX = 4 };

/* Of a word longer than `room`, what goes up to a colon: names of events
 * are long. */
static int piece(const char *text, int room) {
  int length = (int)strcspn(text, " "), at = room;
  if (length <= room) return length;
  while (at && text[at - 1] != ':') at--;
  return at ? at : length;
}

/* Print words from `column` on, continuing lines at `indent`; the column. */
static int print_words(FILE *out, const char *text, int column, int indent) {
  while (*text) {
    int length = piece(text, WIDTH - indent);
    if (column > indent && column + 1 + length > WIDTH)
      column = fprintf(out, "\n%*s", indent, "") - 1;
    else if (column > indent)
      column += fprintf(out, " ");
    column += fprintf(out, "%.*s", length, text);
    text += length;
    text += strspn(text, " ");
  }
  return column;
}

static bool same_missing(const struct finding *a, const struct finding *b) {
  return a->state == FINDING_MISSING && b->state == FINDING_MISSING &&
         a->section == b->section && !strcmp(a->value, b->value) &&
         !strcmp(a->fix, b->fix);
}

/* "cycles, walks, walks_4k: no PMU in this VM" */
static void print_alike(FILE *out, const struct finding *at, size_t count) {
  int column = fprintf(out, "  --  ");
  for (size_t i = 0; i < count; i++) {
    char word[sizeof at->name + 1];
    snprintf(word, sizeof word, "%s%c", at[i].name, i + 1 < count ? ',' : ':');
    column = print_words(out, word, column, INDENT);
  }
  print_words(out, at->value, column, INDENT);
}

static void print_one(FILE *out, const struct finding *finding) {
  static const char *const marks[] = {"ok", "  ", "--"};
  int indent = INDENT + NAME + 1;
  int used = fprintf(out, "  %s  %s", marks[finding->state], finding->name);
  /* A name too long for its column takes a line of its own. */
  if (used < indent)
    fprintf(out, "%*s", indent - used, "");
  else
    fprintf(out, "\n%*s", indent, "");
  print_words(out, finding->value, indent, indent);
}

size_t findings_print(FILE *out, const struct findings *findings) {
  const char *section = NULL;
  size_t missing = 0;
  for (size_t i = 0, alike; i < findings->count; i += alike) {
    const struct finding *first = &findings->at[i];
    if (first->section != section)
      fprintf(out, "%s%s\n", section ? "\n" : "", first->section);
    section = first->section;
    missing += first->state == FINDING_MISSING;
    for (alike = 1; i + alike < findings->count; alike++)
      if (!same_missing(first, first + alike)) break;
    if (alike > 1)
      print_alike(out, first, alike);
    else
      print_one(out, first);
    fputc('\n', out);
    if (*first->fix) fprintf(out, "%*s%s\n", FIX, "", first->fix);
  }
  return missing;
}
