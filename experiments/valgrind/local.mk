# SPDX-License-Identifier: GPL-3.0-or-later
# A tool for Valgrind: a static program without a C library, which Valgrind runs
# by this very name.  vat/lazy_tc.c is compiled once more, to fit.
if HAVE_VALGRIND
vatvalgrinddir = $(pkglibexecdir)/valgrind
vatvalgrind_PROGRAMS = experiments/valgrind/vat-amd64-linux
experiments_valgrind_vat_amd64_linux_SOURCES = \
	$(files_experiments_valgrind) \
	vat/code_tlb.c \
	vat/lazy_tc.c \
	vat/lazy_tc_inner.c \
	vat/lazy_tc_lru.c \
	vat/lazy_tc_queue.c \
	vat/lazy_tc_tlb.c \
	vat/mixed_tlb.c \
	vat/tlb.c
experiments_valgrind_vat_amd64_linux_CPPFLAGS = -I$(top_srcdir) $(VALGRIND_CPPFLAGS)
experiments_valgrind_vat_amd64_linux_CFLAGS = $(VAT_CFLAGS) $(VALGRIND_CFLAGS)
# Behind the user's: such a tool has no thread pointer, where they have it look.
$(experiments_valgrind_vat_amd64_linux_OBJECTS): CFLAGS += -fno-stack-protector
experiments_valgrind_vat_amd64_linux_LDFLAGS = $(VALGRIND_LDFLAGS)
experiments_valgrind_vat_amd64_linux_LDADD = $(VALGRIND_LIBS)
endif
EXTRA_DIST += experiments/valgrind/trace_pipe.h
