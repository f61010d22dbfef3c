/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What traced code accesses.  Code compiled with -fsanitize=thread calls a
 * function before each access.  These functions are ours: an access inside the
 * workspace is recorded, any other (stack, constants) is not.  One recording at
 * a time, in one thread. */
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/stream/stream_sink.h"
#include "experiments/stream/traced_calls.h"

/* Pages noted before they are handed on: few enough to stay, with what is made
 * of them, in the first-level cache. */
enum { NOTES = 512 };

/* Blocks of notes of every access, before one tells again whether fewer would
 * do: rarely enough not to be felt, soon enough to be there for most of a phase
 * of other accesses. */
enum { WHOLE_BLOCKS = 32 };

/*
 * Accesses to one of the last two pages are only counted: in a counter for each
 * kind and page, since adding to one waits for what was added to it before.
 * All others go to `other`, and so does all where the sink wants every access,
 * as there are no such pages then.
 *
 * Comparing with the last two pages takes the addresses of accesses before, and
 * these may come from memory: then the processor's window is full of what waits
 * for them, and it does not get to the reads behind, which native code has
 * under way side by side.  So where most accesses are to other pages all are
 * noted as they are, and hand_on_whole() compares (random_scan of 2^24 keys: 33
 * in place of 37 ns; Zen 5).
 */
struct recorder {
  uintptr_t last, before; /* where the last two pages begin */
  uint64_t page_bytes;    /* 0: there are none */
  uint64_t on_before;     /* 1: the last access was on that page */
  uint64_t repeats[2][2]; /* [kind][on_before] */
  void (*other)(uintptr_t at, uint32_t size, enum vat_access_kind kind);
  uintptr_t start;      /* of the workspace */
  uint64_t noted_bytes; /* of it, where `other` is record_page; else 0 */
  uint64_t shift;       /* what simulated addresses are more */
  uint64_t page_mask;
  uint64_t *note, *end; /* the next of `notes`, and behind the last */
  uint64_t whole;       /* blocks yet in which every access is noted */
  uint64_t bytes;       /* of the workspace; 0: nothing is recorded */
  uint64_t last_page, before_page; /* numbers, of what was handed on */
  size_t count;  /* accesses, or pages by kind, in the sink's block */
  uint64_t told; /* accesses behind pages by kind */
  int code;
  struct stream_sink sink;
  /* Each access; or one for each new page, and ON_BEFORE where the access
   * before it was on the page before the last. */
  uint64_t notes[NOTES];
};

#define IS_AT(field, offset)                                   \
  _Static_assert(offsetof(struct recorder, field) == (offset), \
                 "traced_calls.h has this offset");
TRACED_FIELDS(IS_AT)

#define ON_BEFORE (UINT64_C(1) << 63)
#define NOWHERE ((uintptr_t)1 << 62)

/* Traced code knows both by these names. */
extern struct recorder recorder __asm__("vat_recorder")
    __attribute__((visibility("hidden"), aligned(64)));
struct recorder recorder;
void hand_on_pages(void) __asm__("vat_recorder_hand_on")
    __attribute__((visibility("hidden")));

static void record_nothing(uintptr_t at, uint32_t size,
                           enum vat_access_kind kind) {
  (void)at;
  (void)size;
  (void)kind;
}

static void stop(void) {
  recorder.bytes = recorder.page_bytes = recorder.noted_bytes = 0;
  recorder.whole = 0;
  recorder.other = record_nothing;
}

/* After an error the algorithm goes on unrecorded: it cannot be stopped. */
static void hand_on(size_t count, uint64_t accesses) {
  interrupt_hold(); /* the sink owns memory and prints */
  recorder.code = recorder.sink.take(recorder.sink.arg, count, accesses);
  recorder.count = 0;
  if (recorder.code) stop();
  interrupt_release();
}

static void record_access(uintptr_t at, uint32_t size,
                          enum vat_access_kind kind) {
  if (at - recorder.start >= recorder.bytes) return;
  size_t i = recorder.count++;
  recorder.sink.block.addresses[i] = recorder.shift + at;
  recorder.sink.block.sizes[i] = size;
  recorder.sink.block.kinds[i] = (uint8_t)kind;
  if (recorder.count == recorder.sink.capacity)
    hand_on(recorder.count, recorder.count);
}

/* Every access is noted, or those to the last two pages are not. */
static void note_whole(void) {
  recorder.whole = WHOLE_BLOCKS;
  recorder.page_bytes = 0;
}

static void note_pages(void) {
  recorder.whole = 0;
  recorder.last = recorder.before = NOWHERE;
  recorder.page_bytes = UINT64_C(1) << recorder.sink.page_bits;
  recorder.page_mask = -recorder.page_bytes;
}

