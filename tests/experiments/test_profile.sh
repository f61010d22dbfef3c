#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat profile` from outside: its counts are those of `vat sim` on the trace
# that it records, it names who allocated, and it leaves nothing behind.
top=$PWD
data=$(cd "${0%/*}" && pwd)
. "${0%/*}/checks.sh"
program=$top/tests/experiments/profiled
static=$top/tests/experiments/profiled_static
mkdir tmp
export TMPDIR="$work/tmp"

"$vat" profile --json true >out 2>err
case $? in
  0) ;;
  3)
    check "what is missing is told in one line, with the fix" \
      [ "$(grep -c 'apt-get install' err)" = 1 ]
    echo "SKIPPED test_profile: $(cat err)"
    [ "$failed" = 0 ] || exit 1
    exit 77
    ;;
  *) check "it succeeds" false ;;
esac

# The README has PATH begin with experiments/, where the tool's folder lies.
mkdir -p found/valgrind
check "a folder called valgrind is not Valgrind" \
  env PATH="$work/found:$PATH" "$vat" profile -o out true

# A size is simulated where it is named: "64k" does not name 4k.
for list in 64k 16k,64k,2m 4k,8k,1m,1g; do
  "$vat" profile --pages $list --json -o profile.json true >out 2>err
  check "--pages $list" [ "$(grep -o '"misses":{[^}]*}' profile.json | head -n 1 |
    grep -o '"[0-9]*[kmg]"' | tr -d '"' | paste -sd,)" = $list ]
done
for list in 64k,4k 4k,4k 3k 4096 4k,8k,16k,2m,1g 4k,,2m 4m; do
  check "--pages $list is refused" refused 2 profile --pages $list -- true
done
check "without PATH programs are where the system has them" \
  env -u PATH "$vat" profile -o out true
env PATH= "$vat" profile -o out /bin/true 2>err
check "along an empty one nothing is" [ $? = 3 ]
check "which is named" grep -q '^vat: valgrind is missing along PATH; fix: ' err

left() { # what temporary files there are
  find tmp -mindepth 1 | wc -l
}

# said TREE: accesses and misses by layer, in a profile.
said() {
  grep -o '"accesses":[0-9]*,"misses":{[^}]*}' profile.json | head -n 1 |
    sed "s/\"accesses\":\([0-9]*\),.*\"$1\":\(\[[0-9,]*\]\).*/\1 \2/"
}

# simulated TREE ARG...: the same, of the traces of all processors.
simulated() {
  tree=$1
  shift
  for trace in trace.vat*; do
    "$vat" sim "$trace" --tree "amd64-$tree" "$@" --json
  done | tr -d ' ' |
    sed 's/.*"accesses":\([0-9]*\),.*"misses_by_layer":\[\([0-9,]*\)\].*/\1,\2/' |
    awk -F, '{ for (i = 1; i <= NF; i++) sum[i] += $i; n = NF }
      END { printf "%d [", sum[1]
            for (i = 2; i <= n; i++) printf "%d%s", sum[i], i < n ? "," : "]" }'
}

# agree "PROFILE OPTIONS" "SIM OPTIONS" PROGRAM ARG: all three trees do.
agree() {
  profile_options=$1 sim_options=$2
  shift 2
  rm -f trace.vat* profile.json
  # shellcheck disable=SC2086 # several words
  "$vat" profile --pages 4k,2m,1g $profile_options --json \
    --trace trace.vat -o profile.json "$@" >out 2>err || return 1
  for size in 4k 2m 1g; do
    # shellcheck disable=SC2086
    said=$(said $size) simulated=$(simulated $size $sim_options)
    [ -n "$said" ] && [ "$said" = "$simulated" ] && continue
    echo "$* $size $sim_options: $said, simulated $simulated" >err
    return 1
  done
}

exact() { # exact POLICY W PROGRAM ARG
  policy=$1 nodes=$2
  shift 2
  agree "--policy $policy --tc $nodes" "--policy $policy --tc-nodes $nodes" "$@"
}

# --- exactness ---------------------------------------------------------------
printf '#!/bin/sh\ntrue\n' >script && chmod +x script
cp "$program" stripped && strip stripped
# What a program may do is in all of them; of another policy some will do.
for policy in islru lru; do
  for name in nothing scan stride random sort list matrix copy recursion jump \
    map heap wide threads signals text gather histogram pool border; do
    case $policy,$name in
      lru,random | lru,heap | lru,wide | lru,threads | lru,border) ;;
      lru,*) continue ;;
    esac
    check "$name, $policy: the counts are those of the simulator" \
      exact $policy 1536 "$program" $name
  done
  check "a static program, $policy" exact $policy 1536 "$static" random
  check "a stripped program, $policy" exact $policy 1536 ./stripped heap
  check "a script, $policy" exact $policy 1536 ./script
  for name in random wide gather border; do
    [ $policy = lru ] && continue # tests/vat has it
    check "$name, $policy, few nodes" exact $policy 40 "$program" $name
    [ $name != random ] && [ $name != gather ] ||
      check "$name, $policy, more nodes" exact $policy 900 "$program" $name
  done
done

# --- TLBs ---------------------------------------------------------------------
# More entries than there are pages: each is walked to once.
"$vat" profile --tlb l1=4x4,l2=16384x64,pwc=64x64 --json -o profile.json \
  "$program" stride >out 2>err
check "TLBs: it succeeds" [ $? = 0 ]
large=$(said 4k | sed 's/.*\[\([0-9]*\),.*/\1/')
check "and all pages are missed once" [ "$((large / 1000))" = 2 ]
check "the JSON has their shape" grep -q \
  '"policy":"tlb","tlb":{"l1":\[4,4\],"l2":\[16384,64\],"pwc":\[64,64\]}' \
  profile.json
"$vat" profile --tlb l1=64x4 --json -o profile.json "$program" stride >out 2>err
small=$(said 4k | sed 's/.*\[\([0-9]*\),.*/\1/')
check "fewer entries: each time" [ "$small" -ge 10000 ]

