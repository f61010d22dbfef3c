# SPDX-License-Identifier: GPL-3.0-or-later
# The bounds of random cases, for an hour; a few of them are of make check.
random_bounds = tests/bounds/random_bounds.c tests/bounds/random_bounds.h
EXTRA_PROGRAMS += tests/bounds/check_bounds
CLEANFILES += tests/bounds/check_bounds$(EXEEXT)
tests_bounds_check_bounds_SOURCES = tests/bounds/check_bounds.c $(random_bounds)
tests_bounds_check_bounds_LDADD = $(experiments_vat_LDADD)
BOUNDS_SECONDS = 3600
check-bounds: tests/bounds/check_bounds$(EXEEXT)
	tests/bounds/check_bounds$(EXEEXT) $(BOUNDS_SECONDS) $(BOUNDS_SEED)
.PHONY: check-bounds
