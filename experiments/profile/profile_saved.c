/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_saved.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/profile_objects.h"
#include "experiments/profile/valgrind.h"
#include "experiments/profile/what_if_saved.h"
#include "experiments/results/other_file.h"
#include "experiments/sim/itlb_option.h"
#include "experiments/sim/tlb_option.h"

/* Schema 2 has no objects, and no heat; 3 no sizes of small blocks; 5 no plan;
 * 6 no faults; 7 not those of processes that executed another program. */
enum { SCHEMA = 8, SCHEMA_OLD = 2, SAVED_NAME = PATH_MAX + NAME_MAX + 2 };

static int is_output(const struct dirent *entry) {
  return !strncmp(entry->d_name, "out.", 4);
}

static void name_output(char name[SAVED_NAME], const char *directory,
                        const struct dirent *entry) {
  snprintf(name, SAVED_NAME, "%s/%s", directory, entry->d_name);
}

/* Words of the command are UTF-8: profile_request_parse() saw to that.  A file
 * that is gone is told when it is to be appended. */
static json_t *make_head(const struct profile_request *request,
                         const struct profile *profile, struct dirent **outputs,
                         int count) {
  char tlb[TLB_SHAPE_TEXT], itlb[ITLB_SHAPE_TEXT];
  json_t *words = json_array(), *bytes = json_array();
  for (char **word = request->program; *word; word++)
    json_array_append_new(words, json_string(*word));
  for (int i = 0; i < count; i++) {
    char name[SAVED_NAME];
    struct stat status = {0};
    name_output(name, profile->directory, outputs[i]);
    stat(name, &status);
    json_array_append_new(bytes, json_integer(status.st_size));
  }
  return json_pack(
      "{ss si so ss so si so ss* ss* so* so*}", "record", "profile", "schema",
      SCHEMA, "command", words, "policy", request->policy, "processes", bytes,
      "lost", (int)profile->lost, "objects", profile_objects_to_json(profile),
      "tlb",
      request->tlb.level[0].entries ? tlb_shape_text(&request->tlb, tlb) : NULL,
      "itlb", request->code ? itlb_shape_text(&request->itlb, itlb) : NULL,
      "plan", request->plan ? profile_added_to_json(&request->added) : NULL,
      "what_if",
      profile->what_if ? what_if_saved_to_json(profile->what_if) : NULL);
}

static int append(const char *name, FILE *to) {
  char part[1 << 16];
  size_t got;
  FILE *from = valgrind_open(name);
  if (!from) return -1;
  while ((got = fread(part, 1, sizeof part, from)) > 0)
    if (fwrite(part, 1, got, to) != got) break;
  int failed = ferror(from) || ferror(to) ? -1 : 0;
  fclose(from);
  return failed;
}

int profile_saved_write(const struct profile_request *request,
                        const struct profile *profile, FILE *to) {
  struct dirent **outputs = NULL;
  const char *directory = profile->directory;
  int count = scandir(directory, &outputs, is_output, alphasort);
  if (count < 0)
    return fail(fail_code(errno), "%s: %s", directory, strerror(errno));
  json_t *head = make_head(request, profile, outputs, count);
  int failed = json_dumpf(head, to, JSON_COMPACT) || fputc('\n', to) == EOF;
  for (int i = 0; !failed && i < count; i++) {
    char name[SAVED_NAME];
    name_output(name, directory, outputs[i]);
    failed = append(name, to);
  }
  int code = VAT_OK;
  if (failed)
    code = fail(fail_code(errno), "%s: %s", request->save, strerror(errno));
  json_decref(head);
  for (int i = 0; i < count; i++) free(outputs[i]);
  free(outputs);
  return code;
}

/* `schema` is none of those that are read here. */
static int refuse_schema(const char *path, json_int_t schema) {
  return fail(VAT_USAGE,
              "%s: is a profile of %s vat (schema %" JSON_INTEGER_FORMAT
              "; this one reads %d to %d); fix: %s",
              path, schema < SCHEMA_OLD ? "an older" : "a newer", schema,
              SCHEMA_OLD, SCHEMA,
              schema < SCHEMA_OLD
                  ? "profile again: vat profile --save NEW.profile -- PROG"
                  : "use the vat that saved it, or profile again: vat profile "
                    "--save NEW.profile -- PROG");
}

static int refuse(const char *path) {
  char error[512];
  snprintf(error, sizeof error,
           "%s: not " FILE_SAVED
           "; fix: vat profile --save NEW.profile -- "
           "PROG, then --from NEW.profile",
           path);
  other_file(path, FILE_SAVED, error, sizeof error);
  return fail(VAT_USAGE, "%s", error);
}

static bool is_of_other_schema(const json_t *head, json_int_t *schema) {
  const char *record = json_string_value(json_object_get(head, "record"));
  const json_t *number = json_object_get(head, "schema");
  *schema = json_integer_value(number);
  return record && !strcmp(record, "profile") && json_is_integer(number) &&
         (*schema < SCHEMA_OLD || *schema > SCHEMA);
}

