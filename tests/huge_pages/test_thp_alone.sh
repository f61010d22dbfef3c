#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One size of transparent huge pages for all programs: no other test that needs
# larger ones may run meanwhile.
exec tests/test_huge_pages alone
