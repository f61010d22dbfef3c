/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Java virtual machines: HotSpot, of OpenJDK and Oracle.
 *
 * "The java Command" (JDK 17): -XX:+UseTransparentHugePages, "Linux only";
 * -XX:+UseLargePages takes hugetlb pages for all of the heap when it is
 * reserved; -XX:+AlwaysPreTouch touches it then; all are off by default; "java
 * Command-Line Argument Files" and "Using the JDK_JAVA_OPTIONS Launcher
 * Environment Variable".  JVM Tool Interface, JAVA_TOOL_OPTIONS; HotSpot's
 * arguments.cpp, Arguments::parse: JAVA_TOOL_OPTIONS, then the command line,
 * then _JAVA_OPTIONS; the last one counts.  ZGC's heap is shared memory, which
 * takes shmem_enabled (OpenJDK wiki, ZGC, "Enabling Transparent Huge Pages").
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/application.h"

enum { THP, LARGE, TOUCH, ZGC, FLAGS };
enum { ARGUMENT = 1024, LEVELS = 4 };

static const char *const flags[FLAGS] = {
    "UseTransparentHugePages", "UseLargePages", "AlwaysPreTouch", "UseZGC"};

struct machine {
  const struct application_seen *seen;
  int value[FLAGS]; /* -1: not set */
  const char *from[FLAGS];
  uint64_t heap; /* of -Xmx; 0: not set */
  bool hidden;   /* a file of options cannot be read */
};

static bool recognises(const struct application_seen *seen) {
  static const char *const library[] = {"libjvm.so", NULL};
  /* OpenJ9 has a libjvm.so, too, and other switches. */
  static const char *const other[] = {"libj9*.so", NULL};
  return seen_object(seen, library) && !seen_object(seen, other);
}

static void take_option(struct machine *machine, const char *option,
                        const char *from) {
  if (!strncmp(option, "-Xmx", 4)) machine->heap = setting_bytes(option + 4, 1);
  if (!strncmp(option, "-XX:MaxHeapSize=", 16))
    machine->heap = setting_bytes(option + 16, 1);
  if (strncmp(option, "-XX:", 4) || (option[4] != '+' && option[4] != '-'))
    return;
  for (int i = 0; i < FLAGS; i++)
    if (!strcmp(option + 5, flags[i])) {
      machine->value[i] = option[4] == '+';
      machine->from[i] = from;
    }
}

/* The next of words that blanks divide, some of them in quotes; false: there is
 * none. */
static bool next_word(const char **text, char word[ARGUMENT]) {
  size_t length = 0;
  char quote = '\0';
  while (isspace((unsigned char)**text)) (*text)++;
  if (!**text) return false;
  for (; **text && (quote || !isspace((unsigned char)**text)); (*text)++) {
    if (quote ? **text == quote : **text == '"' || **text == '\'')
      quote = quote ? '\0' : **text;
    else if (length < ARGUMENT - 1)
      word[length++] = **text;
  }
  word[length] = '\0';
  return true;
}

static void take_text(struct machine *machine, const char *text,
                      const char *from, bool files);

static void take_file(struct machine *machine, const char *path,
                      const char *from, bool files) {
  char *text = seen_read(machine->seen, machine->seen->cwd, path);
  if (!text) machine->hidden = true;
  if (text) take_text(machine, text, from, files);
  free(text);
}

/* `files`: of the launcher, which reads argument files, but none that another
 * names. */
static void take_word(struct machine *machine, const char *word,
                      const char *from, bool files) {
  static const char option_file[] = "-XX:VMOptionsFile=";
  if (*word == '@' && files)
    take_file(machine, word + 1, "an argument file", false);
  else if (!strncmp(word, option_file, sizeof option_file - 1))
    take_file(machine, word + sizeof option_file - 1, "its VMOptionsFile",
              false);
  else
    take_option(machine, word, from);
}

static void take_text(struct machine *machine, const char *text,
                      const char *from, bool files) {
  char word[ARGUMENT];
  while (text && next_word(&text, word))
    /* What a file names would be a file of its own: no circles. */
    if (files || *word == '@' || strncmp(word, "-XX:VMOptionsFile", 17))
      take_word(machine, word, from, files);
}

