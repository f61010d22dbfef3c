# SPDX-License-Identifier: GPL-3.0-or-later
# A tool for Valgrind: a static program without a C library, which Valgrind runs
# by this very name.  vat/fan.c is compiled once more, to fit.
if HAVE_VALGRIND
vatvalgrinddir = $(pkglibexecdir)/valgrind
vatvalgrind_PROGRAMS = experiments/valgrind/vat-amd64-linux
experiments_valgrind_vat_amd64_linux_SOURCES = \
	experiments/valgrind/ahead.c \
	experiments/valgrind/ahead.h \
	experiments/valgrind/allocators.c \
	experiments/valgrind/allocators.h \
	experiments/valgrind/batch.c \
	experiments/valgrind/batch.h \
	experiments/valgrind/blocks.c \
	experiments/valgrind/calls.c \
	experiments/valgrind/calls.h \
	experiments/valgrind/code.h \
	experiments/valgrind/engine.c \
	experiments/valgrind/flow.c \
	experiments/valgrind/flow.h \
	experiments/valgrind/flow_code.c \
	experiments/valgrind/flow_events.h \
	experiments/valgrind/flow_output.c \
	experiments/valgrind/flow_walks.c \
	experiments/valgrind/instrument.c \
	experiments/valgrind/instrument.h \
	experiments/valgrind/known.c \
	experiments/valgrind/known.h \
	experiments/valgrind/lines.c \
	experiments/valgrind/main.c \
	experiments/valgrind/options.c \
	experiments/valgrind/output.c \
	experiments/valgrind/output_sites.c \
	experiments/valgrind/processors.c \
	experiments/valgrind/samples.c \
	experiments/valgrind/samples.h \
	experiments/valgrind/sites.c \
	experiments/valgrind/sites.h \
	experiments/valgrind/tool.h \
	experiments/valgrind/trace.c \
	vat/fan.c \
	vat/fan_lru.c \
	vat/fan_queue.c \
	vat/fan_rest.c \
	vat/tlb.c
experiments_valgrind_vat_amd64_linux_CPPFLAGS = -I$(top_srcdir) $(VALGRIND_CPPFLAGS)
experiments_valgrind_vat_amd64_linux_CFLAGS = $(VAT_CFLAGS) $(VALGRIND_CFLAGS)
# Behind the user's: such a tool has no thread pointer, where they have it look.
$(experiments_valgrind_vat_amd64_linux_OBJECTS): CFLAGS += -fno-stack-protector
experiments_valgrind_vat_amd64_linux_LDFLAGS = $(VALGRIND_LDFLAGS)
experiments_valgrind_vat_amd64_linux_LDADD = $(VALGRIND_LIBS)
endif
libexperiments_a_SOURCES += experiments/valgrind/trace_pipe.h
