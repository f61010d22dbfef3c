/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/size_text.h -- amounts of memory in words for people. */
#pragma once
#include <stddef.h>

enum { HP_SIZE_TEXT = 32 };

/* "2 MiB", "22.7 GiB", "512 bytes"; returns `text`. */
const char *hp_size_text(size_t bytes, char text[HP_SIZE_TEXT]);
/* The same as long as the block around it. */
#define HP_SIZE_SHOWN(bytes) hp_size_text((bytes), (char[HP_SIZE_TEXT]){""})

/* Bytes of the page that a name like "4k", "2m", "1g" stands for; 0 where the
 * name is not a size ("thp"). */
size_t hp_page_bytes(const char *name);
/* The same as a power of two, 21 for "2m"; 0 where it is none. */
unsigned hp_page_bits(const char *name);
