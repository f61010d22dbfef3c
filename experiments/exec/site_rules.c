/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/site.h"

void *site_memory(size_t bytes) {
  long map = syscall(SYS_mmap, NULL, bytes, RIGHTS, FLAGS, -1, 0L);
  return map == -1 ? NULL : (void *)map;
}

/* By whole pages where another thread is here, or forked when it was. */
void *site_carve(size_t bytes) {
  enum { PIECE = 64 << 10 };
  static uint8_t carving;
  static char *piece;
  static size_t left;
  size_t whole = (bytes + 15) & ~(size_t)15;
  if (whole > PIECE / 4 || __atomic_test_and_set(&carving, __ATOMIC_ACQUIRE))
    return site_memory(bytes);
  if (left < whole && (piece = site_memory(PIECE))) left = PIECE;
  char *at = piece && left >= whole ? piece : NULL;
  if (at) {
    piece += whole;
    left -= whole;
  }
  __atomic_clear(&carving, __ATOMIC_RELEASE);
  return at;
}

static bool is(const struct rules_entry *entry, const char *what) {
  return rules_is(&entry->word[0], what);
}

static bool is_site(const struct rules_entry *entry) {
  return entry->count > 6 &&
         (is(entry, "chain") || is(entry, "mapped") || is(entry, "function"));
}

/* OBJECT.OFFSET.FUNCTION, the last may lack. */
static struct site_frame read_frame(const struct rules_word *word) {
  struct rules_word part[3] = {0};
  const char *at = word->at, *end = word->at + word->length;
  for (int i = 0; i < 3 && at < end; i++) {
    const char *dot = memchr(at, '.', (size_t)(end - at));
    if (!dot) dot = end;
    part[i] = (struct rules_word){at, (size_t)(dot - at)};
    at = dot < end ? dot + 1 : end;
  }
  return (struct site_frame){
      .object = (int)rules_number(&part[0]),
      .offset = rules_number(&part[1]),
      .function = part[2].length ? (int)rules_number(&part[2]) : -1};
}

static int add_function(struct site_rules *rules,
                        const struct rules_word *word) {
  rules_decode(word, rules->function[rules->functions],
               sizeof rules->function[0]);
  return (int)rules->functions++;
}

static int add_object(struct site_rules *rules, const struct rules_word *name,
                      const struct rules_word *build_id) {
  struct site_object *object = &rules->object[rules->objects];
  rules_decode(name, object->name, sizeof object->name);
  if (build_id)
    rules_decode(build_id, object->build_id, sizeof object->build_id);
  return (int)rules->objects++;
}

static void read_rule(struct site_rules *rules,
                      const struct rules_entry *entry) {
  struct site_rule *rule = &rules->rule[rules->rules];
  const struct rules_word *word = entry->word;
  *rule = (struct site_rule){.choice = (int)rules_number(&word[1]),
                             .least = rules_number(&word[2]),
                             .most = rules_number(&word[3]),
                             .from = rules_number(&word[4]),
                             .to = rules_number(&word[5]),
                             .mapped = is(entry, "mapped")};
  if (rule->choice >= RULES_CHOICES) return;
  if (is(entry, "function")) {
    bool anywhere = entry->count < 8;
    rule->frame[0].function = add_function(rules, &word[6]);
    rule->frame[0].object = anywhere ? -1 : add_object(rules, &word[7], NULL);
    rules->by_function = true;
  } else {
    for (unsigned i = 6; i < entry->count && i - 6 < RULES_FRAMES; i++)
      rule->frame[rule->frames++] = read_frame(&word[i]);
  }
  rules->rules++;
}

/* What the rules refer to by numbers comes first, and keeps these. */
static void read_names(struct site_rules *rules, const char *text) {
  struct rules_entry entry;
  while (rules_next(&text, &entry)) {
    if (entry.count < 2) continue;
    if (is(&entry, "object"))
      add_object(rules, &entry.word[1],
                 entry.count > 2 ? &entry.word[2] : NULL);
    if (is(&entry, "name")) add_function(rules, &entry.word[1]);
  }
}

/* References that lead nowhere are of a damaged text. */
static bool is_whole(const struct site_rules *rules,
                     const struct site_rule *rule) {
  for (unsigned i = 0; i < rule->frames; i++)
    if (rule->frame[i].object < 0 ||
        (unsigned)rule->frame[i].object >= rules->objects ||
        rule->frame[i].function >= (int)rules->functions)
      return false;
  return true;
}

static bool is_named(const struct site_rules *rules,
                     const struct site_rule *rule) {
  int function = rule->frame[0].function;
  return function >= 0 && strcmp(rules->function[function], "main") != 0;
}

static bool is_of_same_blocks(const struct site_rule *a,
                              const struct site_rule *b) {
  return a->least == b->least && a->frames == b->frames &&
         !memcmp(a->frame, b->frame, sizeof a->frame);
}

/* A block is looked up once: of the rules that each have a part of it, the
 * first leads to the next. */
static void link_parts(struct site_rules *rules) {
  for (unsigned i = 0; i < rules->rules; i++) {
    struct site_rule *rule = &rules->rule[i];
    for (unsigned j = 0; site_rule_is_part(rule) && j < i; j++) {
      struct site_rule *before = &rules->rule[j];
      if (!site_rule_is_part(before) || before->more ||
          !is_of_same_blocks(before, rule))
        continue;
      before->more = rule;
      break;
    }
  }
}

int site_rules_read(struct site_rules *rules, const char *text) {
  struct rules_entry entry;
  size_t count = 0;
  *rules = (struct site_rules){0};
  for (const char *at = text; rules_next(&at, &entry);) count++;
  if (!count) return 0;
  rules->rule = site_memory(count * sizeof *rules->rule);
  rules->object = site_memory(count * sizeof *rules->object);
  rules->function = site_memory(count * sizeof *rules->function);
  if (!rules->rule || !rules->object || !rules->function) return -1;
  read_names(rules, text);
  while (rules_next(&text, &entry)) {
    if (!is_site(&entry)) continue;
    read_rule(rules, &entry);
    struct site_rule *rule =
        rules->rules ? &rules->rule[rules->rules - 1] : NULL;
    if (!rule) continue;
    if (is_whole(rules, rule))
      rule->named = is_named(rules, rule);
    else
      rules->rules--;
  }
  link_parts(rules);
  return 0;
}
