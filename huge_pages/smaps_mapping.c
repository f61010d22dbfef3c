/* SPDX-License-Identifier: BSD-2-Clause */
#include "huge_pages/smaps_mapping.h"

#include <config.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t sum(size_t a, size_t b) {
  return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* "fd:01", both in hexadecimal. */
static uint64_t parse_device(const char *text) {
  char *rest;
  uint64_t major = strtoul(text, &rest, 16);
  return *rest == ':' ? major << 32 | strtoul(rest + 1, NULL, 16) : 0;
}

/* After the addresses: "rw-p 00000000 fd:01 1234   /a path". */
static void parse_rest(const char *rest, struct hp_mapping *mapping) {
  while (*rest == ' ') rest++;
  for (size_t i = 0; i < 4 && *rest && *rest != ' '; i++)
    mapping->rights[i] = *rest++;
  for (int field = 0; field < 4; field++) {
    rest += strcspn(rest, " \n");
    rest += strspn(rest, " ");
    if (field == 0) mapping->offset = strtoull(rest, NULL, 16);
    if (field == 1) mapping->device = parse_device(rest);
    if (field == 2) mapping->inode = strtoull(rest, NULL, 10);
  }
  size_t length = strcspn(rest, "\n");
  if (length >= sizeof mapping->name) length = sizeof mapping->name - 1;
  memcpy(mapping->name, rest, length);
}

/* "55d0c7a00000-55d0c7a21000 rw-p ..." opens a mapping. */
static bool parse_header(const char *line, struct hp_mapping *mapping) {
  char *rest;
  if (!isxdigit((unsigned char)*line)) return false;
  errno = 0;
  unsigned long long start = strtoull(line, &rest, 16);
  if (*rest != '-' || !isxdigit((unsigned char)rest[1])) return false;
  unsigned long long end = strtoull(rest + 1, &rest, 16);
  if (*rest != ' ' || errno || start >= end || end > UINTPTR_MAX) return false;
  *mapping =
      (struct hp_mapping){.start = (uintptr_t)start, .end = (uintptr_t)end};
  parse_rest(rest, mapping);
  return true;
}

/* The bytes of "   1234 kB"; 0 where there is no such number. */
static size_t parse_kib(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  if (!isdigit((unsigned char)*text)) return 0;
  char *rest;
  errno = 0;
  unsigned long long kib = strtoull(text, &rest, 10);
  if (strncmp(rest, " kB", 3)) return 0;
  return errno || kib > SIZE_MAX / 1024 ? SIZE_MAX : (size_t)kib * 1024;
}

/* " rd wr mr mw me ac hg", two letters each. */
static unsigned parse_flags(const char *text) {
  static const struct {
    char name[3];
    enum hp_mapping_flag flag;
  } known[] = {
      {"hg", HP_MAPPING_ADVISED}, {"nh", HP_MAPPING_ADVISED_NOT},
      {"gd", HP_MAPPING_STACK},   {"io", HP_MAPPING_DEVICE},
      {"pf", HP_MAPPING_DEVICE},  {"lo", HP_MAPPING_LOCKED},
      {"um", HP_MAPPING_FAULTS},  {"uw", HP_MAPPING_FAULTS},
      {"ui", HP_MAPPING_FAULTS},  {"mg", HP_MAPPING_MERGED},
  };
  unsigned flags = 0;
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    size_t length = strcspn(text, " \n");
    if (!length) break;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (length == 2 && !strncmp(text, known[i].name, 2))
        flags |= known[i].flag;
    text += length;
  }
  return flags;
}

static void parse_field(const char *line, struct hp_mapping *mapping) {
  static const char flags[] = "VmFlags:";
  const struct {
    const char *key;
    size_t *value;
  } fields[] = {
      {"KernelPageSize:", &mapping->page_bytes},
      {"Rss:", &mapping->rss},
      {"Anonymous:", &mapping->anonymous},
      {"Swap:", &mapping->swap},
      {"AnonHugePages:", &mapping->thp},
      {"ShmemPmdMapped:", &mapping->thp},
      {"FilePmdMapped:", &mapping->thp},
      {"Shared_Hugetlb:", &mapping->hugetlb},
      {"Private_Hugetlb:", &mapping->hugetlb},
  };
  if (!strncmp(line, flags, strlen(flags)))
    mapping->flags |= parse_flags(line + strlen(flags));
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    size_t length = strlen(fields[i].key);
    if (strncmp(line, fields[i].key, length)) continue;
    *fields[i].value = sum(*fields[i].value, parse_kib(line + length));
    return;
  }
}

void hp_mapping_reader_init(struct hp_mapping_reader *reader, FILE *smaps) {
  *reader = (struct hp_mapping_reader){.smaps = smaps};
}

bool hp_mapping_next(struct hp_mapping_reader *reader,
                     struct hp_mapping *mapping) {
  char line[256];
  while (fgets(line, sizeof line, reader->smaps)) {
    struct hp_mapping next;
    bool begins = !reader->inside;
    reader->inside = !strchr(line, '\n');
    if (!begins) continue;
    if (!parse_header(line, &next)) {
      parse_field(line, &reader->ahead);
      continue;
    }
    *mapping = reader->ahead;
    reader->ahead = next;
    if (mapping->end) return true;
  }
  if (ferror(reader->smaps) || !reader->ahead.end) return false;
  *mapping = reader->ahead;
  reader->ahead = (struct hp_mapping){.end = 0};
  return true;
}
