#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What vat exec, and commands that read what it needs, refuse before they begin,
# and that no report of an earlier run is left where vat is killed.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES

# --- what is given twice ---------------------------------------------------------------
for option in plan huge; do
  check "--$option twice" refused 2 exec --$option a --$option b -- true
  check "which is said" says 'given twice'
done
check "two processes" refused 2 pages -p 1 -p 1
check "which is said" says 'pid 1: it is given twice'
check "two cgroups" refused 2 pages --cgroup a --cgroup b

# --- pools that no machine has -----------------------------------------------------------
if [ -d /sys/kernel/mm/hugepages/hugepages-2048kB ]; then
  check "a pool of more than there is" \
    refused 3 exec --huge heap --pages 2m --reserve=900T -- true
  check "which says what there is" says 'the machine has [0-9]* MiB available'
fi

# --- more than the library can be told ----------------------------------------------------
names() { # names WHAT COUNT: a list
  seq -s, -f "$1=a%.0f" "$2"
}
for what in text file; do
  check "17 names of $what" refused 2 exec --huge "$(names $what 17)" -- true
  check "says how many are allowed" says 'at most 16'
done
check "1500 sites" refused 2 exec --huge "$(names site 1500)" -- true
check "speaks of no plan" says 'fix: name less in --huge'
check "a name of 130000 letters" \
  refused 2 exec --huge "site=$(head -c 130000 /dev/zero | tr '\0' a)" -- true
check "speaks of no plan, either" says 'fix: name less in --huge'

# --- profiles of another vat ---------------------------------------------------------------
for schema in 1 9; do
  printf '{"record":"profile","schema":%s,"policy":"lru"}\n' $schema >$schema.profile
  check "a profile of schema $schema" refused 2 plan --from $schema.profile
  check "says what to do" says "schema $schema; .*vat profile --save"
done
check "it is newer" says 'a newer vat'

# --- reports ---------------------------------------------------------------------------------
grep -q '\[never\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || {
  # A signal that vat does not pass on ends it; the program ends with it.
  cat >killer <<'SH'
#!/bin/sh
kill -9 $PPID
exec sleep 5
SH
  chmod +x killer
  echo '{"record":"exec-report","status":0}' >report.json
  chmod 600 report.json
  "$vat" exec --huge stack --report report.json -- ./killer >out 2>err
  check "vat is killed" [ $? = 137 ]
  check "and no report of an earlier run is left" [ ! -s report.json ]
  "$vat" exec --huge stack --report report.json -- true >out 2>err
  check "an empty one is written" says '"status": 0' report.json
  check "as private as it was" [ "$(stat -c %a report.json)" = 600 ]
  (ulimit -f 64; "$vat" exec --huge stack --report new.json -- true) >out 2>err
  check "a limit of file sizes" [ $? = 3 ]
  check "has a fix" says 'fix: ulimit -f unlimited'
}

echo "test_exec_refused: $passed passed, $failed failed"
[ $failed = 0 ]
