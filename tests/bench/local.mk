# SPDX-License-Identifier: GPL-3.0-or-later
# What times instead of testing: built by `make bench` only.
EXTRA_PROGRAMS += tests/bench/bench_profile tests/bench/bench_sim \
	tests/bench/bench_traces tests/bench/bench_twin tests/bench/footprints
CLEANFILES += tests/bench/bench_profile$(EXEEXT) \
	tests/bench/bench_sim$(EXEEXT) tests/bench/bench_traces$(EXEEXT) \
	tests/bench/bench_twin$(EXEEXT) tests/bench/footprints$(EXEEXT)
EXTRA_DIST += tests/bench/programs.sh
bench_streams = tests/bench/streams.c tests/bench/streams.h
tests_bench_bench_profile_SOURCES = tests/bench/bench_profile.cc
tests_bench_bench_sim_SOURCES = tests/bench/bench_sim.c $(bench_streams)
tests_bench_bench_sim_LDADD = libvat.a $(vat_LIBS)
tests_bench_bench_traces_SOURCES = tests/bench/bench_traces.c $(bench_streams)
tests_bench_bench_traces_LDADD = libvat.a $(vat_LIBS)
tests_bench_bench_twin_SOURCES = tests/bench/bench_twin.c
tests_bench_bench_twin_LDADD = $(experiments_vat_LDADD)
tests_bench_footprints_SOURCES = tests/bench/footprints.c
bench-profile: tests/bench/bench_profile$(EXEEXT) experiments/vat$(EXEEXT)
	tests/bench/bench_profile$(EXEEXT) -v experiments/vat$(EXEEXT)
bench-sim: tests/bench/bench_sim$(EXEEXT)
	tests/bench/bench_sim$(EXEEXT)
bench-traces: tests/bench/bench_traces$(EXEEXT)
	tests/bench/bench_traces$(EXEEXT)
bench-twin: tests/bench/bench_twin$(EXEEXT)
	tests/bench/bench_twin$(EXEEXT)
# Half an hour, and the machine to itself: not a part of `make bench`.
bench-programs: experiments/vat$(EXEEXT) experiments/compare/page_shim.so \
		tests/bench/footprints$(EXEEXT)
	$(srcdir)/tests/bench/programs.sh $(PROGRAMS_FLAGS)
.PHONY: bench-profile bench-programs bench-sim bench-traces bench-twin
bench: bench-profile bench-sim bench-traces bench-twin
