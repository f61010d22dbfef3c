# SPDX-License-Identifier: GPL-3.0-or-later
# Do commands print what is shown of them?  Every line shown must come, in this
# order, and where no "..." is shown, nothing else.  Set work to a folder.
# shellcheck shell=sh

# cut_up: "$ command" and what it shows as 1.command and 1.shown, 2.command, ...;
# prints how many.
cut_up() {
  awk -v work="$work" '
    /^\$ / { count++; print substr($0, 3) >(work "/" count ".command")
             printf "" >(work "/" count ".shown"); next }
    count { print >(work "/" count ".shown") }
    END { print count + 0 }'
}

# What is measured: numbers are not compared, nor what a measurement means; the
# words of a line must be among those printed, in their order.
same_shape() { # same_shape SHOWN PRINTED
  awk '
    function shape(line) {
      gsub(/[0-9][0-9.]*(e[-+][0-9]+)?/, "#", line)
      gsub(/# [KMGT]iB/, "# B", line)
      sub(/\(# B\): .*/, "(# B):", line)
      sub(/^machine: .*/, "MACHINE", line)
      sub(/^huge pages: .*/, "PAGES", line)
      sub(/^(Larger pages|No speedup by|What) .*/, "ANSWER", line)
      return line
    }
    # Are the words of one in the other, in this order?
    function has(line, shown,   words, found, i, j, n, m) {
      n = split(shape(shown), words, " ")
      m = split(shape(line), found, " ")
      for (i = j = 1; i <= n && j <= m; j++) i += words[i] == found[j]
      return i > n
    }
    NR == FNR { if ($0 == "...") open = 1; else if (NF) shown[++count] = $0
                next }
    !NF { next }
    at < count && has($0, shown[at + 1]) { at++; next }
    !open { print "not shown: " $0; bad = 1; exit }
    END { if (!bad && at < count) print "not printed: " shown[at + 1]
          exit bad || at < count }' "$1" "$2"
}

# What is computed: to the letter, but for blanks at the ends of lines.
same_text() { # same_text SHOWN PRINTED
  awk '
    { sub(/[ \t]+$/, "") }
    NR == FNR { shown[++count] = $0; if (length) last = count; next }
    FNR == 1 { count = last; at = 1 }
    { if (shown[at] == "..." && at <= count) { open = 1; at++ }
      if (at <= count && $0 == shown[at]) { at++; open = 0; next }
      if (!open) { print "not shown: " $0; bad = 1; exit } }
    END { if (!FNR || NR == FNR) { count = last; at = 1 }
          if (shown[at] == "...") at++
          if (!bad && at <= count) print "not printed: " shown[at]
          exit bad || at <= count }' "$1" "$2"
}
