#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep on machines that ssh reaches, without a scheduler, by GNU parallel:
#
#   sh vat-fleet.sh 8 DIR LOGINS run ALGO... --sizes LIST [OPTION...]
#   sh vat-fleet.sh 8 DIR LOGINS sim --algo ALGO --n N --policy LIST [OPTION...]
#   sh vat-fleet.sh each DIR LOGINS run ALGO... [OPTION...]
#
# LOGINS is a file of machines, a line each, as ssh takes them.  With a number
# the sweep is cut into so many shards, one at a time on each machine, and a
# shard whose machine fails goes to another: for machines of one kind.  With
# `each` every machine does the whole sweep, to be compared.  Results come to
# DIR; what is there is not done again.  VAT names the command on the machines.
set -eu

usage() {
  echo "usage: vat-fleet.sh N|each DIR LOGINS run|sim ..." >&2
  exit 2
}
[ $# -ge 4 ] || usage
shards=$1 dir=$2 logins=$3 command=$4
shift 4
case $shards in
  each) ;;
  *[!0-9]* | '' | 0*) usage ;;
esac
[ -r "$logins" ] || {
  echo "vat-fleet.sh: $logins: cannot be read; name a file of machines" >&2
  exit 2
}
for tool in parallel rsync; do
  command -v $tool >/dev/null || {
    echo "vat-fleet.sh: $tool is missing: sudo apt-get install $tool" >&2
    exit 3
  }
done
logins=$(cd "$(dirname "$logins")" && pwd)/$(basename "$logins")

# As the machines' shells take them, word by word.
words=
for word in "$@"; do
  words="$words '$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g")'"
done
vat=${VAT:-vat}

# @name@ stands for a shard or machine, @shard@ for the option that says which.
# What is fetched is there whole or not at all: parallel fetches it also when
# the task failed.
case $command in
  run) ending=jsonl task="$vat run$words @shard@ --json --resume -o @name@.part >@name@.rows" ;;
  sim) ending=json task="$vat sim$words @shard@ --json >@name@.part" ;;
  *) usage ;;
esac
task="$task && mv @name@.part @name@.$ending"

# on LOGIN_OPTION LOGINS SHARD: what standard input names, a line each.  Each
# has a folder of its own there, which goes when its result has come.
on() {
  parallel --will-cite "$1" "$2" --jobs 1 --retries 3 --joblog "joblog.$$.${4-}" \
    --workdir ... --return "{}.$ending" --cleanup \
    "$(printf '%s\n' "$task" | sed "s|@shard@|$3|; s|@name@|{}|g")"
}

# NAME LOGIN, a line each.
machines() {
  while read -r login || [ -n "$login" ]; do
    case $login in '' | \#*) continue ;; esac
    # Its name as a file's, without what ssh needs besides.
    printf 'machine-%s %s\n' "$(printf '%s' "${login##*[@ /]}" | tr -c 'A-Za-z0-9.-' _)" "$login"
  done <"$logins"
}
named=
if [ "$shards" = each ]; then
  named=$(machines)
  twice=$(printf '%s\n' "$named" | awk '{
    login = substr($0, length($1) + 2)
    if ($1 in of) { print of[$1] " and " login ": " $1; exit }
    of[$1] = login }')
  [ -z "$twice" ] || {
    echo "vat-fleet.sh: $twice would be the results of both; give one another name in ~/.ssh/config" >&2
    exit 2
  }
fi

mkdir -p "$dir"
cd "$dir"
failed=0
if [ "$shards" = each ]; then
  running=
  while read -r name login; do
    if [ -z "$name" ] || [ -e "$name.$ending" ]; then continue; fi
    echo "$name" | on --sshlogin "$login" '' "$name" &
    running="$running $!"
  done <<END
$named
END
  for pid in $running; do wait "$pid" || failed=$((failed + 1)); done
else
  for shard in $(seq "$shards"); do
    [ -e "shard-$shard.$ending" ] || echo "shard-$shard"
  done >todo.$$
  on --sshloginfile "$logins" "--shard {= s/shard-// =}/$shards" <todo.$$ || failed=$?
  rm todo.$$
fi
if [ "$failed" = 0 ]; then
  rm -f joblog.$$.*
else
  echo "vat-fleet.sh: $failed did not end well: $dir/joblog.$$.* tell which; do the same again" >&2
  exit 1
fi
