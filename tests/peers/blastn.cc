// SPDX-License-Identifier: GPL-3.0-or-later
// The Bloom filter of BLASTN, blocked for caches as one does at first, in two
// ways: a sub-query's vector, which the second cache holds, and tables, one a
// function, stay while the database passes by, w-mer by w-mer up to the first
// bit that is not set; or the places that a function gives to a batch of w-mers
// are parted by pages of the vector, and then looked up page by page.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/peers/peers.h"

extern "C" {
#include "cpu_algos/blastn.h"
}

namespace {

// Of one sub-query: what each function makes of the pieces of a w-mer.
struct functions {
  functions(const cpu_blastn &f, uint32_t sub) : places(f.k) {
    const uint64_t *table = f.tables + uint64_t{sub} * cpu_blastn_table(&f);
    const uint32_t size = CPU_BLASTN_PIECES * CPU_BLASTN_PIECE;
    for (uint32_t j = 0; j < f.k; j++)
      for (uint32_t x = 0; x < size; x++)
        places[j].push_back(table[j / CPU_BLASTN_ABREAST * size + x] >>
                                CPU_BLASTN_VALUE_BITS *
                                    (j % CPU_BLASTN_ABREAST) &
                            ((1u << CPU_BLASTN_VALUE_BITS) - 1));
  }

  uint32_t place(uint32_t j, uint32_t mer) const {
    const uint32_t *table = places[j].data();
    return table[mer & 63] ^ table[64 + (mer >> 6 & 63)] ^
           table[128 + (mer >> 12 & 63)] ^ table[192 + (mer >> 18)];
  }

  std::vector<std::vector<uint32_t>> places;
};

struct word_mer {
  uint32_t at, mer;
};

// Calls take(at, mer) for the w-mers that begin in words [first, end).
template <typename Take>
void each_mer(const cpu_blastn &f, uint32_t first, uint32_t end, Take take) {
  const uint32_t mask = (1u << 2 * f.w) - 1;
  const uint64_t *letters = reinterpret_cast<const uint64_t *>(f.database);
  for (uint32_t word = first; word < end; word++) {
    uint64_t low = letters[word], high = letters[word + 1];
    for (uint32_t i = 0; i < 32; i++, low = low >> 2 | high << 62, high >>= 2)
      if (f.starts[word] >> i & 1)
        take(32 * word + i, static_cast<uint32_t>(low) & mask);
  }
}

bool bit(const uint32_t *vector, uint32_t place) {
  return vector[place / 32] >> place % 32 & 1;
}

void note(const cpu_blastn &f, uint32_t sub, uint32_t at) {
  f.hits[at / 32] |= 1u << at % 32;
  f.counts[sub]++;
}

void one_by_one(algo_run *run) {
  const cpu_blastn f = cpu_blastn_of(run);
  for (uint32_t sub = 0; sub < f.subs; sub++) {
    const functions hash(f, sub);
    const uint32_t *vector = f.vectors + uint64_t{sub} * cpu_blastn_vector(&f);
    each_mer(f, 0, f.words, [&](uint32_t at, uint32_t mer) {
      uint32_t j = 0;
      while (j < f.k && bit(vector, hash.place(j, mer))) j++;
      if (j == f.k) note(f, sub, at);
    });
  }
}

enum { BATCH_WORDS = 256, LG_PAGE = 15 };  // pages of 4 KiB

struct placed {
  uint32_t place;
  word_mer mer;
};

// Of a batch, those whose bit of function j is set.
void keep(const functions &hash, uint32_t j, const uint32_t *vector,
          std::vector<word_mer> *mers, std::vector<placed> *parted) {
  uint32_t begin[(1 << (CPU_BLASTN_LG_M_MAX - LG_PAGE)) + 1] = {};
  for (const word_mer &each : *mers)
    begin[(hash.place(j, each.mer) >> LG_PAGE) + 1]++;
  for (uint32_t page = 1; page < sizeof begin / sizeof *begin; page++)
    begin[page] += begin[page - 1];
  parted->resize(mers->size());
  for (const word_mer &each : *mers) {
    const uint32_t place = hash.place(j, each.mer);
    (*parted)[begin[place >> LG_PAGE]++] = {place, each};
  }
  mers->clear();
  for (const placed &each : *parted)
    if (bit(vector, each.place)) mers->push_back(each.mer);
}

void page_by_page(algo_run *run) {
  const cpu_blastn f = cpu_blastn_of(run);
  std::vector<word_mer> mers;
  std::vector<placed> parted;
  for (uint32_t sub = 0; sub < f.subs; sub++) {
    const functions hash(f, sub);
    const uint32_t *vector = f.vectors + uint64_t{sub} * cpu_blastn_vector(&f);
    for (uint32_t word = 0; word < f.words; word += BATCH_WORDS) {
      mers.clear();
      each_mer(f, word, std::min<uint32_t>(word + BATCH_WORDS, f.words),
               [&](uint32_t at, uint32_t mer) {
                 mers.push_back({at, mer});
               });
      for (uint32_t j = 0; j < f.k; j++) keep(hash, j, vector, &mers, &parted);
      for (const word_mer &each : mers) note(f, sub, each.at);
    }
  }
}

}  // namespace

std::vector<peer> blastn_peers() {
  return {{"bloom_blastn_cpu",
           "loops, cache-blocked",
           1.0,
           {{"w-mer by w-mer", one_by_one, nullptr},
            {"by pages of the vector", page_by_page, nullptr}},
           nullptr,
           {1 << 20},
           nullptr,
           0}};
}
