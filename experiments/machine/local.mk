# SPDX-License-Identifier: GPL-3.0-or-later
if HAVE_PAPI
libexperiments_a_SOURCES += experiments/machine/counter_papi.c
else
EXTRA_DIST += experiments/machine/counter_papi.c
endif