exact_tlb() { # exact_tlb SHAPE PROGRAM ARG
  tlb="--tlb $1"
  shift
  agree "$tlb" "$tlb" "$@"
}
for shape in l1=64x4 l1=16x4,l2=96x12 l1=8x8,pwc=4x2 \
  l1=64x4,l2=1536x12,pwc=32x4; do
  for name in random sort matrix wide threads; do
    case $shape,$name in # a long one, of all that there is
      *pwc=32x4,* | *,random | *,threads) ;;
      *) continue ;;
    esac
    check "$name, $shape: the counts are those of the simulator" \
      exact_tlb $shape "$program" $name
  done
done

# --- threads -------------------------------------------------------------------
check "threads again" exact islru 1536 "$program" threads
check "each has caches of its own" \
  [ "$(grep -o '"threads":[0-9]*' profile.json | cut -d: -f2)" -ge 2 ]
check "and a trace" \
  [ "$(ls trace.vat* | wc -l)" = "$(grep -o '"threads":[0-9]*' profile.json |
    cut -d: -f2)" ]
"$vat" profile --json -o profile.json "$program" processors >out 2>err
check "who takes turns with others" grep -q '"threads":5' profile.json
large=$(said 4k | sed 's/.*\[\([0-9]*\),.*/\1/')
check "misses no more than alone" [ "$large" -ge 4000 -a "$large" -lt 5000 ]
"$vat" profile --json -o profile.json "$program" scan >out 2>err
check "one thread is one" grep -q '"threads":1' profile.json

# --- several processes -------------------------------------------------------
rm -f trace.vat*
"$vat" profile --json -o profile.json --trace trace.vat "$program" fork \
  >out 2>err
check "forks: it succeeds" [ $? = 0 ]
check "and there are three processes" grep -q '"processes":3' profile.json
check "and a trace of each" [ "$(ls trace.vat* | wc -l)" = 3 ]
total=0
for trace in trace.vat*; do
  of_one=$("$vat" sim "$trace" --tree amd64-4k --json | tr -d ' \n' |
    sed 's/.*"accesses":\([0-9]*\),.*/\1/')
  total=$((total + of_one))
done
check "whose accesses add up" [ "$(said 4k | cut -d' ' -f1)" = $total ]
"$vat" profile --json -o profile.json "$program" leave_child >out 2>err
check "a daemon is waited for" grep -q '"processes":2' profile.json
check "and vat says so" grep -q \
  '^vat: .*/profiled has ended and left 1 process running (pid [0-9]*);.*to write the profile now: kill -INT [0-9]*' err

# --- who and where -----------------------------------------------------------
"$vat" profile --json -o profile.json --callgrind calls.out "$program" list \
  >out 2>err
check "what the program prints is not the profile's" grep -q '^sum' out
for key in command processes caches accesses misses pages functions sites lines \
  inclusive where bytes kind; do
  check "the JSON has $key" grep -q "\"$key\":" profile.json
done
check "the function is named" grep -q '"name":"list"' profile.json
check "and its file" grep -q 'profiled.c' profile.json
check "who allocated is named" \
  grep -q '"where":"heap profiled.c:[0-9]* (make)' profile.json
if command -v callgrind_annotate >/dev/null; then
  callgrind_annotate --inclusive=yes calls.out >annotated 2>err
  check "callgrind_annotate reads it" [ $? = 0 ]
  check "and finds who calls" grep -q 'profiled.c:main' annotated
fi
"$vat" profile ./stripped scan >out 2>err
check "stripped: functions go by their places" grep -q 'stripped+0x' out
"$vat" profile --pages 2m "$program" random >out 2>err
check "a table of one size only" grep -q '^2m  *1536' out
check "without the others" [ "$(grep -c '^4k' out)" = 0 ]

# --- whose memory --------------------------------------------------------------
# site KEY PATTERN: a number of the first site whose place fits.
site() {
  sed 's/{"where"/\n&/g' profile.json | grep '^{"where"' | grep "\"$2" |
    head -n 1 | grep -o "\"$1\":[0-9]*" | cut -d: -f2
}
profiled() { # profiled ARG...: to profile.json
  "$vat" profile --json -o profile.json "$@" >out 2>err
}
profiled "$static" list
check "a static program: who allocated is named" \
  grep -q '"where":"heap profiled.c:[0-9]* (make) < profiled.c:[0-9]* (list)' \
  profile.json
check "each block of them" [ "$(site blocks 'heap profiled.c:[0-9]* (make)')" = 4000 ]
check "and nothing is missing" grep -q '"heap":{"told":1,' profile.json
cp "$static" stripped_static && strip stripped_static
profiled ./stripped_static list
check "a stripped static program: it has no names" \
  grep -q '"heap":{"told":0,"nameless":1,"unknown":0,' profile.json
check "so who made the heap grow is told" \
  [ "$(site bytes 'break stripped_static+0x')" -gt 7000000 ]
"$vat" profile ./stripped_static list >out 2>err
check "and why" grep -q 'no heap sites, as functions have no names.*fix' out
profiled ./stripped list
check "a stripped dynamic program: the C library has names" \
  [ "$(site blocks 'heap stripped+0x')" = 4000 ]
profiled "$program" pool
check "an allocator that is not known: who mapped is told" \
  [ "$(site bytes 'mapping profiled.c:[0-9]* (pool_grow)')" -gt 7000000 ]
profiled --allocator pool_get=malloc "$program" pool
check "one that is: who called it" \
  [ "$(site blocks 'heap profiled.c:[0-9]* (in_pool)')" = 4000 ]
profiled --allocator pool_get=malloc "$static" pool
check "in a static program, too" \
  [ "$(site blocks 'heap profiled.c:[0-9]* (in_pool)')" = 4000 ]
check "and nothing is said of it" [ ! -s err ]
profiled --allocator pool_gte=malloc --allocator pool_get=malloc "$program" pool
check "one that nobody called is told" \
  grep -q '^vat: --allocator pool_gte: no function.*fix' err
