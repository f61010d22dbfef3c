// SPDX-License-Identifier: GPL-3.0-or-later
// tests/peers/pages.h -- memory on 4 KiB pages or on transparent huge ones,
// by plain mmap: the benchmark stands apart from what it measures.
#pragma once
#include <cstddef>
#include <string>

class pages {
 public:
  // `kind` is "4k" or "thp".  Throws std::runtime_error without memory.
  pages(const std::string &kind, size_t bytes);
  ~pages();
  pages(const pages &) = delete;
  pages &operator=(const pages &) = delete;

  unsigned char *memory() const { return memory_; }
  // Whether nine tenths are backed as asked; read from the kernel.
  bool granted() const { return granted_; }

 private:
  void *map_;
  size_t map_bytes_;
  unsigned char *memory_;
  bool granted_;
};
