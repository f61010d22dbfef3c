# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_vat
tests_test_vat_LDADD = libvat.a $(vat_LIBS) $(CUNIT_LIBS)
tests_test_vat_SOURCES = \
	tests/check.h \
	tests/vat/main_vat.c \
	tests/vat/nested_fixture.c \
	tests/vat/nested_fixture.h \
	tests/vat/policy_fixture.c \
	tests/vat/policy_fixture.h \
	tests/vat/reference.c \
	tests/vat/reference.h \
	tests/vat/reference_nested.c \
	tests/vat/reference_nested.h \
	tests/vat/reference_rr.c \
	tests/vat/reference_rr.h \
	tests/vat/reference_tlb.c \
	tests/vat/reference_tlb.h \
	tests/vat/suites_vat.h \
	tests/vat/test_bounds.c \
	tests/vat/test_classify.c \
	tests/vat/test_curves.c \
	tests/vat/test_extra_nodes.c \
	tests/vat/test_fan.c \
	tests/vat/test_intake.c \
	tests/vat/test_nested.c \
	tests/vat/test_nested_limits.c \
	tests/vat/test_nested_properties.c \
	tests/vat/test_policies.c \
	tests/vat/test_recency.c \
	tests/vat/test_rrmin_lis.c \
	tests/vat/test_theory.c \
	tests/vat/test_tlb.c \
	tests/vat/test_trace_formats.c \
	tests/vat/test_trace_input.c \
	tests/vat/test_trace_steps.c \
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
