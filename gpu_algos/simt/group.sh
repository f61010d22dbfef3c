#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels' objects as one object in which all but one name is hidden.
#   group.sh CXX OBJCOPY HOOKS OUTPUT NAME NEW-NAME OBJECT...
# NAME, which the objects define, is NEW-NAME outside.  HOOKS renames what
# counted kernels call, as other objects of the program call things so, too; ''
# where there are none.
set -eu
cxx=$1 objcopy=$2 hooks=$3 output=$4 name=$5 new_name=$6
shift 6
# Templates in both of two groups are not to become one: no COMDAT is left.
$cxx -r -nostdlib -Wl,--force-group-allocation -o "$output.tmp" "$@"
$objcopy ${hooks:+--redefine-syms="$hooks"} --redefine-sym "$name=$new_name" \
  --keep-global-symbol="$new_name" "$output.tmp" "$output"
rm "$output.tmp"
