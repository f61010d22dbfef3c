/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "experiments/applications/application.h"
#include "huge_pages/size_text.h"

struct application_setting *setting_add(struct application_settings *settings,
                                        const char *name, const char *what) {
  assert(settings->count < APPLICATION_SETTINGS);
  struct application_setting *setting = &settings->at[settings->count++];
  setting->name = name;
  setting->what = what;
  return setting;
}

void setting_print(char *text, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(text, size, format, args);
  va_end(args);
  seen_tame(text);
}

void setting_value(struct application_setting *setting, const char *value,
                   const char *from) {
  seen_copy(setting->value, sizeof setting->value, *value ? value : "''");
  seen_copy(setting->from, sizeof setting->from, from);
}

void setting_pool(struct application_setting *setting,
                  const struct application_seen *seen, uint64_t bytes,
                  const char *besides) {
  uint64_t page = seen->huge_page_bytes ? seen->huge_page_bytes : 2 << 20;
  SETTING_PRINT(setting->needs,
                "%llu free huge pages of %s when it starts "
                "(vm.nr_hugepages)%s%s",
                (unsigned long long)(bytes / page + !!(bytes % page)),
                HP_SIZE_SHOWN((size_t)page), *besides ? ", and " : "", besides);
}

uint64_t setting_bytes(const char *text, uint64_t unit) {
  static const char units[] = "kmgt";
  char *end;
  if (!isdigit((unsigned char)*text)) return 0;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (errno) return 0;
  while (*end == ' ') end++;
  if (*end) {
    const char *at = strchr(units, tolower((unsigned char)*end));
    if (at)
      unit = (uint64_t)1 << (10 * (at - units + 1));
    else if (tolower((unsigned char)*end) == 'b')
      unit = 1;
    else
      return 0;
  }
  return number <= UINT64_MAX / unit ? number * unit : 0;
}

bool setting_of_list(const char *list, const char *key, char between,
                     const char *ends, char value[APPLICATION_VALUE]) {
  size_t length = strlen(key);
  bool found = false;
  while (*list) {
    size_t item = strcspn(list, ends);
    if (item > length && !strncmp(list, key, length) &&
        list[length] == between) {
      snprintf(value, APPLICATION_VALUE, "%.*s", (int)(item - length - 1),
               list + length + 1);
      found = true;
    }
    list += item;
    list += !!*list;
  }
  return found;
}

int setting_switch(const char *text) {
  static const char *const words[2][5] = {{"0", "off", "false", "no", NULL},
                                          {"1", "on", "true", "yes", NULL}};
  for (int on = 0; on < 2; on++)
    for (const char *const *word = words[on]; *word; word++)
      if (!strcasecmp(text, *word)) return on;
  return -1;
}

void setting_join(char advice[APPLICATION_TEXT],
                  const struct application_seen *seen, const char *name,
                  const char *between, const char *addition) {
  const char *there = seen_env(seen, name);
  /* One that does not fit would be cut, and then be wrong. */
  if (!there || !*there || strlen(there) > APPLICATION_TEXT / 2)
    there = between = "";
  setting_print(advice, APPLICATION_TEXT, "%s=%s%s%s", name, there, between,
                addition);
}
