# SPDX-License-Identifier: GPL-3.0-or-later
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
