/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/symbol_name.h -- the name of a function as people write it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Is `symbol` of an object file the function `name`?  It is if they are equal,
 * but for what compilers put behind a '.' (".constprop.0"), or if it is the
 * C++ name of one that is called so, with or without the namespaces and classes
 * around it: make, Table::make and app::Table::make are _ZN3app5Table4makeEm.
 */
bool symbol_is(const char *symbol, const char *name);

/* The length of a symbol without what compilers put behind a '.'. */
size_t symbol_stem(const char *symbol);
