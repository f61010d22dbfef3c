# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/trace/trace_output.c \
	experiments/trace/trace_output.h