check "it alone" grep -q '"uncalled":\["pool_gte"\]' profile.json
profiled "$program" heap
check "realloc and calloc: at once what they leave" awk "BEGIN {
  peak = $(site bytes 'heap profiled.c:[0-9]* (heap)')
  exit !(peak > 1000000 && peak < 3000000) }"
touched() { # touched FUNCTION: pages, of the blocks it allocated
  site 4k "heap profiled.c:[0-9]* ($1[.)]" | head -n 1
}
profiled "$program" containers
check "memory of inlined containers belongs to the lines that use them" \
  [ "$(grep -o '"where":"heap profiled.c:[0-9]* (containers) < ' profile.json |
    sort -u | wc -l)" = 2 ]
check "not to the header" [ "$(grep -c '"where":"heap container.h' profile.json)" = 0 ]
check "and the chain of calls ends in main" \
  grep -q '"where":"heap profiled.c:[0-9]* (containers) < profiled.c:[0-9]* (main)"' \
  profile.json
profiled "$program" handed_on
check "pages belong to who had them when they were touched" [ "$(touched make)" -ge 15 ]
check "not who was given them next" [ "$(touched make_again)" = 0 ]
# Bytes 4096 apart, behind two words: 1000 pages, or one more.
faults_of() { # faults_of FUNCTION: first touches of what it allocated
  awk -v want="$1" '
    /^function / { function_ = $2 }
    /^site / { inner = "" }
    /^caller / && inner == "" { inner = function_ }
    /^faulted / && index(inner, want) == 1 { faults += $2 }
    END { print faults + 0 }' kept
}
"$vat" profile --save kept "$program" copied >out 2>err
check "who writes first to what a fork shares copies it" \
  between 1199 "$(faults_of make_copied)" 1201
left=$(sed -n 's/^left //p' kept)
check "so does a child, before it executes another program" between 300 "$left" 340
"$vat" profile --save kept "$program" not_copied >out 2>err
check "nobody copies where a child runs in its parent's memory" \
  between 999 "$(faults_of make_copied)" 1001
profiled "$program" threads
check "stacks of threads are somebody's" \
  [ -n "$(site bytes 'mapping allocatestack.c:[0-9]* (')$(site bytes \
    'mapping .*pthread_create')" ]

# --- accesses of sites ---------------------------------------------------------
number() { # the first number of that name
  grep -o "\"$1\":[0-9]*" profile.json | head -n 1 | cut -d: -f2
}
all_sites() { # accesses of all sites
  grep -o '"sites":.*"lines"' profile.json | grep -o '"accesses":[0-9]*' |
    cut -d: -f2 | awk '{ sum += $1 } END { print sum }'
}
profiled "$static" nothing
check "few accesses: each is looked at" \
  [ "$(number sampled)" = "$(number accesses)" ]
check "so that sites have all of them" [ "$(all_sites)" = "$(number accesses)" ]
profiled "$program" unequal
check "many: some are" [ "$(number sampled)" -lt "$(number accesses)" ]
check "of which sites' are estimated" awk "BEGIN {
  often = $(site accesses 'heap profiled.c:[0-9]* (make)')
  seldom = $(site accesses 'heap profiled.c:[0-9]* (unequal)')
  all = $(all_sites) / $(number accesses)
  exit !(often > 1750000 && often < 1850000 && seldom > 570000 &&
         seldom < 630000 && all > 0.99 && all < 1.01) }"
"$vat" profile "$program" unequal >out 2>err
check "and said to be" grep -q 'est. accesses' out
check "shares of hardly any misses are not shown" \
  grep -q '^2m: fewer than 1 miss in 100000 accesses' out
check "but dashes" awk '/^function/ { rows = 1; next } rows && !NF { exit bad }
  rows && ($4 != "-" || $6 != "-") { bad = 1 } END { exit bad || !rows }' out

# --- what waits for what -----------------------------------------------------
waiting() { # waiting PROGRAM: % of its misses in bursts
  "$vat" profile --what-if --machine "$data/what_if_machine.json" --user-time 1 --save kept -o once.txt \
    "$program" "$1" </dev/null >out 2>err
  awk '/^wait / { all++; if ($3) waits++ } END { print all ? int(100 * waits / all) : "none" }' kept
}
share=$(waiting random)
check "misses at random wait for none, but $share %" [ "$share" -le 5 ]
share=$(waiting linked)
check "what is linked waits for the one before, $share %" [ "$share" -ge 80 ]

# --- what if -----------------------------------------------------------------
cp "$data/what_if_machine.json" machine.json
what_if() { # what_if ARG...: to profile.json
  "$vat" profile --what-if --machine machine.json --json -o profile.json "$@" \
    </dev/null \
    >out 2>err
}
said_of() { # said_of KIND KEY: a number in "what_if"
  grep -o '"what_if":.*' profile.json | grep -o "\"$1\":{[^}]*" |
    grep -o "\"$2\":[-0-9.e]*" | head -n 1 | cut -d: -f2
}
check "what if: unasked, it is null" sh -c '"$0" profile --json -- "$1" compute \
  2>err | grep -q "\"what_if\": *null"' "$vat" "$program"
check "and so is a site's saving" sh -c '"$0" profile --json -- "$1" compute \
  2>err | grep -q "\"where\".*\"saving\": *null"' "$vat" "$program"
check "what if: it succeeds" what_if --runs 2 "$program" compute
check "and warns of another machine" grep -q 'another machine' err
for key in user_ratio lo hi saved_s alone_s covered; do
  check "the JSON has $key" [ -n "$(said_of 2m $key)" ]
done
check "and what the program took by itself" grep -q '"native":{"runs":2' \
  profile.json
check "and each site's saving" \
  grep -q '"saving":{"2m":{"predicted":[0-9.e-]*,"lo"' profile.json
