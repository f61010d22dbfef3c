# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of plans.sh, which reads this: what each is run on, made in the
# current folder from fixed seeds, and its command line.  Each takes 3 to 8 s
# and 100 to 600 MiB, most of it in one process.
# shellcheck disable=SC2034,SC2154,SC2317

# --- inputs ---------------------------------------------------------------------
# A server and its load, which a script within the server is: so all user time
# is the server's, and the same each time.
redis_script() {
  cat <<'SH'
#!/bin/sh
# serve.sh KEYS READS
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -r "$dir"' EXIT
# As many processes each time: who asks until the server answers has one or two.
mkfifo "$dir/log"
redis-server --port 0 --unixsocket "$dir/socket" --dir "$dir" --save '' \
  --disable-thp no >"$dir/log" &
server=$!
exec 3<"$dir/log"
timeout 60 grep -q 'eady to accept connections' <&3 || exit 1
redis-cli -s "$dir/socket" eval '
  local x, found = 1, 0
  for i = 1, tonumber(ARGV[1]) do
    redis.call("set", string.format("key:%010d", i * 40503 % 1000003),
               string.format("%064d", i))
  end
  for i = 1, tonumber(ARGV[2]) do
    x = x * 16807 % 2147483647
    if redis.call("get", string.format("key:%010d", x % 1000003)) then
      found = found + 1
    end
  end
  return found' 0 "$1" "$2"
redis-cli -s "$dir/socket" shutdown nosave
wait
server=
SH
}

postgres_tables() { # two tables in different orders; one statement a line
  cat <<'SQL'
create table a as select i * 40503 % 2500009 as k, i as v from generate_series(1, 2500000::bigint) i
create table b as select i * 69621 % 2500009 as k, i as w from generate_series(1, 2500000::bigint) i
vacuum (freeze, analyze)
checkpoint
SQL
}

postgres_cluster() {
  [ ! -f postgres.made ] || return 0
  # shellcheck disable=SC2086
  (postgres_begin "$out/postgres.data" && cd / &&
    $as_postgres "$bin/postgres" --single -D "$out/postgres.data" -c fsync=off \
      -c max_wal_size=4GB postgres <"$out/tables.sql" >/dev/null) 2>postgres.log
  ! grep ERROR postgres.log >&2 || return 1
  echo made >postgres.made
}

postgres_query() {
  echo 'select count(*), sum(a.v + b.w) from a join b using (k)'
  echo 'select count(*), sum(a.v - b.w) from a join b on a.v = b.k'
}

sqlite_queries() {
  cat <<'SQL'
create table a(id integer primary key, k integer, t text);
with recursive n(i) as
  (values(1) union all select i + 1 from n where i < 1600000)
insert into a select i, (i * 2654435761) % 1600033, printf('%064d', i) from n;
create index a_k on a(k);
select count(*), sum(length(b.t)) from a
  join a b on b.k = (a.id * 40503) % 1600033 where a.id % 2 = 0;
SQL
}

python_dictionary() {
  cat <<'PYTHON'
d, x, found = {}, 1, 0
for i in range(2500000):
    x = x * 16807 % 2147483647
    d[x] = i
for i in range(2500000):
    x = x * 16807 % 2147483647
    found += d.get(x - i % 2, 0)
print(len(d), found)
PYTHON
}

# A genome at random, and of each 16th line a read, with an error in its middle.
genome() { # genome MEGABASES READS_FILE
  awk -v lines="$(($1 * 10000))" -v reads="$2" 'BEGIN {
    split("A C G T", base, " ")
    for (i = 0; i < 1024; i++)
      word[i] = base[i % 4 + 1] base[int(i / 4) % 4 + 1] \
        base[int(i / 16) % 4 + 1] base[int(i / 64) % 4 + 1] base[int(i / 256) + 1]
    quality = sprintf("%100s", "")
    gsub(/ /, "I", quality)
    print ">random"
    for (x = 1; n < lines; n++) {
      line = ""
      for (k = 0; k < 20; k++) {
        x = x * 16807 % 2147483647
        line = line word[int(x / 2097152)]
      }
      print line
      if (n % 16 == 0)
        printf "@%d\n%s%s%s\n+\n%s\n", n, substr(line, 1, 49), \
          (substr(line, 50, 1) == "A" ? "C" : "A"), substr(line, 51), \
          quality >reads
    }
  }'
}

prepare() {
  case $1 in
    redis) made serve.sh redis_script && chmod +x serve.sh ;;
    postgres)
      made tables.sql postgres_tables
      made join.sql postgres_query
      postgres_cluster
      ;;
    sqlite) made join-index.sql sqlite_queries ;;
    python) made dict.py python_dictionary ;;
    map) [ -x plan_map ] || cp "$map" . ;;
    bwa)
      made genome.fa genome 64 reads.fq
      [ -s genome.fa.sa ] || bwa index genome.fa >/dev/null 2>bwa.index.log
      ;;
  esac
}

# --- programs -------------------------------------------------------------------
# command_of PROGRAM: its command line in $words, none of which holds a blank,
# its standard input in $input, and the package that it is from.
command_of() {
  input=/dev/null
  case $1 in
    redis) words='./serve.sh 1000000 1500000' package=redis-server ;;
    postgres)
      bin=$(postgres_bin)
      words="$as_postgres ${bin:-}/postgres --single -D $out/postgres.data"
      words="$words -c shared_buffers=32MB -c work_mem=1GB -c jit=off"
      words="$words -c max_parallel_workers_per_gather=0"
      words="$words -c enable_mergejoin=off -c enable_nestloop=off postgres"
      words=${words# } input=$out/join.sql package=postgresql
      ;;
    sqlite) words='sqlite3 :memory:' input=$out/join-index.sql package=sqlite3 ;;
    python) words='/usr/bin/python3 dict.py' package=python3 ;;
    map) words='./plan_map 3000000' package='' ;;
    bwa) words='bwa mem -t 1 -v 1 genome.fa reads.fq' package=bwa ;;
    *) fail 2 "$1 is none of: $names" ;;
  esac
}

installed() { # is the program here, and what it takes?
  case $1 in
    redis) command -v redis-server && command -v redis-cli ;;
    postgres) [ -n "$bin" ] && { [ -z "$as_postgres" ] || id postgres; } ;;
    map) [ -x "$map" ] ;;
    *) command -v "${words%% *}" ;;
  esac >/dev/null 2>&1
}