/* What is asked of the first line, so that later all of it can be relied on. */
static bool is_head(const json_t *head) {
  const json_t *words = json_object_get(head, "command");
  const json_t *bytes = json_object_get(head, "processes");
  json_int_t schema = json_integer_value(json_object_get(head, "schema"));
  bool good = schema >= SCHEMA_OLD && schema <= SCHEMA &&
              json_is_string(json_object_get(head, "policy")) &&
              json_array_size(words) && json_array_size(bytes);
  for (size_t i = 0; i < json_array_size(words); i++)
    good &= json_is_string(json_array_get(words, i));
  for (size_t i = 0; i < json_array_size(bytes); i++)
    good &= json_integer_value(json_array_get(bytes, i)) > 0;
  return good;
}

/* As it was when that was counted: "here" was another machine, perhaps. */
static int take_tlb(const json_t *head, struct profile_request *request) {
  const json_t *tlb = json_object_get(head, "tlb");
  const char *text = json_string_value(tlb);
  request->tlb_unknown = !tlb && !strcmp(request->policy, "tlb");
  if (request->tlb_unknown)
    fprintf(stderr,
            "vat: note: %s does not tell the shape of its TLBs: an older vat "
            "has not kept it\n",
            request->from);
  if (!tlb) return VAT_OK;
  return !text || !strcmp(text, "here") || tlb_shape_parse(text, &request->tlb)
             ? refuse(request->from)
             : VAT_OK;
}

/* The same of fetches, where they were looked at. */
static int take_itlb(const json_t *head, struct profile_request *request) {
  const json_t *itlb = json_object_get(head, "itlb");
  const char *text = json_string_value(itlb);
  if (!itlb) return VAT_OK;
  return !text || !strcmp(text, "here") ||
                 itlb_shape_parse(text, &request->itlb)
             ? refuse(request->from)
             : VAT_OK;
}

int profile_saved_open(struct profile_saved *saved,
                       struct profile_request *request) {
  const char *path = request->from;
  json_int_t schema;
  FILE *file = saved->file ? saved->file : fopen(path, "r");
  *saved = (struct profile_saved){.file = file};
  if (!saved->file)
    return fail(fail_code(errno), "%s: %s", path, strerror(errno));
  saved->head = json_loadf(saved->file, JSON_DISABLE_EOF_CHECK, NULL);
  if (is_of_other_schema(saved->head, &schema))
    return refuse_schema(path, schema);
  if (!is_head(saved->head)) return refuse(path);
  const json_t *words = json_object_get(saved->head, "command");
  saved->words =
      memory_zeroed(json_array_size(words) + 1, sizeof *saved->words);
  for (size_t i = 0; i < json_array_size(words); i++)
    saved->words[i] = (char *)json_string_value(json_array_get(words, i));
  request->program = saved->words;
  request->policy = json_string_value(json_object_get(saved->head, "policy"));
  /* jansson reads no further than it must; what follows begins a line. */
  if (fgetc(saved->file) != '\n') return refuse(path);
  int code = take_tlb(saved->head, request);
  return code ? code : take_itlb(saved->head, request);
}

static int read_process(FILE *file, size_t bytes, const char *path,
                        struct profile *profile) {
  char error[PROFILE_ERROR_SIZE];
  struct stat status;
  if (fstat(fileno(file), &status) || bytes > (size_t)status.st_size)
    return fail(VAT_USAGE, "%s: is cut short", path);
  char *text = memory_get(bytes);
  FILE *part = NULL;
  int code = VAT_OK;
  if (fread(text, 1, bytes, file) != bytes)
    code = fail(VAT_USAGE, "%s: is cut short", path);
  else if (!(part = fmemopen(text, bytes, "r")))
    code = fail(VAT_ABSENT, "%s: %s", path, strerror(errno));
  else if (profile_read(profile, part, path, error))
    code = fail(fail_code(errno), "%s", error);
  if (part) fclose(part);
  free(text);
  return code;
}

int profile_saved_read(const struct profile_saved *saved, const char *path,
                       struct profile *profile) {
  const json_t *bytes = json_object_get(saved->head, "processes");
  int code = profile_objects_from_json(profile,
                                       json_object_get(saved->head, "objects"))
                 ? refuse(path)
                 : VAT_OK;
  for (size_t i = 0; !code && i < json_array_size(bytes); i++)
    code = read_process(saved->file,
                        (size_t)json_integer_value(json_array_get(bytes, i)),
                        path, profile);
  profile->lost =
      (unsigned)json_integer_value(json_object_get(saved->head, "lost"));
  profile->plan.added =
      profile_added_of_json(json_object_get(saved->head, "plan"));
  if (!code) profile_finish(profile);
  return code;
}

void profile_saved_close(struct profile_saved *saved) {
  if (saved->file) fclose(saved->file);
  json_decref(saved->head);
  free(saved->words);
  *saved = (struct profile_saved){0};
}
