/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/mixed_tlb_option.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/calibration.h"
#include "experiments/results/machine_record.h"
#include "experiments/sim/tlb_option.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

enum { TEXT_MOST = 256, LEAST_BITS = 12, COALESCE_MOST_BITS = 16 };

/* Where the caches for pages of that size stand, by rising sizes. */
static int place_of(struct mixed_tlb_shape *shape, unsigned bits) {
  int at = 0;
  while (at < MIXED_TLB_SIZES && shape->from[at].page_bits &&
         shape->from[at].page_bits < bits)
    at++;
  if (at < MIXED_TLB_SIZES && shape->from[at].page_bits == bits) return at;
  if (shape->from[MIXED_TLB_SIZES - 1].page_bits) return -1;
  memmove(&shape->from[at + 1], &shape->from[at],
          (size_t)(MIXED_TLB_SIZES - 1 - at) * sizeof *shape->from);
  memset(&shape->from[at], 0, sizeof *shape->from);
  shape->from[at].page_bits = bits;
  return at;
}

/* "1-2m=32x4" behind the "l". */
static bool take_sized(struct mixed_tlb_shape *shape, const char *text) {
  unsigned level = 0;
  char name[8], numbers[24], plain[32];
  struct tlb_shape one;
  int used = 0, at;
  if (sscanf(text, "%1u-%7[0-9kmg]=%23[0-9x]%n", &level, name, numbers, &used) <
          3 ||
      text[used] || level < 1 || level > 2)
    return false;
  snprintf(plain, sizeof plain, "l1=%s", numbers);
  unsigned bits = hp_page_bits(name);
  if (bits <= LEAST_BITS || tlb_shape_parse(plain, &one) ||
      (at = place_of(shape, bits)) < 0)
    return false;
  struct tlb_cache_shape *cache = &shape->from[at].level[level - 1];
  if (cache->entries) return false;
  *cache = one.level[0];
  return true;
}

/* An item that tlb_option.h does not have.  A size has no '.' and no '/'; names
 * of files do, and one goes to `path`. */
static bool take_item(struct mixed_tlb_shape *shape, const char *item,
                      char path[TEXT_MOST]) {
  if (strncmp(item, "coalesce=", 9)) return take_sized(shape, item + 1);
  if (*path) return false;
  if (strpbrk(item, "./") && !shape->coalesce_bits) {
    strcpy(path, item + 9);
    return true;
  }
  unsigned bits = hp_page_bits(item + 9);
  if (shape->coalesce_bits || bits <= LEAST_BITS || bits > COALESCE_MOST_BITS)
    return false;
  shape->coalesce_bits = bits;
  return true;
}

/* A second level for some size alone is none. */
static bool is_whole(const struct mixed_tlb_shape *shape) {
  for (unsigned i = 0; i < MIXED_TLB_SIZES; i++)
    if (shape->from[i].level[1].entries && !shape->all.level[1].entries)
      return false;
  return true;
}

static int parse(const char *text, struct mixed_tlb_shape *shape,
                 char path[TEXT_MOST]) {
  char rest[TEXT_MOST] = "", item[TEXT_MOST];
  memset(shape, 0, sizeof *shape);
  if (strlen(text) >= sizeof rest) return -1;
  for (;; text++) {
    size_t length = strcspn(text, ",");
    memcpy(item, text, length);
    item[length] = '\0';
    bool more = !strncmp(item, "l1-", 3) || !strncmp(item, "l2-", 3) ||
                !strncmp(item, "coalesce=", 9);
    if (more && !take_item(shape, item, path)) return -1;
    if (!more) {
      if (*rest) strcat(rest, ",");
      strcat(rest, item);
      if (!*item) return -1;
    }
    text += length;
    if (!*text) break;
  }
  if (tlb_shape_parse(rest, &shape->all)) return -1;
  return is_whole(shape) ? 0 : -1;
}

int mixed_tlb_parse(const char *text, struct mixed_tlb_shape *shape) {
  char path[TEXT_MOST] = "";
  return parse(text, shape, path) || *path ? -1 : 0;
}

