# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libcpu_algos.a
libcpu_algos_a_SOURCES = $(files_cpu_algos)
