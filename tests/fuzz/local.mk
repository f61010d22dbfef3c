# SPDX-License-Identifier: GPL-3.0-or-later
# libFuzzer targets, built by `make fuzz` after
#   ./configure --enable-fuzz CC=clang CXX=clang++
EXTRA_PROGRAMS += tests/fuzz/fuzz_applications tests/fuzz/fuzz_calibration tests/fuzz/fuzz_compare tests/fuzz/fuzz_data tests/fuzz/fuzz_layout tests/fuzz/fuzz_numbers tests/fuzz/fuzz_plan tests/fuzz/fuzz_profile tests/fuzz/fuzz_results tests/fuzz/fuzz_trace
tests_fuzz_fuzz_applications_SOURCES = tests/fuzz/fuzz_applications.c \
	tests/experiments/applications/application_case.c \
	tests/experiments/applications/application_case.h
tests_fuzz_fuzz_applications_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_applications_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_calibration_SOURCES = tests/fuzz/fuzz_calibration.c
tests_fuzz_fuzz_calibration_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_calibration_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_compare_SOURCES = tests/fuzz/fuzz_compare.c
tests_fuzz_fuzz_compare_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_compare_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_data_SOURCES = tests/fuzz/fuzz_data.c
tests_fuzz_fuzz_data_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_data_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_layout_SOURCES = tests/fuzz/fuzz_layout.c
tests_fuzz_fuzz_layout_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_layout_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_numbers_SOURCES = tests/fuzz/fuzz_numbers.c
tests_fuzz_fuzz_numbers_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_numbers_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_plan_SOURCES = tests/fuzz/fuzz_plan.c
tests_fuzz_fuzz_plan_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_plan_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_profile_SOURCES = tests/fuzz/fuzz_profile.c
tests_fuzz_fuzz_profile_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_profile_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_results_SOURCES = tests/fuzz/fuzz_results.c
tests_fuzz_fuzz_results_LDADD = $(experiments_vat_LDADD)
tests_fuzz_fuzz_results_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz_trace.c
tests_fuzz_fuzz_trace_LDADD = libvat.a $(vat_LIBS)
tests_fuzz_fuzz_trace_LDFLAGS = -fsanitize=fuzzer
FUZZ_SECONDS = 10
if ENABLE_FUZZ
fuzz: $(bin_PROGRAMS) tests/fuzz/fuzz_applications$(EXEEXT) tests/fuzz/fuzz_calibration$(EXEEXT) \
	tests/fuzz/fuzz_compare$(EXEEXT) tests/fuzz/fuzz_data$(EXEEXT) \
	tests/fuzz/fuzz_layout$(EXEEXT) tests/fuzz/fuzz_numbers$(EXEEXT) tests/fuzz/fuzz_plan$(EXEEXT) tests/fuzz/fuzz_profile$(EXEEXT) \
	tests/fuzz/fuzz_results$(EXEEXT) tests/fuzz/fuzz_trace$(EXEEXT) \
	tests/bounded$(EXEEXT)
	VAT_TEST_SECONDS=$${VAT_TEST_SECONDS:-`expr 300 + 60 \* $(FUZZ_SECONDS)`} \
	  tests/bounded$(EXEEXT) $(srcdir)/tests/fuzz/run.sh . $(FUZZ_SECONDS)
else
fuzz:
	@echo "fuzzing needs: ./configure --enable-fuzz CC=clang CXX=clang++" >&2; exit 1
endif
.PHONY: fuzz
EXTRA_DIST += \
	tests/fuzz/corpus_calibration/other_schema.json \
	tests/fuzz/corpus_calibration/whole.json \
	tests/fuzz/corpus_compare/compared \
	tests/fuzz/corpus_compare/elf \
	tests/fuzz/corpus_compare/output \
	tests/fuzz/corpus_compare/script \
	tests/fuzz/corpus_compare/smaps \
	tests/fuzz/corpus_data/dna \
	tests/fuzz/corpus_data/dna_2bit \
	tests/fuzz/corpus_data/dna_gz \
	tests/fuzz/corpus_data/dna_zst \
	tests/fuzz/corpus_data/keys \
	tests/fuzz/corpus_data/keys_u64 \
	tests/fuzz/corpus_data/list \
	tests/fuzz/corpus_data/matrices \
	tests/fuzz/corpus_data/matrix_empty \
	tests/fuzz/corpus_data/points \
	tests/fuzz/corpus_data/reads \
	tests/fuzz/corpus_data/reads_cut \
	tests/fuzz/corpus_layout/ranges \
	tests/fuzz/corpus_numbers/list \
	tests/fuzz/corpus_numbers/range \
	tests/fuzz/corpus_plan/whole.json \
	tests/fuzz/corpus_profile/allocator \
	tests/fuzz/corpus_profile/itlb \
	tests/fuzz/corpus_profile/outputs \
	tests/fuzz/corpus_profile/samples \
	tests/fuzz/corpus_profile/tlb \
	tests/fuzz/corpus_results/big_seed.jsonl \
	tests/fuzz/corpus_results/half_line.jsonl \
	tests/fuzz/corpus_results/merged.jsonl \
	tests/fuzz/corpus_results/other_schema.jsonl \
	tests/fuzz/corpus_results/whole.jsonl \
	tests/fuzz/corpus_results.tar.gz \
	tests/fuzz/corpus_trace.tar.gz \
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
	tests/fuzz/corpus_trace/vat_steps \
	tests/fuzz/corpus_trace/zst \
	tests/fuzz/run.sh \
	tests/fuzz/trace.dict
