# SPDX-License-Identifier: GPL-3.0-or-later
# One CUnit runner per folder; tests/check.h is what they share.
EXTRA_DIST += tests/check.h tests/readme.sh tests/transcript.sh
include tests/bench/local.mk
include tests/cluster/local.mk
include tests/faults/local.mk
include tests/fuzz/local.mk
if HAVE_CUNIT
include tests/doc/local.mk
include tests/huge_pages/local.mk
include tests/cpu_algos/local.mk
include tests/gpu_algos/local.mk
include tests/gpu_algos/models/local.mk
include tests/experiments/local.mk
include tests/vat/local.mk
# What could not be tested here, and why, is to be seen among what passed.
check-local: check-TESTS
	@grep -h '^SKIPPED' $(TEST_LOGS) || :
else
check-local:
	@echo "make check needs CUnit: ./bootstrap --install-deps" >&2; exit 1
endif
