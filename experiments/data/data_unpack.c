/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources that gzip or zstd may have packed, or DNA that is packed into two
 * bits a letter. */
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/data/data_source.h"
#include "vat/trace_unpack.h"

struct unpacking {
  const struct trace_unpacker *unpacker;
  void *state;
  bool done;
};

static void unpacking_destroy(void *unpacking) {
  struct unpacking *u = unpacking;
  u->unpacker->destroy(u->state);
  free(u);
}

static ssize_t unpacking_read(struct data_source *source, char *to,
                              size_t room) {
  struct unpacking *u = source->unpacking;
  size_t left = room;
  while (left == room && !u->done) {
    if (data_refill(source)) return -1;
    struct trace_unpacking step = {
        .in = source->packed + source->packed_at,
        .in_count = source->packed_end - source->packed_at,
        .in_ended = source->packed_ended,
        .out = (uint8_t *)to,
        .out_count = room};
    int code = u->unpacker->step(u->state, &step);
    source->packed_at = source->packed_end - step.in_count;
    left = step.out_count;
    if (code < 0) return data_refuse(source, "%s; pack it anew", step.error);
    u->done = !code;
  }
  return (ssize_t)(room - left);
}

static const struct data_unpacker unpacker_of_traces = {unpacking_read,
                                                        unpacking_destroy};

static struct unpacking *unpacking_create(const struct trace_unpacker *from) {
  struct unpacking *u = memory_zeroed(1, sizeof *u);
  u->unpacker = from;
  u->state = from->create(); /* NULL: no memory */
  if (!u->state) memory_exhausted();
  return u;
}

/* The .2bit files of UCSC's genome browser, which have four letters of DNA a
 * byte, become FASTA without names:
 * https://genome.ucsc.edu/FAQ/FAQformat.html#format7
 *
 * Numbers are of 32 bits, in the byte order of the signature in front.  The
 * index says where records are: they are read in one go, so that they have to
 * be in its order, as those who write such files leave them.
 */
static const uint32_t signature = 0x1a412743;

struct data_2bit {
  struct data_source *source;
  uint64_t position; /* in the file */
  bool swapped;
  /* Where each record is; and of this one, runs where no letter is known. */
  struct data_array offsets, starts, sizes;
  size_t record;         /* how many have begun */
  uint32_t letters, put; /* of this one */
  size_t run;
  unsigned byte;
};

static bool is_2bit(const void *bytes, size_t count) {
  uint32_t head;
  if (count < sizeof head) return false;
  memcpy(&head, bytes, sizeof head);
  return head == signature || head == __builtin_bswap32(signature);
}

static void twobit_destroy(void *unpacking) {
  struct data_2bit *file = unpacking;
  free(file->offsets.items);
  free(file->starts.items);
  free(file->sizes.items);
  free(file);
}

/* It has no lines. */
static int refuse(struct data_2bit *file, const char *what) {
  file->source->line = 0;
  return data_refuse(file->source, "%s", what);
}

static int take_byte(struct data_2bit *file, unsigned *byte) {
  struct data_source *source = file->source;
  if (data_refill(source)) return -1;
  if (source->packed_at == source->packed_end)
    return refuse(file, "the 2bit data is incomplete; download it again");
  *byte = source->packed[source->packed_at++];
  file->position++;
  return 0;
}

static int take_number(struct data_2bit *file, uint32_t *number) {
  *number = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    unsigned byte = 0;
    if (take_byte(file, &byte)) return -1;
    *number |= (uint32_t)byte << shift;
  }
  if (file->swapped) *number = __builtin_bswap32(*number);
  return 0;
}

static int skip(struct data_2bit *file, uint64_t bytes) {
  for (unsigned byte; bytes > 0; bytes--)
    if (take_byte(file, &byte)) return -1;
  return 0;
}

static int add_number(struct data_2bit *file, struct data_array *to) {
  uint32_t number;
  return take_number(file, &number) ? -1 : data_push(file->source, to, number);
}

