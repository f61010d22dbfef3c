# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/model/calculators.c \
	experiments/model/calculators.h \
	experiments/model/gpu_record.c \
	experiments/model/gpu_record.h \
	experiments/model/model.h \
	experiments/model/model_counts.c \
	experiments/model/model_counts.h \
	experiments/model/model_emulated.c \
	experiments/model/model_file.c \
	experiments/model/model_json.c \
	experiments/model/model_json.h \
	experiments/model/model_lists.c \
	experiments/model/model_print.c \
	experiments/model/model_print.h \
	experiments/model/model_request.c \
	experiments/model/model_request.h \
	experiments/model/model_results.c \
	experiments/model/numbers.c \
	experiments/model/numbers.h \
	experiments/model/sheet/sheet_command.c \
	experiments/model/sheet/sheet_command.h \
	experiments/model/sheet/sheet_fit.c \
	experiments/model/sheet/sheet_tell.c \
	experiments/model/tmm/tmm_command.c \
	experiments/model/tmm/tmm_command.h \
	experiments/model/tmm/tmm_compare.c \
	experiments/model/tmm/tmm_points.c \
	experiments/model/tmm/tmm_points.h \
	experiments/model/tmm/tmm_print.c \
	experiments/model/tmm/tmm_print.h \
	experiments/model/tmm/tmm_record.c \
	experiments/model/tmm/tmm_record.h \
	experiments/model/tmm/tmm_request.c \
	experiments/model/tmm/tmm_request.h \
	experiments/model/tmm/tmm_show.c \
	experiments/model/tmm/tmm_tell.c
