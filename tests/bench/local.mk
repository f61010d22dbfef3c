# SPDX-License-Identifier: GPL-3.0-or-later
# What times instead of testing: built by `make bench` only.
include tests/bench/footprints/local.mk
EXTRA_PROGRAMS += tests/bench/bench_plan tests/bench/bench_profile \
	tests/bench/bench_sim \
	tests/bench/bench_traces tests/bench/bench_twin \
	tests/bench/plan_map tests/bench/sparse tests/bench/thin tests/bench/three_tables
CLEANFILES += tests/bench/bench_plan$(EXEEXT) \
	tests/bench/bench_profile$(EXEEXT) \
	tests/bench/bench_sim$(EXEEXT) tests/bench/bench_traces$(EXEEXT) \
	tests/bench/bench_twin$(EXEEXT) \
	tests/bench/plan_map$(EXEEXT) tests/bench/sparse$(EXEEXT) tests/bench/thin$(EXEEXT) \
	tests/bench/three_tables$(EXEEXT)
EXTRA_DIST += tests/bench/bench.sh tests/bench/largest_first.jq tests/bench/plans.sh \
	tests/bench/measured_programs.sh tests/bench/plans_row.jq \
	tests/bench/plans_table.jq tests/bench/programs.sh tests/bench/samples.sh tests/bench/sizes.sh \
	tests/bench/text.sh
bench_streams = tests/bench/streams.c tests/bench/streams.h
tests_bench_bench_plan_SOURCES = tests/bench/bench_plan.c \
	tests/experiments/profile/saved_tables.c \
	tests/experiments/profile/saved_tables.h
tests_bench_bench_profile_SOURCES = tests/bench/bench_profile.cc
tests_bench_bench_sim_SOURCES = tests/bench/bench_sim.c $(bench_streams)
tests_bench_bench_sim_LDADD = libvat.a $(vat_LIBS)
tests_bench_bench_traces_SOURCES = tests/bench/bench_traces.c $(bench_streams)
tests_bench_bench_traces_LDADD = libvat.a $(vat_LIBS)
tests_bench_bench_twin_SOURCES = tests/bench/bench_twin.c
tests_bench_bench_twin_LDADD = $(experiments_vat_LDADD)
tests_bench_plan_map_SOURCES = tests/bench/plan_map.cc
tests_bench_sparse_SOURCES = tests/bench/sparse.c
tests_bench_thin_SOURCES = tests/bench/thin.c
tests_bench_thin_LDADD = -lm
tests_bench_three_tables_SOURCES = tests/bench/three_tables.c
bench-plan: tests/bench/bench_plan$(EXEEXT) experiments/vat$(EXEEXT)
	tests/bench/bench_plan$(EXEEXT) experiments/vat$(EXEEXT) \
	  $(srcdir)/tests/experiments/what_if_machine.json
bench-profile: tests/bench/bench_profile$(EXEEXT) experiments/vat$(EXEEXT)
	tests/bench/bench_profile$(EXEEXT) -v experiments/vat$(EXEEXT)
bench-sim: tests/bench/bench_sim$(EXEEXT)
	tests/bench/bench_sim$(EXEEXT)
bench-traces: tests/bench/bench_traces$(EXEEXT)
	tests/bench/bench_traces$(EXEEXT)
bench-twin: tests/bench/bench_twin$(EXEEXT)
	tests/bench/bench_twin$(EXEEXT)
# Half an hour, and the machine to itself: not a part of `make bench`.
bench-programs: experiments/vat$(EXEEXT) experiments/exec/page_shim.so \
		tests/bench/plan_map$(EXEEXT) \
		tests/bench/footprints/footprints$(EXEEXT)
	$(srcdir)/tests/bench/programs.sh $(PROGRAMS_FLAGS)
# A quarter of an hour for each program, and the machine to itself.
bench-budgets: experiments/vat$(EXEEXT) experiments/exec/page_shim.so \
		tests/bench/plan_map$(EXEEXT)
	$(srcdir)/tests/bench/plans.sh $(BUDGETS_FLAGS)
# Twenty minutes for the profiles of all programs, then some for each one, and the
# machine to itself.
bench-mosaics: experiments/vat$(EXEEXT) experiments/exec/page_shim.so \
		tests/bench/plan_map$(EXEEXT) \
		tests/bench/footprints/footprints$(EXEEXT)
	$(srcdir)/tests/bench/plans.sh -l 9 $(MOSAICS_FLAGS)
# Up to 20 minutes for each profile; then 3 for each program, and the machine to
# itself.
bench-text: experiments/vat$(EXEEXT) experiments/exec/page_shim.so
	$(srcdir)/tests/bench/text.sh $(TEXT_FLAGS)
# Ten minutes.
bench-samples: experiments/vat$(EXEEXT) tests/bench/thin$(EXEEXT) \
		tests/bench/footprints/footprints$(EXEEXT)
	$(srcdir)/tests/bench/samples.sh $(SAMPLES_FLAGS)
# Three minutes, and the machine to itself; as root.
bench-sizes: experiments/vat$(EXEEXT) experiments/exec/page_shim.so \
		tests/bench/sparse$(EXEEXT)
	$(srcdir)/tests/bench/sizes.sh $(SIZES_FLAGS)
.PHONY: bench-budgets bench-mosaics bench-plan bench-profile bench-programs bench-samples bench-sim bench-simt \
	bench-sizes bench-text bench-traces bench-twin
bench: bench-plan bench-profile bench-sim $(bench_simt) bench-traces bench-twin
EXTRA_DIST += tests/bench/simt_work.cu
if EMU_COUNTED
EXTRA_PROGRAMS += tests/bench/bench_simt
tests_bench_bench_simt_SOURCES = tests/bench/bench_simt.c tests/bench/simt_work.h
simt_works = tests/bench/simt_works_emu.o tests/bench/simt_works_counted.o
tests_bench_bench_simt_LDADD = $(simt_works) libsimt.a $(simt_LIBS)
tests/bench/simt_work.emu tests/bench/simt_work.counted: $(simt_headers) \
	tests/bench/simt_work.h tests/gpu_algos/reduce.h
tests/bench/simt_works_emu.o: tests/bench/simt_work.emu
	$(simt_group_emu) simt_works simt_works_emu tests/bench/simt_work.emu
tests/bench/simt_works_counted.o: tests/bench/simt_work.counted
	$(simt_group_counted) simt_works simt_works_counted \
	  tests/bench/simt_work.counted
CLEANFILES += tests/bench/bench_simt$(EXEEXT) $(simt_works) \
	tests/bench/simt_work.emu tests/bench/simt_work.counted
bench-simt: tests/bench/bench_simt$(EXEEXT)
	tests/bench/bench_simt$(EXEEXT)
bench_simt = bench-simt
endif
