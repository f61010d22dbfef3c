#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# k_sweep.sh W ALGO N [ALGO N]...: the misses of algorithms in a translation
# cache of W nodes, for nodes of K = 2 ... 512 children and pages of 4 KiB, as
# CSV.  Each tree is the smallest that holds the data, which begin at address 0.
# `over_512` is what the misses are of those for K = 512.
#
#   sh k_sweep.sh 64 permute 2^20 binary_search 2^20 >k.csv
#   gnuplot k_sweep.gnuplot
set -eu
nodes=$1
shift
echo algo,n,tc_nodes,K,levels,misses,over_512
while [ $# -ge 2 ]; do
  of_512=
  for bits in 9 8 7 6 5 4 3 2 1; do
    json=$(vat sim --algo "$1" --n "$2" --base 0 --index-bits $bits \
      --tc-nodes "$nodes" --json)
    misses=$(echo "$json" | sed 's/.*"misses": \([0-9]*\),.*/\1/')
    levels=$(echo "$json" | sed 's/.*"levels": \([0-9]*\),.*/\1/')
    : "${of_512:=$misses}"
    over=$(echo "$misses $of_512" | awk '{ printf "%.3f", $1 / $2 }')
    echo "$1,$2,$nodes,$((1 << bits)),$levels,$misses,$over"
  done
  shift 2
done
