# SPDX-License-Identifier: GPL-3.0-or-later
# What is there to read: installed beside README.md as it lies here, so that
# links hold.
nobase_dist_doc_DATA = \
	HACKING.md \
	README.md \
	doc/applications.md \
	doc/bloom-blastn.md \
	doc/bounds.md \
	doc/cache-oblivious.md \
	doc/calibrated.md \
	doc/calibration.md \
	doc/cluster.md \
	doc/coalescing.md \
	doc/comparing.md \
	doc/data-formats.md \
	doc/examples/bloom_gtx480.json \
	doc/examples/flush.c \
	doc/examples/forbidden.c \
	doc/examples/k_sweep.gnuplot \
	doc/examples/k_sweep.sh \
	doc/examples/lookup.c \
	doc/examples/reverse.c \
	doc/examples/tables.profile \
	doc/examples/shared_pages.c \
	doc/examples/translate.c \
	doc/examples/translate.expected \
	doc/examples/vm-size.sh \
	doc/exec.md \
	doc/extra-cells.md \
	doc/facs.md \
	doc/for-contributors.md \
	doc/for-performance-engineers.md \
	doc/for-researchers.md \
	doc/for-teachers.md \
	doc/glossary.md \
	doc/gpu-hull.md \
	doc/gpu-models.md \
	doc/gpu-sorting.md \
	doc/gpu.md \
	doc/heapsort-bound.md \
	doc/index.md \
	doc/layouts.md \
	doc/libvat.md \
	doc/measuring.md \
	doc/mixed-pages.md \
	doc/one-cache.md \
	doc/operation-time.md \
	doc/page-sizes.md \
	doc/pages.md \
	doc/parallel-vat.md \
	doc/plan.md \
	doc/prediction.md \
	doc/printed-bounds.md \
	doc/profile-format.md \
	doc/profiling.md \
	doc/proofs.md \
	doc/results-format.md \
	doc/results/README.md \
	doc/results/what-if.md \
	doc/results/k-sweep/k.csv \
	doc/results/k-sweep/k.png \
	doc/results/kvm-guest-emr/fig-2.1.png \
	doc/results/kvm-guest-emr/fig-2.3.png \
	doc/results/kvm-guest-emr/fig-2.5.png \
	doc/results/kvm-guest-emr/fig-2.6.png \
	doc/results/kvm-guest-emr/fig-all-w.png \
	doc/results/kvm-guest-emr/results.jsonl \
	doc/results/kvm-guest-emr/what-if/calibrations.tar.xz \
	doc/results/kvm-guest-emr/what-if/machine.json \
	doc/results/kvm-guest-emr/what-if/predicted.txt \
	doc/results/kvm-guest-emr/what-if/programs.jsonl \
	doc/results/kvm-guests/fig-machines-pages.png \
	doc/results/kvm-guests/fig-machines-tau.png \
	doc/results/kvm-guests/fig-machines-time.png \
	doc/results/kvm-guest-zen3/prediction/fig-2.2.png \
	doc/results/kvm-guest-zen3/prediction/fig-pieces.png \
	doc/results/kvm-guest-zen3/prediction/machine.json \
	doc/results/kvm-guest-zen3/prediction/results.jsonl \
	doc/results/kvm-guest-zen3/prediction/validation.txt \
	doc/results/kvm-guest-zen3/results.jsonl \
	doc/results/kvm-guest-zen3/what-if/calibrations.tar.xz \
	doc/results/kvm-guest-zen3/what-if/machine.json \
	doc/results/kvm-guest-zen3/what-if/predicted.txt \
	doc/results/kvm-guest-zen3/what-if/programs.jsonl \
	doc/results/kvm-guest-zen4/page-sizes/fig-page-sizes.png \
	doc/results/kvm-guest-zen4/page-sizes/peak.png \
	doc/results/kvm-guest-zen4/page-sizes/results.jsonl \
	doc/results/kvm-guest-zen4/page-sizes/runs.tar.xz \
	doc/results/kvm-guest-zen4/page-sizes/table.txt \
	doc/results/kvm-guest-zen4/plans/table.txt \
	doc/results/kvm-guest-zen4/text/table.txt \
	doc/results/kvm-guest-zen4/thesis/fig-2.1.png \
	doc/results/kvm-guest-zen4/thesis/fig-2.2.png \
	doc/results/kvm-guest-zen4/thesis/fig-2.3.png \
	doc/results/kvm-guest-zen4/thesis/fig-2.5.png \
	doc/results/kvm-guest-zen4/thesis/fig-2.6.png \
	doc/results/kvm-guest-zen4/thesis/fig-2.7.png \
	doc/results/kvm-guest-zen4/thesis/fig-pieces.png \
	doc/results/kvm-guest-zen4/thesis/machine.json \
	doc/results/kvm-guest-zen4/thesis/results.jsonl \
	doc/results/kvm-guest-zen4/thesis/transposes.jsonl \
	doc/results/kvm-guest-zen4/what-if/calibrations.tar.xz \
	doc/results/kvm-guest-zen4/what-if/machine.json \
	doc/results/kvm-guest-zen4/what-if/predicted.txt \
	doc/results/kvm-guest-zen4/what-if/programs.jsonl \
	doc/results/kvm-guest-zen4/what-if-again/calibrations.tar.xz \
	doc/results/kvm-guest-zen4/what-if-again/machine.json \
	doc/results/kvm-guest-zen4/what-if-again/predicted.txt \
	doc/results/kvm-guest-zen4/what-if-again/programs.jsonl \
	doc/results/kvm-guest-zen5/fig-2.1.png \
	doc/results/kvm-guest-zen5/fig-2.5.png \
	doc/results/kvm-guest-zen5/fig-2.7.png \
	doc/results/kvm-guest-zen5/prediction/fig-2.2.png \
	doc/results/kvm-guest-zen5/prediction/fig-pieces.png \
	doc/results/kvm-guest-zen5/prediction/fig-predicted.png \
	doc/results/kvm-guest-zen5/prediction/machine.json \
	doc/results/kvm-guest-zen5/prediction/results.jsonl \
	doc/results/kvm-guest-zen5/prediction/validation.txt \
	doc/results/kvm-guest-zen5/programs.jsonl \
	doc/results/kvm-guest-zen5/results.jsonl \
	doc/results/kvm-guest-zen5/transposes.jsonl \
	doc/results/nvidia-h100/counts.csv \
	doc/results/nvidia-h100/cub.txt \
	doc/results/nvidia-h100/results.jsonl \
	doc/results/nvidia-h100/windows.png \
	doc/results/vm-size/fig-vm-size.png \
	doc/results/vm-size/vm-size.jsonl \
	doc/simulator-internals.md \
	doc/simulator.md \
	doc/tau.md \
	doc/thesis-figures.md \
	doc/tmm.md \
	doc/trace-format.md \
	doc/translation-structures.md \
	doc/vat-model.md \
	doc/virtual-machines.md \
	doc/what-if.md \
	experiments/cluster/vat-array.sbatch \
	experiments/cluster/vat-fleet.sh

