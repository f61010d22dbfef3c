# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/trace/output_path.c \
	experiments/trace/output_path.h \
	experiments/trace/trace_output.c \
	experiments/trace/trace_output.h