static int add_numbers(struct data_2bit *file, uint32_t count,
                       struct data_array *to) {
  for (to->count = 0; count > 0; count--)
    if (add_number(file, to)) return -1;
  return 0;
}

/* What is in front of records, with the length of each name. */
static int take_index(struct data_2bit *file) {
  uint32_t head, version, records, reserved;
  unsigned name;
  if (take_number(file, &head)) return -1;
  file->swapped = head != signature;
  if (take_number(file, &version) || take_number(file, &records) ||
      take_number(file, &reserved))
    return -1;
  if (version)
    return refuse(file,
                  "is 2bit data of an unsupported version; write it with "
                  "faToTwoBit without -long");
  for (; records > 0; records--)
    if (take_byte(file, &name) || skip(file, name) ||
        add_number(file, &file->offsets))
      return -1;
  return 0;
}

/* Runs of letters that are not known, ascending and in the record. */
static int take_runs(struct data_2bit *file) {
  uint64_t end = 0;
  uint32_t count;
  if (take_number(file, &count) || add_numbers(file, count, &file->starts) ||
      add_numbers(file, count, &file->sizes))
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t start = file->starts.items[i];
    bool behind = start >= end;
    end = start + file->sizes.items[i];
    if (!behind || end > file->letters)
      return refuse(file,
                    "has runs of N that overlap or end outside their record; "
                    "write it again with faToTwoBit");
  }
  return 0;
}

/* Which letters were small does not matter. */
static int take_record(struct data_2bit *file) {
  uint32_t small, reserved;
  if (file->offsets.items[file->record++] != file->position)
    return refuse(file,
                  "has records in another order than its index; write it again "
                  "with faToTwoBit");
  file->put = 0;
  file->run = 0;
  if (take_number(file, &file->letters) || take_runs(file) ||
      take_number(file, &small) || skip(file, (uint64_t)small * 8))
    return -1;
  return take_number(file, &reserved);
}

static int take_letter(struct data_2bit *file, char *letter) {
  const uint64_t *starts = file->starts.items, *sizes = file->sizes.items;
  const size_t runs = file->starts.count;
  const uint32_t i = file->put++;
  if (i % 4 == 0 && take_byte(file, &file->byte)) return -1;
  while (file->run < runs && starts[file->run] + sizes[file->run] <= i)
    file->run++;
  bool unknown = file->run < runs && starts[file->run] <= i;
  *letter = unknown ? 'N' : "TCAG"[file->byte >> (6 - 2 * (i % 4)) & 3];
  return 0;
}

/* All of a record is one line. */
static ssize_t twobit_read(struct data_source *source, char *to, size_t room) {
  struct data_2bit *file = source->unpacking;
  size_t made = 0;
  while (made < room) {
    if (file->put < file->letters) {
      if (take_letter(file, &to[made])) return -1;
      made++;
      continue;
    }
    if (file->record == file->offsets.count || room - made < 3) break;
    if (take_record(file)) return -1;
    memcpy(to + made, "\n>\n", 3);
    made += 3;
  }
  return (ssize_t)made;
}

static const struct data_unpacker unpacker_of_2bit = {twobit_read,
                                                      twobit_destroy};

int data_unpack(struct data_source *source) {
  if (data_need(source)) return -1;
  const char *there = source->buffer + source->at;
  size_t count = source->end - source->at;
  const struct trace_unpacker *unpacker =
      vat_trace_unpacker_for((const uint8_t *)there, count);
  if (is_2bit(there, count)) {
    struct data_2bit *file = memory_zeroed(1, sizeof *file);
    file->source = source;
    data_unpack_by(source, &unpacker_of_2bit, file);
    return take_index(file);
  }
  if (!unpacker) return 0;
  if (unpacker->fix)
    return data_refuse(
        source,
        "is compressed with %s; unpack it and pipe it in: `%s FILE | vat`",
        unpacker->name, unpacker->fix);
  data_unpack_by(source, &unpacker_of_traces, unpacking_create(unpacker));
  return 0;
}
