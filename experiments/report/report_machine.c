/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine record on a page.  What it holds grows with vat, so values are
 * shown by their form: a scalar as it is, an object as a list of its keys. */
#include "experiments/report/report_machine.h"

#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/gpu_models/gpu_record.h"
#include "experiments/report/html.h"
#include "huge_pages/size_text.h"

const char *report_machine_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

const char *report_machine_name(const json_t *machine) {
  const char *name = report_machine_text(machine, "host_cpu");
  if (!*name) name = report_machine_text(machine, "cpu");
  return *name ? name : "unknown machine";
}

bool report_machine_is_virtual(const json_t *machine) {
  return json_is_true(json_object_get(json_object_get(machine, "vm"), "is_vm"));
}

const char *report_machine_title(const json_t *machine,
                                 char title[REPORT_MACHINE_SIZE]) {
  const char *by =
      report_machine_text(json_object_get(machine, "vm"), "hypervisor");
  bool guest = report_machine_is_virtual(machine);
  snprintf(title, REPORT_MACHINE_SIZE, "%.60s%s%.20s%s",
           report_machine_name(machine), guest ? ", a " : "",
           !guest ? ""
           : *by  ? by
                  : "virtual machine",
           guest && *by ? " guest" : "");
  return title;
}

const char *report_machine_gpu(const json_t *machine,
                               char name[REPORT_MACHINE_SIZE]) {
  struct gpu_record gpu = {0};
  gpu_record_read(&gpu, machine);
  snprintf(name, REPORT_MACHINE_SIZE, "%s", *gpu.name ? gpu.name : "a GPU");
  return name;
}

static const char *name_emulator(const json_t *machine,
                                 char name[REPORT_MACHINE_SIZE]) {
  char host[REPORT_MACHINE_SIZE];
  snprintf(name, REPORT_MACHINE_SIZE, "emulator on %.100s",
           report_machine_title(machine, host));
  return name;
}

void report_machine_titles(const struct survey *survey, bool of_gpu,
                           char titles[REPORT_MACHINE_SIZE]) {
  static const struct {
    const char *device;
    const char *(*name)(const json_t *machine, char name[REPORT_MACHINE_SIZE]);
  } machines[] = {{"cpu", report_machine_title},
                  {"cuda", report_machine_gpu},
                  {"emu", name_emulator}};
  size_t used = 0, first = of_gpu; /* and one more: GPUs' figures have no CPU */
  for (size_t i = first; i < first + 2; i++) {
    char name[REPORT_MACHINE_SIZE];
    const struct survey *of = survey;
    if (of_gpu && !survey_has_device(of, machines[i].device)) of = of->beside;
    if (!survey_has_device(of, machines[i].device)) continue;
    used +=
        (size_t)snprintf(titles + used, REPORT_MACHINE_SIZE - used, "%s%.110s",
                         used ? "; " : "", machines[i].name(of->record, name));
  }
  if (!used) report_machine_title(survey->record, titles);
}

static size_t bytes_of(const json_t *value) {
  double bytes = json_number_value(value);
  return bytes > 0 && bytes < 1e18 ? (size_t)bytes : 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length > tail && !strcmp(text + length - tail, end);
}

static void print_value(FILE *page, const char *key, const json_t *value) {
  if (json_is_string(value))
    html_text(page, json_string_value(value));
  else if (json_is_number(value) && ends_with(key, "bytes"))
    fputs(HP_SIZE_SHOWN(bytes_of(value)), page);
  else if (json_is_integer(value))
    fprintf(page, "%lld", (long long)json_integer_value(value));
  else if (json_is_real(value))
    fprintf(page, "%g", json_real_value(value));
  else
    fputs(json_is_true(value)    ? "yes"
          : json_is_false(value) ? "no"
                                 : "unknown",
          page);
}

