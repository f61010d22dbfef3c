#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Code on huge pages by `vat exec --huge text`: by the program's own smaps, for
# programs and libraries of each kind; what depends on where code is goes on;
# what is left alone has a reason.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
alone_with_the_pools
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES VAT_PERF_MAP
cc=${CC:-cc} cxx=${CXX:-c++}
thp=/sys/kernel/mm/transparent_hugepage

# --- what is refused -------------------------------------------------------------------
echo 'int main(void) { return 7; }' >seven.c
$cc -o seven seven.c || exit 99
check "no name" refused 2 exec --huge text= -- ./seven
check "text twice" refused 2 exec --huge text,text -- ./seven
check "pages of a pool" refused 2 exec --huge text --pages 2m -- ./seven
if $cc -static -o static seven.c 2>/dev/null; then
  check "a static program" refused 3 exec --huge text -- ./static
fi

grep -q '\[madvise\]' $thp/enabled 2>/dev/null || {
  echo "SKIPPED code on huge pages: $thp/enabled is not madvise"
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
  exit
}
# MADV_COLLAPSE, of Linux 6.1, tells what became huge.
case $(uname -r) in
[1-5].* | 6.0*)
  echo "SKIPPED code on huge pages: it needs Linux 6.1"
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
  exit
  ;;
esac

# --- programs and libraries ---------------------------------------------------------------
$cxx -O1 -fPIC -c -o big.o "$here/big_text.cc" 2>err || {
  cat err
  exit 99
}
echo 'int big_text(int, char **); int main(int n, char **a) { return big_text(n, a); }' >uses.c
whole=-Wl,-z,max-page-size=2097152
$cxx -pie -o pie big.o && $cxx -no-pie -o fixed big.o &&
  $cxx -no-pie -Wl,-Ttext-segment=0x501000 -o odd big.o &&
  $cxx -shared -o libbig.so.1 big.o && $cc -o uses uses.c ./libbig.so.1 &&
  $cxx -pie $whole -o pie_whole big.o && $cxx -no-pie $whole -o fixed_whole big.o &&
  $cxx -shared $whole -o libwhole.so big.o && $cc -o uses_whole uses.c ./libwhole.so || exit 99
# What waits to be written cannot be read anew.
sync pie fixed odd libbig.so.1 pie_whole fixed_whole libwhole.so

run() { # run OPTION... -- PROG...: prints "good"
  "$vat" exec --report report.json "$@" >out 2>err </dev/null && says '^good$' out
}
kib() { # kib LEAST: so much of the program's code is huge, in each of its lines
  awk -v least="$1" '/ kB$/ { lines++; good += $1 >= least } END { exit !(lines && good == lines) }' out
}
all() { # all of the code that has memory
  awk '/ kB$/ && $1 == $3 { good++ } END { exit !good }' out
}
field() { # field CHOICE KEY, of the report
  tr -d ' ",' <report.json | awk -F: -v n="$1" -v key="$2" '$1 == "where" { i++ } i == n && $1 == key { print $2 }'
}

# 10.6 MiB have four whole huge pages wherever they begin.
for name in pie fixed odd uses; do
  check "$name: answers, exceptions, traces, signals, forks" run --huge text -- ./$name
  check "$name: its code is on huge pages" kib 8192
  check "$name: which is reported, of its children, too" [ "$(field 1 granted_bytes)" -ge $((5 * 8 << 20)) ]
  check "$name: the rest has a reason" says 'lie in code that does not fill 2 MiB' report.json
done
# Holes that the linker leaves give the ends room.
for name in pie_whole fixed_whole uses_whole; do
  check "$name: as before" run --huge text -- ./$name
  check "$name: all of its code is on huge pages" kib 12288
  check "$name: and nothing beside" all
done

check "one library by its name" run --huge text=libbig.so,text=uses -- ./uses
check "which has huge pages" kib 8192
check "reported by itself" [ "$(field 1 granted_bytes)" -ge $((5 * 8 << 20)) ]
check "apart from the program" [ "$(field 2 asked_bytes)" -lt $((1 << 20)) ]
check "a name that nothing has" run --huge text=libbig.s -- ./uses
check "is reported" says 'no program or library of that name' report.json

"$vat" exec --huge text --report report.json -- ./seven
check "a program of little code is as ever" [ $? = 7 ]
check "and none of it is on huge pages" [ "$(field 1 granted_bytes)" = 0 ]
check "for this reason" says 'lie in code that does not fill 2 MiB' report.json

