# SPDX-License-Identifier: GPL-3.0-or-later
# Do the tests find changes that break vat/?  Half an hour; MUTATIONS="3 17" is
# of these alone.
EXTRA_DIST += tests/mutations/check.sh tests/mutations/table.txt
check-mutations: all $(check_PROGRAMS) tests/bounded$(EXEEXT)
	TESTS='$(TESTS)' VAT_TEST_SECONDS=$${VAT_TEST_SECONDS:-14400} \
	  tests/bounded$(EXEEXT) $(srcdir)/tests/mutations/check.sh $(MUTATIONS)
.PHONY: check-mutations
