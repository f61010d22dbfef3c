# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/compare/arms.c \
	experiments/compare/arms.h \
	experiments/compare/backing.c \
	experiments/compare/backing.h \
	experiments/compare/child.c \
	experiments/compare/child.h \
	experiments/compare/collapse.c \
	experiments/compare/collapse.h \
	experiments/compare/compare_advice.c \
	experiments/compare/compare_json.c \
	experiments/compare/compare_options.c \
	experiments/compare/compare_options.h \
	experiments/compare/compare_print.c \
	experiments/compare/comparison.h \
	experiments/compare/environment.c \
	experiments/compare/executable.c \
	experiments/compare/executable.h \
	experiments/compare/executable_elf.c \
	experiments/compare/first_touch.c \
	experiments/compare/first_touch.h \
	experiments/compare/granted.c \
	experiments/compare/launch.c \
	experiments/compare/launch.h \
	experiments/compare/outcome.c \
	experiments/compare/output_tail.c \
	experiments/compare/output_tail.h \
	experiments/compare/pools.c \
	experiments/compare/process_tree.c \
	experiments/compare/process_tree.h \
	experiments/compare/series.c \
	experiments/compare/supervise.c \
	experiments/compare/tracer.c \
	experiments/compare/tracer.h \
	experiments/compare/tree_counters.c \
	experiments/compare/tree_counters.h \
	experiments/compare/watch.c \
	experiments/compare/watch.h

# What vat compare has the loader put into programs.  It is linked to nothing,
# not even a sanitizer, since it must load wherever a C library is.
shimdir = $(pkglibdir)
shim_DATA = experiments/compare/page_shim.so
EXTRA_DIST += experiments/compare/page_shim.c
CLEANFILES += experiments/compare/page_shim.so
experiments/compare/page_shim.so: experiments/compare/page_shim.c
	$(AM_V_CCLD)$(MKDIR_P) experiments/compare && \
	$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) -std=gnu11 $(VAT_CFLAGS) $(CFLAGS) -fno-sanitize=all \
	  -fno-stack-protector -fPIC -shared -nostdlib -o $@ $(srcdir)/experiments/compare/page_shim.c
