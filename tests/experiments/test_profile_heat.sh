#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat profile` from outside: what each 2 MiB of a site's memory misses, by
# programs whose misses are known, and the return addresses of allocations, by
# addr2line.
top=$PWD
. "${0%/*}/checks.sh"
program=$top/tests/experiments/heated
static=$top/tests/experiments/heated_static
with_new=$top/tests/experiments/heated_new

"$vat" profile --json true >out 2>err
[ $? != 3 ] || {
  echo "SKIPPED test_profile_heat: $(cat err)"
  exit 77
}

# With so few nodes, each turn of a sweep misses each page.
kept() { # kept PROGRAM ARG: to kept, profile.txt and out
  "$vat" profile --policy lru --tc 40 --save kept -o profile.txt "$@" \
    >out 2>err
}

# What is known of a site, of what the tool left, is below "site" and its
# callers; "object" and "function" hold until others are told.
walk='
  /^object/ { object = substr($0, 8) }
  /^function/ { function_ = substr($0, 10) }
  /^vat-profile/ { process++; trees = 0 }
  /^tree / { layers[trees++] = $3 }
  /^site / { kind = $2; callers = 0; inner = "" }
  /^caller / { if (!callers++) inner = function_ }'

# units KIND FUNCTION: BLOCK UNIT PAGES MISSES of sites of this kind whose
# innermost caller is FUNCTION; it may be empty.
units() {
  awk -v want="$1 $2" "$walk"'
    /^heat [0-9]/ && kind " " inner == want { print $2, $3, $4, $5 }' kept
}
blocks() { # of these: MISSES of each block
  units "$@" | awk '{ misses[$1] += $4 }
    END { for (b in misses) print b, misses[b] }' | sort -n | tr '\n' ';'
}
sizes() { # SMALLEST LARGEST LARGE LARGE_PEAK
  awk -v want="$1 $2" "$walk"'
    /^sizes / && kind " " inner == want { print $2, $3, $4, $5 }' kept
}

faults() { # of all blocks, and of large ones
  awk -v want="$1 $2" "$walk"'
    /^faulted / && kind " " inner == want { print $2, $3 }' kept
}

alone() { # what glibc maps: large blocks, and bytes of smaller ones
  awk -v want="$1 $2" "$walk"'
    /^faulted / && kind " " inner == want { print $4, $5 }' kept
}

# All that is missed of heaps and mappings is in some unit, so are its pages.
adds_up() {
  awk "$walk"'
    function settle() {
      if (known && (missed != 0 || pages != 0)) {
        print kind, inner ": left", missed, pages
        bad = 1
      }
      known = missed = pages = 0
    }
    /^(site|context) / { settle() }
    /^site (heap|mapping|break) / {
      known = 1
      pages = $6
      for (i = 1; i <= layers[0]; i++) missed += $(6 + trees + i)
    }
    /^heat [0-9]/ { pages -= $4; missed -= $5 }
    END { exit bad }' kept >err
}

# --- heat --------------------------------------------------------------------
kept "$program" eighth
check "an eighth is hot: it succeeds" [ $? = 0 ]
aligned=$(sed -n 's/^aligned \([0-9]*\) .*/\1/p' out)
hot=$(sed -n 's/.* hot \([0-9]*\)$/\1/p' out)
awk -v first="$aligned" -v hot="$hot" 'BEGIN {
  for (u = first; u < first + 31; u++)
    print 0, u, 512, (u >= hot && u < hot + 4 ? 81 * 512 : 512) }' >expected
units heap make >said
check "units say so to the miss" cmp -s expected said
check "and the table" \
  grep -q '^ *90 % of its leaf misses on 4k in 8 of 64 MiB$' profile.txt
check "of that site alone" [ "$(grep -c ' of its leaf misses ' profile.txt)" = 1 ]
check "misses and pages add up" adds_up
"$vat" profile --from kept --json -o profile.json 2>err
check "the JSON has the hottest first" grep -q \
  "\"units\":31,\"heat\":\[{\"block\":0,\"unit\":$hot,\"pages\":512,\"misses\":{\"4k\":41472,\"2m\":1}}" \
  profile.json
check "and no more than 16 of a site" [ "$(grep -o '"units":31,"heat":\[[^]]*' \
  profile.json | grep -o '"block"' | wc -l)" = 16 ]
check "and sizes of blocks" grep -q \
  '"smallest_block":67108864,"largest_block":67108864,"large_blocks":1,"large_bytes":67108864,"chains":1,' \
  profile.json

kept "$program" blocks
check "blocks have numbers, and those that are free are given again" \
  [ "$(blocks heap make)" = "0 4093;1 4094;" ]