check "the ratio lies in its interval" awk "BEGIN {
  exit !($(said_of 2m lo) <= $(said_of 2m user_ratio) &&
         $(said_of 2m user_ratio) <= $(said_of 2m hi) &&
         $(said_of 2m user_ratio) > 0 && $(said_of 2m user_ratio) <= 1) }"
check "a time that is told is taken" what_if --user-time 2.5 "$program" random
check "for what it is" grep -q '"native":{"runs":0,"user_s":2.5' profile.json
# Where Valgrind is not, whose tool has LD_PRELOAD set, the program fails.
cat >alone <<'END'
#!/bin/sh
case ${LD_PRELOAD-} in *vgpreload*) exit 0 ;; esac
echo woe >&2
[ "$1" != killed ] || kill -9 $$
exit 3
END
chmod +x alone
what_if ./alone
check "a program that fails by itself is not predicted" [ $? = 1 ]
check "its status is told, and how to fix it" \
  grep -q '^vat: .*alone by itself exited with status 3; .*woe; fix' err
what_if ./alone killed
check "nor one that is killed" [ $? = 1 ]
check "which is told, too" grep -q '^vat: .*by itself was killed by signal 9' err
check "but where its time is told" what_if --user-time 1 ./alone
what_if --user-time 2.5 "$program" random
whole=$(said_of 2m user_ratio)
check "without overlap, more is saved" what_if --user-time 2.5 --without overlap \
  --without traffic "$program" random
check "by as much as misses take one by one" awk \
  "BEGIN { exit !($(said_of 2m user_ratio) < $whole) }"
check "what was left out is said" \
  grep -q '"without": *\["overlap", *"traffic"\]' profile.json
"$vat" profile --what-if --without luck "$program" random >out 2>err
check "and what is no term" [ $? = 2 ]
check "is refused" grep -q "^vat: --without: 'luck' is not a term of what-if; " err
check "little memory saves nothing" what_if --user-time 1 "$program" nothing
check "and says so" awk "BEGIN { exit !($(said_of 2m user_ratio) > 0.9999) }"
told() { # told WORDS MACHINE SECONDS PROGRAM: by the table
  "$vat" profile --what-if --machine "$2" --user-time "$3" "$program" "$4" \
    </dev/null >table 2>err && grep -q "$1" table
}
check "which is said" told '^user time: nothing measurable (less than 2.5 %' machine.json 1 nothing
check "and nothing of system time that is not known" \
  [ "$(grep -c 'system time: .* less' table)" = 0 ]
check "the table says what its figures are" \
  grep -q 'saved  misses on memory that can be huge  *time not hidden  by translation  placement$' table
"$vat" profile --what-if --machine machine.json --runs 1 "$program" compute \
  </dev/null >out 2>err
check "system time that is saved is said with it" grep -q \
  '^user time: nothing measurable (.*); system time: [0-9.e-]* s of [0-9.e-]* s less$' out
check "but not of what gains" told ' on 2m pages: user' machine.json 5e-5 random
check "nor that its calibration is too short" [ "$(grep -c \
  '^user time: nothing\|^not to be relied\|^runs differ' table)" = 0 ]
check "the heap's allocator is named with what to set" grep -q \
  '^without changing the program: GLIBC_TUNABLES=.* (glibc)$' table
check "nor of what may gain for all that is known" told \
  '^user time: the saving is not known; it may be up to' machine.json 8e-4 random
sed 's/"repetitions": *[0-9]*/"repetitions":1/' machine.json >short.json
check "one repetition is not relied on" told \
  '^not reliable: .* 1 repetition, .*fix' short.json 1 nothing
check "nor has it an interval" [ "$(grep -c '^2m .*(unknown)' table)" = 1 ]
check "nor is it said that nothing is gained" [ "$(grep -c \
  '^user time: nothing\|^user time: the saving is not' table)" = 1 ]
check "but that it is not known" grep -q '^user time: the saving is not known' table
check "after one empty line" [ "$(grep -c '^$' table)" = \
  "$(cat -s table | grep -c '^$')" ]
"$vat" profile --what-if --machine short.json --user-time 1 --json \
  "$program" random </dev/null 2>err >out
check "of which null is said" grep -q '"user_ratio":[0-9.]*,"lo":null,"hi":null' out
check "and why" grep -q '"interval_why":"too few' out
check "and of each site" grep -q '"2m":{"predicted":[-0-9.e]*,"lo":null,"hi":null}' out
check "the counts do not change" [ "$("$vat" profile --what-if --machine \
  machine.json --user-time 1 --json "$program" random 2>err | grep -o \
  '"misses":{[^}]*}' | head -n 1)" = "$("$vat" profile --json "$program" \
  random 2>err | grep -o '"misses":{[^}]*}' | head -n 1)" ]
"$vat" profile --what-if --machine machine.json --user-time 0.02 "$program" \
  random >out 2>err
check "a table" grep -q '^2m .* %' out
check "of which a machine without pages of 1 GiB makes one row" \
  [ "$(grep -c '^1g ' out)" = 0 ]

cat >otherwise <<'END'
#!/bin/sh
case ${LD_PRELOAD-} in *vgpreload*) exit 3 ;; esac
i=0
while [ $i -lt 50000 ]; do i=$((i + 1)); done
END
chmod +x otherwise
"$vat" profile --what-if --machine machine.json --runs 1 ./otherwise </dev/null \
  >out 2>err
check "one that fails in Valgrind only is not predicted" [ $? = 1 -a ! -s out ]
check "with its status" grep -q '^vat: nothing is predicted: in Valgrind .* status 3' err

# This machine, calibrated for it: as briefly as can be.
"$vat" profile --what-if --calibrate 0.1 --runs 1 --json -o profile.json \
  "$program" compute </dev/null >out 2>err
