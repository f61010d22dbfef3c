# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/doctor/doctor.h \
	experiments/doctor/examinations.c \
	experiments/doctor/examine_counters.c \
	experiments/doctor/examine_gpu.c \
	experiments/doctor/examine_machine.c \
	experiments/doctor/examine_pages.c \
	experiments/doctor/examine_rights.c \
	experiments/doctor/examine_software.c \
	experiments/doctor/findings.c \
	experiments/doctor/findings.h \
	experiments/doctor/findings_print.c \
	experiments/doctor/program.c \
	experiments/doctor/program.h
