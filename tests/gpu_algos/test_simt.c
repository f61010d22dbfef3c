/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"

extern const struct check_suite *const simt_suites_emu[];

int main(void) { return check_main(simt_suites_emu); }
