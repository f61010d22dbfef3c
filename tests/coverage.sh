#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which part of the lines did the tests run?  coverage.sh SOURCE, in a build
# that was configured with --enable-coverage, after its tests: folder by folder,
# and each file that is below what its folder must reach.  Fails where vat/ or
# huge_pages/ are below 95 % or the rest is below 85 %.  What only devices run
# nvcc compiled, and is not counted.  A line that is compiled more than once, as
# in several objects or for several types, is run if any of them is.
set -eu
command -v jq >/dev/null || {
  echo "coverage.sh: jq is absent; fix: ./bootstrap --install-bench-deps" >&2
  exit 3
}
source=$(cd "$1" && pwd)
find . -name '*.gcno' -exec "${GCOV:-gcov}" --json-format --stdout {} + 2>/dev/null |
  jq -r '.current_working_directory as $at | .files[] |
    (if .file | startswith("/") then .file else "\($at)/\(.file)" end) as $file |
    .lines[] | [$file, .line_number, .count] | @tsv' |
  awk -F '\t' -v source="$source/" '
    {
      file = $1
      while (sub("/[^/.]+/\\.\\./", "/", file) || sub("/\\./", "/", file));
      if (index(file, source) != 1) next
      file = substr(file, length(source) + 1)
      if (file ~ "^(tests|doc)/" || file !~ "/") next
      line = file SUBSEP $2
      if (!(line in run)) { run[line] = 0; lines[file]++ }
      if ($3 > 0 && !run[line]) { run[line] = 1; runs[file]++ }
    }
    function row(what, n, of) {
      return sprintf("%-54s %6d of %6d  %5.1f %%", what, n, of, 100 * n / of)
    }
    END {
      for (file in lines) {
        folder = file
        sub("/[^/]*$", "", folder)
        need = folder ~ "^(vat|huge_pages)(/|$)" ? 95 : 85
        of[folder] += lines[file]; n[folder] += runs[file]
        all[need] += lines[file]; all_run[need] += runs[file]
        if (100 * runs[file] < need * lines[file])
          low[file] = row("  " file, runs[file], lines[file])
      }
      if (!all[95] || !all[85]) {
        print "coverage.sh: no lines are counted here; fix: make coverage" \
          >"/dev/stderr"
        exit 3
      }
      for (folder in of) print row(folder, n[folder], of[folder]) | "sort"
      close("sort")
      print "below what is asked:"
      for (file in low) print low[file] | "sort"
      close("sort")
      print row("vat/, huge_pages/ (at least 95 %)", all_run[95], all[95])
      print row("the rest (at least 85 %)", all_run[85], all[85])
      exit 100 * all_run[95] < 95 * all[95] || 100 * all_run[85] < 85 * all[85]
    }'