check "what it executes has it, too" run --huge text -- ./odd exec ./pie exec ./uses
check "all three of them" [ "$(grep -c '^good$' out)" = 3 ]
check "on huge pages" kib 8192
# A sanitizer of vat's must be the first library.
grep -q __asan_init "$vat" ||
  check "signals while its code is moved change nothing" env LD_PRELOAD="$PWD/libbig.so.1" BIG_TEXT_SIGNALS=uses \
  sh -c "'$vat' exec --huge text -- ./uses >out 2>err && grep -q '^good$' out"
check "nor do other choices" run --huge text,data,stack,mappings,site=main,heap -- ./odd
check "of which text is there" kib 8192

# --- what is left alone -------------------------------------------------------------------
$cc -o confined "$here/confined.c" &&
  $cc -shared -fPIC -pthread -o early_thread.so "$here/early_thread.c" || exit 99
left() { # left WORDS COMMAND...: runs well, on base pages, with a reason
  words=$1
  shift
  "$@" >out 2>err </dev/null
  code=$?
  [ $code != 77 ] || { echo "SKIPPED $claim: the kernel does not have it"; return 0; }
  [ $code = 0 ] && says '^good$' out && says '^0 of' out && says "$words" report.json
}
grep -q __asan_init "$vat" || check "threads before main()" left 'threads before main()' \
  env LD_PRELOAD="$PWD/early_thread.so" "$vat" exec --huge text --report report.json -- ./odd
check "memory that may not become executable" left 'may not become executable' \
  "$vat" exec --huge text --report report.json -- ./confined exec ./odd
check "a sandbox" left 'began in a sandbox' \
  "$vat" exec --huge text --report report.json -- ./confined seccomp ./odd
check "no huge pages for this process" left 'PR_SET_THP_DISABLE' \
  "$vat" exec --huge text --report report.json -- ./confined thp ./odd
check "a file that is gone" left 'the file is gone' \
  "$vat" exec --huge text --report report.json -- sh -c 'cp odd gone; exec 9<gone; rm gone; exec /proc/self/fd/9'

# --- names ----------------------------------------------------------------------------------
mkfifo pipe
"$vat" exec --huge text --perf-map -- ./odd wait >out 2>err <pipe &
pid=$!
exec 9>pipe
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  says '^good$' out && break
  sleep .1
done
map=/tmp/perf-$pid.map
check "perf has the names of functions" sh -c "grep -c '^[0-9a-f]* [0-9a-f]* .*step' $map | grep -q '...'"
check "at their addresses" sh -c "
  at=0x\$(nm odd | awk '/stepILi200E/ { print \$1; exit }')
  grep -q \"^\$(printf %x \$at) .*stepILi200E\" $map"
check "for this user alone" [ "$(stat -c %a $map)" = 600 ]
exec 9>&-
wait $pid
check "as long as it runs" [ ! -e $map ]
check "a file of somebody else stays" sh -c "
  echo 1 1 else >/tmp/perf-\$\$.map
  echo \$\$ >pid
  exec '$vat' exec --huge text --perf-map -- ./odd >out 2>err"
map=/tmp/perf-$(cat pid).map
check "as it is" [ "$(cat "$map")" = '1 1 else' ]
rm -f "$map"
check "what an earlier program left is replaced" sh -c "
  echo '0 1 [vat exec --perf-map]' >/tmp/perf-\$\$.map
  echo \$\$ >pid
  exec '$vat' exec --huge text --perf-map -- ./odd >out 2>err"
map=/tmp/perf-$(cat pid).map
check "and removed" [ ! -e "$map" ]
rm -f "$map"

if ! command -v gdb >/dev/null; then
  echo "SKIPPED gdb in code on huge pages: gdb is missing; package gdb"
else
  cat >commands <<'GDB'
set breakpoint pending on
break main
run
break backtrace
continue
bt
GDB
  for name in odd fixed; do
    "$vat" exec --huge text -- gdb -nx -batch -x commands ./$name >out 2>err </dev/null
    if says 'ptrace: Operation not permitted' err; then
      echo "SKIPPED gdb in $name: it may not trace here"
      continue
    fi
    check "gdb stops in $name, and shows who calls" sh -c "grep -q '^#.* big_text (' out && grep -q '^#.* main (' out"
  done
fi

# --- vat compare ------------------------------------------------------------------------------
check "an arm of vat compare" sh -c "'$vat' compare --pages 4k --huge text --warmup 1 -r 1 --json -- ./odd >out 2>err"
check "by that name" says '"kind": *"text"' out
check "which is counted" sh -c "tr -d ' \n' <out | grep -q '\"kind\":\"text\",\"runs\":1,'"
check "an arm twice" refused 2 compare --huge text --huge text -- ./odd

echo "$passed passed, $failed failed"
[ $failed = 0 ]
