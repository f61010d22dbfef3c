#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat profile --code` from outside: fetches of programs whose pages are known,
# and of others, by the trace that Valgrind's tool lackey makes of them.
top=$PWD
data=$(cd "${0%/*}" && pwd)
. "${0%/*}/checks.sh"
pages=$top/tests/experiments/code_pages
reference=$top/tests/experiments/fetch_reference
mkdir tmp
export TMPDIR="$work/tmp"

"$vat" profile --json true >out 2>err
[ $? != 3 ] || {
  echo "SKIPPED test_profile_code: $(cat err)"
  exit 77
}

tlb=l1=16x4,l2=64x4
profiled() { # profiled ITLB PROGRAM ARG...: to profile.json
  shape=$1
  shift
  "$vat" profile --code --tlb $tlb --itlb "$shape" --json -o profile.json "$@" \
    >out 2>err
}

# What is said of the code: of all of it, then a line for each object and
# function.
code() {
  sed 's/.*"code"://;s/"sampled".*//;s/{"name"/\n&/g' profile.json
}
number() { # number KEY: of all of it
  code | head -n 1 | grep -o "\"$1\":[0-9]*" | cut -d: -f2
}
numbers() { # numbers SIZE: ITLB misses, cold ones, walks, cold ones
  grep -o "\"$1\":{\"itlb_misses[^}]*}" | head -n 1 | sed "s/\"$1\"//" |
    tr -dc '0-9,\n' | tr ',' ' '
}
on() { # on SIZE: of all of it
  code | head -n 1 | numbers "$1"
}
function() { # function NAME SIZE
  code | grep "^{\"name\":\"$1\",\"file\".*itlb_misses" | numbers "$2"
}
is() { # is EXPECTED SAID
  [ "$1" = "$2" ] || {
    echo "    expected $1: $2"
    return 1
  }
}

# --- pages of a program's own --------------------------------------------------
# Of eight functions in turn, four entries hold the three before and the caller.
profiled l1=4x4,l1-2m=8x8 "$pages" 8 100
check "more functions than entries: it succeeds" [ $? = 0 ]
check "each call misses, and the second level has the page" \
  is "100 1 1 1" "$(function f3 4k)"
check "on pages of 2 MiB none does" is "0 0 0 0" "$(function f3 2m)"
once=$(on 4k | cut -d' ' -f1)
profiled l1=4x4,l1-2m=8x8 "$pages" 8 300
check "200 rounds more: 1600 misses more" \
  is $((once + 1600)) "$(on 4k | cut -d' ' -f1)"
profiled l1=4x4,l1-2m=8x8 "$pages" 3 300
check "no more functions than entries: each misses once" \
  is "1 1 1 1" "$(function f2 4k)"
profiled l1=512x512 "$pages" 400 100
check "enough entries: all misses are cold" \
  is "$(on 4k | cut -d' ' -f1)" "$(on 4k | cut -d' ' -f2)"
check "and are more than the functions" [ "$(on 4k | cut -d' ' -f1)" -gt 400 ]
"$vat" profile --code --tlb $tlb --itlb l1=4x4 --save kept -o once.txt \
  "$pages" 8 100 >out 2>err
check "a table of functions" grep -q ' 100  *99 .* f3 (code_pages.c)$' once.txt
check "and one of objects" grep -q ' code_pages$' once.txt
"$vat" profile --from kept -o again.txt >out 2>err
check "which a saved profile has, too" cmp once.txt again.txt
"$vat" profile --tlb $tlb --json -o profile.json "$pages" 8 100 >out 2>err
check "without --code there is none" grep -q '"code":null' profile.json

# --- programs of a few bytes ----------------------------------------------------
# elf NAME OFFSET: a program whose code, the standard input, begins at this
# offset of its two pages.
elf() {
  {
    printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\76\0\1\0\0\0'
    # shellcheck disable=SC2059
    printf "$(printf '\\%03o\\%03o' $(($2 & 255)) $(($2 >> 8)))"
    printf '\100\0\0\0\0\0\100\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\0\0\0\0\100\0\70\0\1\0\0\0\0\0\0\0'
    printf '\1\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\0\0\100\0\0\0\0\0\0\0\100\0\0\0\0\0'
    printf '\0\40\0\0\0\0\0\0\0\40\0\0\0\0\0\0\0\20\0\0\0\0\0\0'
    head -c $(($2 - 120)) /dev/zero
    cat
    head -c 8192 /dev/zero
  } | head -c 8192 >"$1"
  chmod +x "$1"
}
# mov $1000,%ecx; 1: dec %ecx; jnz 1b; xor %edi,%edi; mov $60,%eax; syscall
loop='\271\350\3\0\0\377\311\165\374\61\377\270\74\0\0\0\17\5'
# shellcheck disable=SC2059
printf "$loop" | elf one_page 120
profiled l1=1x1 ./one_page
check "all code on one page: it succeeds" [ $? = 0 ]
check "each instruction counts" is 2004 "$(number instructions)"
check "and there is one miss" is "1 1 1 1" "$(on 4k)"
check "on pages of 2 MiB, too" is "1 1 1 1" "$(on 2m)"
check "without any access of data" grep -q '"accesses":0,' profile.json
# Here dec lies on two pages, and jnz on the second.
# shellcheck disable=SC2059
printf "$loop" | elf two_pages 4090
profiled l1=1x1,l1-2m=1x1 ./two_pages
check "an instruction on two pages is fetched from both" \
  is 2000 "$(number page_changes)"
