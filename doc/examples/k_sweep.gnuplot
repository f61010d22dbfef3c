# SPDX-License-Identifier: GPL-3.0-or-later
# Draws k.csv, which k_sweep.sh prints, as k.png: the misses over K, divided by
# those for K = 512.
set terminal pngcairo size 900,620 font "sans,11" noenhanced
set output "k.png"
set datafile separator comma
set logscale x 2
set logscale y
set xrange [2:512]
set yrange [0.96:32]
set xtics nomirror
set ytics nomirror (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32)
set grid ytics linetype 1 linecolor rgb "#e0e0e0"
set border 3
set lmargin 30
set tmargin 4
unset key
set xlabel "K, the children of a node"
set title "Misses, as a multiple of those for K = 512" offset 0,0.5

# The rows of K = 2 from the most misses to the least: names, and places for
# them beside the axis, a line apart.
rows = "awk -F, 'NR > 1 && $4 == 2' k.csv | sort -t, -k7gr | awk -F, "
names = system(rows."'{ print $1 }'")
places = system(rows."'{ y = $7; if (NR > 1 && y > last / 1.105) ".\
  "y = last / 1.105; last = y; print y }'")
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #000000 #56b4e9 #e69f00"
colour(i) = word(colours, 1 + (i - 1) % 7)
shape(i) = word("7 5 9 11 13", 1 + (i - 1) % 5) + 0
do for [i = 1:words(names)] {
  set label word(names, i) at first 1.45, first word(places, i) + 0 right \
    textcolor rgb colour(i) point pointtype shape(i) linecolor rgb colour(i) \
    offset -1, 0
}
plot for [i = 1:words(names)] \
  "< grep '^".word(names, i).",' k.csv" using 4:7 with linespoints \
  pointtype shape(i) linewidth 1.5 linecolor rgb colour(i)
