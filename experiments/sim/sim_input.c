/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/results/other_file.h"
#include "vat/temporary_file.h"

static const char *name_of(const struct sim_input *input) {
  const char *trace = input->request->trace;
  return strcmp(trace, "-") ? trace : "standard input";
}

static int refuse_trace(struct sim_input *input) {
  int code = errno == ENOMEM ? VAT_ABSENT : VAT_USAGE;
  if (code == VAT_USAGE && strcmp(input->request->trace, "-"))
    other_file(input->request->trace, "a trace", input->error,
               sizeof input->error);
  return fail(code, "%s", input->error);
}

static int open_trace(struct sim_input *input) {
  const struct sim_request *request = input->request;
  bool copied = input->copy_fd >= 0 && input->pass;
  input->trace = vat_trace_open(copied ? "-" : request->trace,
                                copied ? NULL : request->format, input->error);
  return input->trace ? VAT_OK : refuse_trace(input);
}

/* Can the trace be read a second time? */
static bool is_file(const struct sim_input *input, struct stat *file) {
  bool standard = !strcmp(input->request->trace, "-");
  int failed =
      standard ? fstat(STDIN_FILENO, file) : stat(input->request->trace, file);
  return !failed && S_ISREG(file->st_mode) && (!standard || input->start >= 0);
}

/* Is it still what it was?  Between two passes nothing may change; one that is
 * read once may grow meanwhile, but not shrink. */
static bool is_unchanged(const struct sim_input *input) {
  const struct stat *before = &input->before;
  struct stat now;
  if (!input->watched) return true;
  if (!is_file(input, &now)) return false;
  if (input->passes == 1) return now.st_size >= before->st_size;
  return now.st_size == before->st_size && now.st_ino == before->st_ino &&
         now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

int sim_input_open(struct sim_input *input, const struct sim_request *request) {
  *input = (struct sim_input){
      .request = request,
      .copy_fd = -1,
      .start = lseek(STDIN_FILENO, 0, SEEK_CUR),
      .passes = 1,
      .last_address = UINT64_MAX,
      .block = {input->addresses, input->sizes, input->kinds}};
  progress_init(&input->progress);
  if (request->stream.algo) return VAT_OK;
  input->watched = is_file(input, &input->before);
  return open_trace(input);
}

void sim_input_close(struct sim_input *input) {
  progress_clear(&input->progress);
  vat_trace_close(input->trace);
  vat_trace_writer_destroy(input->copy);
  if (input->copy_fd >= 0) close(input->copy_fd);
}

/* "FILE:LINE", or "FILE: access N" where there are no lines to be found. */
static const char *place(struct sim_input *input, uint64_t access, char *text,
                         size_t size) {
  const struct sim_request *request = input->request;
  uint64_t line = 0;
  if (input->watched) {
    if (!strcmp(request->trace, "-"))
      lseek(STDIN_FILENO, input->start, SEEK_SET);
    line = vat_trace_line_of(request->trace, request->format, access);
  }
  if (line)
    snprintf(text, size, "%s:%llu", name_of(input), (unsigned long long)line);
  else
    snprintf(text, size, "%s: access %llu", name_of(input),
             (unsigned long long)access + 1);
  return text;
}

/* The last byte that is translated for access `i` of the block. */
static inline uint64_t last_byte(const struct sim_input *input, size_t i) {
  uint64_t address = input->addresses[i];
  if (!input->request->span || !input->sizes[i]) return address;
  uint64_t last = address + input->sizes[i] - 1;
  return last < address ? UINT64_MAX : last;
}

static uint64_t largest_byte(const struct sim_input *input, size_t count) {
  uint64_t largest = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t last = last_byte(input, i);
    if (last > largest) largest = last;
  }
  return largest;
}

/* What to do about an address outside the tree. */
static const char *fix(const struct vat_tree *tree) {
  if (vat_tree_page_number_bits(tree) < tree->index_bits * tree->levels)
    return "page numbers have at most 60 bits; choose larger --page-bits";
  return "choose more --levels, or leave it out for as many as needed";
}

/* A half of it may be new: no count of it is worth anything. */
static int say_changed(const struct sim_input *input) {
  return fail(VAT_USAGE,
              "%s: the file changed while vat read it; simulate a copy",
              name_of(input));
}

/* Is all that is translated of the block, whose first access is number `first`
 * of the trace, inside the tree? */
static int check_range(struct sim_input *input, size_t count, uint64_t first) {
  uint64_t limit = input->last_address;
  if (largest_byte(input, count) <= limit) return VAT_OK;
  if (!is_unchanged(input)) return say_changed(input);
  for (size_t i = 0; i < count; i++) {
    char text[VAT_TRACE_ERROR_SIZE];
    if (last_byte(input, i) <= limit) continue;
    if (input->kinds[i] == VAT_FETCH && !input->request->instr) continue;
    return fail(
        VAT_USAGE,
        "%s: address 0x%llx lies outside the tree, which ends at 0x%llx: %s",
        place(input, first + i, text, sizeof text),
        (unsigned long long)last_byte(input, i), (unsigned long long)limit,
        fix(&input->request->tree));
  }
  return VAT_OK;
}

