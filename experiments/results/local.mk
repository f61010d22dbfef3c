# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/results/json_u64.c \
	experiments/results/json_u64.h \
	experiments/results/ratio.c \
	experiments/results/ratio.h \
	experiments/results/results.h \
	experiments/results/results_reader.c \
	experiments/results/results_scan.c \
	experiments/results/results_scan.h \
	experiments/results/results_writer.c \
	experiments/results/same_machine.c \
	experiments/results/sample.h \
	experiments/results/sample_identity.c \
	experiments/results/sample_identity.h \
	experiments/results/sample_json.c \
	experiments/results/sample_json.h \
	experiments/results/sample_variant.c \
	experiments/results/sample_variant.h \
	experiments/results/simulated.c \
	experiments/results/simulated.h \
	experiments/results/six_digits.c \
	experiments/results/six_digits.h \
	experiments/results/summary.c \
	experiments/results/summary.h \
	experiments/results/summary_json.c
