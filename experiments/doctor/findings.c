/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/array.h"

void findings_fini(struct findings *findings) {
  free(findings->at);
  *findings = (struct findings){0};
}

static struct finding *add(struct findings *f, enum finding_state state,
                           const char *name) {
  struct finding *finding = ARRAY_ADD(f->at, f->count);
  *finding = (struct finding){.section = f->section, .state = state};
  snprintf(finding->name, sizeof finding->name, "%s", name);
  return finding;
}

static void finding_set_value(struct finding *finding, const char *format,
                              va_list args)
    __attribute__((format(printf, 2, 0)));

static void finding_set_value(struct finding *finding, const char *format,
                              va_list args) {
  vsnprintf(finding->value, sizeof finding->value, format, args);
}

void findings_ok(struct findings *findings, const char *name,
                 const char *format, ...) {
  va_list args;
  va_start(args, format);
  finding_set_value(add(findings, FINDING_OK, name), format, args);
  va_end(args);
}

void findings_info(struct findings *findings, const char *name,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  finding_set_value(add(findings, FINDING_INFO, name), format, args);
  va_end(args);
}

static void copy_mend(const struct findings *findings, struct finding *finding,
                      const char *mend) {
  static const char sudo[] = "sudo ", hint[] = "  # as root";
  bool keep = findings->sudo && !findings->root, dropped = false;
  size_t used = 0, room = sizeof finding->mend - sizeof hint;
  while (*mend && used < room) {
    bool drop = !keep && !strncmp(mend, sudo, strlen(sudo));
    if (drop)
      mend += strlen(sudo);
    else
      finding->mend[used++] = *mend++;
    dropped = dropped || drop;
  }
  strcpy(finding->mend + used, dropped && !findings->root ? hint : "");
}

void findings_lack(struct findings *findings, const char *name,
                   const char *mend, const char *format, ...) {
  struct finding *finding = add(findings, FINDING_LACK, name);
  va_list args;
  va_start(args, format);
  finding_set_value(finding, format, args);
  va_end(args);
  copy_mend(findings, finding, mend);
}

size_t findings_lacks(const struct findings *findings) {
  size_t lacks = 0;
  for (size_t i = 0; i < findings->count; i++)
    lacks += findings->at[i].state == FINDING_LACK;
  return lacks;
}

json_t *findings_to_json(const struct findings *findings) {
  static const char *const states[] = {"ok", "info", "lack"};
  json_t *list = json_array();
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *f = &findings->at[i];
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:s, s:o}", "section", f->section, "name",
                  f->name, "state", states[f->state], "value", f->value, "mend",
                  *f->mend ? json_string(f->mend) : json_null());
    json_array_append_new(list, entry);
  }
  return list;
}
