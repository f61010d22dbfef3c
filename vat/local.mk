# SPDX-License-Identifier: BSD-2-Clause
lib_LIBRARIES += libvat.a
vatincludedir = $(includedir)/vat
vatinclude_HEADERS = \
	vat/bounds.h \
	vat/classify.h \
	vat/curve.h \
	vat/nested.h \
	vat/policy.h \
	vat/tc.h \
	vat/trace.h \
	vat/tree.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = vat/vat.pc
libvat_a_SOURCES = \
	vat/bounds.c \
	vat/bounds.h \
	vat/bounds_heap.c \
	vat/bounds_matrix.c \
	vat/bounds_parts.h \
	vat/bounds_quick.c \
	vat/bounds_random.c \
	vat/bounds_search.c \
	vat/bounds_veb.c \
	vat/cat_lanes.c \
	vat/cat_lanes.h \
	vat/classify.c \
	vat/classify.h \
	vat/curve.c \
	vat/curve.h \
	vat/curve_ops.h \
	vat/curve_optimal.c \
	vat/curve_recency.c \
	vat/event_set.c \
	vat/event_set.h \
	vat/fan.c \
	vat/fan.h \
	vat/fan_lru.c \
	vat/fan_queue.c \
	vat/fan_rest.c \
	vat/fan_tc.h \
	vat/foresight.c \
	vat/foresight.h \
	vat/future.c \
	vat/future.h \
	vat/intake.c \
	vat/intake.h \
	vat/islru.c \
	vat/ismin.c \
	vat/lis.c \
	vat/lru.c \
	vat/min.c \
	vat/named_min.c \
	vat/named_min.h \
	vat/nested.c \
	vat/nested.h \
	vat/nested_misses.c \
	vat/nested_mode.h \
	vat/nested_shared.c \
	vat/nested_split.c \
	vat/node_map.c \
	vat/node_map.h \
	vat/node_set.c \
	vat/node_set.h \
	vat/optimal_stack.c \
	vat/optimal_stack.h \
	vat/policies.c \
	vat/policy.h \
	vat/recency.c \
	vat/recency.h \
	vat/recency_four.h \
	vat/recent_parts.c \
	vat/recent_parts.h \
	vat/rrmin.c \
	vat/rrmin.h \
	vat/short_list.c \
	vat/short_list.h \
	vat/spool.c \
	vat/spool.h \
	vat/stream_end.c \
	vat/stream_end.h \
	vat/tc.c \
	vat/tc.h \
	vat/temporary_file.c \
	vat/temporary_file.h \
	vat/timeline.c \
	vat/timeline.h \
	vat/tlb.c \
	vat/tlb.h \
	vat/trace.c \
	vat/trace.h \
	vat/trace_champsim.c \
	vat/trace_checksum.c \
	vat/trace_checksum.h \
	vat/trace_drmemtrace_bin.c \
	vat/trace_drmemtrace_view.c \
	vat/trace_format.h \
	vat/trace_formats.c \
	vat/trace_input.c \
	vat/trace_input.h \
	vat/trace_lackey.c \
	vat/trace_lines.c \
	vat/trace_lines.h \
	vat/trace_perf.c \
	vat/trace_records.h \
	vat/trace_text.c \
	vat/trace_unpack.c \
	vat/trace_unpack.h \
	vat/trace_vat.h \
	vat/trace_vat_decode.c \
	vat/trace_vat_decode.h \
	vat/trace_vat_read.c \
	vat/trace_vat_steps.c \
	vat/trace_vat_steps.h \
	vat/trace_vat_write.c \
	vat/trace_vat_write.h \
	vat/trace_writer.c \
	vat/tree.c \
	vat/tree.h
vat_LIBS = $(ZSTD_LIBS) $(ZLIB_LIBS) -lm

# The installed library, as somebody else would use it: by the example of
# libvat(3), as that is printed.
installcheck-local:
	rm -rf installcheck.tmp && mkdir installcheck.tmp
	page=$(DESTDIR)$(mandir)/man3/libvat.3; cd installcheck.tmp && \
	if $(abs_srcdir)/tests/doc/examples.sh $$page '/*' 1 >translate.c; then \
	  $(abs_srcdir)/tests/doc/examples.sh $$page '/*' 2 >expected; \
	else \
	  echo "SKIPPED the example as it is printed: no page, or nothing that sets it"; \
	  cp $(abs_srcdir)/doc/examples/translate.c .; \
	  cp $(abs_srcdir)/doc/examples/translate.expected expected; \
	fi
	flags=`PKG_CONFIG_PATH=$(DESTDIR)$(pkgconfigdir) PKG_CONFIG_SYSROOT_DIR=$(DESTDIR) pkg-config --cflags --libs vat` && \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) installcheck.tmp/translate.c $$flags \
	  -o installcheck.tmp/translate
	for header in $(vatinclude_HEADERS); do echo "#include <$$header>"; done \
	  >installcheck.tmp/headers.cc
	$(CXX) $(CPPFLAGS) -I$(DESTDIR)$(includedir) -Wall -Werror -fsyntax-only installcheck.tmp/headers.cc
	installcheck.tmp/translate | diff installcheck.tmp/expected -
	$(DESTDIR)$(bindir)/vat list algos | grep '^permute ' >/dev/null
	rm -rf installcheck.tmp
