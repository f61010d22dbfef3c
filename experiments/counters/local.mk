# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/counters/backend.h \
	experiments/counters/counters.c \
	experiments/counters/counters.h \
	experiments/counters/cpu_archs.c \
	experiments/counters/cpu_id.c \
	experiments/counters/cpu_id.h \
	experiments/counters/emulated.c \
	experiments/counters/emulated.h \
	experiments/counters/lack.c \
	experiments/counters/ladder.c \
	experiments/counters/ladder.h \
	experiments/counters/perf.c \
	experiments/counters/rights.c \
	experiments/counters/rights.h \
	experiments/counters/site.c
if HAVE_PAPI
libexperiments_a_SOURCES += experiments/counters/papi.c
endif
