# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_vat
tests_test_vat_LDADD = libvat.a $(vat_LIBS) $(CUNIT_LIBS)
tests_test_vat_SOURCES = \
	tests/check.h \
	tests/vat/main_vat.c \
	tests/vat/reference.c \
	tests/vat/reference.h \
	tests/vat/suites_vat.h \
	tests/vat/test_policies.c \
	tests/vat/test_recency.c \
	tests/vat/test_trace_formats.c \
	tests/vat/test_trace_input.c \
	tests/vat/test_trace_vat.c \
	tests/vat/test_tree.c \
	tests/vat/trace_fixture.c \
	tests/vat/trace_fixture.h
tests_test_vat_CPPFLAGS = $(AM_CPPFLAGS) \
	-DVAT_TEST_DATA='"$(abs_srcdir)/tests/vat/data"'
EXTRA_DIST += \
	tests/vat/data/sample.champsim \
	tests/vat/data/sample.champsim.expected \
	tests/vat/data/sample.drmemtrace-bin \
	tests/vat/data/sample.drmemtrace-bin.expected \
	tests/vat/data/sample.drmemtrace-view \
	tests/vat/data/sample.drmemtrace-view.expected \
	tests/vat/data/sample.lackey \
	tests/vat/data/sample.lackey.expected \
	tests/vat/data/sample.perf \
	tests/vat/data/sample.perf.expected \
	tests/vat/data/sample.text \
	tests/vat/data/sample.text.expected
EXTRA_DIST += \
	tests/fuzz/corpus_trace/champsim \
	tests/fuzz/corpus_trace/champsim_forced \
	tests/fuzz/corpus_trace/drmemtrace-bin \
	tests/fuzz/corpus_trace/drmemtrace-bin_forced \
	tests/fuzz/corpus_trace/drmemtrace-view \
	tests/fuzz/corpus_trace/drmemtrace-view_forced \
	tests/fuzz/corpus_trace/found_01 \
	tests/fuzz/corpus_trace/found_02 \
	tests/fuzz/corpus_trace/found_03 \
	tests/fuzz/corpus_trace/found_04 \
	tests/fuzz/corpus_trace/found_05 \
	tests/fuzz/corpus_trace/found_06 \
	tests/fuzz/corpus_trace/found_07 \
	tests/fuzz/corpus_trace/found_08 \
	tests/fuzz/corpus_trace/found_09 \
	tests/fuzz/corpus_trace/found_10 \
	tests/fuzz/corpus_trace/found_11 \
	tests/fuzz/corpus_trace/found_12 \
	tests/fuzz/corpus_trace/found_13 \
	tests/fuzz/corpus_trace/found_14 \
	tests/fuzz/corpus_trace/found_15 \
	tests/fuzz/corpus_trace/found_16 \
	tests/fuzz/corpus_trace/found_17 \
	tests/fuzz/corpus_trace/found_18 \
	tests/fuzz/corpus_trace/found_19 \
	tests/fuzz/corpus_trace/found_20 \
	tests/fuzz/corpus_trace/found_21 \
	tests/fuzz/corpus_trace/gz \
	tests/fuzz/corpus_trace/lackey \
	tests/fuzz/corpus_trace/lackey_forced \
	tests/fuzz/corpus_trace/perf \
	tests/fuzz/corpus_trace/perf_forced \
	tests/fuzz/corpus_trace/text \
	tests/fuzz/corpus_trace/text_forced \
	tests/fuzz/corpus_trace/vat \
	tests/fuzz/corpus_trace/vat_lackey \
	tests/fuzz/corpus_trace/vat_packed \
	tests/fuzz/corpus_trace/vat_pipe \
	tests/fuzz/corpus_trace/zst \
	tests/fuzz/fuzz_trace.c \
	tests/fuzz/trace.dict
