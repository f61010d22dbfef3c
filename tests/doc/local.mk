# SPDX-License-Identifier: GPL-3.0-or-later
EXTRA_DIST += \
	tests/doc/examples.sh \
	tests/doc/test_bounds_table.sh \
	tests/doc/test_completion.sh \
	tests/doc/test_man.sh \
	tests/doc/test_package.sh \
	tests/doc/test_pages.sh \
	tests/doc/test_statements.sh
TESTS += tests/doc/test_package.sh tests/doc/test_statements.sh
if RUNS_HERE
TESTS += tests/doc/test_bounds_table.sh tests/doc/test_completion.sh \
	tests/doc/test_man.sh tests/doc/test_pages.sh
tests/doc/test_completion.log: $(bashcompletion_DATA) $(zshcompletion_DATA)
tests/doc/test_man.log: $(man_MANS)
tests/doc/test_pages.log: tests/doc/vat_extended$(EXEEXT)
endif

# The command with what doc/for-contributors.md adds: a file each of a policy, of
# an algorithm, of a page kind and of a figure, and its line in the table.
EXTRA_PROGRAMS += tests/doc/vat_extended
CLEANFILES += tests/doc/vat_extended$(EXEEXT) tests/doc/extended_policies.c \
	tests/doc/extended_algos.c tests/doc/extended_kinds.c tests/doc/extended_figures.c \
	tests/doc/extended_traced.o
tests_doc_vat_extended_SOURCES = \
	doc/examples/flush.c \
	doc/examples/reverse.c \
	doc/examples/spread.c \
	doc/examples/shared_pages.c \
	experiments/commands/vat.c
nodist_tests_doc_vat_extended_SOURCES = \
	tests/doc/extended_algos.c \
	tests/doc/extended_figures.c \
	tests/doc/extended_kinds.c \
	tests/doc/extended_policies.c
tests_doc_vat_extended_LDADD = \
	$(experiments_vat_LDADD:experiments/stream/traced_algos.o=tests/doc/extended_traced.o)
tests/doc/extended_policies.c: vat/policies.c
	$(AM_V_GEN)$(MKDIR_P) tests/doc && $(SED) 's/^  X(plru)/& X(flush)/' $(srcdir)/vat/policies.c >$@
tests/doc/extended_kinds.c: huge_pages/page_kinds.c
	$(AM_V_GEN)$(MKDIR_P) tests/doc && $(SED) 's/^  X(thp) /& X(shared)/' $(srcdir)/huge_pages/page_kinds.c >$@
tests/doc/extended_figures.c: experiments/report/figures.c
	$(AM_V_GEN)$(MKDIR_P) tests/doc && $(SED) 's/^  X(transposes) /& X(spread)/' $(srcdir)/experiments/report/figures.c >$@
tests/doc/extended_algos.c: cpu_algos/algos.c
	$(AM_V_GEN)$(MKDIR_P) tests/doc && $(SED) 's/^  X(permute)/& X(reverse)/' $(srcdir)/cpu_algos/algos.c >$@
if STREAMS
tests/doc/extended_traced.o: tests/doc/extended_algos.c doc/examples/reverse.c libcpu_algos_traced.a
	$(AM_V_GEN)for source in tests/doc/extended_algos.c $(srcdir)/doc/examples/reverse.c; do \
	  $(COMPILE) $(TRACED_CFLAGS) -c $$source -o $@.`basename $$source .c`.o || exit; \
	done && \
	$(CC) -r -nostdlib $(TRACED_LDFLAGS) -o $@.tmp $@.*.o libcpu_algos_traced.a && \
	$(OBJCOPY) $(TRACED_OBJCOPY) $@.tmp $@ && rm $@.tmp $@.*.o
EXTRA_tests_doc_vat_extended_DEPENDENCIES = tests/doc/extended_traced.o
endif
