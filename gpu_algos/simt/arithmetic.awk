# SPDX-License-Identifier: GPL-3.0-or-later
# How much arithmetic is in each basic block of counted kernels: g++'s assembly
# for x86-64 in, the same out, with the number behind each block's call of
# __sanitizer_cov_trace_pc, in an instruction that does nothing.
#
# g++ makes that call at the head of each block of the program as it knows it,
# and later makes branches within some.  What is behind such a branch is counted
# where all ways through the block come together again, which is where all jumps
# that were made from the block since its head have arrived; of what is between,
# nothing.
#
# Counted are instructions that compute: with integers or floating point,
# comparisons, addresses with an index, conversions of numbers, and calls of
# what the processor has no instruction for.  Not: moves, whatever way they
# extend a value, jumps, the stack's frame, the constant that an access adds to
# an address, what is atomic, and bounds that are only checked here.

function is_call(name) {
  return $1 == "call" && index($2, name) == 1
}

# Of LEA: an index; or a sum that is not just where an access is.
function computes_address(line, next_call) {
  if (line ~ /%rip|%rsp|@tpoff\(%[a-z0-9]+\),/) return 0
  if (line ~ /,%[a-z0-9]+(,[1248])?\),/ || line ~ /\(,/) return 1
  return !(line ~ /%rdi$/ && next_call ~ /^__tsan_/)
}

# Two equal operands: a way to write 0.
function is_zero(    operands) {
  return $1 ~ /^(xor|pxor|vpxor|xorp|vxorp|sub)/ &&
    split($0, operands, /[ \t,]+/) >= 4 && operands[3] == operands[4]
}

function computes(line, next_call) {
  if ($1 == "call")
    return $2 !~ /^(_Z|__tsan_|__sanitizer_|__ubsan_|simt_|\*)/
  if (line ~ /%rsp$/) return 0
  if ($1 ~ /^lea/) return computes_address(line, next_call)
  if ($1 ~ /^(v?mov|push|pop|leave|endbr|nop|ud2|lock|rep|cltq|cwtl|cltd|cqto)/)
    return 0
  return !is_zero()
}

function open_block() {
  number++
  inside = sure = 1
  total = coming = compared = 0
  split("", arriving)
}

function close_block() {
  if (inside) print "\t.set\t.Lsimt_" number ", " total
  inside = 0
}

function leave_for(label) {
  arriving[label]++
  coming++
  sure = 0
}

# Others than the block's own may come here: then it has ended.
function arrive_at(label) {
  if (jumps[label] && arriving[label] == jumps[label])
    coming -= arriving[label]
  else
    coming++
  sure = coming == 0
}

function code(line, next_call) {
  if (is_call("__sanitizer_cov_trace_pc")) {
    close_block()
    print line
    open_block()
    # nopl number(%rax,%rax)
    print "\t.byte\t0x0f, 0x1f, 0x84, 0\n\t.long\t.Lsimt_" number
    return
  }
  if ($1 ~ /^(j|ret|notrack)/) {
    leave_for($2)
  } else if (is_call("__ubsan_handle_")) {
    # What was compared before the branch to here is a check.
    total -= compared
    compared = 0
  } else if (sure && computes(line, next_call)) {
    compared = $1 ~ /^(cmp|test)/
    total++
  }
  print line
}

{
  lines[NR] = $0
  if ($1 ~ /^j/) jumps[$2]++
  if ($1 == "call")
    for (; called <= NR; called++) calls[called] = $2
}

BEGIN { called = 1 }

END {
  for (i = 1; i <= NR; i++) {
    $0 = lines[i]
    if (/^\.L[0-9]+:/) {
      print
      if (inside) arrive_at(substr($1, 1, length($1) - 1))
    } else if (/^[^ \t.#].*:/ || /^\t\.(size|section|text)/) {
      close_block()
      print
    } else if (/^\t[a-z]/) {
      code($0, calls[i])
    } else {
      print
    }
  }
  close_block()
}
