/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_map KEYS: a std::unordered_map that is filled and then asked at random.
 * Every third key that is asked for is not there. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

static uint64_t state;

/* splitmix64 */
static uint64_t random_u64() {
  uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

int main(int argc, char **argv) {
  uint64_t keys = argc > 1 ? strtoull(argv[1], nullptr, 10) : 3000000;
  std::unordered_map<uint64_t, uint64_t> map;
  for (uint64_t i = 0; i < keys; i++) {
    state = i;
    map[random_u64()] = i;
  }
  uint64_t sum = 0, random = 1;
  for (uint64_t i = 0; i < 3 * keys; i++) {
    random = random * 6364136223846793005 + 1442695040888963407;
    state = (random >> 32) % (keys + keys / 2);
    auto found = map.find(random_u64());
    if (found != map.end()) sum += found->second;
  }
  printf("%zu keys, checksum %ju\n", map.size(), (uintmax_t)sum);
  return 0;
}
