/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/plan_told.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/record.h"
#include "experiments/exec/executable.h"
#include "experiments/exec/page_plan.h"
#include "experiments/exec/rules_text.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

/* "thp", or by their size: "2m", "thp-64k"; 0: not known. */
static unsigned page_bits(const char *kind) {
  const char *size = strncmp(kind, "thp-", 4) ? kind : kind + 4;
  unsigned bits = hp_page_bits(strcmp(kind, "thp") ? size : "2m");
  return bits >= 14 && bits <= 30 ? bits : 0;
}

/* Return addresses hold for one build. */
static int check_build(const char *file, const struct page_plan *plan,
                       const char *object) {
  char id[EXECUTABLE_BUILD_ID] = "";
  int fd = open(object, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && executable_read_build_id(fd, id)) id[0] = '\0';
  if (fd >= 0) close(fd);
  if (fd >= 0 && !strcmp(id, page_plan_build_of(plan, object))) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: %s %s; fix: vat profile --save NEW.profile -- PROG, then "
              "vat plan --from NEW.profile",
              file, object,
              fd < 0 ? "is not there any more" : "is another build");
}

/* They become words of lines. */
static int check_name(const char *file, const char *name) {
  if (!strpbrk(name, "\n\r")) return VAT_OK;
  return fail(VAT_USAGE, "%s: a name has more than one line", file);
}

static int check_chain(const char *file, const struct page_plan *plan,
                       const struct plan_chain *chain) {
  int code = VAT_OK;
  for (size_t i = 0; !code && i < chain->frames; i++) {
    const struct plan_frame *frame = &chain->frame[i];
    if (!frame->offset)
      return fail(VAT_USAGE,
                  "%s: %s is known by its name only; --plan takes what vat "
                  "plan made",
                  file, frame->function ? frame->function : "a function");
    if (i && !strcmp(frame->object, chain->frame[i - 1].object)) continue;
    code = check_name(file, frame->object);
    if (!code && *frame->object == '/')
      code = check_build(file, plan, frame->object);
  }
  return code;
}

static int check(const char *file, const struct page_plan *plan) {
  int code = VAT_OK;
  if (!page_bits(plan->pages))
    return fail(VAT_USAGE,
                "%s: pages of kind %s have no size that --plan knows", file,
                plan->pages);
  for (size_t i = 0; !code && i < plan->choice_count; i++) {
    code = check_name(file, plan->choices[i].where);
    for (size_t k = 0; !code && k < plan->choices[i].chain_count; k++)
      code = check_chain(file, plan, &plan->choices[i].chains[k]);
  }
  return code;
}

static void write_chain(FILE *to, size_t number,
                        const struct plan_choice *choice,
                        const struct plan_chain *chain) {
  uint64_t least = choice->least_bytes, most = UINT64_MAX;
  if (choice->what == PLAN_SITE_SMALL) {
    most = (least ? least : SITE_LARGE_LEAST) - 1;
    least = 0;
  }
  fprintf(to, "chain %zx %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
          number, least, most, choice->from, choice->to);
  for (size_t i = 0; i < chain->frames; i++)
    fprintf(to, "frame %" PRIx64 " %s\n", chain->frame[i].offset,
            basename(chain->frame[i].object));
}

/* Code is no data, so its choices change nothing here. */
static void write_choice(FILE *to, size_t number,
                         const struct plan_choice *choice) {
  for (size_t i = 0; i < choice->chain_count; i++)
    write_chain(to, number, choice, &choice->chains[i]);
  if (choice->chain_count || choice->what == PLAN_TEXT) return;
  fprintf(to, "%s", plan_what_names[choice->what]);
  if (choice->what == PLAN_FILE)
    fprintf(to, " %s\n", basename(choice->where));
  else
    fprintf(to, " %" PRIx64 "\n", choice->least_bytes);
}

static struct profile_added added_by(const char *file,
                                     const struct page_plan *plan) {
  json_t *all = json_load_file(file, 0, NULL);
  const json_t *misses = json_object_get(all, "misses");
  struct profile_added added = {
      json_real_at(misses, "leaf"), json_real_at(misses, "saved"),
      plan->predicted.user_ratio, plan->predicted.lo, plan->predicted.hi};
  json_decref(all);
  return added;
}

int plan_told_make(const char *file, char **text, struct profile_added *added) {
  struct page_plan plan = {0};
  char why[PLAN_WHY + PATH_MAX];
  size_t size;
  if (page_plan_read(&plan, file, why, sizeof why))
    return fail(fail_code(errno), "%s", why);
  int code = check(file, &plan);
  if (!code) {
    FILE *to = memory_stream(text, &size);
    fprintf(to, "page_bits %x\n", page_bits(plan.pages));
    for (size_t i = 0; i < plan.choice_count; i++)
      write_choice(to, i, &plan.choices[i]);
    memory_stream_close(to);
    *added = added_by(file, &plan);
  }
  page_plan_fini(&plan);
  return code;
}

int plan_told_write(const char *text, const struct valgrind *valgrind) {
  char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/plan", valgrind->directory);
  FILE *to = fopen(path, "wxe");
  bool failed = !to || (valgrind->shared && fchmod(fileno(to), 0644)) ||
                fputs(text, to) == EOF;
  if (to && fclose(to)) failed = true;
  return failed ? fail(fail_code(errno), "%s: %s", path, strerror(errno))
                : VAT_OK;
}

static void write_ranges(FILE *to, const struct profile_plan *plan,
                         uint64_t process) {
  char size[HP_NAME_SIZE];
  hp_page_name((size_t)1 << plan->page_bits, size);
  if (plan->both)
    fprintf(to,
            "# %" PRIu64
            " larger pages of addresses had base pages, too: the "
            "counts are not exactly those of the profile\n",
            plan->both);
  for (size_t i = 0; i < plan->ranges; i++)
    if (plan->range[i].process == process)
      fprintf(to, "%" PRIx64 "-%" PRIx64 " %s\n", plan->range[i].start,
              plan->range[i].end, size);
  fputs("default 4k\n", to);
}

static int write_layout(const char *path, const struct profile_plan *plan,
                        uint64_t process) {
  struct out_file file;
  int failed = out_file_open(&file, path);
  if (!failed) write_ranges(file.stream, plan, process);
  if (!failed) failed = out_file_commit(&file);
  int error = errno;
  out_file_end(&file);
  return failed ? fail(fail_code(error), "%s: %s", path, strerror(error))
                : VAT_OK;
}

/* It chooses something, and no page was a larger one. */
static bool is_in_vain(const struct profile_request *request,
                       const struct profile *profile) {
  return strchr(request->plan_told, '\n')[1] && profile->processes &&
         !profile->plan.ranges;
}

int plan_told_finish(const struct profile_request *request,
                     const struct profile *profile, unsigned first) {
  const struct profile_plan *plan = &profile->plan;
  int code = VAT_OK;
  if (!request->plan) return VAT_OK;
  if (is_in_vain(request, profile))
    fail(VAT_OK,
         "note: %s: no memory of this run is what it chooses; fix: the plan of "
         "this program, and the options that it was made with",
         request->plan);
  if (!request->trace) return VAT_OK;
  for (size_t i = 0; !code && i < plan->processes; i++) {
    uint64_t process = plan->process[i];
    char *path = process == first ? memory_format("%s.layout", request->trace)
                                  : memory_format("%s.%" PRIu64 ".layout",
                                                  request->trace, process);
    code = write_layout(path, plan, process);
    free(path);
  }
  return code;
}