case $? in
  0)
    check "without a machine file it calibrates" \
      grep -q '^vat: note: calibrating this machine, about 0 s, and .*--machine FILE' err
    # Once, where the kernel did not grant the second one what the first had.
    calibrations=2
    grep -q '^vat: note: the calibration before is used alone' err &&
      calibrations=1
    check "before and after its runs" \
      grep -q "\"calibrations\":$calibrations" profile.json
    check "which are of a kind with 4k pages" grep -q '"base":"given"' profile.json
    check "for the TLBs that it reports" [ "$(grep -c 'TLBs: --tlb l1=' err)" = \
      "$(grep -c '"4k":{"policy":"tlb"' profile.json)" ]
    "$vat" profile --what-if --calibrate 0.1 --user-time 1 --tc 64 --json \
      -o profile.json nproc </dev/null >out 2>err
    check "where nothing is run, once" grep -q '"calibrations":1' profile.json
    check "and not for caches other than these" grep -q '"tc_nodes":64' profile.json
    check "the program is not pinned" [ "$(cat out)" = "$(nproc)" ]
    ;;
  3) echo "SKIPPED calibrating for what if: $(tail -n 1 err)" ;;
  *) check "what if without a machine file" false ;;
esac

# --- processes that leave nothing, and other users ------------------------------
cat >ends <<'END'
#!/bin/sh
rm -f "$TMPDIR"/vat-profile-*/vat-amd64-linux # what Valgrind starts
"$@"
true
END
chmod +x ends
"$vat" profile --save kept ./ends "$program" nothing >out 2>err
check "a process that left no profile is told" \
  grep -q '^vat: note: 1 process left no profile' err
check "of those that did there is one" grep -q '^[0-9]* accesses' out
unpredicted() { # unpredicted ARG...: one line, and no verdict
  "$vat" profile --what-if --machine machine.json --user-time 1 "$@" \
    </dev/null >out 2>err
  [ $? = 1 ] && [ ! -s out ] &&
    [ "$(grep -c '^vat: nothing is predicted: 1 process left' err)" = 1 ]
}
check "but no prediction" unpredicted ./ends "$program" nothing
check "nor later" unpredicted --from kept
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" != 0 ]; then
  echo "SKIPPED programs that become another user: this is not root's"
elif chmod 711 "$work" && chmod 1777 tmp && ! $as_nobody test -x \
  "$program" -a -x "$top/experiments/valgrind" 2>err; then
  echo "SKIPPED programs that become another user: nobody cannot run $program"
else
  "$vat" profile --trace nobody.vat --json -o profile.json $as_nobody "$program" \
    random </dev/null >out 2>err
  check "a program of another user" [ $? = 0 ]
  check "is profiled" grep -q '"name":"at_random"' profile.json
  check "and traced" [ "$(wc -c <nobody.vat)" -gt 10000 ]
  check "as is its family" what_if --user-time 1 sh -c \
    "$as_nobody '$program' random; true"
  check "and it leaves nothing" [ "$(left)" = 0 ]
  mkdir -m 700 tmp/own
  # shellcheck disable=SC2086
  check "one that cannot be is not predicted" env TMPDIR="$work/tmp/own" \
    sh -c '"$@" --what-if --machine machine.json --user-time 1 sh -c \
      "$0 true; true" </dev/null >out 2>err; [ $? = 1 -a ! -s out ] &&
      grep -q "^vat: nothing is predicted: 1 process left no profile" err' \
    "$as_nobody" "$vat" profile
  rmdir tmp/own
fi

# --- kept, and looked at again -------------------------------------------------
"$vat" profile --save kept -o once.txt "$program" fork </dev/null >out 2>err
check "a profile is kept" [ -s kept ]
"$vat" profile --from kept -o again.txt >out 2>err
check "and printed again" cmp -s once.txt again.txt
"$vat" profile --from kept --json -o profile.json >out 2>err
check "with its command" grep -q '"command":\[".*profiled","fork"\]' profile.json
ln kept former
cp kept copy
tlb='l1=16x4,l2=96x12,pwc=4x2'
"$vat" profile --tlb $tlb --save kept --json -o once.json "$program" random \
  </dev/null >out 2>err
check "another is put in its place whole, not written into it" \
  cmp -s former copy
"$vat" profile --from kept --json -o again.json >out 2>err
check "with the shape of its TLBs" cmp -s once.json again.json
check "and nothing to say" [ ! -s err ]
sed "1s/,\"tlb\":\"$tlb\"//" kept >older
"$vat" profile --from older --json -o again.json >out 2>err
check "of a file without them it is null" grep -q '"policy":"tlb","tlb":null,"levels"' again.json
check "which is said" grep -q '^vat: note: older does not tell the shape' err
for wrong in '"l1=16"' '"here"' 7; do
  sed "1s/\"$tlb\"/$wrong/" kept >wrong
  "$vat" profile --from wrong >out 2>err
  check "TLBs that are none, $wrong" [ $? = 2 ]
done
again() { # again ARG...: what it says then
  "$vat" profile --from kept --what-if --machine machine.json --json \
    -o profile.json "$@" >out 2>err
}
"$vat" profile --save kept -o once.txt "$program" random </dev/null >out 2>err
what_if --user-time 1.5 "$program" random
once=$(said_of 2m user_ratio)
check "what if, later" again --user-time 1.5
check "is what it was" [ "$(said_of 2m user_ratio)" = "$once" ]
interval="$(said_of 2m lo) $(said_of 2m hi)"
check "the same calibration twice" again --machine machine.json --user-time 1.5
check "tells the same" [ "$once $interval" = \
  "$(said_of 2m user_ratio) $(said_of 2m lo) $(said_of 2m hi)" ]
check "and that there were two" grep -q '"calibrations":2' profile.json
# Walks of pages of 4 KiB: those of chases, and of reads that wait for nothing.
sed -e 's/41,37\.0,45\.0/61,57,65/g' \
  -e 's/4,4,4\],\[1073741824,5,5,5\]/8,8,8],[1073741824,10,10,10]/' \
  machine.json >dear.json
"$vat" profile --from kept --what-if --machine dear.json --user-time 1.5 \
  --json -o profile.json 2>err
