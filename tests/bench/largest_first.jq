# SPDX-License-Identifier: GPL-3.0-or-later
# Of a plan: one that gives $budget bytes to its largest choices first, and to
# the last of them as much as is left, where a part of it can be chosen.
def page: 2097152;

# The first bytes of small blocks, or of a single large one.
def cut($left):
  . as $choice
  | ($left / page | floor * page) as $bytes
  | if $bytes < page then empty
    elif .what == "site-small" then .from = 0 | .to = $bytes
    elif .what == "site-large" or .what == "shared" then
      .from = (.from // 0) | .to = .from + $bytes
    else empty end
  | .bytes = $bytes
  | ($bytes / $choice.bytes) as $share
  | .misses_saved *= $share
  | (.saving_s, .lo, .hi) |= (if . then . * $share else . end);

def fill($left):
  if length == 0 then []
  elif .[0].bytes <= $left then .[:1] + (.[0].bytes as $b | .[1:] | fill($left - $b))
  else [.[0] | cut($left)] as $part
    | $part + (if $part == [] then .[1:] | fill($left) else [] end)
  end;

.native.user_s as $user_s
| .choices |= (sort_by(-.bytes) | fill($budget))
| .budget_bytes = $budget
| .used_bytes = ((.choices | map(.bytes) | add // 0) / page | ceil * page)
| .predicted = {
    user_ratio: (1 - (.choices | map(.saving_s // 0) | add // 0) / $user_s),
    lo: null, hi: null}
