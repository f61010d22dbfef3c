/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/applications/application.h -- programs that have switches of
 * their own for larger pages.
 *
 * An application is a program, a language's runtime or an allocator.  One file
 * each, or a few that are related, and a line of applications.c.
 */
#pragma once
#include "experiments/applications/seen.h"

enum {
  APPLICATION_VERSION = 32,
  APPLICATION_VALUE = 64,
  APPLICATION_TEXT = 256,
  APPLICATION_SETTINGS = 4
};

/* All texts are printable and of one line. */
struct application_setting {
  const char *name;              /* "huge_pages" */
  const char *what;              /* what it does */
  char value[APPLICATION_VALUE]; /* "": absent; then `why` says why */
  char why[APPLICATION_TEXT];
  char from[APPLICATION_TEXT];   /* "the default", "the command line", a file */
  bool large;                    /* larger pages are asked for already */
  bool refuses;                  /* as long as it is set so, or may be, the heap
                                    may be refused THP whatever else is set */
  char advice[APPLICATION_TEXT]; /* what to write where; "": nothing helps, or
                                    it is set */
  char needs[APPLICATION_TEXT];  /* and what that needs; "": nothing */
};

struct application_settings {
  struct application_setting at[APPLICATION_SETTINGS];
  size_t count;
};

enum application_kind {
  APPLICATION_PROGRAM,
  APPLICATION_RUNTIME,
  APPLICATION_ALLOCATOR
};

struct application {
  const char *name; /* "PostgreSQL" */
  enum application_kind kind;
  bool (*recognises)(const struct application_seen *seen);
  /* Fill `version` and return NULL; or return why it is not known. */
  const char *(*version)(const struct application_seen *seen,
                         char version[APPLICATION_VERSION]);
  /* Only of what it recognises; `settings` begins empty. */
  void (*settings)(const struct application_seen *seen,
                   struct application_settings *settings);
};

/* programs */
extern const struct application application_mysql, application_nginx,
    application_postgresql, application_redis;
/* runtimes */
extern const struct application application_go, application_jvm,
    application_node;
/* allocators */
extern const struct application application_glibc, application_google_tcmalloc,
    application_jemalloc, application_mimalloc, application_tcmalloc;

/* setting.c: for what fills settings. */

/* A new setting without a value; more than fit are a defect. */
struct application_setting *setting_add(struct application_settings *settings,
                                        const char *name, const char *what);
/* printf(3) into one of its texts, made printable. */
#define SETTING_PRINT(text, ...) \
  setting_print((text), sizeof(text), __VA_ARGS__)
void setting_print(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A value, and where it is from. */
void setting_value(struct application_setting *setting, const char *value,
                   const char *from);
/* "N free huge pages of 2 MiB (vm.nr_hugepages)": pages of the default pool
 * that hold so many bytes. */
void setting_pool(struct application_setting *setting,
                  const struct application_seen *seen, uint64_t bytes,
                  const char *besides);
/* A number of bytes as configuration files have them, "128MB", "4g"; those
 * without a unit are of `unit` bytes.  0: it is none, or too large. */
uint64_t setting_bytes(const char *text, uint64_t unit);
/*
 * The value of `key` in a list of `key`:value, as "thp:always,tcache:false",
 * whose items end with one of `ends`; the last one counts.  False: it is not
 * there.
 */
bool setting_of_list(const char *list, const char *key, char between,
                     const char *ends, char value[APPLICATION_VALUE]);
/* on, off, true, 1, ...: 1 or 0; -1: neither. */
int setting_switch(const char *text);
/* "NAME=what is there,addition": how the variable is set to have both. */
void setting_join(char advice[APPLICATION_TEXT],
                  const struct application_seen *seen, const char *name,
                  const char *between, const char *addition);
