#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared memory from a profile to a plan and to a run: each kind of it is found
# by its site, is on huge pages by the program's own smaps, also where
# shmem_enabled is never, and counts once, however many processes map it.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
alone_with_the_pools
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
thp=/sys/kernel/mm/transparent_hugepage
bytes=4194304
${CC:-cc} -O1 -g -Wl,--build-id -o shared "$here/shared.c" || exit 99

word() { # word FILE: the one that is in brackets
  sed 's/.*\[\(.*\)\].*/\1/' "$1" 2>/dev/null
}
# KIND KIB: of the program's memory, so much is on huge pages; KIND+ is a child's
huge() {
  [ "$(awk -v kind="$1" '$1 == kind { print $2 }' out)" = "$2" ]
}
field() { # field KIND KEY: of the choice of that kind, in report.json
  tr -d ' ",' <report.json | awk -F: -v kind="map_$1" -v key="$2" '
    $1 == "where" { inside = index($0, kind) } inside && $1 == key { print $2 }'
}
run() { # run OPTION...
  "$vat" exec --report report.json "$@" -- ./shared $bytes $kinds >out 2>err
}

# --- from a profile to a plan ------------------------------------------------------
kinds="anonymous memfd posix sysv private"
profiled=no
"$vat" profile --what-if --machine "$here/../what_if_machine.json" \
  --user-time 1 --save kept -- ./shared $bytes >out 2>err
code=$?
if [ $code = 3 ]; then
  echo "SKIPPED profiles of shared memory: $(sed 's/^vat: //; q' err)"
