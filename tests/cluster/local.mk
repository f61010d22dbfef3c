# SPDX-License-Identifier: GPL-3.0-or-later
# Not of make check: they need what ./bootstrap --install-cluster-deps installs.
EXTRA_DIST += tests/cluster/test_fleet.sh tests/cluster/test_slurm.sh
check-cluster: experiments/vat$(EXEEXT)
	$(srcdir)/tests/cluster/test_slurm.sh
	$(srcdir)/tests/cluster/test_fleet.sh
.PHONY: check-cluster
