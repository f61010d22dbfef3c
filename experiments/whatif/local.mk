# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/whatif/native.c \
	experiments/whatif/native.h \
	experiments/whatif/overlap.c \
	experiments/whatif/overlap.h \
	experiments/whatif/timed.c \
	experiments/whatif/timed.h \
	experiments/whatif/walk_costs.c \
	experiments/whatif/walk_costs.h \
	experiments/whatif/what_if.c \
	experiments/whatif/what_if.h \
	experiments/whatif/what_if_print.c \
	experiments/whatif/what_if_table.c \
	experiments/whatif/what_if_table.h