/* What was noted of all accesses: pages of those to the workspace.  There is no
 * telling where the next one is, so nothing branches on it. */
static void hand_on_whole(void) {
  uint64_t *pages = recorder.sink.block.addresses, *to = pages;
  uint64_t last = recorder.last_page, accesses = 0;
  for (const uint64_t *note = recorder.notes; note < recorder.note; note++) {
    bool inside = *note - recorder.start < recorder.bytes;
    uint64_t page = (*note + recorder.shift) >> recorder.sink.page_bits;
    *to = page;
    to += inside & (page != last);
    last = inside ? page : last;
    accesses += inside;
  }
  recorder.last_page = last;
  recorder.note = recorder.notes;
  if (!--recorder.whole) note_pages();
  hand_on((size_t)(to - pages), accesses);
}

/* Pages of what was noted, with those that were gone back to. */
void hand_on_pages(void) {
  if (recorder.whole) {
    hand_on_whole();
    return;
  }
  uint64_t *pages = recorder.sink.block.addresses, *to = pages;
  uint64_t last = recorder.last_page, before = recorder.before_page;
  uint64_t notes = (uint64_t)(recorder.note - recorder.notes);
  uint64_t accesses = notes;
  for (const uint64_t *note = recorder.notes; note < recorder.note; note++) {
    uint64_t address = (*note & ~ON_BEFORE) + recorder.shift;
    *to = before;
    to += *note >> 63;
    before = *note & ON_BEFORE ? before : last;
    *to++ = last = address >> recorder.sink.page_bits;
  }
  recorder.last_page = last;
  recorder.before_page = before;
  recorder.note = recorder.notes;
  for (unsigned i = 0; i < 4; i++) accesses += recorder.repeats[i / 2][i % 2];
  memset(recorder.repeats, 0, sizeof recorder.repeats);
  if (recorder.noted_bytes && accesses < 2 * notes) note_whole();
  hand_on((size_t)(to - pages), accesses);
}

/* An access to another page, which takes the place of the one that was accessed
 * longer ago; or any access where all are noted. */
static void record_page(uintptr_t at, uint32_t size,
                        enum vat_access_kind kind) {
  (void)size;
  (void)kind;
  if (at - recorder.start >= recorder.bytes) return;
  uint64_t on_before = recorder.on_before;
  if (!on_before) recorder.before = recorder.last;
  recorder.last = ((at + recorder.shift) & recorder.page_mask) - recorder.shift;
  recorder.on_before = 0;
  *recorder.note++ = at | on_before << 63;
  if (recorder.note == recorder.end) hand_on_pages();
}

/* The same where only a page right after itself is free. */
static void record_single_page(uintptr_t at, uint32_t size,
                               enum vat_access_kind kind) {
  record_page(at, size, kind);
  recorder.before = recorder.last;
}

/* What the last two pages were accessed for since this was asked last. */
static uint8_t used_for(uint64_t *accesses) {
  unsigned used = 0;
  for (unsigned kind = 0; kind < 2; kind++)
    for (unsigned page = 0; page < 2; page++) {
      if (recorder.repeats[kind][page]) used |= STREAM_USED(kind, page);
      *accesses += recorder.repeats[kind][page];
    }
  memset(recorder.repeats, 0, sizeof recorder.repeats);
  return (uint8_t)used;
}

static void add_page(uintptr_t page, unsigned used) {
  recorder.sink.block.addresses[recorder.count] =
      (page + recorder.shift) >> recorder.sink.page_bits;
  recorder.sink.block.kinds[recorder.count++] = (uint8_t)used;
}

/* The same where the sink is told of loads and stores: its own access is one
 * of those to the page that is the last now. */
static void record_kinds(uintptr_t at, uint32_t size,
                         enum vat_access_kind kind) {
  (void)size;
  if (at - recorder.start >= recorder.bytes) return;
  unsigned used = used_for(&recorder.told);
  if (recorder.on_before) {
    add_page(recorder.before, used);
    used = 0;
  } else {
    recorder.before = recorder.last;
  }
  recorder.last = ((at + recorder.shift) & recorder.page_mask) - recorder.shift;
  recorder.on_before = 0;
  add_page(recorder.last, used);
  recorder.repeats[kind][0] = 1;
  if (recorder.count + 2 <= recorder.sink.capacity) return;
  hand_on(recorder.count, recorder.told);
  recorder.told = 0;
}

static void hand_on_kinds(void) {
  unsigned used = used_for(&recorder.told);
  if (recorder.last != NOWHERE)
    add_page(recorder.on_before ? recorder.before : recorder.last, used);
  hand_on(recorder.count, recorder.told);
}