dear=$(said_of 2m user_ratio)
check "dearer walks save more" awk "BEGIN { exit !($dear < $once) }"
check "and together" again --machine dear.json --user-time 1.5
check "they tell what is between, and doubt it" awk "BEGIN {
  both = $(said_of 2m user_ratio)
  exit !($dear < both && both < $once && $(said_of 2m lo) < $dear &&
         $(said_of 2m hi) > $once) }"
# Of pages as programs have them, where these were measured.
sed 's/"pages":"4k","x_unit"/"pages":"given","x_unit"/g' dear.json |
  grep -o '{"name":"[a-z]*_[a-z]*","pages":"given"[^{}]*}' | tr '\n' ',' >given
sed "s/\"curves\":\[/&$(cat given)/" machine.json >given.json
"$vat" profile --from kept --what-if --machine given.json --user-time 1.5 \
  --json -o profile.json 2>err
check "prices are of pages as programs have them" \
  [ "$(said_of 2m user_ratio)" = "$dear" ]
check "which it says" grep -q '"base":"given"' profile.json
runs() { # runs USER_S...: as vat compare -o has them
  echo '{"record":"machine"}'
  echo '{"record":"compare","command":["'"$program"'","random"],' \
    '"first_touch_s_per_gib":{"4k":{"as_found":3,"again":0.5},' \
    '"2m":{"as_found":3,"again":0.25}}}'
  for user; do
    echo '{"record":"compare_run","kind":"4k","counts":true,"user_s":'"$user"',' \
      '"sys_s":0.5,"minor_faults":1000}'
  done
  echo '{"record":"compare_run","kind":"thp","counts":true,"user_s":7}'
  echo '{"record":"compare_run","kind":"4k","counts":false,"user_s":9}'
}
runs 1.5 1.25 1.75 1.375 2 8 >runs.jsonl
check "by the runs of a comparison" again --timed runs.jsonl
native() {
  grep -o '"native":{[^}]*' profile.json | grep -o "\"$1\":[0-9.]*" | cut -d: -f2
}
check "which are those on base pages" [ "$(native runs)" = 6 ]
check "in the median" [ "$(native user_s)" = 1.625 ]
check "without a sixth on either side" \
  [ "$(native user_s_least) $(native user_s_most)" = '1.375 2.0' ]
check "and what the first touch took" grep -q '"first_touch_2m_s_per_gib":0.25' \
  profile.json
runs 5e-5 1e-5 9e-5 4e-5 6e-5 >noisy.jsonl
"$vat" profile --from kept --what-if --machine machine.json --timed noisy.jsonl >table 2>err
check "what is saved, but lies within what runs differ by" grep -q ' on 2m pages: user time falls' table
check "is called so" grep -q '^the interval contains 1, .*vat compare measures' table
refused_again() { # refused_again WORDS ARG...
  words=$1
  shift
  "$vat" profile --from kept "$@" >out 2>err
  [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q -e "$words" err
}
refused_of() { # refused_of RUNS WORDS: another machine is warned of, too
  again --timed "$1"
  [ $? = 2 ] && grep -q "$2.*fix" err
}
check "nothing is run for it" refused_again '--from runs nothing' --what-if \
  --machine machine.json
check "nor can other caches be asked for" refused_again '--tc and --from exclude each other' --tc 64
check "nor a program" refused_again 'and a program .* exclude each other' "$program"
runs 1.5 | sed 's/"random"/"matrix"/' >others.jsonl
check "runs of another command" refused_of others.jsonl 'of another command'
runs >none.jsonl
check "or no runs" refused_of none.jsonl 'no run on 4k'
(runs 1.5 && printf '{"record":"compare_') >cut.jsonl
check "one that was cut short" again --timed cut.jsonl
check "is left out, and that is said" grep -q 'half line' err
runs 1.5 | sed 's/"sys_s":0.5/&\x00/' >nul.jsonl
again --timed nul.jsonl
check "one with a NUL byte is damaged" [ $? = 2 ]
check "which is said" grep -q '^vat: nul.jsonl:3: not JSON: a NUL byte' err
compared() { # compared KIND USER_RATIO CI
  echo '{"command":["'"$program"'","random"],"pages":[{"kind":"4k"},' \
    '{"kind":"'"$1"'","user_ratio":'"$2"',"user_ci":'"$3"'}]}'
}
again --timed runs.jsonl
told=$(said_of 2m user_ratio)
compared thp 0.5 '[0.499,0.501]' >compared.json
check "by what was measured" again --timed runs.jsonl --measured compared.json
check "most of all, if that is known well" awk "BEGIN {
  ratio = $(said_of 2m user_ratio)
  exit !($told > 0.51 && ratio > 0.499 && ratio < ($told + 0.5) / 2) }"
check "which is told" grep -q '"corrected_by":{"user_ratio":0.5,' profile.json
"$vat" profile --from kept --what-if --machine machine.json --timed runs.jsonl \
  --measured compared.json >table 2>err
check "to people, too" grep -q \
  '^2m pages were measured at 0.500 \[0.499, 0.501\] and predicted at 1.000$' table
measured() { # measured WORDS: another machine is warned of, too
  again --timed runs.jsonl --measured compared.json
  [ $? = 2 ] && grep -q -e "$1" err
}
compared thp 0.5 null >compared.json
check "what has no interval is refused" measured 'too few rounds.*fix'
compared 64k 0.5 '[0.4,0.6]' >compared.json
check "and what has no larger pages" measured 'has no larger pages; fix'
compared thp 0.5 '[0.4,0.6]' | sed 's/"random"/"matrix"/' >compared.json
check "and what is of another command" measured 'of another command; fix'
compared thp 0.5 '[0.4,0.6]' | head -c 90 >compared.json
check "and what was cut short" measured 'compared.json:1'
cp machine.json compared.json
check "and what is something else" measured 'a calibration of vat calibrate'
head -c 3000 kept >kept_cut
"$vat" profile --from kept_cut >out 2>err
check "half a profile is none" [ $? = 2 ]
check "and that is said" grep -q 'kept_cut: is cut short' err
"$vat" profile --from machine.json >out 2>err
check "nor what is something else" grep -q 'not a profile of vat profile --save' err

