# SPDX-License-Identifier: GPL-3.0-or-later
# One CUnit runner per folder; tests/check.h is what they share.
EXTRA_DIST += tests/check.h tests/coverage.h tests/coverage.sh tests/readme.sh \
	tests/settings.sh tests/test_settings.sh tests/transcript.sh

# Each test has a time limit, and may leave no process and no file.
EXTRA_PROGRAMS += tests/bounded
CLEANFILES += tests/bounded$(EXEEXT)
LOG_COMPILER = tests/bounded$(EXEEXT)
SH_LOG_COMPILER = $(LOG_COMPILER)
.PHONY: tests/settings.before
include tests/bench/local.mk
include tests/bounds/local.mk
include tests/cluster/local.mk
include tests/faults/local.mk
include tests/fuzz/local.mk
include tests/mutations/local.mk
if HAVE_CUNIT
include tests/doc/local.mk
include tests/cpu_algos/local.mk
include tests/experiments/local.mk
include tests/gpu_algos/local.mk
include tests/gpu_algos/models/local.mk
include tests/vat/local.mk
include tests/huge_pages/local.mk
$(TEST_LOGS): tests/bounded$(EXEEXT)
# The last test compares the settings of the machine with those from before the
# first one.
check_DATA = tests/settings.before
tests/settings.before:
	@$(MKDIR_P) tests && $(srcdir)/tests/settings.sh >$@.new && mv $@.new $@
CLEANFILES += tests/settings.before
TESTS += tests/test_settings.sh
tests/test_settings.log: $(TEST_LOGS:tests/test_settings.log=)
# Before it come those that switch transparent huge pages of 2 MiB off for a
# moment, which other tests need: one after the other, when all else has ended.
all_but_last = $(TEST_LOGS:tests/test_settings.log=)
all_but_two = $(all_but_last:tests/experiments/test_compare_sizes.log=)
all_but_three = $(all_but_two:tests/experiments/exec/test_exec_sizes.log=)
all_but_four = $(all_but_three:tests/experiments/test_sizes.log=)
shared_logs = $(all_but_four:tests/huge_pages/test_thp_alone.log=)
tests/huge_pages/test_thp_alone.log: $(shared_logs)
tests/experiments/exec/test_exec_sizes.log: $(shared_logs) \
	tests/huge_pages/test_thp_alone.log
tests/experiments/test_compare_sizes.log: $(shared_logs) \
	tests/huge_pages/test_thp_alone.log \
	tests/experiments/exec/test_exec_sizes.log
tests/experiments/test_sizes.log: $(shared_logs) \
	tests/huge_pages/test_thp_alone.log \
	tests/experiments/exec/test_exec_sizes.log \
	tests/experiments/test_compare_sizes.log
# What could not be tested here, and why, is to be seen among what passed.
check-local: check-TESTS
	@grep -H "^SKIPPED" $(TEST_LOGS) | sed 's/\.log:/: /' | sort -u
else
check-local:
	@echo "make check needs CUnit: ./bootstrap --install-deps" >&2; exit 1
endif
# What of the source no test runs.  Tests that become somebody else cannot write
# counts, and look at what is printed: one that fails is told, and is of make
# check.
if ENABLE_COVERAGE
coverage: all
	find . -name '*.gcda' -exec rm -f {} +
	GCOV_ERROR_FILE=/dev/null $(MAKE) check || \
	  echo "coverage: tests failed, as counting lines may have them do" >&2
	$(srcdir)/tests/coverage.sh $(srcdir)
else
coverage:
	@echo "coverage needs: ./configure --enable-coverage CFLAGS='-g -O1' CXXFLAGS='-g -O1'" >&2; exit 1
endif
.PHONY: coverage
