// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>

static const size_t huge_bytes = 2 << 20;

// Bytes of this process on transparent huge pages, 0 where nobody knows.
static size_t on_huge_pages() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string line; std::getline(rollup, line);)
    if (line.rfind("AnonHugePages:", 0) == 0)
      return std::stoull(line.substr(strlen("AnonHugePages:"))) * 1024;
  return 0;
}

pages::pages(const std::string &kind, size_t bytes)
    : map_bytes_((bytes / huge_bytes + 2) * huge_bytes) {
  size_t before = on_huge_pages();
  map_ = mmap(nullptr, map_bytes_, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map_ == MAP_FAILED)
    throw std::runtime_error("no memory: choose a smaller --n");
  madvise(map_, map_bytes_, kind == "thp" ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  uintptr_t first = reinterpret_cast<uintptr_t>(map_);
  memory_ = static_cast<unsigned char *>(map_) + (-first & (huge_bytes - 1));
  memset(memory_, 1, bytes);
  size_t huge = on_huge_pages() - before;
  granted_ = kind == "thp" ? huge >= bytes / 10 * 9 : huge <= bytes / 10;
}

pages::~pages() { munmap(map_, map_bytes_); }