# --- beside what was measured ------------------------------------------------
pair() { # pair PREDICTED LO HI MEASURED LO HI
  echo '{"what_if":{"2m":{"user_ratio":'$1',"lo":'$2',"hi":'$3'}}}' >p$4.json
  echo '{"command":["/bin/a","<b>"],"pages":[{"kind":"4k","user_s":2},' \
    '{"kind":"thp","user_ratio":'$4',"user_ci":['$5','$6']}]}' >c$4.json
}
pair 0.9 0.8 1.0 0.95 0.9 1.0
pair 0.7 0.6 0.8 0.6 0.5 0.7
pair 0.7 0.6 0.8 0.85 0.8 0.9
pair 0.75 null null 0.65 0.6 0.7
"$vat" report -o page --profiled p0.95.json --compared c0.95.json \
  --profiled p0.6.json --compared c0.6.json \
  --profiled p0.85.json --compared c0.85.json \
  --profiled p0.65.json --compared c0.65.json >out 2>err
check "a table of predicted and measured" [ $? = 0 ]
check "in words" grep -q 'differ by 0.100 in the median and by 0.150 at most; 2 of 3' out
check "and on a page" grep -q '<td>0.850</td>' page/what-if.html
check "one has no interval" grep -q '<td>0.750</td><td>-</td>.*<td>-</td>' \
  page/what-if.html
check "nor in words" grep -q ' 0.750 *- .* 0.650 .* -$' out
"$vat" report --json --profiled p0.65.json --compared c0.65.json \
  --profiled p0.6.json --compared c0.6.json >out 2>err
check "and as JSON" [ "$(grep -c '"inside":null\|"measured":0.6,.*"inside":true' \
  out)" = 2 ]
