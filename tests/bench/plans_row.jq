# SPDX-License-Identifier: GPL-3.0-or-later
# One budget of one program: what was predicted, what was measured.
def median: sort | if length == 0 then null
  elif length % 2 == 1 then .[(length - 1) / 2]
  else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def arm($kind): first($compared[0].pages[] | select(.kind == $kind)) // null;
def user_s($kind): # by round
  [$runs[] | select(.record == "compare_run" and .kind == $kind and .counts)
   | {key: "\(.round)", value: .user_s}] | from_entries;

# Student's 95 % interval of the logarithms, as of few pairs in ratio.h.
def interval:
  [null, null, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262] as $t
  | map(log) | length as $n | ((add // 0) / ([$n, 1] | max)) as $mean
  | if $n < 3 then null else
      ((map((. - $mean) * (. - $mean)) | add) / ($n - 1) / $n | sqrt) as $error
      | ($t[$n - 1] // 2.228) as $t
      | [($mean - $t * $error | exp), ($mean + $t * $error | exp)] end;

($plan[0]) as $p | ($baseline[0]) as $b
| arm("4k") as $base | arm("p\($percent)") as $arm
| user_s("p\($percent)") as $ours | user_s("b\($percent)") as $theirs
| {program: $program, percent: ($percent | tonumber),
   budget_bytes: $p.budget_bytes, used_bytes: $p.used_bytes,
   choices: ($p.choices | length),
   predicted: $p.predicted,
   measured: ($arm | if . then {user_ratio, ci: .user_ci, runs} else null end),
   control: $compared[0].control.user_ratio,
   thp: arm("thp").user_ratio,
   granted: $arm.granted.share,
   peak: {now: $p.harm.peak_rss_bytes[0], predicted: $p.harm.peak_rss_bytes[1],
          measured: $arm.peak_bytes, base: $base.peak_bytes},
   faults: {now: $base.minor_faults,
            predicted: ($base.minor_faults - $p.harm.faults_saved),
            measured: $arm.minor_faults},
   baseline: {same: ($b.choices == [] or arm("b\($percent)") == null),
              used_bytes: $b.used_bytes, predicted: $b.predicted.user_ratio,
              measured: arm("b\($percent)").user_ratio,
              # the plan's time divided by the baseline's, round by round
              ratios: [$ours | to_entries[] | select($theirs[.key])
                       | .value / $theirs[.key]]}}
# What chooses nothing is the program on base pages.
| .baseline.ratio = (if $p.choices == [] and (.baseline.same | not) then
    1 / .baseline.measured else .baseline.ratios | median end)
| .baseline.ci = (if $p.choices == [] and (.baseline.same | not) then
    arm("b\($percent)").user_ci | if . == null then null
      else [1 / .[1], 1 / .[0]] end
    else .baseline.ratios | interval end)
