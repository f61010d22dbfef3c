# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_experiments
tests_test_experiments_LDADD = $(experiments_vat_LDADD) $(CUNIT_LIBS)
tests_test_experiments_SOURCES = \
	$(files_tests_experiments) \
	$(random_bounds) \
	experiments/exec/site_callers.c \
	tests/huge_pages/fake_machine.c \
	tests/huge_pages/fake_machine.h \
	tests/vat/reference_tlb.c \
	tests/vat/reference_tlb.h
tests_test_experiments_CPPFLAGS = $(AM_CPPFLAGS) \
	-DVAT_TEST_BUILD='"$(abs_top_builddir)"' \
	-DVAT_TEST_SOURCE='"$(abs_top_srcdir)"'
# What the tests run but is no test itself.
EXTRA_PROGRAMS += tests/experiments/thesis_trace
tests_experiments_thesis_trace_SOURCES = tests/experiments/thesis_trace.c
EXTRA_tests_test_experiments_DEPENDENCIES = \
	experiments/vat$(EXEEXT) \
	tests/experiments/thesis_trace$(EXEEXT)
# Programs whose memory is on base pages, each for one reason.
EXTRA_PROGRAMS += tests/experiments/pages/has_reason
tests_experiments_pages_has_reason_SOURCES = tests/experiments/pages/has_reason.c
EXTRA_tests_test_experiments_DEPENDENCIES += tests/experiments/pages/has_reason$(EXEEXT)
CLEANFILES += tests/experiments/pages/has_reason$(EXEEXT)
EXTRA_DIST += tests/experiments/test_pages_command.sh
TESTS += tests/experiments/test_pages_command.sh
EXTRA_DIST += tests/experiments/test_reserve_killed.sh
TESTS += tests/experiments/test_reserve_killed.sh
CLEANFILES += tests/experiments/profiled$(EXEEXT) tests/experiments/profiled_static$(EXEEXT)
CLEANFILES += tests/experiments/thesis_trace$(EXEEXT)
EXTRA_DIST += tests/experiments/calibration_vm.json tests/experiments/checks.sh
EXTRA_DIST += tests/experiments/sizes.sh
EXTRA_DIST += tests/experiments/calibration_vm_1g.json tests/experiments/calibration_vm_3g.json
EXTRA_DIST += tests/experiments/calibration_given.json
EXTRA_DIST += tests/experiments/applications/cases
EXTRA_DIST += tests/experiments/calibration_vm_4g.json tests/experiments/calibration_vm_cold.json
EXTRA_DIST += tests/experiments/test_compare.sh
EXTRA_DIST += tests/experiments/test_compare_sizes.sh
EXTRA_DIST += tests/experiments/test_plan.sh
EXTRA_DIST += experiments/layers.txt tests/experiments/test_layers.sh
TESTS += tests/experiments/test_layers.sh
TESTS += tests/experiments/test_compare.sh
TESTS += tests/experiments/test_compare_sizes.sh
TESTS += tests/experiments/test_plan.sh
EXTRA_DIST += tests/experiments/test_sizes.sh
TESTS += tests/experiments/test_sizes.sh
tests/experiments/test_sizes.log: tests/bench/sparse$(EXEEXT)
# Nobody can run them where there is no tool.
EXTRA_PROGRAMS += tests/experiments/profiled tests/experiments/profiled_static
tests_experiments_profiled_SOURCES = tests/experiments/profiled.c
tests_experiments_profiled_CFLAGS = -std=gnu11 $(VAT_CFLAGS) -pthread -gdwarf-4
tests_experiments_profiled_LDFLAGS = -pthread
tests_experiments_profiled_static_SOURCES = tests/experiments/profiled.c
tests_experiments_profiled_static_CFLAGS = $(tests_experiments_profiled_CFLAGS)
tests_experiments_profiled_static_LDFLAGS = -static $(tests_experiments_profiled_LDFLAGS)
EXTRA_PROGRAMS += tests/experiments/heated tests/experiments/heated_new tests/experiments/heated_static
CLEANFILES += tests/experiments/heated$(EXEEXT) tests/experiments/heated_new$(EXEEXT) \
	tests/experiments/heated_static$(EXEEXT)
