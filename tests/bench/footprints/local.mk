# SPDX-License-Identifier: GPL-3.0-or-later
# What they compute is tested; what they take is measured by others.
EXTRA_PROGRAMS += tests/bench/footprints/footprints
CLEANFILES += tests/bench/footprints/footprints$(EXEEXT)
tests_bench_footprints_footprints_SOURCES = $(files_footprints) \
	tests/bench/footprints/footprints.c
if HAVE_CUNIT
check_PROGRAMS += tests/bench/footprints/test_footprints
tests_bench_footprints_test_footprints_SOURCES = $(files_footprints) \
	tests/bench/footprints/test_footprints.c
tests_bench_footprints_test_footprints_LDADD = $(CUNIT_LIBS)
endif
