# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_cpu_algos
tests_test_cpu_algos_SOURCES = $(files_tests_cpu_algos)
tests_test_cpu_algos_LDADD = libcpu_algos.a $(CUNIT_LIBS) -lm
