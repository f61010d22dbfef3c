# SPDX-License-Identifier: GPL-3.0-or-later
# All rows of plans_row.jq as a table, and then what they come to.
def median: sort | if length == 0 then null
  elif length % 2 == 1 then .[(length - 1) / 2]
  else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def pad($width): " " * ($width - length) + .;
def at($digits): if . == null then "-" else
  . as $x | pow(10; $digits) as $scale
  | (($x * $scale | fabs | round) | tostring) as $all
  | ("0" * ([0, $digits + 1 - ($all | length)] | max) + $all) as $all
  | (if $x < 0 and ($x * $scale | round) != 0 then "-" else "" end)
    + $all[:($all | length) - $digits]
    + (if $digits > 0 then "." + $all[($all | length) - $digits:] else "" end)
  end;
def mib: if . == null then "-" else . / 1048576 | at(1) end;
def off($by): if . == null or $by == null or $by == 0 then null
  else . / $by - 1 end;
def percent($digits): if . == null then "-" else . * 100 | at($digits) end;
def interval: if . == null or .[0] == null then "-"
  else "[\(.[0] | at(3)), \(.[1] | at(3))]" end;

def judged:
  .difference = (if .measured.user_ratio != null and .predicted.user_ratio != null
    then .measured.user_ratio - .predicted.user_ratio else null end)
  | .inside = (if .difference == null or .predicted.lo == null then null
      else .measured.user_ratio >= .predicted.lo
        and .measured.user_ratio <= .predicted.hi end)
  | .peak_off = (. as $r | $r.peak.predicted | off($r.peak.measured))
  | .faults_off = (. as $r | $r.faults.predicted | off($r.faults.measured));

def columns: [
  .program, "\(.percent)", (.budget_bytes | mib), (.used_bytes | mib),
  (.predicted.user_ratio | at(3)), ([.predicted.lo, .predicted.hi] | interval),
  (.measured.user_ratio | at(3)), (.measured.ci | interval),
  (.difference | at(3)),
  (if .inside == null then "-" elif .inside then "yes" else "no" end),
  (.granted | percent(0)),
  (.peak.predicted | mib), (.peak.measured | mib), (.peak_off | percent(1)),
  (.faults.predicted | at(0)), (.faults.measured | at(0)),
  (.faults_off | percent(1)),
  (if .baseline.same then "same" else .baseline.measured | at(3) end),
  (if .baseline.same then "1" else .baseline.ratio | at(3) end),
  (.thp | at(3)), (.control | at(3))];
def header: [
  ["program", "%", "budget", "used", "predicted", "interval", "measured", "95 %",
   "differ-", "in-", "granted", "peak", "peak", "off", "faults", "faults", "off",
   "largest", "plan /", "thp", "control"],
  ["", "", "MiB", "MiB", "user / 4k", "", "user / 4k", "interval", "ence", "side",
   "%", "pred.", "MiB", "%", "pred.", "", "%", "first", "that", "/ 4k", "user"]];
def widths: [9, 4, 8, 8, 10, 15, 10, 15, 8, 5, 8, 8, 8, 6, 9, 9, 8, 8, 7, 7, 8];
def line: [., widths] | transpose | map(.[1] as $w | .[0] | pad($w)) | join("");
def share(f): map(f) | map(select(. != null)) as $known
  | "\($known | map(select(.)) | length) of \($known | length)";
def worst(f): map(f) | map(select(. != null) | fabs) | max;
def within($x): if . == null then null else fabs <= $x end;

map(judged) as $rows
| (header[] | line), ($rows[] | columns | line), "",
  "difference of measured and predicted ratio: median \(
    [$rows[].difference | select(. != null) | fabs] | median | at(3)), largest \(
    $rows | worst(.difference) | at(3)) (to be at most .030)",
  "measured ratio within the predicted interval: \($rows | share(.inside)) (to be at least 85 %)",
  "peak memory within 3 %: \($rows | share(.peak_off | within(.03))), largest \(
    $rows | worst(.peak_off) | percent(1)) %",
  "page faults within 5 %: \($rows | share(.faults_off | within(.05))), largest \(
    $rows | worst(.faults_off) | percent(1)) %; within 5 % of those on base pages: \(
    $rows | share(if .faults.measured == null then null else
      (.faults.predicted - .faults.measured) / .faults.now | within(.05) end))",
  "at least as good as the largest first (2.5 % are noise): \(
    $rows | share(if .baseline.same then true
      else .baseline.ratio | if . == null then null else . <= 1.025 end end)
    ); not even by noise: \(
    $rows | share(if .baseline.same then true
      else .baseline.ratio | if . == null then null else . <= 1 end end)
    ); slower, of which the 95 % interval tells: \(
    $rows | share(if .baseline.same then false
      else .baseline.ci | if . == null then null else .[0] > 1 end end))"
