#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm of its own on this machine: an array of eight shards on two nodes, one
# of which is lost in the middle.  Merged, they are the samples of one machine
# that measures alone, each once.  Needs what ./bootstrap --install-cluster-deps
# installs, and root, as a node is a PID namespace: lost, all in it is.
script=$(cd "${0%/*}/../../experiments/cluster" && pwd)/vat-array.sbatch
. "${0%/*}/../experiments/checks.sh"

lacks() {
  echo "SKIPPED the cluster: $1"
  exit 77
}
for tool in slurmctld slurmd munged sbatch scontrol squeue unshare; do
  command -v "$tool" >/dev/null || PATH=$PATH:/usr/sbin
  command -v "$tool" >/dev/null ||
    lacks "$tool is missing: ./bootstrap --install-cluster-deps"
done
[ "$(id -u)" = 0 ] || lacks "only root may make the nodes"
unshare --pid --fork --kill-child true 2>err || lacks "no PID namespaces: $(cat err)"

daemons=
stop_all() {
  trap '' INT TERM
  for pid in $daemons; do kill "$pid" 2>/dev/null; done
  sleep 1
  for pid in $daemons; do kill -KILL "$pid" 2>/dev/null; done
  wait
  [ "$failed" = 0 ] || tail -n 20 "$work"/*.log
  rm -rf "$work"
}
trap stop_all EXIT

# One that nobody listens at; the next is sought behind it.
port=$((20000 + $$ % 20000))
next_port() {
  port=$((port + 1))
  while bash -c ": </dev/tcp/127.0.0.1/$port" 2>/dev/null; do port=$((port + 1)); done
}

within() { # within SECONDS COMMAND...: it holds by then
  left=$((5 * $1))
  shift
  while ! "$@" >/dev/null 2>err; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep 0.2
  done
}

host=$(hostname -s)
next_port
cat >slurm.conf <<END
ClusterName=vat
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=10
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/linear
SlurmdParameters=config_overrides
SlurmdTimeout=6
MessageTimeout=5
KillWait=2
ReturnToService=2
END
for node in 1 2; do
  next_port
  echo "NodeName=node$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$port CPUs=1"
done >>slurm.conf
echo "PartitionName=all Nodes=ALL Default=YES State=UP" >>slurm.conf
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
mkdir state
dd if=/dev/urandom of=munge.key bs=128 count=1 2>/dev/null
chmod 600 munge.key
chmod 755 "$work" # where munged has its socket

start() { # start NAME COMMAND...: a daemon; $pid
  name=$1
  shift
  "$@" >"$name.out" 2>&1 &
  pid=$!
  daemons="$daemons $pid"
}
start_node() {
  start "node$1" unshare --pid --fork --kill-child=KILL slurmd -D -N "node$1"
}
start munged munged --foreground --force --key-file="$work/munge.key" \
  --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
  --log-file="$work/munged.log" --seed-file="$work/munged.seed" --num-threads=2
within 10 test -S munge.socket
start slurmctld slurmctld -D
start_node 1
start_node 2
lost=$pid
are_idle() { [ "$(sinfo -h -N -t idle -o %N | wc -l)" = 2 ]; }
check "a cluster of two nodes" within 30 are_idle
[ "$failed" = 0 ] || exit 1

# Eight points of a second and more each, all their repetitions in one file.
sweep='heapsort introsort --sizes 400000,560000,784000,1097600 --pages 4k,thp --reps 12'
keys() { # of every sample, sorted
  grep -h '"record":"sample"' "$@" |
    sed 's/.*"algo":"\([^"]*\)".*"n":\([0-9]*\).*"pages_asked":"\([^"]*\)".*"rep":\([0-9]*\).*"seed":\([0-9]*\).*/\1 \2 \3 \4 \5/' |
    sort
}
# shellcheck disable=SC2086
check "one machine alone" "$vat" run $sweep -o alone.jsonl >alone.out 2>err

# shellcheck disable=SC2086
VAT=$vat sbatch --parsable --array=1-8 --output="$work/task-%a.log" --chdir="$work" \
  "$script" 8 "$work/shards" run $sweep --counters none >job 2>err
check "the array is submitted" test -s job
job=$(cat job)

# The shard that node2 measures, once it has some of its samples, by far not all,
# and others have all of theirs.
is_amid() {
  shard=$(squeue -h -r -w node2 -t running -o %K) && [ -n "$shard" ] &&
    count=$(grep -c '"record":"sample"' "shards/shard-$shard.jsonl") &&
    [ "$count" -gt 1 ] && [ "$count" -le 12 ] &&
    [ "$(find shards -name 'shard-*.jsonl' | wc -l)" -ge 4 ]
}
check "a shard is amid its samples" within 60 is_amid
show() { # what the cluster is like, as its own commands tell it
  echo "$1"
  squeue -r -o '  %.6i %.10T %.12R' | head -n 8
}
kill -KILL "$lost" # at once, before it has the rest
show "shard $shard is amid its samples on node2, which is killed:"
there=$(grep -c '"record":"sample"' "shards/shard-$shard.jsonl")
"$vat" merge shards/*.jsonl -o early.jsonl >out 2>err
check "what is missing then is told" [ $? = 1 -a -s early.jsonl ]
check "shard $shard is unfinished ($there samples)" [ "$there" -lt 24 ]
is_down() { sinfo -h -N -n node2 -o %T | grep -q down; }
check "the node is down" within 60 is_down
is_requeued() { scontrol show job "${job}_$shard" | grep -q 'Restarts=1'; }
check "its shard is requeued" within 60 is_requeued
show "node2 is down, its shard is requeued:"
are_done() { [ -z "$(squeue -h -r)" ]; }
check "all shards end" within 300 are_done
check "each well" [ "$(scontrol show job "$job" | grep -c 'JobState=COMPLETED')" = 8 ]

check "they are merged" "$vat" merge shards/shard-*.jsonl -o merged.jsonl >out 2>err
sed 's/^/merged: /' out
keys alone.jsonl >want
keys merged.jsonl >got
check "192 samples" [ "$(wc -l <want)" = 192 ]
check "the samples of one machine alone" cmp -s want got
check "each once" [ -z "$(uniq -d got)" ]
check "and a report of them" "$vat" report merged.jsonl --json >out 2>err
check "of 16 rows" [ "$(wc -l <out)" = 16 ]

echo "test_slurm: $passed passed, $failed failed"
[ "$failed" = 0 ]