/* Bytes that an entry of small pages holds by a calibration; 0: one page. */
static int joined_bytes(const char *path, const struct calibration *cal,
                        bool here, size_t *bytes) {
  const struct cal_coalescing *found = &cal->coalescing;
  double joined = cal_coalescing_joined(found);
  json_t *machine = here ? machine_record(NULL) : NULL;
  bool other = here && !calibration_is_of(cal, machine);
  json_decref(machine);
  if (other)
    return fail(VAT_USAGE,
                "coalesce=%s: the file is from another machine; fix: give its "
                "TLBs instead of here",
                path);
  if (isnan(joined))
    return fail(VAT_ABSENT,
                "coalesce=%s: the file does not show whether contiguous frames "
                "share TLB entries (%s); fix: vat calibrate, or coalesce=SIZE",
                path, *found->absent ? found->absent : "undecided");
  *bytes = joined > 1 ? (size_t)(joined * found->page_bytes) : 0;
  return VAT_OK;
}

static int read_coalesced(const char *path, bool here, size_t *bytes) {
  struct calibration *cal = memory_get(sizeof *cal);
  char why[PATH_MAX + CALIBRATION_TEXT];
  int code = calibration_read(cal, path, why, sizeof why)
                 ? fail(fail_code(errno), "%s", why)
                 : joined_bytes(path, cal, here, bytes);
  calibration_fini(cal);
  free(cal);
  return code;
}

/* The calibration that "coalesce=" named, if any. */
static int take_calibration(const char *path, const char *text,
                            struct mixed_tlb_shape *shape) {
  bool here = !strncmp(text, "here", 4) || strstr(text, ",here");
  size_t bytes = 0;
  int code = *path ? read_coalesced(path, here, &bytes) : VAT_OK;
  if (bytes) shape->coalesce_bits = (unsigned)__builtin_ctzll(bytes);
  return code;
}

int mixed_tlb_option_set(void *at, const char *option, const char *text) {
  char path[TEXT_MOST] = "";
  errno = 0;
  if (!parse(text, at, path)) return take_calibration(path, text, at);
  if (errno == ENOTSUP) return tlb_option_set(at, option, "here");
  return fail(
      VAT_USAGE,
      "--%s %s: not a TLB shape; write --tlb here for this processor, or a "
      "shape such as l1=64x4,l2=1536x12,pwc=32x4: ENTRIESxWAYS, where ENTRIES "
      "/ WAYS is a power of two; at most 1048576 entries and 1024 ways; "
      "l1-2m=32x4 is for pages from 2 MiB on (four such sizes at most), "
      "coalesce=8k, 16k, 32k or 64k for entries of that size, or a calibration "
      "such as coalesce=machine.json",
      option, text);
}

static json_t *cache_json(const struct tlb_cache_shape *cache) {
  return json_pack("[ii]", (int)cache->entries, (int)cache->ways);
}

json_t *mixed_tlb_json(const struct mixed_tlb_shape *shape) {
  json_t *object = sim_tlb_json(&shape->all);
  json_t *tlb = json_object_get(object, "tlb");
  for (unsigned level = 0; level < 2; level++)
    for (unsigned i = 0; i < MIXED_TLB_SIZES; i++) {
      char name[HP_NAME_SIZE], key[HP_NAME_SIZE + 4];
      const struct tlb_cache_shape *cache = &shape->from[i].level[level];
      if (!cache->entries) continue;
      snprintf(key, sizeof key, "l%u-%s", level + 1,
               hp_page_name((size_t)1 << shape->from[i].page_bits, name));
      json_object_set_new(tlb, key, cache_json(cache));
    }
  if (shape->coalesce_bits)
    json_object_set_new(tlb, "coalesce_bits",
                        json_integer((json_int_t)shape->coalesce_bits));
  return object;
}

void mixed_tlb_print(const struct mixed_tlb_shape *shape) {
  sim_tlb_print(&shape->all);
  for (unsigned i = 0; i < MIXED_TLB_SIZES && shape->from[i].page_bits; i++) {
    const struct tlb_cache_shape *level = shape->from[i].level;
    printf("for pages from %s on: ",
           HP_SIZE_SHOWN((size_t)1 << shape->from[i].page_bits));
    for (unsigned l = 0; l < 2; l++)
      if (level[l].entries)
        printf("%s%u entries in %u ways",
               !l                 ? ""
               : level[0].entries ? "; second level: "
                                  : "second level: ",
               level[l].entries, level[l].ways);
    putchar('\n');
  }
  if (shape->coalesce_bits)
    printf("an entry of a smaller page holds %s, as frames are contiguous\n",
           HP_SIZE_SHOWN((size_t)1 << shape->coalesce_bits));
}
