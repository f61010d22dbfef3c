# SPDX-License-Identifier: GPL-3.0-or-later
bin_PROGRAMS += experiments/vat
noinst_LIBRARIES += libexperiments.a
experiments_vat_SOURCES = experiments/commands/vat.c
experiments_vat_LDADD = libexperiments.a $(gpu_LIBS) libgpu_models.a libcpu_algos.a libhuge_pages.a libvat.a \
	$(PAPI_LIBS) $(HWLOC_LIBS) $(huge_pages_LIBS) \
	$(JANSSON_LIBS) $(GSL_LIBS) $(vat_LIBS) -ldl
libexperiments_a_SOURCES = $(files_experiments)

include experiments/exec/local.mk
include experiments/machine/local.mk
include experiments/reuse/local.mk
include experiments/stream/local.mk
include experiments/valgrind/local.mk
