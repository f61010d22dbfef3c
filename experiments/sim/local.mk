# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/sim/sim.c \
	experiments/sim/sim.h \
	experiments/sim/sim_classify.c \
	experiments/sim/sim_classify.h \
	experiments/sim/sim_engine.h \
	experiments/sim/sim_input.c \
	experiments/sim/sim_input.h \
	experiments/sim/sim_print.c \
	experiments/sim/sim_request.c \
	experiments/sim/sim_request.h \
	experiments/sim/sim_sweep.c \
	experiments/sim/sim_sweep.h \
	experiments/sim/sim_tlb.c \
	experiments/sim/sim_tlb.h \
	experiments/sim/tlb_here.c \
	experiments/sim/tlb_here.h \
	experiments/sim/tlb_option.c \
	experiments/sim/tlb_option.h \
	experiments/sim/tree_options.c \
	experiments/sim/tree_options.h
