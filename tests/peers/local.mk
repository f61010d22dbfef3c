# SPDX-License-Identifier: GPL-3.0-or-later
# Built by `make bench` alone.
EXTRA_PROGRAMS += tests/peers/bench_peers
CLEANFILES += tests/peers/bench_peers$(EXEEXT)
tests_peers_bench_peers_SOURCES = \
	tests/peers/bench.cc \
	tests/peers/blastn.cc \
	tests/peers/hulls.cc \
	tests/peers/openblas.cc \
	tests/peers/pages.cc \
	tests/peers/pages.h \
	tests/peers/peers.cc \
	tests/peers/peers.h \
	tests/peers/read_kernels.cc \
	tests/peers/references.cc
tests_peers_bench_peers_LDADD = libcpu_algos.a -lm -ldl
EXTRA_DIST += tests/peers/bench_cub.cu
if HAVE_CUDA
EXTRA_PROGRAMS += tests/peers/bench_cub
CLEANFILES += tests/peers/bench_cub$(EXEEXT) tests/peers/bench_cub.cuda
tests_peers_bench_cub_SOURCES =
tests_peers_bench_cub_LDADD = tests/peers/bench_cub.cuda $(gpu_LIBS)
tests/peers/bench_cub.cuda: $(gpu_headers)
bench_gpu = bench-cub
bench-cub: tests/peers/bench_cub$(EXEEXT)
	tests/peers/bench_cub$(EXEEXT) || test $$? = 77
else
bench_gpu =
bench-cub:
	@echo "SKIPPED beside CUB: vat is built without CUDA"
endif
.PHONY: bench-cub