check "their sizes, and what lives at once" \
  [ "$(sizes heap make)" = "4194304 8388608 3 14680064" ]
check "blocks: misses and pages add up" adds_up
kept "$program" grown
check "a block that grows elsewhere is one" [ "$(blocks heap grown)" = "0 7165;" ]
check "no longer where it was" [ "$(sizes heap grown)" = "4194304 16777216 3 16777216" ]
check "grown: misses and pages add up" adds_up
kept "$program" moved
check "mappings can be moved" [ $? = 0 ]
check "what is moved stays who mapped it's" [ "$(blocks mapping map)" = "0 6144;" ]
check "what comes with it is who moved it's" [ "$(blocks mapping moved)" = "0 6144;" ]
check "and is unmapped again" \
  [ "$(sizes mapping map)" = "1048576 4194304 3 4194304" ]
check "moved: misses and pages add up" adds_up
check "pages move without a fault" \
  [ "$(faults mapping map);$(faults mapping moved)" = "3072 3072;6144 6144" ]
kept "$program" renewed
check "what is mapped or given back is faulted in again" \
  [ "$(faults mapping map)" = "6048 5888" ]
check "renewed: misses and pages add up" adds_up
# Pages are looked at again by a TLB with little room.
"$vat" profile --tlb l1=16x4,l2=32x4,pwc=32x4 --save kept -o profile.txt \
  "$program" first_read >out 2>err