else
  profiled=yes
  check "it is profiled" [ $code = 0 ]
  "$vat" profile --from kept --json -o profile.json 2>err
  for kind in anonymous memfd posix sysv; do
    check "$kind: one site of its own kind" [ "$(
      grep -o '"kind":"[a-z]*","name":null,"callers":\[[^]]*' profile.json |
        grep "\"map_$kind\"" | cut -d, -f1
    )" = '"kind":"shared"' ]
  done
  check "private memory is none" sh -c \
    '! grep -a "^site shared" kept | grep -q map_private'
  # Two processes have each, and the parent's is the one that counts.
  check "blocks count once" [ "$(grep -a '^site shared' kept | awk '
    { blocks[$3]++; peak += $5 } END { print blocks[1], blocks[0], peak }')" = \
    "4 4 $((4 * bytes))" ]
  "$vat" plan --from kept -o plan.json --json >out 2>err
  check "a plan has them" [ "$(grep -o '"what":"shared","bytes":4194304' out |
    wc -l)" = 4 ]
  check "and how to have them without vat exec" says shmem_enabled out
  "$vat" plan --from kept --budget 4M --json >out 2>err
  check "a budget holds" \
    [ "$(grep -o '"used_bytes":[0-9]*' out)" = '"used_bytes":4194304' ]
  "$vat" plan --from kept --pages 2m >out 2>err
  check "pages of a pool: by flags in the source" says 'SHM_HUGETLB for shmget' out
  check "and by no madvise" sh -c '! grep -q MADV_HUGEPAGE out'
fi

# --- what is on huge pages -----------------------------------------------------------
if [ "$(word $thp/enabled)" != madvise ] || [ "$(word $thp/shmem_enabled)" != never ]; then
  echo "SKIPPED shared memory on huge pages: $thp/enabled is not madvise, or shmem_enabled not never"
  echo "test_shared: $passed passed, $failed failed"
  [ $failed = 0 ]
  exit
fi
if ! uname -r | awk -F. '{ exit $1 < 6 || ($1 == 6 && $2 + 0 < 1) }'; then
  echo "SKIPPED shared memory on huge pages: MADV_COLLAPSE needs Linux 6.1"
  echo "test_shared: $passed passed, $failed failed"
  [ $failed = 0 ]
  exit
fi
run --huge mappings
check "mappings: the program is as ever" [ $? = 0 ]
for kind in anonymous posix sysv; do
  check "mappings: all of $kind" huge $kind 4096
  check "mappings: in a child, too ($kind)" huge $kind+ 4096
done
# It begins 3 pages behind a multiple of 2 MiB of its file, and so do addresses.
check "mappings: of memfd what is whole" huge memfd 2048
check "mappings: counted once over two processes" \
  [ "$(sed -n 's/.*"asked_bytes": \([0-9]*\),/\1/p' report.json)" = $((6 * bytes)) ]

"$vat" exec --huge data -- ./shared $bytes >out 2>err
check "what is not chosen is not" sh -c \
  '[ -s out ] && ! awk "\$2 != 0" out | grep .'
run --huge site=map_sysv
check "a function's segment" huge sysv 4096
check "and no other" huge anonymous 0
check "which counts once" [ "$(field sysv asked_bytes)" = $bytes ]

if [ $profiled = yes ]; then
  run --plan plan.json
  check "the plan is carried out" [ $? = 0 ]
  for kind in anonymous posix sysv; do
    check "$kind is on huge pages" huge $kind 4096
    check "$kind counts once" [ "$(field $kind granted_bytes)" = $bytes ]
  done
  check "of memfd what is whole" [ "$(field memfd granted_bytes)" = 2097152 ]
  "$vat" plan --from kept --budget 4M -o one.json >out 2>err
  run --plan one.json
  check "of a smaller budget no more" \
    [ "$(awk '$1 !~ /[+]/ && $1 != "memfd" && $2 > 0' out | wc -l)" -le 1 ]
fi
# A plan by rule: shared memory, and nothing private.
cat >rule.json <<JSON
{"record":"page-plan","schema":1,"command":[],"pages":"thp","objects":[],
 "budget_bytes":null,"used_bytes":0,
 "predicted":{"user_ratio":null,"lo":null,"hi":null},
 "everything":{"user_ratio":null,"lo":null,"hi":null,"bytes":0},
 "harm":{"peak_rss_bytes":[null,null],"zeroed_bytes":null,"faults_saved":null},
 "choices":[{"where":"map_all","kind":"shared","what":"shared","bytes":0,
  "saving_s":null,"lo":null,"hi":null,"least_bytes":3000000,"chains":[],
  "madvise":null}],
 "curve":[],"optimum_saving_s":null,"verdict":null,"ways":[]}
JSON
run --plan rule.json
check "a plan by rule: shared memory" huge anonymous 4096
check "and nothing private" huge private 0
check "all of it once" [ "$(field all asked_bytes)" = $((4 * bytes)) ]
sed 's/3000000/5000000/' rule.json >larger.json
run --plan larger.json
check "none that is smaller than the rule says" huge anonymous 0
check "which is reported" says 'no such memory was mapped' report.json

# --- where a fault gives huge pages, memory that is not touched has none ---------------
if [ "$(id -u)" = 0 ] && [ -w $thp/shmem_enabled ]; then
  back() { echo never >$thp/shmem_enabled; }
  trap 'back; rm -rf "$work"' EXIT
  sparse() { # the kB that are there
    "$vat" exec --huge mappings -- ./shared 16777216 sparse >out 2>err
    awk '$1 == "sparse" { print $3 }' out
  }
  check "never: memory is there when it is mapped" [ "$(sparse)" = 16384 ]
  echo advise >$thp/shmem_enabled
  check "advise: as it is touched, but for the first" [ "$(sparse)" = 4096 ]
  check "on huge pages" huge sparse 4096
  echo deny >$thp/shmem_enabled
  run --huge site=map_sysv
  check "deny: none" huge sysv 0
  echo '{}' >report.json
  run --plan rule.json
  check "which is said, with the fix" says 'shmem_enabled is deny' report.json
  back
else
  echo "SKIPPED shmem_enabled: only root can set it"
fi

echo "test_shared: $passed passed, $failed failed"
[ $failed = 0 ]