void recording_begin(const unsigned char *memory, size_t bytes, uint64_t base,
                     const struct stream_sink *sink) {
  size_t notes = sink->capacity / 2; /* a note makes up to two pages */
  recorder = (struct recorder){.last = NOWHERE,
                               .before = NOWHERE,
                               .other = record_access,
                               .start = (uintptr_t)memory,
                               .bytes = bytes,
                               .shift = base - (uintptr_t)memory,
                               .note = recorder.notes,
                               .sink = *sink};
  recorder.end = recorder.notes + (notes < NOTES ? notes : NOTES);
  if (!sink->free) return;
  note_pages();
  recorder.other = record_single_page;
  if (sink->free < VAT_TC_PAIRS_FREE) return;
  recorder.other = sink->by_kind ? record_kinds : record_page;
  if (!sink->by_kind) recorder.noted_bytes = bytes;
}

int recording_end(bool whole) {
  if (!whole)
    recorder.code = VAT_FAILED;
  else if (recorder.sink.by_kind && recorder.bytes)
    hand_on_kinds();
  else if (recorder.sink.free && recorder.bytes)
    hand_on_pages();
  else if (recorder.count)
    hand_on(recorder.count, recorder.count);
  stop();
  return recorder.code;
}

static inline void record_word(const volatile void *at, uint32_t size,
                               enum vat_access_kind kind) {
  if ((uintptr_t)at - recorder.last < recorder.page_bytes) {
    recorder.on_before = 0;
    recorder.repeats[kind][0]++;
  } else if ((uintptr_t)at - recorder.before < recorder.page_bytes) {
    recorder.on_before = 1;
    recorder.repeats[kind][1]++;
  } else {
    recorder.other((uintptr_t)at, size, kind);
  }
}

enum { WORD = 8 };

/* What is wider, or has no size of its own, goes word by word. */
static inline uint32_t word_at(size_t done, size_t size) {
  return size - done < WORD ? (uint32_t)(size - done) : WORD;
}

/* Does all of it lie on the page that begins at `page`? */
static inline bool is_on(uintptr_t page, uintptr_t first, size_t size) {
  first -= page;
  return first < recorder.page_bytes && size <= recorder.page_bytes - first;
}

static void record_range(const volatile unsigned char *at, size_t size,
                         enum vat_access_kind kind) {
  size_t words = size / WORD + (size % WORD != 0);
  bool on_last = is_on(recorder.last, (uintptr_t)at, size);
  if (on_last || is_on(recorder.before, (uintptr_t)at, size)) {
    recorder.on_before = !on_last;
    recorder.repeats[kind][!on_last] += words;
    return;
  }
  for (size_t i = 0; i < words; i++)
    record_word(at + i * WORD, word_at(i * WORD, size), kind);
}

static inline void record(const volatile void *at, uint32_t size,
                          enum vat_access_kind kind) {
  record_word(at, size < WORD ? size : WORD, kind);
  if (size > WORD)
    record_word((const volatile char *)at + WORD, size - WORD, kind);
}

/* The names are ThreadSanitizer's, which compilers know without headers. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define ACCESS(name, size, kind) \
  void __tsan_##name(volatile void *at) { record(at, size, kind); }
#define LOAD_AND_STORE(load, store, size) \
  ACCESS(load##size, size, VAT_LOAD)      \
  ACCESS(store##size, size, VAT_STORE)

LOAD_AND_STORE(read, write, 1)
LOAD_AND_STORE(read, write, 2)
LOAD_AND_STORE(read, write, 4)
LOAD_AND_STORE(read, write, 8)
LOAD_AND_STORE(read, write, 16)
LOAD_AND_STORE(unaligned_read, unaligned_write, 2)
LOAD_AND_STORE(unaligned_read, unaligned_write, 4)
LOAD_AND_STORE(unaligned_read, unaligned_write, 8)
LOAD_AND_STORE(unaligned_read, unaligned_write, 16)

void __tsan_init(void) {}

void __tsan_func_entry(void *caller) { (void)caller; }

void __tsan_func_exit(void *caller) { (void)caller; }

void __tsan_read_range(void *at, size_t size) {
  record_range(at, size, VAT_LOAD);
}

void __tsan_write_range(void *at, size_t size) {
  record_range(at, size, VAT_STORE);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
  const unsigned char *source = from;
  unsigned char *target = to;
  for (size_t i = 0; i < size; i += WORD) {
    record_word(source + i, word_at(i, size), VAT_LOAD);
    record_word(target + i, word_at(i, size), VAT_STORE);
  }
  return memmove(to, from, size);
}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
  return __tsan_memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size) {
  record_range(to, size, VAT_STORE);
  return memset(to, byte, size);
}