# Manual pages and completions say what the command says of itself, so that they
# are made by running it: not where it was built for another machine.
man_pages = \
	doc/man/libvat.3 \
	doc/man/vat-calibrate.1 \
	doc/man/vat-compare.1 \
	doc/man/vat-doctor.1 \
	doc/man/vat-exec.1 \
	doc/man/vat-list.1 \
	doc/man/vat-merge.1 \
	doc/man/vat-model.1 \
	doc/man/vat-pages.1 \
	doc/man/vat-plan.1 \
	doc/man/vat-predict.1 \
	doc/man/vat-profile.1 \
	doc/man/vat-report.1 \
	doc/man/vat-run.1 \
	doc/man/vat-sim.1 \
	doc/man/vat-trace.1 \
	doc/man/vat-validate.1 \
	doc/man/vat.1
man_parts = \
	$(man_pages:=.in) \
	debian/changelog \
	doc/help_table.awk \
	doc/help_table.sh \
	doc/man/mdoc.awk \
	doc/man/page.sh
completion_parts = \
	doc/completion/bash.awk \
	doc/completion/rows.sh \
	doc/completion/vat.bash.in \
	doc/completion/words.sh \
	doc/completion/zsh.awk \
	doc/help_table.awk \
	doc/help_table.sh
EXTRA_DIST += $(man_parts) $(completion_parts)
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
if RUNS_HERE
man_MANS = $(man_pages)
bashcompletion_DATA = doc/completion/vat
zshcompletion_DATA = doc/completion/_vat
endif
CLEANFILES += $(man_pages) doc/completion/rows doc/completion/vat doc/completion/_vat

$(man_pages): experiments/vat$(EXEEXT) $(man_parts) $(vatinclude_HEADERS) \
	doc/examples/translate.c doc/examples/translate.expected
	$(AM_V_GEN)$(MKDIR_P) doc/man && \
	vat=experiments/vat$(EXEEXT) version='$(VERSION)' docdir='$(docdir)' \
	  changelog=$(srcdir)/debian/changelog $(SHELL) $(srcdir)/doc/man/page.sh $(srcdir)/$@.in \
	  $(vatinclude_HEADERS:%=$(srcdir)/%) >$@.tmp && mv $@.tmp $@

doc/completion/rows: experiments/vat$(EXEEXT) $(completion_parts)
	$(AM_V_GEN)$(MKDIR_P) doc/completion && \
	vat=experiments/vat$(EXEEXT) $(SHELL) $(srcdir)/doc/completion/rows.sh >$@.tmp && mv $@.tmp $@
doc/completion/vat: doc/completion/rows
	$(AM_V_GEN)$(AWK) -f $(srcdir)/doc/completion/bash.awk doc/completion/rows >$@.tmp && \
	$(SED) -e '/^@tables@$$/{r $@.tmp' -e 'd' -e '}' $(srcdir)/doc/completion/vat.bash.in >$@ && rm $@.tmp
doc/completion/_vat: doc/completion/rows
	$(AM_V_GEN)$(AWK) -f $(srcdir)/doc/completion/zsh.awk doc/completion/rows >$@.tmp && mv $@.tmp $@
