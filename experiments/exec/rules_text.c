/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/rules_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/exec/symbol_name.h"

bool plan_has_sites(const struct page_plan *plan) {
  for (size_t i = 0; i < plan->choice_count; i++)
    if (plan->choices[i].chain_count && !plan->choices[i].refused) return true;
  return false;
}

/* A word: what ends one, and what no variable should have, is %XX. */
static void write_part(FILE *out, const char *text, size_t length) {
  for (; length; text++, length--) {
    unsigned char c = (unsigned char)*text;
    if (c <= ' ' || c >= 127 || strchr(":;%", c))
      fprintf(out, "%%%02x", c);
    else
      fputc(c, out);
  }
}

static void write_word(FILE *out, const char *text) {
  write_part(out, text, strlen(text));
}

/* Texts that are referred to by number. */
struct names {
  const char **at;
  size_t count;
};

static size_t number_of(struct names *names, const char *text) {
  for (size_t i = 0; i < names->count; i++)
    if (!strcmp(names->at[i], text)) return i;
  *ARRAY_ADD(names->at, names->count) = text;
  return names->count - 1;
}

/* Where an offset is not known the function is all there is. */
static bool is_by_function(const struct plan_chain *chain) {
  return !chain->frame[0].offset && chain->frame[0].function;
}

/* Of a site that maps memory itself, malloc() need not be asked. */
static const char *word_of(const struct plan_choice *choice,
                           const struct plan_chain *chain) {
  if (is_by_function(chain)) return "function";
  return strcmp(choice->kind, "heap") ? "mapped" : "chain";
}

static void write_sizes(FILE *out, const char *word, size_t number,
                        const struct plan_choice *choice) {
  uint64_t least = choice->least_bytes, most = UINT64_MAX;
  if (choice->what == PLAN_SITE_SMALL) {
    most = (least ? least : SITE_LARGE_LEAST) - 1;
    least = 0;
  }
  fprintf(out, "%s:%zx:%" PRIx64 ":%" PRIx64 ":%" PRIx64 ":%" PRIx64, word,
          number, least, most, choice->from, choice->to);
}

static void write_chain(FILE *out, struct names *objects,
                        struct names *functions, size_t number,
                        const struct plan_choice *choice,
                        const struct plan_chain *chain) {
  const struct plan_frame *frame = chain->frame;
  write_sizes(out, word_of(choice, chain), number, choice);
  if (is_by_function(chain)) {
    fputc(':', out);
    write_word(out, frame->function);
    if (*frame->object) {
      fputc(':', out);
      write_word(out, basename(frame->object));
    }
  } else {
    for (size_t i = 0; i < chain->frames; i++, frame++) {
      fprintf(out, ":%zx.%" PRIx64, number_of(objects, frame->object),
              frame->offset);
      if (frame->function)
        fprintf(out, ".%zx", number_of(functions, frame->function));
    }
  }
  fputc(';', out);
}

static void write_choice(FILE *out, size_t number,
                         const struct plan_choice *choice) {
  static const bool sized[PLAN_WHATS] = {
      [PLAN_MAPPINGS] = true, [PLAN_SHARED] = true};
  fprintf(out, "%s:%zx", plan_what_names[choice->what], number);
  if (sized[choice->what]) fprintf(out, ":%" PRIx64, choice->least_bytes);
  const char *name = NULL;
  if (choice->what == PLAN_FILE) name = basename(choice->where);
  if (choice->what == PLAN_TEXT && !strncmp(choice->where, "text=", 5))
    name = basename(choice->where + 5);
  if (name) {
    fputc(':', out);
    write_word(out, name);
  }
  fputc(';', out);
}

char *rules_text(const struct page_plan *plan) {
  char *text;
  size_t size;
  struct names objects = {0}, functions = {0};
  FILE *out = memory_stream(&text, &size);
  for (size_t i = 0; i < plan->choice_count; i++) {
    const struct plan_choice *choice = &plan->choices[i];
    if (choice->refused) continue;
    if (!choice->chain_count) write_choice(out, i, choice);
    for (size_t j = 0; j < choice->chain_count; j++)
      write_chain(out, &objects, &functions, i, choice, &choice->chains[j]);
  }
  for (size_t i = 0; i < objects.count; i++) {
    fputs("object:", out);
    write_word(out, basename(objects.at[i]));
    fprintf(out, ":%s;", page_plan_build_of(plan, objects.at[i]));
  }
  for (size_t i = 0; i < functions.count; i++) {
    fputs("name:", out);
    write_part(out, functions.at[i], symbol_stem(functions.at[i]));
    fputc(';', out);
  }
  memory_stream_close(out);
  free(objects.at);
  free(functions.at);
  return text;
}
