/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/trace_pump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/valgrind/trace_pipe.h"
#include "vat/trace.h"

/* Valgrind numbers threads from 1 on. */
enum { FIRST_PROCESSOR = 1, FILES_MOST = 4096 };

struct trace_file {
  uint32_t process, processor;
  char *name;
  int fd;
  struct vat_trace_writer *writer;
};

struct trace_pump {
  int pipe;
  const char *file;
  struct trace_file *files;
  size_t count;
  struct vt_parcel parcel;
  size_t filled; /* bytes of the parcel */
};

int trace_pump_create(struct trace_pump **made, const struct valgrind *valgrind,
                      const char *file) {
  char pipe[PATH_MAX + 16];
  struct trace_pump *pump = *made = memory_zeroed(1, sizeof *pump);
  pump->file = file;
  snprintf(pipe, sizeof pipe, "%s/trace", valgrind->directory);
  /* Open for writing, too, lest it ends between two processes. */
  bool made_it =
      !mkfifo(pipe, 0600) && !chmod(pipe, valgrind->shared ? 0622 : 0600);
  pump->pipe = made_it ? open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
  if (pump->pipe >= 0) return VAT_OK;
  int code = fail(fail_code(errno), "%s: %s", pipe, strerror(errno));
  free(pump);
  *made = NULL;
  return code;
}

int trace_pump_fd(const struct trace_pump *pump) { return pump->pipe; }

/* FILE, FILE.PID, FILE.PID.N: see trace_pump.h. */
static int open_file(struct trace_pump *pump) {
  char error[VAT_TRACE_ERROR_SIZE];
  unsigned process = pump->parcel.process, number = pump->parcel.processor;
  if (pump->count == FILES_MOST)
    return fail(VAT_USAGE, "--trace: more than %d processes and threads",
                FILES_MOST);
  char *name = !pump->count ? memory_text(pump->file)
               : number == FIRST_PROCESSOR
                   ? memory_format("%s.%u", pump->file, process)
                   : memory_format("%s.%u.%u", pump->file, process, number);
  struct trace_file *file = ARRAY_ADD(pump->files, pump->count);
  *file = (struct trace_file){process, number, .name = name, .fd = -1};
  file->fd = open(file->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file->fd < 0)
    return fail(fail_code(errno), "%s: %s", file->name, strerror(errno));
  file->writer = vat_trace_writer_create(file->fd, file->name, "vat", error);
  return file->writer ? VAT_OK : fail(fail_code(errno), "%s", error);
}

/* That of the parcel, if it is open. */
static struct trace_file *find_file(const struct trace_pump *pump) {
  for (size_t i = pump->count; i-- > 0;)
    if (pump->files[i].process == pump->parcel.process &&
        pump->files[i].processor == pump->parcel.processor)
      return &pump->files[i];
  return NULL;
}

static int write_parcel(struct trace_pump *pump) {
  uint64_t addresses[VT_PARCEL];
  uint32_t sizes[VT_PARCEL];
  uint8_t kinds[VT_PARCEL];
  char error[VAT_TRACE_ERROR_SIZE];
  const struct vt_parcel *parcel = &pump->parcel;
  struct trace_file *file = find_file(pump);
  int code = file ? VAT_OK : open_file(pump);
  if (code) return code;
  if (!file) file = &pump->files[pump->count - 1];
  uint32_t count = parcel->count < VT_PARCEL ? parcel->count : VT_PARCEL;
  for (uint32_t i = 0; i < count; i++) {
    addresses[i] = parcel->traced[i].address;
    sizes[i] = parcel->traced[i].bytes;
    kinds[i] = parcel->traced[i].kind == VT_STORE ? VAT_STORE : VAT_LOAD;
  }
  struct vat_accesses accesses = {addresses, sizes, kinds};
  if (vat_trace_writer_write(file->writer, &accesses, count, error))
    return fail(fail_code(errno), "%s", error);
  return VAT_OK;
}

int trace_pump_take(struct trace_pump *pump) {
  for (;;) {
    ssize_t count = read(pump->pipe, (char *)&pump->parcel + pump->filled,
                         sizeof pump->parcel - pump->filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return VAT_OK;
    if (count <= 0)
      return fail(fail_code(errno), "--trace: %s", strerror(errno));
    pump->filled += (size_t)count;
    if (pump->filled < sizeof pump->parcel) continue;
    pump->filled = 0;
    int code = write_parcel(pump);
    if (code) return code;
  }
}

int trace_pump_finish(struct trace_pump *pump) {
  char error[VAT_TRACE_ERROR_SIZE];
  int code = trace_pump_take(pump);
  for (size_t i = 0; !code && i < pump->count; i++)
    if (vat_trace_writer_finish(pump->files[i].writer, error))
      code = fail(fail_code(errno), "%s", error);
  return code;
}

unsigned trace_pump_first(const struct trace_pump *pump) {
  return pump->count ? pump->files[0].process : 0;
}

void trace_pump_destroy(struct trace_pump *pump) {
  if (!pump) return;
  for (size_t i = 0; i < pump->count; i++) {
    vat_trace_writer_destroy(pump->files[i].writer);
    if (pump->files[i].fd >= 0) close(pump->files[i].fd);
    free(pump->files[i].name);
  }
  free(pump->files);
  close(pump->pipe);
  free(pump);
}
