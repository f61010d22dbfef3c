# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of programs.sh and plans.sh, which read this: what each is run on,
# made in the current folder from fixed seeds, and its command line.  Each takes
# 1 to 10 s, most of it in one process.
# shellcheck disable=SC2034,SC2154,SC2317

all_programs="redis postgres sqlite python map bwa sort gzip xz perl lua mawk node
  gcc clang bc openssl cadical hpcc chase join search gups grid btree spmv bfs
  pagerank components"

map=$(realpath -m "${PLAN_MAP:-tests/bench/plan_map}")
footprints=$(realpath -m "${FOOTPRINTS:-tests/bench/footprints/footprints}")

# Nothing of a program's work may depend on the day or on who runs it.
LC_ALL=C PERL_HASH_SEED=0 PYTHONHASHSEED=0
export LC_ALL PERL_HASH_SEED PYTHONHASHSEED

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
  folder=$PWD
  # shellcheck disable=SC2086
  (postgres_begin "$folder/postgres.data" && cd / &&
    $as_postgres "$bin/postgres" --single -D "$folder/postgres.data" \
      -c fsync=off -c max_wal_size=4GB postgres <"$folder/tables.sql" \
      >/dev/null) 2>postgres.log
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

# --- inputs ---------------------------------------------------------------------
numbers() { # numbers COUNT: one a line, of a linear congruential generator
  awk -v n="$1" 'BEGIN { for (x = 1; n--;)
    printf "%d\n", x = (x * 1103515245 + 12345) % 2147483648 }'
}

prose() { # prose LINES: words, and a number among seven
  awk -v n="$1" 'BEGIN {
    words = "translation page walk table memory cache of the a to lookup miss " \
            "hit tree layer node leaf root size huge base kernel program sort " \
            "hash join scan index row column key value"
    count = split(words, word, " ")
    for (x = 1; n--;) {
      line = n
      for (k = 0; k < 8; k++) {
        x = (x * 1103515245 + 12345) % 2147483648
        line = line " " word[int(x / 65536) % count + 1]
        if (x % 7 == 0) line = line "-" int(x / 1000)
      }
      print line
    }
  }'
}

source_text() { # source_text FUNCTIONS: C, each with a loop, a switch, a call
  awk -v n="$1" 'BEGIN {
    print "typedef unsigned long u;"
    x = 7
    for (f = 0; f < n; f++) {
      printf "u f%d(u *a, u n, u s) {\n  for (u i = 0; i < n; i++) {\n", f
      for (k = 0; k < 6; k++) {
        x = (x * 1103515245 + 12345) % 2147483648
        r = int(x / 65536)
        printf "    if ((a[i] ^ s) %% %d > %d) s += a[(i + %d) %% n] * %dUL;\n",
               r % 97 + 3, r % 2, r % 31, r
        printf "    else s = (s << %d) | (s >> %d);\n", r % 13 + 1, 63 - r % 13
      }
      printf "  }\n  switch (s %% 8) {\n  case 0: s += %d; break;\n", f
      printf "  case 3: s *= %d; break;\n", f + 3
      if (f) printf "  case 5: s ^= f%d(a, n / 2, s); break;\n", f - 1
      print "  }\n  return s;\n}"
    }
  }'
}

hash() {
  cat <<'PERL'
my ($x, %h) = (1);
for my $i (1 .. 5000000) {
  $x = ($x * 1103515245 + 12345) % 2147483648;
  $h{$x} = $i;
}
PERL
}

# Chains of a table whose keys are no integers.
chains() {
  cat <<'LUA'
local t, x, found = {}, 1, 0
for i = 1, 1500000 do
  x = x * 16807 % 2147483647
  t[x + 0.5] = i
end
for i = 1, 1500000 do
  x = x * 16807 % 2147483647
  found = found + (t[x + 0.5] or 1)
end
print(found)
LUA
}