check "pages that are read before they are written" [ "$(
  awk -v want='mapping map' "$walk"'
    /^faulted / && kind " " inner == want { n += $2; read_ += $7 }
    END { print n, read_ }' kept)" = "1520 768" ]
check "first_read: misses and pages add up" adds_up
kept "$program" alone
check "blocks that glibc maps by themselves are seen" \
  [ "$(alone heap make)" = "2 1048576" ]
check "one that grows is one" [ "$(alone heap alone)" = "0 1835008" ]
kept "$program" thread
check "of a thread's heap, the first 2 MiB" [ "$(awk '
  /^faulted / { count += $6 } END { print count }' kept)" = 512 ]
head -c 65536 /dev/zero >read_only
kept "$program" file
check "of a file that cannot be written, the kernel maps 64 KiB at once" \
  between 1 "$(awk '/^site / { it = 0 } /^name .*\/read_only$/ { it = 1 }
  /^faulted / && it { print $2 }' kept)" 2
kept "$program" forked
check "a child begins with nothing" [ "$(awk "$walk"'
  /^heat 0/ && inner == "make" { misses[process] += $5 }
  END { for (p in misses) print misses[p] }' kept | sort -n | tr '\n' ' ')" = \
  "2555 6141 " ]
check "forked: misses and pages add up" adds_up
kept "$program" nodes
check "small blocks go by the unit" [ "$(units heap make | cut -d' ' -f1 |
  sort -u)" = 1024 ]
check "small: misses and pages add up" adds_up
kept "$program" statics
check "static data do, too, from where they begin" [ "$(units break '' | awk '
  $3 == 512 && $4 == 1024 { whole++ }
  $2 == 0 { first++ }
  END { print (whole >= 3), first }')" = "1 1" ]
check "statics: misses and pages add up" adds_up

# --- chains ------------------------------------------------------------------
# chains: of heap sites, a line each: the callers, "=", the frames in PROGRAM.
chains() {
  awk -v program="$1" "$walk"'
    function settle() {
      if (frames != "") print at, "=", frames
      frames = ""
    }
    /^(site|context) / { settle(); at = "" }
    /^file / { file = $2; sub(".*/", "", file) }
    kind != "heap" { next }
    /^caller / { at = at " " function_ ":" file ":" $2 }
    /^frame 0 / { settle() }
    /^frame / { frames = frames " " (object == program ? $3 : "elsewhere") }' kept
}
# agree PROGRAM: its frames are where the callers say, inlined ones too.
agree() {
  chains "$1" | grep -v ':0 ' >chains # no line is known
  [ -s chains ] || return 1
  while read -r chain; do
    frames=${chain#*= }
    for frame in $frames; do
      [ "$frame" != elsewhere ] || break # behind main, the C library
      # The call is before the address that it returns to.
      addr2line -fie "$1" "$(printf %x $((0x$frame - 1)))" |
        sed 's| (discriminator.*||' | paste -d: - - | sed 's|:.*/|:|'
    done | tr '\n' ' ' >said
    case "$(cat said)" in
      "${chain%% =*} "*) ;;
      *)
        echo "$chain: addr2line: $(cat said)" >err
        return 1
        ;;
    esac
  done <chains
}
if command -v addr2line >/dev/null; then
  for name in blocks wraps nodes; do
    kept "$program" $name
    check "$name: return addresses are where callers are" agree "$program"
    kept "$static" $name
    check "$name: of a program that is not PIE, too" agree "$static"
  done
else
  echo "SKIPPED addr2line is missing; fix: apt-get install binutils"
fi
kept "$program" wraps
first_frames() { # of heap sites of PROGRAM
  chains "$1" | sed 's/.*= //; s/ .*//' | sort
}
first_frames "$program" >frames
check "what wraps allocators has no frames" sh -c '[ -s frames ] &&
  ! grep -q ^elsewhere frames'
cp "$program" stripped && strip stripped 2>/dev/null
kept ./stripped wraps
first_frames "$work/stripped" >frames_stripped
check "a stripped program has the same" cmp -s frames frames_stripped
kept "$with_new"
chains "$with_new" | grep ' one[:(]' >chains
check "who calls operator new allocates" [ "$(wc -l <chains)" = 1 ]
check "and operator new has no frame" sh -c '! grep -q "= elsewhere" chains'
chains "$with_new" | grep -v ' one[:(]' | grep ' main:' >chains
check "nor where a container calls it" \
  [ "$(grep -c '= [0-9a-f]* ' chains)$(grep -c '= elsewhere' chains)" = 10 ]
"$vat" profile --json -o profile.json "$with_new" 2>err
check "placement new allocates nothing" [ "$(tr '{' '\n' <profile.json |
  grep -c '"allocated":1048576,')" = 0 ]
check "nor does placement delete free" [ "$(tr '{' '\n' <profile.json |
  grep -A1 '"allocated":3145728,' |
  sed -n 's/.*"accesses":\([0-9]*\).*/\1/p')" -ge $((3145728 + 1048576 + 49152)) ]
"$vat" profile --json -o profile.json "$program" arenas 2>err
check "an allocator's arenas are one site's, whoever needed them" \
  [ "$(grep -o '"where":"mapping heated.c:[^"]*' profile.json |
    sed 's/.*"//; s/heated.c:[0-9]* //g')" = "mapping (map) < (arena)" ]
check "by one way to all of them" [ "$(grep -o '"allocated":12582912,.*' profile.json |
  grep -o '"chains":[0-9]*' | head -n 1)" = '"chains":1' ]
kept "$program" branches
check "of many ways to a site 16 are kept" \
  [ "$(awk "$walk"'
    /^frame 0 / && inner == "branch" { count++ } END { print count }' kept)" = 16 ]
check "and the others counted" grep -qa '^more_chains 140$' kept

# --- kept, and read again ------------------------------------------------------
"$vat" profile --save kept --json -o once.json "$program" blocks >out 2>err
"$vat" profile --from kept --json -o again.json 2>err
check "what is kept is read again" cmp -s once.json again.json
if command -v readelf >/dev/null; then
  id=$(readelf -n "$program" 2>/dev/null | sed -n 's/.*Build ID: //p')
  check "and has builds" grep -q \
    "\"name\":\"$program\",\"build_id\":${id:+\"}${id:-null}${id:+\"}" once.json
fi
sed 1d kept | grep -av '^unit\|^sizes\|^faulted\|^live\|^frame\|^more_chains\|^heat [0-9]' >left
sed -n '1{s/"schema":[0-9]*/"schema":2/;s/,"objects":\[[^]]*\]//;p}' kept |
  sed "s/\"processes\":\[[0-9]*\]/\"processes\":[$(wc -c <left)]/" >older
cat left >>older
"$vat" profile --from older --json -o older.json 2>err
check "a file of an older vat is read" [ $? = 0 ]
check "what it has not is null" grep -q \
  '"smallest_block":null,"largest_block":null,"large_blocks":null,"large_bytes":null,"chains":null,"units":null,"heat":null' \
  older.json
check "so are its objects" grep -q '"objects":null' older.json
sed '1s/"objects":\[/"objects":[7,/' kept >damaged
"$vat" profile --from damaged >out 2>err
check "objects that are none are refused" [ $? = 2 ]
sed '1!s/^heat 0 /heat 9999 /' kept | sed "1s/\[[0-9]*\]/[$(
  sed '1d;s/^heat 0 /heat 9999 /' kept | wc -c)]/" >damaged
"$vat" profile --from damaged >out 2>err
check "so are units that are none" [ $? = 2 ]

echo "test_profile_heat: $passed passed, $failed failed"
[ "$failed" = 0 ]
