# SPDX-License-Identifier: GPL-3.0-or-later
EXTRA_DIST += gpu_algos/launch.h
include gpu_algos/simt/local.mk