array() {
  cat <<'AWK'
BEGIN {
  for (i = x = 1; i <= 2000000; i++) a[x = x * 16807 % 2147483647] = i
  for (i = x = 1; i <= 2000000; i++) sum += a[x = x * 16807 % 2147483647]
  print sum
}
AWK
}

node_map() {
  cat <<'JAVASCRIPT'
const d = new Map();
let x = 1, found = 0;
for (let i = 0; i < 2500000; i++) {
  x = x * 16807 % 2147483647;
  d.set(x, i);
}
for (let i = 0; i < 2500000; i++) {
  x = x * 16807 % 2147483647;
  found += d.get(x - i % 2) || 0;
}
console.log(d.size, found);
JAVASCRIPT
}

# What hpcc reads: one matrix of 64 MiB, one process.  Its RandomAccess has as
# much, and takes most of the time.
hpcc_input() {
  cat <<'INPUT'
line 1 is skipped
line 2 is skipped
HPL.out file
8       output to that file
1       sizes
2900
1       block sizes
128
0       mapping of processes: by rows
1       grids of processes
1       rows of it
1       columns of it
16.0    threshold
1       factorisations of panels
2
1       stopping criteria
4
1       parts of panels
2
1       factorisations of parts
1
1       broadcasts
1
1       depths of look-ahead
1
2       exchange of rows
64
0       how L1 lies
0       how U lies
1       equilibrate
8       alignment
line 32 is skipped
0       more sizes for PTRANS
0
0       more block sizes for PTRANS
0
INPUT
}

# It answers in a file, to which the next run would add.
hpcc_script() {
  cat <<'SH'
#!/bin/sh
rm -f hpccoutf.txt
hpcc && grep -q '^Success=1$' hpccoutf.txt &&
  grep -q '^MPIRandomAccess_Errors=0$' hpccoutf.txt && echo right
SH
}

# Clauses of three of 500000 variables, in which one assignment, drawn first,
# holds: each clause has one literal of it.
clauses() {
  awk 'BEGIN {
    n = 500000; m = 1900000; x = 1
    for (v = 1; v <= n; v++) is[v] = (x = x * 16807 % 2147483647) % 2
    print "p cnf", n, m
    for (i = 0; i < m; i++) {
      line = ""
      for (k = 0; k < 3; k++) {
        x = x * 16807 % 2147483647; v = x % n + 1
        x = x * 16807 % 2147483647
        line = line ((k ? int(x / 7) % 2 : is[v]) ? v : -v) " "
      }
      print line "0"
    }
  }'
}

# Its exit status says that there is such an assignment.
solver() {
  cat <<'SH'
#!/bin/sh
cadical -q -n clauses.cnf
[ $? = 10 ]
SH
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
    sort) made numbers.txt numbers 3000000 ;;
    gzip) made text prose 450000 ;;
    xz) made little-text prose 60000 ;;
    perl) made hash.pl hash ;;
    lua) made chains.lua chains ;;
    mawk) made array.awk array ;;
    node) made map.js node_map ;;
    gcc | clang) made large.c source_text 130 ;;
    bc) made pi.bc echo 'scale = 2500; 4 * a(1)' ;;
    cadical)
      made clauses.cnf clauses
      made solve.sh solver && chmod +x solve.sh
      ;;
    hpcc)
      made hpccinf.txt hpcc_input
      made hpcc.sh hpcc_script && chmod +x hpcc.sh
      ;;
    bfs | pagerank | components)
      cp "$footprints" . && made graph "$footprints" kronecker 22 16
      ;;
    chase | join | search | gups | grid | btree | spmv) cp "$footprints" . ;;
  esac
}

