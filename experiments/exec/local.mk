# SPDX-License-Identifier: GPL-3.0-or-later
# What vat compare and vat exec have the loader put into programs.  It is linked
# to nothing, not even a sanitizer, since it must load wherever a C library is.
shimdir = $(pkglibdir)
shim_DATA = experiments/exec/page_shim.so
page_shim_files = \
	experiments/exec/page_shim.c \
	experiments/exec/shim_base.c \
	experiments/exec/shim_mallocs.c \
	experiments/exec/shim_perf_map.c \
	experiments/exec/shim_report.c \
	experiments/exec/shim_room.c \
	experiments/exec/shim_sandbox.c \
	experiments/exec/shim_shared.c \
	experiments/exec/shim_start.c \
	experiments/exec/shim_text.c \
	experiments/exec/shim_text_file.c \
	experiments/exec/shim_threads.c
page_shim_versions = experiments/exec/shim_versions.map
# vat has these, too.
looking_files = \
	experiments/exec/look.c \
	experiments/exec/proc_lines.c \
	experiments/exec/ranges.c \
	experiments/exec/rules.c \
	experiments/exec/segments.c \
	experiments/exec/sized_pages.c \
	experiments/exec/symbol_table.c
page_shim_headers = \
	experiments/exec/look.h \
	experiments/exec/proc_lines.h \
	experiments/exec/ranges.h \
	experiments/exec/rules.h \
	experiments/exec/segments.h \
	experiments/exec/shim.h \
	experiments/exec/sized_pages.h \
	experiments/exec/symbol_table.h
# The library of huge pages has this, too.
pagemap_files = huge_pages/pagemap_read.c
pagemap_headers = huge_pages/pagemap.h huge_pages/pagemap_scan.h
libexperiments_a_SOURCES += $(looking_files) $(page_shim_headers)
EXTRA_DIST += $(page_shim_files) $(page_shim_versions)
CLEANFILES += $(shim_DATA)
SHIM_COMPILE = $(CC) -I$(top_builddir) $(AM_CPPFLAGS) $(CPPFLAGS) -std=gnu11 $(VAT_CFLAGS) $(CFLAGS) \
	-fno-sanitize=all -fno-stack-protector -fPIC -shared -fvisibility=hidden \
	-Wl,--version-script=$(top_srcdir)/$(page_shim_versions)
experiments/exec/page_shim.so: $(page_shim_files) $(looking_files) \
		$(page_shim_headers) $(page_shim_versions) $(pagemap_files) \
		$(pagemap_headers)
	$(AM_V_CCLD)$(MKDIR_P) experiments/exec && \
	$(SHIM_COMPILE) -nostdlib -o $@ \
	  $(page_shim_files:%=$(top_srcdir)/%) $(looking_files:%=$(top_srcdir)/%) \
	  $(pagemap_files:%=$(top_srcdir)/%)

# The same with malloc, for vat exec: it needs glibc, and has jemalloc under
# names of its own, which asks site_arena.c for memory.
symbol_files = experiments/exec/symbol_name.c
symbol_headers = experiments/exec/symbol_name.h
libexperiments_a_SOURCES += $(symbol_files) $(symbol_headers)
site_shim_files = \
	experiments/exec/site_allocx.c \
	experiments/exec/site_arena.c \
	experiments/exec/site_blocks.c \
	experiments/exec/site_callers.c \
	experiments/exec/site_calls.c \
	experiments/exec/site_forks.c \
	experiments/exec/site_heap.c \
	experiments/exec/site_malloc.c \
	experiments/exec/site_modules.c \
	experiments/exec/site_new.c \
	experiments/exec/site_rules.c \
	experiments/exec/site_slabs.c
EXTRA_DIST += $(site_shim_files) experiments/exec/site.h
if HAVE_SITE_SHIM
shim_DATA += experiments/exec/site_shim.so
site_je_made = malloc free nallocx mallocx rallocx sallocx malloc_conf
site_je_asked = mmap munmap madvise secure_getenv readlink pthread_atfork
experiments/exec/site_jemalloc.o: $(JEMALLOC_PIC) $(top_srcdir)/experiments/exec/local.mk
	$(AM_V_GEN)$(MKDIR_P) experiments/exec && \
	$(LD) -r -u mallocx -u nallocx -o $@ $(JEMALLOC_PIC) && \
	$(OBJCOPY) --remove-section=.init_array --remove-section=.rela.init_array \
	  `for name in $(site_je_made) $(site_je_asked); do \
	     echo --redefine-sym $$name=site_je_$$name; done` $@ && \
	$(OBJCOPY) \
	  `for name in $(site_je_made); do echo --keep-global-symbol=site_je_$$name; done` $@
experiments/exec/site_shim.so: $(site_shim_files) experiments/exec/site.h \
		experiments/exec/site_jemalloc.o $(page_shim_files) $(looking_files) \
		$(page_shim_headers) $(page_shim_versions) $(pagemap_files) \
		$(pagemap_headers) $(symbol_files) $(symbol_headers)
	$(AM_V_CCLD)$(SHIM_COMPILE) -fexceptions -static-libgcc -Wl,-z,now -o $@ \
	  $(page_shim_files:%=$(top_srcdir)/%) $(looking_files:%=$(top_srcdir)/%) \
	  $(pagemap_files:%=$(top_srcdir)/%) \
	  $(site_shim_files:%=$(top_srcdir)/%) $(symbol_files:%=$(top_srcdir)/%) \
	  experiments/exec/site_jemalloc.o -lm
endif
