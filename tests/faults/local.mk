# SPDX-License-Identifier: GPL-3.0-or-later
# What fails, is killed or is missing around vat: no part of `make check`, as it
# takes minutes.
EXTRA_PROGRAMS += tests/faults/faults
tests_faults_faults_SOURCES = \
	tests/faults/commands.c \
	tests/faults/commands.h \
	tests/faults/faults.c \
	tests/faults/faults.h \
	tests/faults/faults_plan.c \
	tests/faults/faults_run.c \
	tests/faults/inject.h \
	tests/faults/judge.c \
	tests/faults/judge.h \
	tests/faults/supervise.c \
	tests/faults/supervise.h \
	tests/faults/tree.c \
	tests/faults/tree.h
tests_faults_faults_LDADD = libexperiments.a libhuge_pages.a libvat.a \
	$(huge_pages_LIBS) $(JANSSON_LIBS) $(vat_LIBS)
inject_sources = tests/faults/inject.c tests/faults/inject_calls.c
EXTRA_DIST += $(inject_sources) tests/faults/check.sh tests/faults/kill.sh \
	tests/faults/surroundings.sh
CLEANFILES += tests/faults/faults$(EXEEXT) tests/faults/inject.so
tests/faults/inject.so: $(inject_sources) tests/faults/inject.h
	$(AM_V_CCLD)$(MKDIR_P) tests/faults && \
	$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) -std=gnu11 $(VAT_CFLAGS) $(CFLAGS) -fPIC -shared \
	  -o $@ $(srcdir)/tests/faults/inject.c $(srcdir)/tests/faults/inject_calls.c
check-faults: all tests/faults/faults$(EXEEXT) tests/faults/inject.so tests/bounded$(EXEEXT)
	VAT_TEST_SECONDS=$${VAT_TEST_SECONDS:-1200} tests/bounded$(EXEEXT) \
	  $(srcdir)/tests/faults/check.sh $(srcdir)
.PHONY: check-faults