check "where names stay text" grep -q 'a &lt;b&gt;' page/what-if.html
long=$(printf '%0156d\303\251' 0) # cut within its last character
sed "s/<b>/$long/" c0.6.json >long.json
"$vat" report --json --profiled p0.6.json --compared long.json >out 2>err
check "a name is cut between characters" [ $? = 0 ]
check "and is there" grep -q '^{"program":"a 0*","user_s":2' out
unpaired() { # unpaired WORDS ARG...
  words=$1
  shift
  "$vat" report -o page "$@" >out 2>err
  [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q "$words" err
}
check "a profile alone" unpaired 'profiled and --compared come in pairs' --profiled p0.6.json
check "one without a prediction" unpaired 'vat profile --what-if' \
  --profiled c0.6.json --compared c0.6.json
check "and a comparison without user times" unpaired 'vat compare' \
  --profiled p0.6.json --compared p0.6.json

# --- what goes wrong ---------------------------------------------------------
refused() { # refused STATUS WORDS ARG...: one line that says so
  status=$1 words=$2
  shift 2
  "$vat" profile "$@" >out 2>err
  [ $? = "$status" ] && [ "$(wc -l <err)" = 1 ] && grep -q "$words" err
}
check "no program" refused 2 'name a program: vat profile'
check "a folder that is not there" refused 2 '^vat: none/s: cannot be wr.*fix: mkdir -p none$' \
  --save none/s "$program"
check "a folder for a file, before it runs" \
  refused 2 '^vat: \.: cannot be written: Is a dir.*fix' -o . "$program"
check "no such program" refused 2 'not found along PATH$' no-such-program
check "no such file" refused 2 'No such file' ./no-such-program
cp "$program" here
check "a file of this folder that PATH has not" \
  refused 2 '^vat: here: not found along PATH; fix: .*write \./ before' here
echo data >data
check "a source file" refused 2 'neither .* name the compiled program' ./data
printf '#!/bin/sh\n' >unmarked
check "not executable" refused 2 'chmod +x ./unmarked' ./unmarked
chmod +x data
check "no program at all" refused 2 'neither' ./data
cp "$program" privileged && chmod u+s privileged
check "with others' rights" refused 2 'rights' ./privileged
printf '\177ELF\001\001\001%013d\002\000\003\000' 0 >old && chmod +x old
check "32 bits" refused 2 '32-bit' ./old
check "wrong pages" refused 2 'a list of up to 4 of 4k' --pages 2m,4k "$program"
check "no such policy" refused 2 'islru or lru' --policy fifo "$program"
check "no such TLB" refused 2 'power of two' --tlb l1=12x4 "$program"
check "a TLB that is too large" refused 2 'at most 1048576' \
  --tlb l1=16777216x1 "$program"
check "nodes of a TLB" refused 2 'exclude each other' \
  --tlb l1=64x4 --tc 64 "$program"
check "no first level" refused 2 'a shape such as l1=' --tlb l2=64x4 "$program"
check "no such allocator" refused 2 'FUNCTION=LIKE' \
  --allocator pool_get=pool "$program"
check "an allocator without a name" refused 2 'FUNCTION=LIKE' \
  --allocator =malloc "$program"
check "one allocator that is like two" refused 2 'exclude each other' \
  --allocator pool_get=malloc --allocator pool_get=free "$program"
check "few nodes" refused 2 'tc' --tc 2 "$program"
check "it takes a machine file or calibrates" refused 2 'exclude each other' --what-if \
  --machine machine.json --calibrate 1 "$program"
check "a machine that is not there" \
  refused 2 no.json --what-if --machine no.json "$program"
head -c 1000 machine.json >cut.json
check "one that is cut" \
  refused 2 cut.json --what-if --machine cut.json "$program"
sed 's/"schema":1,"machine"/"schema":9,"machine"/' machine.json >schema.json
check "of another schema" \
  refused 2 schema.json --what-if --machine schema.json "$program"
check "without chases" refused 2 'no chases on base pages; fix: vat calibrate' \
  --what-if --machine "$data/validate_machine.json" "$program"
check "a machine without what if" \
  refused 2 'without --what-if' --machine machine.json "$program"
check "no time" refused 2 'not a number from' --what-if --machine machine.json \
  --user-time 0 "$program"
check "no base pages to compare with" refused 2 'which is missing' --what-if \
  --machine machine.json --pages 2m "$program"
check "nor runs to measure its time in" refused 2 'without --what-if' --runs 7 \
  "$program"
check "nor when its time was told" refused 2 'exclude each other' --what-if \
  --machine machine.json --user-time 1 --runs 7 "$program"
check "two outputs in one file" refused 2 'are one file' -o one --trace=one \
  "$program"
check "whatever it is called" refused 2 'are one file' -o ./machine.json \
  --what-if --machine machine.json "$program"
printf '#!/no/such/interpreter\n' >script_of_none && chmod +x script_of_none
check "an interpreter that is not there" refused 2 \
  'interpreter /no/such/interpreter: .*fix' ./script_of_none
sed 's|/lib64/ld-linux-x86-64|/lib64/ld-nobody-x86-64|' "$program" >unloaded &&
  chmod +x unloaded
check "nor a loader" refused 2 'its loader /lib64/ld-nobody' ./unloaded
full() { # a TMPDIR without room
  unshare -rm sh -c "mount -t tmpfs -o size=24k none small &&
    TMPDIR=small '$vat' profile '$program' sort >out 2>err"
  [ $? = 2 ] && grep -q 'no room.*fix: set TMPDIR' err
}
mkdir small
if unshare -rm mount -t tmpfs none small 2>err; then
  check "no room for the profile" full
else
  echo "SKIPPED no room for the profile: $(cat err)"
fi
piped() { # a program that reads what comes but once
  echo 1 | "$vat" profile --what-if --machine machine.json "$program" random \
    >out 2>err
  [ $? = 2 ] && grep -q 'read only once.*fix' err
}
check "a pipe for standard input" piped
"$vat" profile "$program" status_3 >out 2>err
check "a program that fails is told" [ $? = 1 ]
check "with its status" grep -q 'status 3' err
check "and profiled" grep -q '^scan' out
"$vat" profile "$program" crash >out 2>err
check "a program that crashes is told" [ $? = 1 ]
check "with the signal" grep -q 'signal 11' err
check "and profiled" grep -q '^scan' out

"$vat" profile --save kept.raw "$program" list "$(printf '\377')" >out 2>err
check "what cannot be saved is not run for it" [ $? = 2 -a ! -s out ]
check "and how to fix it is said" grep -q '^vat: --save kept.raw: .*no UTF-8; fix: ' err
cp "$program" "$(printf 'esc\033[31m')"
"$vat" profile -- ./"$(printf 'esc\033[31m')" nothing >out 2>err
check "a file's name does not steer the terminal" [ $? = 0 -a "$(tr -d '\n -~' <out | wc -c)" = 0 ]
check "but is told" grep -q 'file .*/esc?\[31m' out
"$vat" profile "$program" list >/dev/full 2>err
check "what does not fit on the standard output is no success" [ $? = 2 ]
(trap '' CHLD && timeout 60 "$vat" profile "$program" list >out 2>err)
check "who ignores children is profiled, too" [ $? = 0 ]

interrupted() { # by signal $1, to the command or all of its $2: group; program
  : >out # begun by the shell beside this one, which may be late
  rm -f profile.json
  setsid "$vat" profile --json -o profile.json ${3:-"$program" forever} >out 2>err &
  child=$!
  tries=0
  until grep -q here out || [ $tries = 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -s "$1" -- ${2:+-}$child
  tries=0
  while grep -qs '^State:.[^Z]' /proc/$child/status && [ $tries -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -s KILL $child # one that did not hear is not waited for forever
  wait $child
  [ $? = 1 ] && grep -q 'signal' err && grep -q '"accesses":[1-9]' profile.json &&
    { [ -n "${3-}" ] || grep -q '"name":"forever"' profile.json; }
}
check "interrupted: the profile so far" interrupted TERM
check "also with all of its process group" interrupted TERM group
"$vat" profile "$program" traced >out 2>err
check "one that has its parent trace it goes on" [ $? = 0 ]
check "and is profiled" grep -q '^scan' out
printf '#!/bin/sh\necho here\nkill -STOP $$\n' >stopped
chmod +x stopped
check "one that stopped itself hears what ends it" interrupted TERM '' ./stopped
# One that signals its group does not interrupt vat, which is in it.
printf '#!/bin/sh\ntrap "" TERM\nkill 0\nsleep .1\necho through\n' >own_group
chmod +x own_group
setsid -w "$vat" profile -o group.txt ./own_group >out 2>err
check "a program may signal its group" [ $? = 0 ]
check "and goes on" grep -q '^through' out
check "and no process is left" [ -z "$(processes "$program" forever)" ]
check "nothing is left behind" [ "$(left)" = 0 ]

printf '#!/bin/sh\nsetsid sleep %s &\necho here\nsleep %s\n' 7133$$ 7133$$ >family
chmod +x family
sleepers() { processes 7133$$; } # no other process sleeps as long
killed() { # killed WHO: the command, also one that ignores what interrupts, or
  # what watches the program for it
  : >out
  (
    [ "$1" != deaf ] || trap '' TERM INT HUP
    exec "$vat" profile -o profile.txt ./family >out 2>&1
  ) &
  child=$!
  tries=0
  until grep -q here out && [ "$(sleepers | wc -l)" -ge 2 ] ||
    [ $tries = 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  [ $tries -lt 200 ] || return 1 # it never ran
  victim=$child
  [ "$1" != watch ] || victim=$(children_of $child)
  # shellcheck disable=SC2086
  kill -KILL $victim
  wait $child 2>/dev/null
  tries=0
  while [ "$(left)" != 0 ] && [ $tries -lt 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  [ "$(left)" = 0 ] && ! sleepers >err
}
check "killed: its program goes with it, and what that started" killed command
check "also where all that interrupts is ignored" killed deaf
check "so it does if what watches is killed" killed watch

echo "test_profile: $passed passed, $failed failed"
[ "$failed" = 0 ]
