/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/image.h"

#include <link.h>

/* The linker makes these where a kernel has constants. */
extern char __start_simt_constant[] __attribute__((weak));
extern char __stop_simt_constant[] __attribute__((weak));

static void extend(struct simt_range *range, uintptr_t start, uintptr_t end) {
  uintptr_t old_end = range->start + range->bytes;
  if (range->bytes && range->start < start) start = range->start;
  if (range->bytes && old_end > end) end = old_end;
  *range = (struct simt_range){start, end - start};
}

/* The first that is listed is the program itself. */
static int read_program(struct dl_phdr_info *info, size_t size, void *out) {
  struct simt_image *image = out;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD)
      extend(&image->program, start, start + part->p_memsz);
    if (part->p_type == PT_TLS)
      image->shared =
          (struct simt_range){(uintptr_t)info->dlpi_tls_data, part->p_memsz};
  }
  return 1;
}

struct simt_image simt_image_find(void) {
  struct simt_image image = {
      .constant = {
          (uintptr_t)__start_simt_constant,
          (uintptr_t)__stop_simt_constant - (uintptr_t)__start_simt_constant}};
  dl_iterate_phdr(read_program, &image);
  return image;
}
