# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/calibrate/bench.c \
	experiments/calibrate/bench.h \
	experiments/calibrate/calibrate.c \
	experiments/calibrate/calibrate.h \
	experiments/calibrate/calibrate_options.c \
	experiments/calibrate/calibrate_options.h \
	experiments/calibrate/calibration.h \
	experiments/calibrate/calibration_json.c \
	experiments/calibrate/calibration_print.c \
	experiments/calibrate/calibration_print.h \
	experiments/calibrate/calibration_reader.c \
	experiments/calibrate/chase_curve.c \
	experiments/calibrate/chase_curve.h \
	experiments/calibrate/derive.c \
	experiments/calibrate/derive.h \
	experiments/calibrate/derive_levels.c \
	experiments/calibrate/derive_overlaps.c \
	experiments/calibrate/derive_table_lines.c \
	experiments/calibrate/derive_tlbs.c \
	experiments/calibrate/intervals.c \
	experiments/calibrate/intervals.h \
	experiments/calibrate/kernels.c \
	experiments/calibrate/kernels.h \
	experiments/calibrate/measure.c \
	experiments/calibrate/measure.h \
	experiments/calibrate/quality.c \
	experiments/calibrate/quality.h \
	experiments/calibrate/recording.c \
	experiments/calibrate/recording.h \
	experiments/calibrate/step_fit.c \
	experiments/calibrate/step_fit.h \
	experiments/calibrate/table_traffic.c \
	experiments/calibrate/table_traffic.h \
	experiments/calibrate/translation.c \
	experiments/calibrate/translation.h