/* The trace is over.  Was all that is in it left out? */
static int check_end(const struct sim_input *input) {
  if (!is_unchanged(input)) return say_changed(input);
  if (input->accesses || !input->read) return VAT_OK;
  return fail(
      VAT_USAGE,
      "%s: the trace has only instruction fetches; include them with --instr",
      name_of(input));
}

int sim_input_read(struct sim_input *input) {
  input->at = input->count = 0;
  while (!input->count) {
    ssize_t got =
        vat_trace_read(input->trace, &input->block, SIM_BLOCK, input->error);
    if (got < 0 && !is_unchanged(input)) return say_changed(input);
    if (got < 0) return refuse_trace(input);
    if (!got) return check_end(input);
    int code = check_range(input, (size_t)got, input->read);
    if (code) return code;
    input->read += (uint64_t)got;
    input->count = input->request->instr
                       ? (size_t)got
                       : stream_without_fetches(&input->block, (size_t)got);
  }
  input->accesses += input->count;
  double part = vat_trace_progress(input->trace);
  if (part >= 0)
    progress_draw_part(&input->progress, (input->pass + part) / input->passes,
                       input->progress.start_s, name_of(input));
  return VAT_OK;
}

/* Begin to keep what comes through the pipe. */
static int begin_copy(struct sim_input *input) {
  input->copy_fd = vat_temporary_file();
  if (input->copy_fd < 0)
    return fail(
        VAT_ABSENT,
        "%s: the temporary file in TMPDIR failed: %s; set TMPDIR to a folder "
        "with free space, or give --levels to read the trace only once",
        name_of(input), strerror(errno));
  input->copy = vat_trace_writer_create(input->copy_fd, "a temporary file",
                                        "vat", input->error);
  return input->copy ? VAT_OK : fail(VAT_ABSENT, "%s", input->error);
}

static int copy_block(struct sim_input *input) {
  if (!input->copy || !vat_trace_writer_write(input->copy, &input->block,
                                              input->count, input->error))
    return VAT_OK;
  return fail(VAT_ABSENT,
              "%s; set TMPDIR to a folder with free space, or give --levels to "
              "read the trace only once",
              input->error);
}

/* Standard input is from now on what was kept. */
static int end_copy(struct sim_input *input) {
  if (vat_trace_writer_finish(input->copy, input->error))
    return fail(VAT_ABSENT, "%s; set TMPDIR to a folder with free space",
                input->error);
  if (lseek(input->copy_fd, 0, SEEK_SET) ||
      dup2(input->copy_fd, STDIN_FILENO) < 0)
    return fail(VAT_ABSENT, "a temporary file: %s", strerror(errno));
  return VAT_OK;
}

/* Again from the start. */
static int rewind_trace(struct sim_input *input) {
  vat_trace_close(input->trace);
  input->trace = NULL;
  input->pass++;
  input->accesses = input->read = 0;
  int code = VAT_OK;
  if (input->copy)
    code = end_copy(input);
  else if (!strcmp(input->request->trace, "-"))
    lseek(STDIN_FILENO, input->start, SEEK_SET);
  return code ? code : open_trace(input);
}

int sim_input_survey(struct sim_input *input, uint64_t *last_address) {
  if (input->request->stream.algo) {
    *last_address = stream_last_address(&input->request->stream);
    return VAT_OK;
  }
  int code = input->watched ? VAT_OK : begin_copy(input);
  input->passes = 2;
  *last_address = 0;
  while (!code && !(code = sim_input_read(input))) {
    if (!input->count) return rewind_trace(input);
    uint64_t largest = largest_byte(input, input->count);
    if (largest > *last_address) *last_address = largest;
    code = copy_block(input);
  }
  return code;
}

/* Every page that each access of the block overlaps, by its first byte there.
 */
static size_t span_pages(struct sim_input *input) {
  unsigned shift = input->request->tree.page_bits;
  size_t filled = 0;
  while (input->at < input->count && filled < SIM_BLOCK) {
    uint64_t address = input->addresses[input->at];
    uint64_t first = address >> shift;
    uint64_t end = (last_byte(input, input->at) >> shift) + 1;
    if (!input->spanned_pages) input->spanned[filled++] = address;
    uint64_t page = first + (input->spanned_pages ? input->spanned_pages : 1);
    for (; page < end && filled < SIM_BLOCK; page++)
      input->spanned[filled++] = page << shift;
    input->spanned_pages = page - first;
    if (page < end) break;
    input->spanned_pages = 0;
    input->at++;
  }
  return filled;
}

size_t sim_input_more(struct sim_input *input, const uint64_t **addresses) {
  size_t count = input->count;
  *addresses = input->addresses;
  if (!input->request->span) {
    input->count = 0;
    return count;
  }
  *addresses = input->spanned;
  return input->at < count ? span_pages(input) : 0;
}
