# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/model/gpu_record.c \
	experiments/model/gpu_record.h \
	experiments/model/model.h \
	experiments/model/model_counts.c \
	experiments/model/model_counts.h \
	experiments/model/model_file.c \
	experiments/model/model_lists.c \
	experiments/model/model_print.c \
	experiments/model/model_print.h \
	experiments/model/model_request.c \
	experiments/model/model_request.h \
	experiments/model/model_results.c
