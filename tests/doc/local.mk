# SPDX-License-Identifier: GPL-3.0-or-later
EXTRA_DIST += \
	tests/doc/examples.sh \
	tests/doc/test_completion.sh \
	tests/doc/test_man.sh \
	tests/doc/test_package.sh
TESTS += tests/doc/test_package.sh
if RUNS_HERE
TESTS += tests/doc/test_completion.sh tests/doc/test_man.sh
tests/doc/test_completion.log: $(bashcompletion_DATA) $(zshcompletion_DATA)
tests/doc/test_man.log: $(man_MANS)
endif
