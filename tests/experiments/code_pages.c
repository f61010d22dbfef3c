/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code_pages COUNT ROUNDS: call the functions f0 to f(COUNT - 1), each on a
 * page of its own, in this order, ROUNDS times. */
#include <stdlib.h>

#define OWN_PAGE __attribute__((noinline, aligned(4096)))

#define F1(n) \
  OWN_PAGE static unsigned f##n(unsigned x) { return x * 5 + 1##n; }
#define F10(n) \
  F1(n##0)     \
  F1(n##1)     \
  F1(n##2) F1(n##3) F1(n##4) F1(n##5) F1(n##6) F1(n##7) F1(n##8) F1(n##9)
#define NAMES(n)                                                          \
  f##n##0, f##n##1, f##n##2, f##n##3, f##n##4, f##n##5, f##n##6, f##n##7, \
      f##n##8, f##n##9

/* clang-format off */
F1(0) F1(1) F1(2) F1(3) F1(4) F1(5) F1(6) F1(7) F1(8) F1(9)
F10(1) F10(2) F10(3) F10(4) F10(5) F10(6) F10(7) F10(8) F10(9) F10(10)
F10(11) F10(12) F10(13) F10(14) F10(15) F10(16) F10(17) F10(18) F10(19)
F10(20) F10(21) F10(22) F10(23) F10(24) F10(25) F10(26) F10(27) F10(28)
F10(29) F10(30) F10(31) F10(32) F10(33) F10(34) F10(35) F10(36) F10(37)
F10(38) F10(39)
    /* clang-format on */

    static unsigned (*const functions[])(unsigned) = {
        f0,        f1,        f2,        f3,        f4,        f5,
        f6,        f7,        f8,        f9,        NAMES(1),  NAMES(2),
        NAMES(3),  NAMES(4),  NAMES(5),  NAMES(6),  NAMES(7),  NAMES(8),
        NAMES(9),  NAMES(10), NAMES(11), NAMES(12), NAMES(13), NAMES(14),
        NAMES(15), NAMES(16), NAMES(17), NAMES(18), NAMES(19), NAMES(20),
        NAMES(21), NAMES(22), NAMES(23), NAMES(24), NAMES(25), NAMES(26),
        NAMES(27), NAMES(28), NAMES(29), NAMES(30), NAMES(31), NAMES(32),
        NAMES(33), NAMES(34), NAMES(35), NAMES(36), NAMES(37), NAMES(38),
        NAMES(39)};

static volatile unsigned result;

OWN_PAGE static void call(unsigned count, unsigned rounds) {
  unsigned x = 1;
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < count; i++) x = functions[i](x);
  result = x;
}

int main(int argc, char **argv) {
  unsigned count = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
  if (!count || count > sizeof functions / sizeof *functions) return 2;
  call(count, (unsigned)atoi(argv[2]));
  return 0;
}
