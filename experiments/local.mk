# SPDX-License-Identifier: GPL-3.0-or-later
bin_PROGRAMS += experiments/vat
noinst_LIBRARIES += libexperiments.a
experiments_vat_SOURCES = experiments/vat.c
experiments_vat_LDADD = libexperiments.a $(gpu_LIBS) libgpu_models.a libcpu_algos.a libhuge_pages.a libvat.a \
	$(PAPI_LIBS) $(HWLOC_LIBS) $(huge_pages_LIBS) \
	$(JANSSON_LIBS) $(GSL_LIBS) $(vat_LIBS) -ldl
libexperiments_a_SOURCES = \
	experiments/cmd_calibrate.c \
	experiments/cmd_compare.c \
	experiments/cmd_doctor.c \
	experiments/cmd_list.c \
	experiments/cmd_merge.c \
	experiments/cmd_model.c \
	experiments/cmd_predict.c \
	experiments/cmd_profile.c \
	experiments/cmd_report.c \
	experiments/cmd_run.c \
	experiments/cmd_sim.c \
	experiments/cmd_trace.c \
	experiments/cmd_validate.c \
	experiments/command.h \
	experiments/command_options.c \
	experiments/json_file.c \
	experiments/json_file.h \
	experiments/memory_lack.c \
	experiments/memory_lack.h \
	experiments/names.c \
	experiments/names.h \
	experiments/fail.c \
	experiments/whole_number.c \
	experiments/whole_number.h

include experiments/calibrate/local.mk
include experiments/compare/local.mk
include experiments/counters/local.mk
include experiments/data/local.mk
include experiments/doctor/local.mk
include experiments/driver/local.mk
include experiments/merge/local.mk
include experiments/model/local.mk
include experiments/predict/local.mk
include experiments/profile/local.mk
include experiments/report/local.mk
include experiments/results/local.mk
include experiments/reuse/local.mk
include experiments/sim/local.mk
include experiments/simulate/local.mk
include experiments/stream/local.mk
include experiments/trace/local.mk
include experiments/validate/local.mk
include experiments/valgrind/local.mk
include experiments/whatif/local.mk
