#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a profile to a plan, to a run that has what the plan chooses and nothing
# else, to a measurement and a page about it.
src=$(cd "${0%/*}" && pwd)
. "${0%/*}/checks.sh"
alone_with_the_pools
cc=${CC:-cc}
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES

field() { # field KIND KEY: a number of that row of vat compare --json
  sed "s/.*\"kind\":\"$1\"//" out | grep -o "\"$2\":[0-9.e+-]*" | head -n 1 |
    cut -d: -f2
}

# plan BYTES LEAST WHAT: a plan by rule.
plan() {
  cat <<JSON
{"record":"page-plan","schema":1,"command":["./maps"],"pages":"thp",
 "objects":[],"budget_bytes":null,"used_bytes":$1,
 "predicted":{"user_ratio":0.9,"lo":0.8,"hi":1.0},
 "everything":{"user_ratio":0.8,"lo":0.7,"hi":0.9,"bytes":100663296},
 "harm":{"peak_rss_bytes":[1e8,1e8],"zeroed_bytes":0,"faults_saved":8000},
 "choices":[{"where":"<b>mappings","kind":"mapping","what":"$3","bytes":$1,
  "saving_s":0.1,"lo":0,"hi":0.2,"least_bytes":$2,"chains":[],
  "madvise":null}],
 "curve":[[0,1],[$1,0.9]],"optimum_saving_s":0.1,"verdict":null,
 "ways":[{"name":"systemd","text":"MemoryTHP=madvise"}]}
JSON
}

cat >maps.c <<'C'
#include <string.h>
#include <sys/mman.h>
/* 64 and 32 MiB. */
static unsigned char *map(unsigned long bytes) {
  unsigned char *at = mmap(0, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(at, 1, bytes);
  return at;
}
int main(void) {
  unsigned long sum = 0;
  unsigned char *large = map(64 << 20), *small = map(32 << 20);
  for (unsigned long i = 0, x = 1; i < 1 << 20; i++) {
    x = x * 6364136223846793005 + 1442695040888963407;
    sum += large[(x >> 33) % (64 << 20)] + small[i % (32 << 20)];
  }
  return sum == 0;
}
C
$cc -O1 -o maps maps.c || { echo "FAILED: the program"; exit 1; }
cat >gone.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* 64 MiB of malloc() that go, then 32 MiB that are mapped, and go as well. */
int main(void) {
  void *volatile before = malloc(64 << 20);
  memset(before, 1, 64 << 20);
  usleep(300000);
  free(before);
  unsigned char *at = mmap(0, 32 << 20, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(at, 1, 32 << 20);
  usleep(1500000);
  return munmap(at, 32 << 20);
}
C
$cc -O1 -o gone gone.c || { echo "FAILED: the program"; exit 1; }

# --- a plan beside the page kinds --------------------------------------------------
plan 67108864 50000000 mappings >large.json
plan 33554432 1048576 mappings >all.json
thp=$(sed 's/.*\[\(.*\)\].*/\1/' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)
if [ "$thp" = madvise ]; then
  "$vat" compare --runs 3 --plan large.json --json -- ./maps >out 2>err
  check "a plan is an arm" [ $? = 0 ]
  check "what it chooses is granted" between 0.95 "$(field plan share)" 1
  check "and nothing else" between 60e6 "$(field plan 2m)" 70e6
  check "thp is beside it" between 90e6 "$(field thp 2m)" 110e6
  cp out compared.json
  sed 's#./maps#./gone#' all.json >gone.json
  "$vat" compare --runs 1 --plan gone.json --json -- ./gone >out 2>err
  check "what is chosen may come after the peak, and go" between 0.95 "$(field plan share)" 1
  "$vat" report --plan large.json --compared compared.json -o report >out 2>err
  check "a plan is reported" [ $? = 0 ]
  check "with its measurement" [ "$(grep -c '^plan .*0\.900' out)" = 1 ]
  check "as a page" says 'user time falls by 10 %' report/plans.html
  check "that shows markup as text" says '&lt;b&gt;mappings' report/plans.html
  "$vat" compare --runs 1 --plan large.json --plan all.json --json -- ./maps \
    >out 2>err
  check "plans have the names of their files" \
    [ "$(grep -o '"kind":"[la][la][rl][a-z]*"' out | sort -u | wc -l)" = 2 ]
  "$vat" report --plan all.json --plan large.json --compared out -o report --json \
    >rows 2>err
  check "rows are by their bytes" \
    [ "$(grep -o '"plan":"[a-z]*"' rows | tr -d '\n')" = '"plan":"now""plan":"all""plan":"large""plan":"everything"' ]
else
  echo "SKIPPED plans measured: transparent huge pages are '$thp', not madvise"
fi
cp large.json plan.json && mkdir other && cp all.json other/large.json
check "two of one name are refused" \
  refused 2 compare --plan large.json --plan other/large.json -- ./maps
check "which says what to do" says 'rename the file'
check "as is one that takes the name of a page kind" \
  sh -c 'cp large.json thp.json; "$0" compare --plan thp.json --plan all.json -- ./maps 2>err; [ $? = 2 ]' "$vat"
sed 's/"pages":"thp"/"pages":"4k"/' large.json >base.json
check "a plan for base pages is refused" refused 2 compare --plan base.json -- ./maps
sed 's/"choices":\[.*/"choices":[],/; /^  "saving_s"/d; /^  "madvise"/d' large.json >none.json
check "a plan without choices is refused" refused 2 compare --plan none.json -- ./maps
check "which says so" says 'nothing is chosen'
echo '{"record":"calibration","schema":1}' >cal.json
check "a calibration is no plan" refused 2 compare --plan cal.json -- ./maps
check "which says what it is" says 'a calibration'
check "plans and settings are refused together" \
  refused 2 compare --plan large.json --arm a=true --arm b=true
check "a missing plan is refused" refused 2 report --plan nowhere.json -o r
echo '{"pages":[],"means":"","command":[]}' >empty.json
check "a comparison without the plans is refused" \
  refused 2 report --plan large.json --compared empty.json -o r
check "which says how to make one" says 'compare --plan'
sed 's/"\.\/maps"/".\/others"/' all.json >strange.json
check "plans of two programs are refused" \
  refused 2 report --plan large.json --plan strange.json -o r
check "plans and results are refused together" \
  refused 2 report --plan large.json results.jsonl -o r
check "nothing was written for those" [ ! -e r ]

# --- the whole way ------------------------------------------------------------------
cat >tables.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MIB = 1 << 20, HOT = 48, COLD = 96 };
static __attribute__((noinline)) unsigned char *make_cold(void) {
  unsigned char *at = malloc(COLD * MIB);
  memset(at, 1, COLD * MIB);
  return at;
}
static __attribute__((noinline)) unsigned char *make_hot(void) {
  unsigned char *at = malloc(HOT * MIB);
  memset(at, 2, HOT * MIB);
  return at;
}
static void granted(const char *name, unsigned char *at) {
  char line[4096];
  size_t start, end, kib;
  int inside = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, smaps))
    if (sscanf(line, "%zx-%zx ", &start, &end) == 2)
      inside = (size_t)at >= start && (size_t)at < end;
    else if (inside && sscanf(line, "AnonHugePages: %zu", &kib) == 1)
      printf("%s %zu\n", name, kib / 1024);
  fclose(smaps);
}
int main(void) {
  unsigned char *cold = make_cold(), *hot = make_hot();
  unsigned long sum = 0, x = 1;
  for (int i = 0; i < 3000000; i++) {
    x = x * 6364136223846793005 + 1442695040888963407;
    sum += x += hot[(x >> 33) % (HOT * MIB)];
    sum += cold[i % (COLD * MIB)];
  }
  printf("sum %lu\n", sum);
  granted("hot", hot);
  granted("cold", cold);
  return 0;
}
C
$cc -g -O1 -o tables tables.c || { echo "FAILED: the program"; exit 1; }
"$vat" profile --what-if --machine "$src/what_if_machine.json" --user-time 1 \
  --save tables.profile -- ./tables >out 2>err
