# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_experiments
tests_test_experiments_LDADD = $(experiments_vat_LDADD) $(CUNIT_LIBS)
tests_test_experiments_SOURCES = \
	tests/check.h \
	tests/experiments/chase_machine.c \
	tests/experiments/chase_machine.h \
	tests/experiments/figure_fixture.c \
	tests/experiments/figure_fixture.h \
	tests/experiments/main.c \
	tests/experiments/report_fixture.c \
	tests/experiments/report_fixture.h \
	tests/experiments/reuse_reference.c \
	tests/experiments/reuse_reference.h \
	tests/experiments/model_told.c \
	tests/experiments/model_told.h \
	tests/experiments/run_command.c \
	tests/experiments/run_command.h \
	tests/experiments/scratch.h \
	tests/experiments/stream_fixture.c \
	tests/experiments/stream_fixture.h \
	tests/experiments/suites.h \
	tests/experiments/test_alloc.c \
	tests/experiments/test_bounds_24.c \
	tests/experiments/test_calibration.c \
	tests/experiments/test_compare_backing.c \
	tests/experiments/test_compare_child.c \
	tests/experiments/test_compare_executable.c \
	tests/experiments/test_compare_outcome.c \
	tests/experiments/test_counters.c \
	tests/experiments/test_counters_cpu.c \
	tests/experiments/test_counters_ladder.c \
	tests/experiments/test_counters_live.c \
	tests/experiments/test_counters_papi.c \
	tests/experiments/test_data.c \
	tests/experiments/test_data_2bit.c \
	tests/experiments/test_data_dna.c \
	tests/experiments/test_derive.c \
	tests/experiments/test_derive_neighbours.c \
	tests/experiments/test_derive_vm.c \
	tests/experiments/test_doctor.c \
	tests/experiments/test_doctor_machine.c \
	tests/experiments/test_figures.c \
	tests/experiments/test_figures_calibrated.c \
	tests/experiments/test_figures_filter.c \
	tests/experiments/test_figures_gpu.c \
	tests/experiments/test_figures_hull.c \
	tests/experiments/test_figures_machines.c \
	tests/experiments/test_figures_prediction.c \
	tests/experiments/test_figures_thesis.c \
	tests/experiments/test_figures_tmm.c \
	tests/experiments/test_gnuplot.c \
	tests/experiments/test_html.c \
	tests/experiments/test_interrupt.c \
	tests/experiments/test_kernels.c \
	tests/experiments/test_line_uses.c \
	tests/experiments/test_list.c \
	tests/experiments/test_merge.c \
	tests/experiments/test_model.c \
	tests/experiments/test_model_bloom.c \
	tests/experiments/test_model_sheets.c \
	tests/experiments/test_model_tmm.c \
	tests/experiments/test_numbers.c \
	tests/experiments/test_plan.c \
	tests/experiments/test_predict.c \
	tests/experiments/test_profile.c \
	tests/experiments/test_ratio.c \
	tests/experiments/test_report_page.c \
	tests/experiments/test_report_text.c \
	tests/experiments/test_report_what_if.c \
	tests/experiments/test_results_json.c \
	tests/experiments/test_results_reader.c \
	tests/experiments/test_results_writer.c \
	tests/experiments/test_reuse.c \
	tests/experiments/test_reuse_ahead.c \
	tests/experiments/test_reuse_cache.c \
	tests/experiments/test_reuse_json.c \
	tests/experiments/test_sample_variant.c \
	tests/experiments/test_sim.c \
	tests/experiments/test_sim_classify.c \
	tests/experiments/test_sim_refusals.c \
	tests/experiments/test_sim_tlb.c \
	tests/experiments/test_simulated.c \
	tests/experiments/test_sizes.c \
	tests/experiments/test_stream.c \
	tests/experiments/test_stream_counts.c \
	tests/experiments/test_summary.c \
	tests/experiments/test_tc_curves.c \
	tests/experiments/test_tmm_counts.c \
	tests/experiments/test_tmm_record.c \
	tests/experiments/test_trace.c \
	tests/experiments/test_transposes.c \
	tests/experiments/test_utf8.c \
	tests/experiments/test_validate.c \
	tests/experiments/test_validate_costs.c \
	tests/experiments/test_validate_shares.c \
	tests/experiments/test_validate_judge.c \
	tests/experiments/test_veb.c \
	tests/experiments/test_what_if.c \
	tests/experiments/test_whole_number.c \
	tests/experiments/validate_fixture.c \
	tests/experiments/validate_fixture.h \
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
CLEANFILES += tests/experiments/profiled$(EXEEXT) tests/experiments/profiled_static$(EXEEXT)
CLEANFILES += tests/experiments/thesis_trace$(EXEEXT)
EXTRA_DIST += tests/experiments/calibration_vm.json tests/experiments/checks.sh
EXTRA_DIST += tests/experiments/calibration_vm_1g.json tests/experiments/calibration_vm_3g.json
EXTRA_DIST += tests/experiments/calibration_given.json
EXTRA_DIST += tests/experiments/calibration_vm_4g.json tests/experiments/calibration_vm_cold.json
EXTRA_DIST += tests/experiments/test_compare.sh
TESTS += tests/experiments/test_compare.sh
# Nobody can run them where there is no tool.
EXTRA_PROGRAMS += tests/experiments/profiled tests/experiments/profiled_static
tests_experiments_profiled_SOURCES = tests/experiments/profiled.c
tests_experiments_profiled_CFLAGS = -std=gnu11 $(VAT_CFLAGS) -pthread -gdwarf-4
tests_experiments_profiled_LDFLAGS = -pthread
tests_experiments_profiled_static_SOURCES = tests/experiments/profiled.c
tests_experiments_profiled_static_CFLAGS = $(tests_experiments_profiled_CFLAGS)
tests_experiments_profiled_static_LDFLAGS = -static $(tests_experiments_profiled_LDFLAGS)
if HAVE_VALGRIND
EXTRA_tests_test_experiments_DEPENDENCIES += \
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
