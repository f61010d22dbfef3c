# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that test_exec.sh, test_exec_within.sh and test_shared*.sh compile, and
# run under vat exec.
EXTRA_DIST += \
	tests/experiments/exec/big_text.cc \
	tests/experiments/exec/confined.c \
	tests/experiments/exec/deep.c \
	tests/experiments/exec/early_thread.c \
	tests/experiments/exec/fork_handlers.c \
	tests/experiments/exec/large_blocks.c \
	tests/experiments/exec/malloc_stress.c \
	tests/experiments/exec/own_malloc.c \
	tests/experiments/exec/memory_cases.c \
	tests/experiments/exec/sandbox.c \
	tests/experiments/exec/own_smaps.h \
	tests/experiments/exec/shared.c \
	tests/experiments/exec/shared_sparse.c \
	tests/experiments/exec/node_blocks.c \
	tests/experiments/exec/small_blocks.c \
	tests/experiments/exec/stack_filled.c \
	tests/experiments/exec/small_stack.c \
	tests/experiments/exec/test_exec.sh \
	tests/experiments/exec/test_exec_memory.sh \
	tests/experiments/exec/test_exec_plan.sh \
	tests/experiments/exec/test_exec_refused.sh \
	tests/experiments/exec/test_exec_sizes.sh \
	tests/experiments/exec/test_exec_within.sh \
	tests/experiments/exec/test_shared.sh \
	tests/experiments/exec/test_shared_room.sh \
	tests/experiments/exec/test_text.sh \
	tests/experiments/exec/thread_blocks.c
TESTS += \
	tests/experiments/exec/test_exec.sh \
	tests/experiments/exec/test_exec_memory.sh \
	tests/experiments/exec/test_exec_plan.sh \
	tests/experiments/exec/test_exec_refused.sh \
	tests/experiments/exec/test_exec_sizes.sh \
	tests/experiments/exec/test_exec_within.sh \
	tests/experiments/exec/test_shared.sh \
	tests/experiments/exec/test_shared_room.sh \
	tests/experiments/exec/test_text.sh