/* Some keys a word says better; others are read as they are. */
static void print_key(FILE *page, const char *key) {
  static const char *const words[][2] = {
      {"cores_online", "cores"},         {"cpu", "processor family"},
      {"host_cpu", "processor"},         {"is_vm", "virtual"},
      {"memory_bytes", "memory"},        {"page_bytes", "base page"},
      {"thp", "transparent huge pages"}, {"vm", "virtual machine"},
  };
  char text[HUMAN_SIZE];
  snprintf(text, sizeof text, "%s", key);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(key, words[i][0])) strcpy(text, words[i][1]);
  if (ends_with(text, "_bytes")) text[strlen(text) - 6] = '\0';
  for (char *c = text; *c; c++)
    if (*c == '_') *c = ' ';
  html_text(page, text);
}

static void print_caches(FILE *page, const json_t *caches) {
  const char *comma = "";
  for (size_t i = 0; i < json_array_size(caches); i++) {
    const json_t *cache = json_array_get(caches, i);
    bool data = !strcmp(report_machine_text(cache, "type"), "data");
    if (!strcmp(report_machine_text(cache, "type"), "instruction")) continue;
    fprintf(page, "%sL%lld%s %s", comma,
            (long long)json_integer_value(json_object_get(cache, "level")),
            data ? "d" : "",
            HP_SIZE_SHOWN(bytes_of(json_object_get(cache, "bytes"))));
    comma = ", ";
  }
}

static void print_object(FILE *page, json_t *object) {
  const char *key, *comma = "";
  json_t *value;
  json_object_foreach(object, key, value) {
    if (json_is_array(value) || json_is_object(value) || json_is_null(value))
      continue;
    fputs(comma, page);
    print_key(page, key);
    fputc(' ', page);
    print_value(page, key, value);
    comma = ", ";
  }
}

/* Shown elsewhere, or of no interest to a reader. */
static bool is_hidden(const char *key, const json_t *value) {
  static const char *const hidden[] = {"record", "schema", "counters",
                                       "page_kinds"};
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (!strcmp(key, hidden[i])) return true;
  return json_is_null(value) || (json_is_array(value) && strcmp(key, "caches"));
}

void report_machine(FILE *page, const json_t *machine) {
  const char *key;
  json_t *value;
  fputs("<dl class=\"card\">\n", page);
  json_object_foreach((json_t *)machine, key, value) {
    if (is_hidden(key, value)) continue;
    fputs("<div><dt>", page);
    print_key(page, key);
    fputs("</dt><dd>", page);
    if (json_is_array(value))
      print_caches(page, value);
    else if (json_is_object(value))
      print_object(page, value);
    else
      print_value(page, key, value);
    fputs("</dd></div>\n", page);
  }
  fputs("</dl>\n", page);
}

size_t machines_count(const struct survey *survey) {
  size_t count = 0;
  while (survey_at(survey, count)) count++;
  return count;
}

static bool shares_title(const struct survey *survey, size_t machine,
                         const char *title) {
  for (size_t i = 0; i < machines_count(survey); i++) {
    char other[REPORT_MACHINE_SIZE];
    report_machine_title(survey_at(survey, i)->record, other);
    if (i != machine && !strcmp(title, other)) return true;
  }
  return false;
}

const char *machines_label(const struct survey *survey, size_t machine,
                           char label[MACHINES_LABEL]) {
  const json_t *record = survey_at(survey, machine)->record;
  const json_t *cpu = json_object_get(record, "cpu");
  double bytes = json_number_value(json_object_get(record, "memory_bytes"));
  char title[REPORT_MACHINE_SIZE], apart[64] = "";
  report_machine_title(record, title);
  /* Virtual machines hardly name theirs. */
  if (shares_title(survey, machine, title))
    snprintf(
        apart, sizeof apart, ", family %lld, model %lld, %.3g GiB",
        (long long)json_integer_value(json_object_get(cpu, "family")),
        (long long)json_integer_value(json_object_get(cpu, "model_number")),
        bytes / 0x1p30);
  snprintf(label, MACHINES_LABEL, "%zu  %.80s%.40s", machine + 1, title, apart);
  return label;
}
