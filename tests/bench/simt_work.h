/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/bench/simt_work.h -- grids by which the emulator's speed is told. */
#pragma once

struct simt_work {
  const char *name;
  double bar_ms;            /* the plain kernel takes no longer */
  const char *(*run)(void); /* NULL, or what is wrong with its answer */
};