tests_experiments_heated_SOURCES = tests/experiments/heated.c
tests_experiments_heated_CFLAGS = -std=gnu11 $(VAT_CFLAGS) -gdwarf-4
tests_experiments_heated_new_SOURCES = tests/experiments/heated_new.cc
tests_experiments_heated_new_CXXFLAGS = -g -O1 -gdwarf-4
tests_experiments_heated_static_SOURCES = tests/experiments/heated.c
tests_experiments_heated_static_CFLAGS = $(tests_experiments_heated_CFLAGS)
tests_experiments_heated_static_LDFLAGS = -static
EXTRA_PROGRAMS += tests/experiments/planned
CLEANFILES += tests/experiments/planned$(EXEEXT)
tests_experiments_planned_SOURCES = tests/experiments/planned.c
tests_experiments_planned_CFLAGS = -std=gnu11 $(VAT_CFLAGS) -gdwarf-4
# Functions on pages of their own, and what fetches are to be by a trace.
EXTRA_PROGRAMS += tests/experiments/code_pages tests/experiments/fetch_reference
CLEANFILES += tests/experiments/code_pages$(EXEEXT) tests/experiments/fetch_reference$(EXEEXT)
tests_experiments_code_pages_SOURCES = tests/experiments/code_pages.c
tests_experiments_code_pages_CFLAGS = -std=gnu11 $(VAT_CFLAGS) -gdwarf-4
tests_experiments_fetch_reference_SOURCES = tests/experiments/fetch_reference.c
if HAVE_VALGRIND
EXTRA_tests_test_experiments_DEPENDENCIES += \
	tests/experiments/code_pages$(EXEEXT) \
	tests/experiments/fetch_reference$(EXEEXT) \
	tests/experiments/heated$(EXEEXT) \
	tests/experiments/heated_new$(EXEEXT) \
	tests/experiments/heated_static$(EXEEXT) \
	tests/experiments/planned$(EXEEXT) \
	tests/experiments/profiled$(EXEEXT) \
	tests/experiments/profiled_static$(EXEEXT)
endif
# vat run pins itself to the last processor: in this order two tests that measure
# are seldom there at once.
EXTRA_DIST += tests/experiments/test_run_data.sh
TESTS += tests/experiments/test_run_data.sh
EXTRA_DIST += tests/experiments/test_gpu.sh
TESTS += tests/experiments/test_gpu.sh
EXTRA_DIST += tests/experiments/test_gpu_data.sh
TESTS += tests/experiments/test_gpu_data.sh
EXTRA_DIST += tests/experiments/test_profile.sh
TESTS += tests/experiments/test_profile.sh
EXTRA_DIST += tests/experiments/test_profile_code.sh
TESTS += tests/experiments/test_profile_code.sh
EXTRA_DIST += tests/experiments/test_profile_heat.sh
TESTS += tests/experiments/test_profile_heat.sh
EXTRA_DIST += tests/experiments/test_profile_plan.sh
TESTS += tests/experiments/test_profile_plan.sh
EXTRA_DIST += tests/experiments/test_samples.sh
TESTS += tests/experiments/test_samples.sh
EXTRA_DIST += tests/experiments/test_simulate.sh
TESTS += tests/experiments/test_simulate.sh
EXTRA_DIST += tests/experiments/test_validate.sh
EXTRA_DIST += tests/experiments/what_if_machine.json tests/experiments/what_if_profile.json \
	tests/experiments/what_if_compare.json
EXTRA_DIST += tests/experiments/validate_machine.json tests/experiments/validate_results.jsonl
TESTS += tests/experiments/test_validate.sh
EXTRA_DIST += tests/experiments/test_shard.sh
TESTS += tests/experiments/test_shard.sh
EXTRA_DIST += tests/experiments/look.js tests/experiments/look.pl \
	tests/experiments/test_report_look.sh
TESTS += tests/experiments/test_report_look.sh
EXTRA_DIST += tests/experiments/test_run.sh
TESTS += tests/experiments/test_run.sh
EXTRA_DIST += tests/experiments/test_calibrate.sh
TESTS += tests/experiments/test_calibrate.sh
# They look at the pools of huge pages before and after they have grown them, and
# wait for each other (checks.sh), better here than there.
tests/experiments/test_run.log: tests/experiments/test_compare.log
tests/experiments/test_calibrate.log: tests/experiments/test_run.log
include tests/experiments/exec/local.mk
