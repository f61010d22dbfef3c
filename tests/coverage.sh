#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which part of the lines did the tests run?  coverage.sh SOURCE, in a build
# that was configured with --enable-coverage, after its tests: folder by folder,
# and each file that is below what its folder must reach.  Fails where vat/ or
# huge_pages/ are below 95 % or the rest is below 85 %.  Only what devices run
# is left out (experiments/driver/cuda_*, if any, and what nvcc compiles).
set -eu
command -v gcovr >/dev/null || {
  echo "coverage.sh: gcovr is absent; mend: ./bootstrap --install-bench-deps" >&2
  exit 3
}
gcovr --root "$1" --object-directory . --csv --exclude-unreachable-branches \
  --gcov-ignore-parse-errors --exclude '.*/?tests/.*' --exclude '.*/?doc/.*' . |
  tr -d '\r' | awk -F, '
    NR == 1 { next }
    {
      file = $1
      sub("^.*/\\.\\./", "", file)
      folder = file
      sub("/[^/]*$", "", folder)
      need = folder ~ "^(vat|huge_pages)(/|$)" ? 95 : 85
      lines[folder] += $2; run[folder] += $3
      all[need] += $2; all_run[need] += $3
      if ($2 && 100 * $3 / $2 < need)
        low[file] = sprintf("  %-52s %5d of %5d  %5.1f %%", file, $3, $2, 100 * $3 / $2)
    }
    END {
      for (folder in lines)
        printf "%-54s %5d of %5d  %5.1f %%\n", folder, run[folder], lines[folder],
               100 * run[folder] / lines[folder] | "sort"
      close("sort")
      print "below what is asked:"
      for (file in low) print low[file] | "sort"
      close("sort")
      printf "vat/, huge_pages/: %.1f %% of %d lines (at least 95)\n", \
             100 * all_run[95] / all[95], all[95]
      printf "the rest: %.1f %% of %d lines (at least 85)\n", \
             100 * all_run[85] / all[85], all[85]
      exit 100 * all_run[95] < 95 * all[95] || 100 * all_run[85] < 85 * all[85]
    }'
