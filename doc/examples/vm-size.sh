#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The experiment of doc/virtual-machines.md: what the host adds to translation,
# against the size of the virtual machine and against that of the input.
#   vm-size.sh FOLDER    writes vm-size.jsonl and fig-vm-size.png to FOLDER
# Needs vat, jq and gnuplot.  Takes about two minutes.
# shellcheck disable=SC2086 # options that are several words
set -eu
out=$(cd "${1:?usage: vm-size.sh FOLDER}" && pwd)
two="--base 0 --index-bits 1"      # K = 2: at most 15 levels, 128 MiB
whole="--tc-nodes 2^20"            # the guest's TC holds all nodes
small="--tc-nodes 64"              # it does not
host="--host-tc-nodes 64 --nested misses"

# run SERIES ARGUMENTS: one line of JSON for each size of the machine
run() {
  series=$1
  shift
  vat sim --algo random_scan --json "$@" |
    sed "s/^{/{\"series\": \"$series\", \"n\": $n, /"
}

{
  n=131072
  run machine-2 --n $n $two $whole $host --guest-memory '2^22:2^27*2'
  n=2097152
  run machine-512 --n $n $whole --host-tc-nodes 1536 --nested misses --guest-memory '2^27:2^57*2'
  for lg in 15 16 17 18 19 20 21 22; do
    n=$((1 << lg))
    run input-2 --n $n $two $whole $host --guest-memory 2^27
    run row-2 --n $n $two $whole $host
    run tables-2 --n $n $two $small $host --guest-memory 2^27
  done
  for lg in 19 20 21 22 23; do
    n=$((1 << lg))
    run input-512 --n $n $whole --host-tc-nodes 1536 --nested misses --guest-memory 2^39
  done
} >"$out/vm-size.jsonl"

# One access in two is random: the other half misses next to nothing.
points() { # points SERIES X
  jq -r "select(.series == \"$1\") |
    [($2), 2 * .host.misses / .accesses] | @tsv" "$out/vm-size.jsonl"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for series in machine-2 machine-512; do
  points $series '.guest_memory.bytes | log2' >"$work/$series"
done
for series in input-2 row-2 input-512; do
  points $series '.n | log2' >"$work/$series"
done
cd "$work"
gnuplot >"$out/fig-vm-size.png" <<'END'
set terminal pngcairo size 1200, 480 font ",11"
set fit quiet logfile "/dev/null"
two(x) = a2 * x + b2
many(x) = a512 * x + b512
fit two(x) "machine-2" via a2, b2
fit many(x) "machine-512" via a512, b512
set multiplot layout 1, 2
set ylabel "host misses per random access"
set yrange [0:14]
set grid ytics
set key right top Left reverse
set xlabel "log2 of the size of the virtual machine in bytes"
plot "machine-2" with points pt 7 title "K = 2, W = 64, n = 2^{17}", \
  [22:27] two(x) with lines dt 2 notitle, \
  "machine-512" with points pt 5 title "K = 512, W = 1536, n = 2^{21}", \
  [27:57] many(x) with lines dt 2 notitle
set xlabel "log2 of the number of elements, n"
set key at graph 0.03, 0.8 left Left reverse
plot "input-2" with linespoints pt 7 title "K = 2, machine of 128 MiB", \
  "row-2" with linespoints pt 6 title "K = 2, pages in a row", \
  "input-512" with linespoints pt 5 title "K = 512, machine of 512 GiB"
END
