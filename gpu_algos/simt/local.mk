# SPDX-License-Identifier: GPL-3.0-or-later
# The emulator itself is C; what kernels include is C++.  (And what counted ones
# are made with.)
simt_headers = \
	gpu_algos/launch.h \
	gpu_algos/simt/arithmetic.awk \
	gpu_algos/simt/atomics.h \
	gpu_algos/simt/cuda_error.h \
	gpu_algos/simt/device_calls.h \
	gpu_algos/simt/include/cuda_runtime.h \
	gpu_algos/simt/intrinsics.h \
	gpu_algos/simt/job.h \
	gpu_algos/simt/kernel_abi.h \
	gpu_algos/simt/kernel_words.h \
	gpu_algos/simt/launch_limits.h \
	gpu_algos/simt/runtime_api.h \
	gpu_algos/simt/vector_types.h \
	gpu_algos/simt/warp.h
EXTRA_DIST += $(simt_headers) gpu_algos/simt/hooks.syms
simt_sources = \
	gpu_algos/simt/arena.c \
	gpu_algos/simt/arena.h \
	gpu_algos/simt/barrier.c \
	gpu_algos/simt/block.c \
	gpu_algos/simt/block.h \
	gpu_algos/simt/bounds.c \
	gpu_algos/simt/count_global.c \
	gpu_algos/simt/count_shared.c \
	gpu_algos/simt/counters.c \
	gpu_algos/simt/counters.h \
	gpu_algos/simt/counting.c \
	gpu_algos/simt/counting.h \
	gpu_algos/simt/cuda_error.c \
	gpu_algos/simt/device_calls.c \
	gpu_algos/simt/diagnosis.c \
	gpu_algos/simt/diagnosis.h \
	gpu_algos/simt/fault.c \
	gpu_algos/simt/fault.h \
	gpu_algos/simt/fiber.c \
	gpu_algos/simt/fiber.h \
	gpu_algos/simt/grid.c \
	gpu_algos/simt/hooks.c \
	gpu_algos/simt/image.c \
	gpu_algos/simt/image.h \
	gpu_algos/simt/launch_limits.c \
	gpu_algos/simt/log.h \
	gpu_algos/simt/merge.c \
	gpu_algos/simt/race.c \
	gpu_algos/simt/race.h \
	gpu_algos/simt/schedule.c \
	gpu_algos/simt/simt.h \
	gpu_algos/simt/source_line.c \
	gpu_algos/simt/source_line.h \
	gpu_algos/simt/stacks.c \
	gpu_algos/simt/stacks.h \
	gpu_algos/simt/warp_ops.c \
	gpu_algos/simt/warp_results.c \
	gpu_algos/simt/warp_results.h \
	gpu_algos/simt/workers.c \
	gpu_algos/simt/workers.h
noinst_LIBRARIES += libsimt.a
libsimt_a_SOURCES = $(simt_sources)
simt_LIBS = -lpthread -lm
SUFFIXES = .cu
if EMU
# A kernel source becomes two objects, NAME.emu and NAME.counted.  Those of a
# group are made one object, in which every name but one is hidden, so that both
# fit one program, beside those that nvcc makes:
#   group_emu.o: NAME.emu ...
#   	$(simt_group_emu) TABLE TABLE_emu NAME.emu ...
#   group_counted.o: NAME.counted ...
#   	$(simt_group_counted) TABLE TABLE_counted NAME.counted ...
# Every object depends on $(simt_headers).  The program has libsimt.a and
# $(simt_LIBS) behind the groups.
SUFFIXES += .emu .counted
simt_compile = $(EMU_CXX) $(DEFS) $(DEFAULT_INCLUDES) \
	-I$(top_srcdir)/gpu_algos/simt/include $(AM_CPPFLAGS) $(CPPFLAGS) \
	$(AM_CXXFLAGS) $(CXXFLAGS) $(EMU_CXXFLAGS)
.cu.emu:
	@$(MKDIR_P) $(@D)
	$(AM_V_CXX)$(simt_compile) -x c++ -c -o $@ $<
.cu.counted:
	@$(MKDIR_P) $(@D)
	$(AM_V_CXX)$(simt_compile) $(EMU_COUNTED_CXXFLAGS) -x c++ $(simt_counted)
if EMU_ARITHMETIC
simt_counted = -S -o $@.s $< && \
	$(AWK) -f $(srcdir)/gpu_algos/simt/arithmetic.awk $@.s >$@.numbered && \
	$(EMU_CXX) -x assembler -c -o $@ $@.numbered && rm $@.s $@.numbered
else
simt_counted = -c -o $@ $<
endif
simt_group = $(AM_V_GEN)sh $(srcdir)/gpu_algos/simt/group.sh '$(EMU_CXX)' '$(OBJCOPY)'
simt_group_emu = $(simt_group) '' $@
simt_group_counted = $(simt_group) $(srcdir)/gpu_algos/simt/hooks.syms $@
EXTRA_DIST += gpu_algos/simt/group.sh
endif
