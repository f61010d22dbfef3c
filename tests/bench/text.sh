#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What do huge pages for code buy programs with much of it, and what would
# `vat profile --code --what-if` have said?  Compilers, PostgreSQL, Python and
# Node.js on inputs made here, and a program that does nothing but jump to other
# pages: the most that there is to gain.
set -euf
usage() {
  cat <<EOF2
usage: tests/bench/text.sh -w MACHINE.json [OPTION]... [PROGRAM]...
  -w FILE  a calibration (vat calibrate -o FILE)
  -o DIR   inputs, profiles and results (default: text); what DIR has already
           is not made again
  -n RUNS  rounds of vat compare (default: 15)
  -t SEC   before and after each program, measure anew for so long what
           neighbours change of the calibration (default: 30)
  -m SIZE  memory of that (default: 256M)
  --only PART  \`profiles\`, which may run beside other work; \`series\`, which
           needs the machine to itself; or \`table\`
  --list   print the names of the programs
The environment's VAT is the command (default: experiments/vat).
EOF2
}

# shellcheck source=tests/bench/bench.sh
. "${0%/*}/bench.sh"

names="jumps cc1plus clang postgres python node"
out=text rounds=15 machine='' seconds=30 memory=256M parts="profiles series table"
while [ $# -gt 0 ]; do
  case $1 in
    -w) machine=$(realpath "$2") && shift ;;
    -o) out=$2 && shift ;;
    -n) rounds=$2 && shift ;;
    -t) seconds=$2 && shift ;;
    -m) memory=$2 && shift ;;
    --only) parts=$2 && shift ;;
    --list) echo "$names" && exit ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
case $parts,$machine in
  *series*,) fail 2 "no calibration; fix: vat calibrate -o m.json, then -w m.json" ;;
esac
find_vat
mkdir -p "$out"
cd "$out"
LC_ALL=C PYTHONHASHSEED=0
export LC_ALL PYTHONHASHSEED

# --- inputs ---------------------------------------------------------------------
# 4000 functions, one a page, each of which jumps to the next in random order.
jumping() {
  awk 'BEGIN {
    n = 4000; x = 1
    for (i = 0; i < n; i++) to[i] = i
    for (i = n - 1; i > 0; i--) {
      x = x * 16807 % 2147483647; j = x % i
      t = to[i]; to[i] = to[j]; to[j] = t
    }
    print "  .text\n  .globl main\n  .type main, @function\nmain:\n  mov $15000, %ecx"
    print "  jmp p0\n  .balign 2097152"
    for (i = 0; i < n; i++) {
      # not all at one place of a page, which is one set of the first cache
      printf "  .balign 4096\n  .skip %d, 0x90\np%d:\n", i * 64 % 4032 + 64, i
      if (to[i] != 0) printf "  jmp p%d\n", to[i]
      else print "  dec %ecx\n  jnz p0_again\n  xor %eax, %eax\n  ret\np0_again:\n  jmp p0"
    }
    print "  .balign 2097152\n  .section .note.GNU-stack,\"\",@progbits"
  }'
}

headers() {
  for name in algorithm functional future iostream map random regex thread; do
    echo "#include <$name>"
  done
  for name in multi_index_container spirit/include/qi asio graph/adjacency_list; do
    [ ! -e /usr/include/boost/$name.hpp ] || echo "#include <boost/$name.hpp>"
  done
}

modules() {
  cat <<'PYTHON'
import glob, os, sys, dis, re, json, argparse, textwrap, tokenize, io
files = sorted(glob.glob(os.path.dirname(os.__file__) + "/*.py"))[:60]
words = 0
for name in files * 4:
    text = open(name, encoding="utf-8").read()
    code = compile(text, name, "exec")
    words += len(re.findall(r"\b[a-z_]+\b", text))
    words += len(json.dumps(text)) + len(textwrap.wrap(text[:4000]))
    words += sum(1 for _ in tokenize.generate_tokens(io.StringIO(text).readline))
print(words)
PYTHON
}

scripts() { # each function runs once or twice: its code is found, not cached
  cat <<'JAVASCRIPT'
const vm = require('vm');
let x = 1, sum = 0;
for (let i = 0; i < 8000; i++) {
  x = x * 16807 % 2147483647;
  sum += vm.runInThisContext(`(function () {
    const a = [${x}, ${x % 97}, "k${i}"].map(v => String(v) + "-${i}");
    const o = JSON.parse(JSON.stringify({ a, d: new Date(${x}), s: /k(\\d+)/.exec(a[2]) }));
    const m = new Map(Object.entries(o)); let t = 0;
    for (const [k, v] of m) t += k.length + String(v).length;
    try { null.x } catch (e) { t += e.message.length }
    return t + [...a].sort().join('').split('-').length;
  })()`);
}
console.log(sum);
JAVASCRIPT
}

queries() {
  awk 'BEGIN {
    for (i = 0; i < 3000; i++)
      printf "select c.relname, count(*), max(a.attname) from pg_class c join" \
        " pg_attribute a on a.attrelid = c.oid left join pg_type t on" \
        " t.oid = a.atttypid where a.attnum > %d and c.relname like %s" \
        " group by c.relname order by 2 desc, 1 limit 5\n", i % 7,
        "\047%" substr("abcdefghijklmnopqrstuvwxyz", i % 26 + 1, 1) "%\047"
  }'
}

cluster() {
  [ -f postgres.made ] ||
    { postgres_begin "$PWD/postgres.data" && : >postgres.made; }
}

# --- programs -------------------------------------------------------------------
command_of() { # command_of PROGRAM: the command line, without blanks in words
  input=/dev/null
  case $1 in
    jumps) words=./jumps ;;
    cc1plus)
      words="$(g++ -print-prog-name=cc1plus || echo absent) -quiet -w"
      words="$words -fpreprocessed -O0 -o /dev/null headers.ii"
      ;;
    clang) words='clang++ -O0 -w -c headers.cc -o /dev/null' ;;
    postgres)
      bin=$(postgres_bin) input=queries.sql
      words="$as_postgres $bin/postgres --single -D $PWD/postgres.data postgres"
      ;;
    python) words='/usr/bin/python3 modules.py' ;;
    node) words='node scripts.js' ;;
    *) fail 2 "$1 is none of: $names" ;;
  esac
}

prepare() {
  case $1 in
    jumps)
      made jumps.s jumping
      [ -x jumps ] || gcc -no-pie -Wl,-z,noseparate-code -o jumps jumps.s
      ;;
    cc1plus | clang)
      made headers.cc headers
      made headers.ii g++ -E -P headers.cc
      ;;
    postgres) made queries.sql queries && cluster ;;
    python) made modules.py modules ;;
    node) made scripts.js scripts ;;
  esac
}

installed() {
  case $1 in
    postgres) [ -n "$bin" ] ;;
    jumps) command -v gcc >/dev/null ;;
    *) command -v "${words%% *}" >/dev/null ;;
  esac
}

profiles() {
  [ ! -s "$1.saved" ] || return 0
  say "$1: profile"
  # shellcheck disable=SC2086
  "$vat" profile --code --save "$1.part" -o "$1.profile.txt" -- $words \
    <"$input" >/dev/null 2>"$1.log" || {
    tell "$1: vat profile: exit $?: $(tail -n 1 "$1.log")"
    rm -f "$1.part"
    return 0
  }
  mv "$1.part" "$1.saved"
}

refresh() { # refresh FILE: the calibration, measured anew
  "$vat" calibrate --refresh "$machine" --reserve --time-budget "$seconds" \
    --memory "$memory" -o "$1" >/dev/null 2>&1 || tell "$1: vat calibrate: exit $?"
}

series() {
  [ ! -s "$1.json" ] || return 0
  refresh "$1.before.json"
  say "$1: $rounds rounds"
  rm -f "$1.runs.jsonl"
  # shellcheck disable=SC2086
  "$vat" compare --pages 4k --huge text --json --runs "$rounds" --input "$input" \
    -o "$1.runs.jsonl" -- $words >"$1.part" 2>"$1.log" || {
    tell "$1: vat compare: exit $?: $(tail -n 1 "$1.log")"
    return 0
  }
  refresh "$1.after.json"
  mv "$1.part" "$1.json"
}

predict() { # predict PROGRAM: what the profile says of the runs on base pages
  "$vat" profile --from "$1.saved" --what-if --machine "$1.before.json" \
    --machine "$1.after.json" --timed "$1.runs.jsonl" --json \
    -o "$1.predicted.json" 2>"$1.log" ||
    tell "$1: vat profile --from: exit $?: $(tail -n 1 "$1.log")"
}

line() {
  awk -F '\t' '{ printf "%-9s %6s %8s %12s  %-18s %9s  %-18s %8s %9s\n",
    $1, $2, $3, $4, $5, $6, $7, $8, $9 }'
}

table() {
  for file in "$1.saved" "$1.json"; do
    [ -s "$file" ] || {
      tell "$1: $file is absent: not in the table"
      return 0
    }
  done
  predict "$1"
  # shellcheck disable=SC2016
  jq -r --arg program "$1" --slurpfile p "$1.predicted.json" '
    def at3: if . == null then "-" else . * 1000 | round / 1000 | tostring end;
    def interval: if .[0] == null then "-" else "[\(.[0] | at3), \(.[1] | at3)]" end;
    ($p[0].what_if."2m".code) as $code | .pages[0] as $base | .pages[1] as $arm
    | [$program, "\($base.user_s * 100 | round / 100)",
       "\(($arm.granted.transparent // 0) / 1048576 | round)",
       ($code.user_ratio | at3), ([$code.lo, $code.hi] | interval),
       ($arm.user_ratio | at3), ($arm.user_ci | interval),
       (.control.user_ratio | at3), "\($arm.runs)"] | @tsv' "$1.json" | line
}

[ $# -gt 0 ] || eval "set -- $names"
for part in $parts; do
  [ "$part" != table ] ||
    printf 'program\tuser s\tMiB huge\tpredicted\tinterval\tmeasured\t95 %%\tcontrol\trounds\n' | line
  for name; do
    command_of "$name"
    installed "$name" || {
      tell "$name: left out: ${words%% *} is not here"
      continue
    }
    prepare "$name"
    $part "$name"
  done
done
exit $failed
