/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/symbol_table.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

/* Of a table of whole entries that the file has, where they are aligned. */
static bool is_inside(size_t size, uint64_t offset, uint64_t bytes) {
  return offset % sizeof(uint64_t) == 0 && offset <= size &&
         bytes <= size - offset;
}

static void read_functions(const ElfW(Sym) * symbol, size_t count,
                           const char *names, size_t names_size,
                           symbol_table_each *each, void *context) {
  for (size_t i = 0; i < count; i++)
    if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC && symbol[i].st_value &&
        symbol[i].st_name < names_size)
      each(context, names + symbol[i].st_name, symbol[i].st_value,
           symbol[i].st_size);
}

static const ElfW(Shdr) *
    sections_of(const char *file, size_t size, const ElfW(Ehdr) * head) {
  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
      head->e_ident[EI_CLASS] !=
          (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      head->e_shentsize != sizeof(ElfW(Shdr)) ||
      !is_inside(size, head->e_shoff, head->e_shnum * sizeof(ElfW(Shdr))))
    return NULL;
  return (const ElfW(Shdr) *)(file + head->e_shoff);
}

void symbol_table_read(const char *file, size_t size, symbol_table_each *each,
                       void *context) {
  const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)file;
  const ElfW(Shdr) *section = sections_of(file, size, head), *table = NULL;
  for (unsigned i = 0; section && i < head->e_shnum; i++)
    if ((section[i].sh_type == SHT_SYMTAB ||
         (section[i].sh_type == SHT_DYNSYM && !table)) &&
        section[i].sh_link < head->e_shnum)
      table = &section[i];
  if (!table) return;
  const ElfW(Shdr) *names = &section[table->sh_link];
  if (!is_inside(size, table->sh_offset, table->sh_size) ||
      names->sh_offset > size || names->sh_size > size - names->sh_offset ||
      !names->sh_size || file[names->sh_offset + names->sh_size - 1])
    return;
  read_functions((const ElfW(Sym) *)(file + table->sh_offset),
                 table->sh_size / sizeof(ElfW(Sym)), file + names->sh_offset,
                 names->sh_size, each, context);
}