check "so that one entry misses both" is "2000 2 2 2" "$(on 4k)"
check "but not where the page is large" is "1 1 1 1" "$(on 2m)"
profiled l1=2x2 ./two_pages
check "which two entries do not" is "2 2 2 2" "$(on 4k)"

# --- the trace of lackey ---------------------------------------------------------
lackey=
for folder in libexec/valgrind lib/x86_64-linux-gnu/valgrind lib64/valgrind \
  lib/valgrind; do
  at=$(dirname "$(command -v valgrind)")/../$folder/lackey-amd64-linux
  [ -n "$lackey" ] || [ ! -x "$at" ] || lackey=$(realpath "$at")
done

# Superblocks as vat's tool asks for them, so that both have the same accesses.
same_code='--vex-guest-chase=no --vex-iropt-unroll-thresh=400
  --vex-iropt-register-updates=sp-at-mem-access --vgdb=no'
# It tells where Valgrind is, and becomes the program.
# shellcheck disable=SC2016
tell='echo "$LD_PRELOAD" >preload; exec "$@"'

clean() { # clean NAME=VALUE... PROGRAM ARG...: always the same environment
  env -i PATH="$PATH" TMPDIR="$TMPDIR" LC_ALL=C PERL_HASH_SEED=0 "$@"
}
# traced PROGRAM ARG...: by lackey, to trace; in a folder called as vat profile
# called its own, as the program may look at its environment.
traced() {
  folder=$(sed 's/.*://;s,/[^/]*$,,' preload)
  mkdir "$folder" && ln -s "$lackey" "${lackey%/*}/default.supp" \
    "${lackey%/*}/vgpreload_core-amd64-linux.so" "$folder" || return 1
  # shellcheck disable=SC2086
  clean VALGRIND_LIB="$folder" valgrind --tool=lackey -q --trace-mem=yes \
    --trace-children=yes $same_code --log-file=trace sh -c "$tell" sh "$@" \
    <input >out.traced 2>err
  status=$?
  rm -r "$folder"
  return $status
}
said() { # as the reference prints it
  echo "$(number instructions) $(number page_changes)"
  for size in 4k 2m; do
    echo "$(on $size) $(code | head -n 1 | grep -o '"data_walks":{[^}]*}' |
      grep -o "\"$size\":[0-9]*" | cut -d: -f2)"
  done
}
# agree ITLB "CACHES" PROGRAM ARG...: do both count the same?  CACHES are as the
# reference has them: data's, the second level, fetches', theirs for 2 MiB, their
# second level.
agree() {
  shape=$1 caches=$2
  shift 2
  clean "$vat" profile --code --tlb $tlb --itlb "$shape" --json \
    -o profile.json sh -c "$tell" sh "$@" <input >out.profiled 2>err &&
    traced "$@" && cmp out.profiled out.traced || return 1
  # shellcheck disable=SC2086
  "$reference" $caches <trace >expected
  said >got
  cmp -s expected got || {
    echo "    by the trace: $(tr '\n' ';' <expected)"
    echo "    by vat profile: $(tr '\n' ';' <got)"
    return 1
  }
}
shared() { # shared PROGRAM ARG...: a second level that data share
  agree l1=16x4,l1-2m=2x2 "16x4 64x4 16x4 2x2 0x0" "$@"
}
separate() { # separate PROGRAM ARG...: one of fetches alone
  agree l1=8x2,l1-2m=2x1,l2=32x4 "16x4 64x4 8x2 2x1 32x4" "$@"
}
path() { # path PROGRAM: not that of a link
  realpath "$(command -v "$1")"
}

head -c 2000 "$data/test_profile_code.sh" >input
if [ -z "$lackey" ]; then
  echo "SKIPPED comparing with lackey: it is not among Valgrind's tools"
else
  check "fetches are those that lackey traces" shared "$pages" 40 30
  check "also with a second level of their own" separate "$pages" 40 30
fi
if [ -n "$lackey" ] && [ "${VAT_CHECK-}" != brief ]; then
  check "of much code" shared "$pages" 400 20
  check "of sort" shared "$(path sort)"
  check "of gzip" separate "$(path gzip)" -n -c
  # shellcheck disable=SC2016
  check "of perl" shared "$(path perl)" -e 'while (<>) { $n{$_}++ for split }
    print map { "$_ $n{$_}\n" } sort keys %n'
  if command -v sqlite3 >out; then
    check "of sqlite3" shared "$(path sqlite3)" :memory: \
      'create table a(x, y); insert into a values (1, 2), (3, 4), (5, 6);
       create index i on a(y); select sum(a.x) from a, a b where a.x < b.y;'
  else
    echo "SKIPPED fetches of sqlite3: apt-get install sqlite3"
  fi
fi

# --- what goes wrong -----------------------------------------------------------
check "no TLB of fetches" refused 2 profile --code --itlb l1=12x8 true
check "which says so" says 'not a TLB shape for instructions'
for shape in l2=64x4 l1=64x4,pwc=4x4 l1=64x4,coalesce=16k l1=64x4,l1-1g=4x4 \
  l1=64x4,l1-2m=4x4,l1-1g=4x4 l1; do
  check "none is $shape" refused 2 profile --code --tlb $tlb --itlb $shape true
done
check "a TLB without --code" refused 2 profile --itlb l1=64x4 true
check "--code with a TC" refused 2 profile --code --tc 64 true
sed '1s/"itlb":"[^"]*"/"itlb":"l1"/' kept >wrong
check "a saved one that is damaged" refused 2 profile --from wrong
check "nothing is left behind" [ -z "$(ls tmp)" ]

echo "test_profile_code: $passed passed, $failed failed"
[ "$failed" = 0 ]
