# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/validate/costs.c \
	experiments/validate/costs.h \
	experiments/validate/costs_levels.c \
	experiments/validate/costs_shares.c \
	experiments/validate/costs_levels.h \
	experiments/validate/costs_shares.h \
	experiments/validate/costs_walks.c \
	experiments/validate/costs_walks.h \
	experiments/validate/fit.c \
	experiments/validate/fit.h \
	experiments/validate/judge.c \
	experiments/validate/judge.h \
	experiments/validate/machine_file.c \
	experiments/validate/machine_file.h \
	experiments/validate/models.c \
	experiments/validate/models.h \
	experiments/validate/points.c \
	experiments/validate/points.h \
	experiments/validate/profiles.c \
	experiments/validate/profiles.h \
	experiments/validate/validate.c \
	experiments/validate/validate.h \
	experiments/validate/validate_json.c \
	experiments/validate/validate_print.c