# --- programs -------------------------------------------------------------------
# command_of PROGRAM: its command line in $words, none of which holds a blank,
# its standard input in $input, the package that it is from, what it prints in
# $answer if that is always the same, and what counts if not its time in $metric.
command_of() {
  input=/dev/null metric='' answer='' package=''
  case $1 in
    redis) words='./serve.sh 1000000 1500000' package=redis-server ;;
    postgres)
      bin=$(postgres_bin)
      words="$as_postgres ${bin:-}/postgres --single -D $PWD/postgres.data"
      words="$words -c shared_buffers=32MB -c work_mem=1GB -c jit=off"
      words="$words -c max_parallel_workers_per_gather=0"
      words="$words -c enable_mergejoin=off -c enable_nestloop=off postgres"
      words=${words# } input=$PWD/join.sql package=postgresql
      ;;
    sqlite)
      words='sqlite3 :memory:' input=$PWD/join-index.sql package=sqlite3
      ;;
    python) words='/usr/bin/python3 dict.py' package=python3 ;;
    map) words='./plan_map 3000000' ;;
    bwa) words='bwa mem -t 1 -v 1 genome.fa reads.fq' package=bwa ;;
    sort)
      words='sort --parallel=1 -S 2G -n numbers.txt' package=coreutils
      ;;
    gzip) words='gzip -6 -c text' package=gzip ;;
    xz) words='xz -6 -T1 -c little-text' package=xz-utils ;;
    perl) words='/usr/bin/perl hash.pl' package=perl ;;
    lua) words='lua5.4 chains.lua' package=lua5.4 ;;
    mawk) words='mawk -f array.awk' package=mawk ;;
    node) words='node map.js' package=nodejs answer='2500000 1816593292' ;;
    gcc) words='gcc -O2 -c large.c -o large.o' package=gcc ;;
    clang) words='clang -O2 -c large.c -o large.o' package=clang ;;
    bc) words='bc -l' input=$PWD/pi.bc package=bc ;;
    # It works for a second each time: what it gets done is what counts.
    openssl)
      metric='AES-256-CTR[[:space:]]+([0-9.]+)k' package=openssl
      words='openssl speed -seconds 1 -bytes 16384 -evp aes-256-ctr'
      ;;
    cadical) words=./solve.sh package=cadical answer='s SATISFIABLE' ;;
    hpcc) words=./hpcc.sh package=hpcc answer=right ;;
    chase) words='./footprints chase 1024 3' answer=477742 ;;
    join) words='./footprints join 1536 20' answer=15724246344866 ;;
    search) words='./footprints search 320 1' answer=20966313705378 ;;
    gups) words='./footprints gups 512 100' answer=981837925250288517 ;;
    grid) words='./footprints grid 256 1' answer=833870885796476241 ;;
    btree) words='./footprints btree 128 2' answer=10108421807881066972 ;;
    spmv) words='./footprints spmv 512 4' answer=11534050522506545382 ;;
    bfs) words='./footprints bfs graph 2' answer=15253157 ;;
    pagerank) words='./footprints pagerank graph 3' answer=11922975267847393228 ;;
    components) words='./footprints components graph 1' answer=7865303418835480 ;;
    *) fail 2 "$1 is none of: $names" ;;
  esac
}

installed() { # is the program here, and what it takes?
  case $1 in
    redis) command -v redis-server && command -v redis-cli ;;
    cadical | hpcc) command -v "$1" ;;
    postgres) [ -n "$bin" ] && { [ -z "$as_postgres" ] || id postgres; } ;;
    map) [ -x "$map" ] ;;
    *)
      case $words in
        ./footprints*) [ -x "$footprints" ] ;;
        *) command -v "${words%% *}" ;;
      esac
      ;;
  esac >/dev/null 2>&1
}

# is_there PROGRAM: else say what provides it.
is_there() {
  installed "$1" && return
  fix="apt-get install $package"
  [ -n "$package" ] || fix="make bench-programs bench-budgets"
  tell "$1: left out: ${package:-its program} is not here; fix: $fix"
  return 1
}

# Of what has a known answer: is it given?
is_right() {
  [ -n "$answer" ] || return 0
  # shellcheck disable=SC2086
  printed=$($words <"$input") || return
  [ "$printed" = "$answer" ] || {
    tell "$1: printed $printed, which should be $answer"
    return 1
  }
}
