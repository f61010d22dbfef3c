# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/merge/merge.c \
	experiments/merge/merge.h \
	experiments/merge/sweeps.c \
	experiments/merge/sweeps.h
