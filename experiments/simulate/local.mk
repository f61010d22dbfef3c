# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/simulate/simulate.c \
	experiments/simulate/simulate.h \
	experiments/simulate/tlb_entries.c \
	experiments/simulate/tlb_entries.h
