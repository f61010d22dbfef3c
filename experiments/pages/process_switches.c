/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/process_switches.h"

#include "experiments/applications/applications.h"
#include "experiments/applications/seen_process.h"

struct switches {
  struct seen_process *process;
  const struct application_seen *seen;
  const struct application *found[APPLICATIONS_FOUND];
  size_t count;
};

static void look(struct switches *switches, pid_t pid) {
  char proc[32];
  snprintf(proc, sizeof proc, "/proc/%d", (int)pid);
  *switches = (struct switches){.process = seen_process_create(proc)};
  if (!switches->process) return;
  switches->seen = seen_process_seen(switches->process);
  switches->count = applications_of(switches->seen, switches->found);
}

static void print_setting(FILE *to, const char *application,
                          const char *version,
                          const struct application_setting *setting) {
  fprintf(to, "  %s%s%s: %s ", application, *version ? " " : "", version,
          setting->name);
  if (*setting->value)
    fprintf(to, "= %s (%s)", setting->value, setting->from);
  else
    fprintf(to, "is unknown: %s", setting->why);
  if (*setting->advice) fprintf(to, "\n      fix: %s", setting->advice);
  if (*setting->advice && *setting->needs)
    fprintf(to, "; needs %s", setting->needs);
  fputc('\n', to);
}

void process_switches_print(FILE *to, pid_t pid) {
  struct switches switches;
  look(&switches, pid);
  if (switches.count) fputs("\nswitches of the program itself:\n", to);
  for (size_t i = 0; i < switches.count; i++) {
    struct application_settings settings;
    char version[APPLICATION_VERSION] = "";
    if (switches.found[i]->version(switches.seen, version)) *version = '\0';
    applications_settings(switches.found[i], switches.seen, &settings);
    for (size_t k = 0; k < settings.count; k++)
      print_setting(to, switches.found[i]->name, version, &settings.at[k]);
  }
  seen_process_destroy(switches.process);
}

static json_t *text_json(const char *text) {
  return *text ? json_string(text) : json_null();
}

static json_t *setting_json(const struct application_setting *setting) {
  return json_pack(
      "{s:s, s:o, s:o, s:o, s:b, s:o, s:o}", "name", setting->name, "value",
      text_json(setting->value), "why", text_json(setting->why), "from",
      text_json(setting->from), "large", setting->large, "advice",
      text_json(setting->advice), "needs", text_json(setting->needs));
}

json_t *process_switches_json(pid_t pid) {
  struct switches switches;
  look(&switches, pid);
  json_t *list = switches.process ? json_array() : json_null();
  for (size_t i = 0; i < switches.count; i++) {
    struct application_settings settings;
    char version[APPLICATION_VERSION] = "";
    if (switches.found[i]->version(switches.seen, version)) *version = '\0';
    json_t *rows = json_array();
    applications_settings(switches.found[i], switches.seen, &settings);
    for (size_t k = 0; k < settings.count; k++)
      json_array_append_new(rows, setting_json(&settings.at[k]));
    json_array_append_new(
        list,
        json_pack("{s:s, s:o, s:o}", "application", switches.found[i]->name,
                  "version", text_json(version), "settings", rows));
  }
  seen_process_destroy(switches.process);
  return list;
}