code=$?
if [ $code != 3 ] && [ "$thp" = madvise ]; then
  check "the program is profiled" [ $code = 0 ]
  "$vat" plan --from tables.profile --budget 60M -o tables.json --json >out 2>err
  check "a plan is made" [ $? = 0 ]
  check "of the hot table first" \
    says '"choices":\[{"where":"heap tables.c:[0-9]* (make_hot)'  out
  cp out plan.out
  check "within the budget" \
    between 48e6 "$(grep -o '"used_bytes":[0-9]*' plan.out | cut -d: -f2)" 63e6
  "$vat" exec --plan tables.json --report exec.json -- ./tables >out 2>err
  check "it is carried out" [ $? = 0 ]
  check "by the program's own smaps" [ "$(sed -n 's/^hot //p' out)" -ge 46 ]
  check "and nothing else" [ "$(sed -n 's/^cold //p' out)" = 0 ]
  "$vat" compare --runs 1 --layouts 3 --from tables.profile --json -- ./tables >layouts.json 2>err
  check "layouts are drawn of it" [ $? = 0 ]
  check "each with what is predicted" \
    [ "$(grep -o '"kind":"[a-z]*-[0-9]*"' layouts.json | wc -l)" = "$(grep -o '"walks":{"misses"' layouts.json | wc -l)" ]
  check "of several kinds" grep -q '"kind":"lot-1"\|"kind":"rest-1"' layouts.json
  "$vat" validate --mosaics layouts.json >out 2>err
  check "models are compared on them" [ $? = 0 ]
  check "those of the literature" says '^Basu et al. 2013 ' out
  check "few runs are not scored" says '^[0-9]* of [0-9]* had too few runs' out
  check "with the prediction" says '^vat  ' out
  "$vat" report --mosaic layouts.json -o mosaics >out 2>err
  check "and as a page" says '<h1>Layouts: told and measured' mosaics/mosaics.html
  check "which has all of them" [ "$(grep -c 'budget-\|lot-\|rest-' mosaics/mosaics.html)" = \
    "$(grep -o '"kind":"[a-z]*-[0-9]*"' layouts.json | wc -l)" ]
  check "not beside results" refused 2 report --mosaic layouts.json results.jsonl -o mosaics
  check "no layout without a profile" refused 2 compare --layouts 3 -- ./tables
  check "nor of another program" refused 2 compare --layouts 2 --from tables.profile -- ./maps
  check "a comparison without plans is no mosaic" refused 2 validate --mosaics empty.json
  check "and no calibration is asked for" says 'no plan that was measured'
else
  echo "SKIPPED from a profile to a run: $(sed 's/^vat: //; q' err)"
fi

echo "test_plan: $passed passed, $failed failed"
[ "$failed" = 0 ]
