/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/size_text.h -- amounts of memory in words for people. */
#ifndef HUGE_PAGES_SIZE_TEXT_H
#define HUGE_PAGES_SIZE_TEXT_H
#include <stddef.h>

enum { HP_SIZE_TEXT = 32 };

/* "2 MiB", "22.7 GiB", "512 bytes"; returns `text`. */
const char *hp_size_text(size_t bytes, char text[HP_SIZE_TEXT]);
#endif