/* Up to the class; options after it are the program's. */
static void take_command(struct machine *machine) {
  static const char *const with_word[] = {"-cp",
                                          "-classpath",
                                          "--class-path",
                                          "-p",
                                          "--module-path",
                                          "--add-*",
                                          "--limit-modules",
                                          "--upgrade-module-path",
                                          "--patch-module",
                                          "--source",
                                          "--enable-native-access",
                                          NULL};
  const struct application_seen *seen = machine->seen;
  for (size_t i = 1; i < seen->argc; i++) {
    const char *word = seen->argv[i];
    if (!strcmp(word, "-jar") || !strcmp(word, "-m") ||
        !strcmp(word, "--module") || (*word != '-' && *word != '@'))
      break;
    take_word(machine, word, "the command line", true);
    i += seen_is_any(word, with_word) && !strchr(word, '=');
  }
}

static void read_machine(struct machine *machine,
                         const struct application_seen *seen) {
  *machine = (struct machine){.seen = seen, .value = {-1, -1, -1, -1}};
  take_text(machine, seen_env(seen, "JAVA_TOOL_OPTIONS"), "JAVA_TOOL_OPTIONS",
            false);
  take_text(machine, seen_env(seen, "JDK_JAVA_OPTIONS"), "JDK_JAVA_OPTIONS",
            true);
  take_command(machine);
  take_text(machine, seen_env(seen, "_JAVA_OPTIONS"), "_JAVA_OPTIONS", false);
}

static struct application_setting *add(struct application_settings *settings,
                                       const struct machine *machine, int flag,
                                       const char *what) {
  const struct application_seen *seen = machine->seen;
  struct application_setting *setting =
      setting_add(settings, flags[flag], what);
  int value = machine->value[flag];
  if (value >= 0)
    setting_value(setting, value ? "true" : "false", machine->from[flag]);
  else if (!seen->argc)
    SETTING_PRINT(setting->why, "its command line is unknown");
  else if (machine->hidden)
    SETTING_PRINT(setting->why, "a file with its options cannot be read");
  else if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else
    setting_value(setting, "false", "the default");
  setting->large = value == 1;
  return setting;
}

static void add_large(struct application_settings *settings,
                      const struct machine *machine) {
  struct application_setting *setting =
      add(settings, machine, LARGE,
          "reserves the heap and the code cache on hugetlb pages; where the "
          "pool is too small it says so and takes base pages");
  if (setting->large || machine->value[THP] == 1) return;
  SETTING_PRINT(setting->advice,
                "or -XX:+UseLargePages, with memory set apart for it");
  if (machine->heap)
    setting_pool(setting, machine->seen, machine->heap,
                 "some more for its code cache");
  else
    SETTING_PRINT(setting->needs,
                  "free huge pages (vm.nr_hugepages) for its largest heap "
                  "(-Xmx) and its code cache");
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct machine machine;
  read_machine(&machine, seen);
  struct application_setting *thp =
      add(settings, &machine, THP, "asks for THP for the heap by madvise");
  if (!thp->large && machine.value[LARGE] != 1) {
    SETTING_PRINT(thp->advice,
                  "-XX:+UseTransparentHugePages, before the class or in "
                  "JAVA_TOOL_OPTIONS");
    SETTING_PRINT(thp->needs,
                  "`madvise` or `always` in "
                  "/sys/kernel/mm/transparent_hugepage/%s",
                  machine.value[ZGC] == 1 ? "enabled, `advise` in shmem_enabled"
                                          : "enabled");
  }
  add_large(settings, &machine);
  struct application_setting *touch =
      add(settings, &machine, TOUCH,
          "touches the heap when it starts, so that larger pages are taken "
          "while there are some; it starts later and is all resident");
  if (!touch->large)
    SETTING_PRINT(touch->advice,
                  "-XX:+AlwaysPreTouch beside it, if -Xms is "
                  "-Xmx");
}

/* "release" in JAVA_HOME, above lib/server/libjvm.so. */
static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  static const char *const library[] = {"libjvm.so", NULL};
  static const char key[] = "JAVA_VERSION=\"";
  char folder[SEEN_PATH];
  const char *object = seen_object(seen, library);
  seen_folder(folder, object ? object : "");
  for (int i = 0; i < LEVELS && *folder; i++) {
    char *text = seen_read(seen, folder, "release");
    const char *at = text ? strstr(text, key) : NULL;
    if (at) {
      at += sizeof key - 1;
      char found[APPLICATION_VERSION];
      snprintf(found, sizeof found, "%.*s", (int)strcspn(at, "\"\n"), at);
      seen_copy(version, APPLICATION_VERSION, found);
    }
    free(text);
    if (at) return NULL;
    seen_folder(folder, folder);
  }
  return "there is no file `release` above its libjvm.so";
}

const struct application application_jvm = {
    .name = "JVM",
    .kind = APPLICATION_RUNTIME,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
