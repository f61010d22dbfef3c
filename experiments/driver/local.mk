# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/driver/alloc.c \
	experiments/driver/alloc.h \
	experiments/driver/alloc_plan.c \
	experiments/driver/alloc_plan.h \
	experiments/driver/caches.c \
	experiments/driver/caches.h \
	experiments/driver/data_options.c \
	experiments/driver/data_options.h \
	experiments/driver/driver.c \
	experiments/driver/driver.h \
	experiments/driver/interrupt.c \
	experiments/driver/interrupt.h \
	experiments/driver/machine.c \
	experiments/driver/machine.h \
	experiments/driver/node_pages.c \
	experiments/driver/node_pages.h \
	experiments/driver/pin.c \
	experiments/driver/pin.h \
	experiments/driver/places.c \
	experiments/driver/places.h \
	experiments/driver/plan.c \
	experiments/driver/plan.h \
	experiments/driver/progress.c \
	experiments/driver/progress.h \
	experiments/driver/run_argp.c \
	experiments/driver/run_options.c \
	experiments/driver/run_options.h \
	experiments/driver/sizes.c \
	experiments/driver/sizes.h \
	experiments/driver/versions.c \
	experiments/driver/versions.h \
	experiments/driver/vm.c \
	experiments/driver/vm.h \
	experiments/driver/workspaces.c \
	experiments/driver/workspaces.h
