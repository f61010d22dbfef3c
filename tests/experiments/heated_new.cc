/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operator new calls malloc(); who calls it is the one that allocates.
 * Placement new allocates nothing. */
#include <cstring>
#include <new>
#include <vector>

static void *(*volatile place)(std::size_t, void *) noexcept = &operator new;
static void (*volatile leave)(void *, void *) noexcept = &operator delete;

static __attribute__((noinline)) char *one() {
  char *a = new char[3 << 20];
  __asm__ volatile("" : : "r"(a) : "memory"); /* or it jumps to new */
  return a;
}

int main() {
  char *a = one();
  std::memset(a, 1, 3 << 20);
  __asm__ volatile("" : : "r"(a) : "memory"); /* or new is left out */
  std::vector<long> v(1 << 20, a[7]);
  long sum = 0;
  for (long x : v) sum += x;
  char *in_a = static_cast<char *>(place(1 << 20, a + (1 << 20)));
  std::memset(in_a, 2, 1 << 20);
  leave(a, a);
  for (int i = 0; i < 3 << 20; i += 64) sum += a[i];
  delete[] a;
  return sum == 0;
}
