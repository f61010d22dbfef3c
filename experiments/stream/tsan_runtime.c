/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/stream/tsan_runtime.h"

#include <string.h>

static struct {
  uintptr_t start;
  uint64_t bytes; /* 0: nothing is recorded */
  uint64_t base;
  struct stream_sink sink;
  size_t count;
  int code;
} recorder;

void recording_begin(const unsigned char *memory, size_t bytes, uint64_t base,
                     const struct stream_sink *sink) {
  recorder.start = (uintptr_t)memory;
  recorder.bytes = bytes;
  recorder.base = base;
  recorder.sink = *sink;
  recorder.count = 0;
  recorder.code = 0;
}

/* After an error the algorithm goes on unrecorded: it cannot be stopped. */
static void __attribute__((noinline)) flush(void) {
  recorder.code = recorder.sink.take(recorder.sink.arg, recorder.count);
  recorder.count = 0;
  if (recorder.code) recorder.bytes = 0;
}

int recording_end(void) {
  if (recorder.count) flush();
  recorder.bytes = 0;
  return recorder.code;
}

static inline void record(const volatile void *at, uint32_t size,
                          enum vat_access_kind kind) {
  uint64_t offset = (uintptr_t)at - recorder.start;
  if (offset >= recorder.bytes) return;
  size_t i = recorder.count++;
  recorder.sink.block.addresses[i] = recorder.base + offset;
  recorder.sink.block.sizes[i] = size;
  recorder.sink.block.kinds[i] = (uint8_t)kind;
  if (recorder.count == recorder.sink.capacity) flush();
}

enum { WORD = 8 };

/* What has no size of its own goes word by word. */
static inline uint32_t word_at(size_t done, size_t size) {
  return size - done < WORD ? (uint32_t)(size - done) : WORD;
}

static void record_range(const volatile unsigned char *at, size_t size,
                         enum vat_access_kind kind) {
  for (size_t i = 0; i < size; i += WORD)
    record(at + i, word_at(i, size), kind);
}

/* The names are ThreadSanitizer's. */
#define ACCESS(name, size, kind)         \
  void __tsan_##name(volatile void *at); \
  void __tsan_##name(volatile void *at) { record(at, size, kind); }

ACCESS(read1, 1, VAT_LOAD)
ACCESS(read2, 2, VAT_LOAD)
ACCESS(read4, 4, VAT_LOAD)
ACCESS(read8, 8, VAT_LOAD)
ACCESS(read16, 16, VAT_LOAD)
ACCESS(write1, 1, VAT_STORE)
ACCESS(write2, 2, VAT_STORE)
ACCESS(write4, 4, VAT_STORE)
ACCESS(write8, 8, VAT_STORE)
ACCESS(write16, 16, VAT_STORE)
ACCESS(unaligned_read2, 2, VAT_LOAD)
ACCESS(unaligned_read4, 4, VAT_LOAD)
ACCESS(unaligned_read8, 8, VAT_LOAD)
ACCESS(unaligned_read16, 16, VAT_LOAD)
ACCESS(unaligned_write2, 2, VAT_STORE)
ACCESS(unaligned_write4, 4, VAT_STORE)
ACCESS(unaligned_write8, 8, VAT_STORE)
ACCESS(unaligned_write16, 16, VAT_STORE)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void *caller);
void __tsan_read_range(void *at, size_t size);
void __tsan_write_range(void *at, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);

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
    record(source + i, word_at(i, size), VAT_LOAD);
    record(target + i, word_at(i, size), VAT_STORE);
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
