/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/trace_unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* zlib counts in unsigned int. */
static unsigned clip(size_t count) {
  return count < UINT_MAX ? (unsigned)count : UINT_MAX;
}

static bool gzip_knows(const uint8_t *head, size_t count) {
  return count >= 3 && !memcmp(head, "\x1f\x8b\x08", 3);
}

struct gunzip {
  z_stream stream;
  bool between; /* members: a new one, or the end, may come */
};

static void *gunzip_create(void) {
  struct gunzip *gunzip = calloc(1, sizeof *gunzip);
  if (gunzip && inflateInit2(&gunzip->stream, 15 + 16) == Z_OK) return gunzip;
  free(gunzip);
  return NULL;
}

static void gunzip_destroy(void *state) {
  struct gunzip *gunzip = state;
  if (gunzip) inflateEnd(&gunzip->stream);
  free(gunzip);
}

static int gunzip_step(void *state, struct trace_unpacking *bytes) {
  struct gunzip *gunzip = state;
  z_stream *stream = &gunzip->stream;
  if (!bytes->in_count && bytes->in_ended && gunzip->between) return 0;
  if (gunzip->between && bytes->in_count) {
    gunzip->between = false;
    inflateReset(stream);
  }
  /* zlib's interface predates const; inflate() does not write its input. */
  stream->next_in = (Bytef *)(uintptr_t)bytes->in;
  stream->avail_in = clip(bytes->in_count);
  stream->next_out = bytes->out;
  stream->avail_out = clip(bytes->out_count);
  int code = inflate(stream, Z_NO_FLUSH);
  bytes->in_count -= (size_t)(stream->next_in - bytes->in);
  bytes->in = stream->next_in;
  size_t made = (size_t)(stream->next_out - bytes->out);
  bytes->out_count -= made;
  bytes->out = stream->next_out;
  gunzip->between = code == Z_STREAM_END;
  if (code == Z_OK || code == Z_STREAM_END) return 1;
  if (code == Z_BUF_ERROR && !(bytes->in_ended && !bytes->in_count && !made))
    return 1;
  bytes->no_memory = code == Z_MEM_ERROR;
  bytes->error = code == Z_BUF_ERROR   ? "the gzip data is cut off"
                 : code == Z_MEM_ERROR ? "no memory to unpack gzip data"
                                       : "the gzip data is damaged";
  return -1;
}

/* A frame, or one to be skipped, with which parallel packers begin. */
static bool zstd_knows(const uint8_t *head, size_t count) {
  return count >= 4 &&
         (!memcmp(head, "\x28\xb5\x2f\xfd", 4) ||
          ((head[0] & 0xf0) == 0x50 && !memcmp(head + 1, "\x2a\x4d\x18", 3)));
}

struct unzstd {
  ZSTD_DStream *stream;
  size_t hint; /* 0: between frames */
};

static void unzstd_destroy(void *state) {
  struct unzstd *unzstd = state;
  if (unzstd) ZSTD_freeDStream(unzstd->stream);
  free(unzstd);
}

static void *unzstd_create(void) {
  struct unzstd *unzstd = calloc(1, sizeof *unzstd);
  if (!unzstd) return NULL;
  unzstd->stream = ZSTD_createDStream();
  if (unzstd->stream && !ZSTD_isError(ZSTD_initDStream(unzstd->stream)))
    return unzstd;
  unzstd_destroy(unzstd);
  return NULL;
}

static const char *unzstd_error(size_t code) {
  switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_frameParameter_windowTooLarge:
      return "the zstd data needs a window of more than 128 MiB; unpack it "
             "with `zstd -d --long=31`";
    case ZSTD_error_memory_allocation:
      return "no memory to unpack zstd data";
    default:
      return "the zstd data is damaged";
  }
}

static int unzstd_step(void *state, struct trace_unpacking *bytes) {
  struct unzstd *unzstd = state;
  if (!bytes->in_count && bytes->in_ended && !unzstd->hint) return 0;
  ZSTD_inBuffer in = {bytes->in, bytes->in_count, 0};
  ZSTD_outBuffer out = {bytes->out, bytes->out_count, 0};
  size_t code = ZSTD_decompressStream(unzstd->stream, &out, &in);
  bytes->in += in.pos;
  bytes->in_count -= in.pos;
  bytes->out += out.pos;
  bytes->out_count -= out.pos;
  if (ZSTD_isError(code)) {
    bytes->error = unzstd_error(code);
    bytes->no_memory = ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation;
    return -1;
  }
  unzstd->hint = code;
  if (in.pos || out.pos || !bytes->in_ended || bytes->in_count) return 1;
  bytes->error = "the zstd data is cut off";
  return -1;
}

static bool xz_knows(const uint8_t *head, size_t count) {
  return count >= 6 && !memcmp(head,
                               "\xfd"
                               "7zXZ\0",
                               6);
}
static bool bzip2_knows(const uint8_t *head, size_t count) {
  return count >= 3 && !memcmp(head, "BZh", 3);
}
static bool zip_knows(const uint8_t *head, size_t count) {
  return count >= 4 && !memcmp(head, "PK\3\4", 4);
}

static const struct trace_unpacker unpackers[] = {
    {"gzip", gzip_knows, gunzip_create, gunzip_destroy, gunzip_step, NULL},
    {"zstd", zstd_knows, unzstd_create, unzstd_destroy, unzstd_step, NULL},
    {"xz", xz_knows, NULL, NULL, NULL, "xz -dc"},
    {"bzip2", bzip2_knows, NULL, NULL, NULL, "bzip2 -dc"},
    {"zip", zip_knows, NULL, NULL, NULL, "unzip -p"},
};

const struct trace_unpacker *vat_trace_unpacker_for(const uint8_t *head,
                                                    size_t count) {
  for (size_t i = 0; i < sizeof unpackers / sizeof *unpackers; i++)
    if (unpackers[i].knows(head, count)) return &unpackers[i];
  return NULL;
}
