# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/profile/guard.c \
	experiments/profile/guard.h \
	experiments/profile/outputs.c \
	experiments/profile/outputs.h \
	experiments/profile/profile.c \
	experiments/profile/profile.h \
	experiments/profile/profile_callgrind.c \
	experiments/profile/profile_calls.c \
	experiments/profile/profile_flow.c \
	experiments/profile/profile_json.c \
	experiments/profile/profile_launch.c \
	experiments/profile/profile_launch.h \
	experiments/profile/profile_print.c \
	experiments/profile/profile_read.c \
	experiments/profile/profile_request.c \
	experiments/profile/profile_request.h \
	experiments/profile/profile_saved.c \
	experiments/profile/profile_saved.h \
	experiments/profile/program_check.c \
	experiments/profile/request_check.c \
	experiments/profile/trace_pump.c \
	experiments/profile/trace_pump.h \
	experiments/profile/valgrind.c \
	experiments/profile/valgrind.h
