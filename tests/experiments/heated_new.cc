/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operator new calls malloc(); who calls it is the one that allocates. */
#include <cstring>
#include <vector>

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
  delete[] a;
  return sum == 0;
}
