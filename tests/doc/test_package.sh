#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the Debian package says a second time: is it what the tree says?
top=$(cd "${0%/*}/../.." && pwd)
build=$PWD
. "${0%/*}/../experiments/checks.sh"

check "the version is that of configure.ac" [ \
  "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")" = \
  "$("$vat" --version | sed 's/vat //')" ]

# Packages of ./bootstrap but for what debhelper brings or finds.
sed -n 's/^build="\(.*\)"$/\1/p' "$top/bootstrap" | tr ' ' '\n' |
  grep -v -x -e '\$build' -e build-essential -e autoconf -e automake | sort >wanted
sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \([-a-z0-9]*\).*/\1/p' "$top/debian/control" |
  grep -v debhelper-compat | sort >packages
diff wanted packages >err
check "it builds with what ./bootstrap installs" [ ! -s err ]

# ./bootstrap asks for packages of this architecture, here in a database of its
# own: one is of both, one of a foreign one alone, one of all.
package() { # of an architecture
  printf 'Package: %s\nStatus: install ok installed\nArchitecture: %s\n' "$1" "$2"
  printf 'Multi-Arch: same\nVersion: 1\nMaintainer: x\nDescription: x\n\n'
}
if native=$(dpkg --print-architecture 2>err); then
  mkdir -p tree db/info stubs
  foreign=armhf
  [ "$native" != armhf ] || foreign=amd64
  {
    package libzstd-dev "$native"
    package libzstd-dev $foreign
    package zlib1g-dev $foreign
    package python3 all | sed /Multi-Arch/d
  } >db/status
  : >db/available
  echo "$native" >db/arch
  echo $foreign >>db/arch
  for program in autoreconf aclocal; do
    printf '#!/bin/sh\n' >stubs/$program
    chmod +x stubs/$program
  done
  cp "$top/bootstrap" tree
  DPKG_ADMINDIR=$PWD/db PATH=$PWD/stubs:$PATH tree/bootstrap >out 2>err
  check "bootstrap reports a package of a foreign architecture alone" \
    grep -q '^bootstrap: missing: .*zlib1g-dev ' err
  check "but not one of both" sh -c '! grep -q "missing: .*libzstd-dev " err'
  check "nor one of all" sh -c '! grep -q "missing: .*python3 " err'
else
  echo "SKIPPED packages of a foreign architecture: $(cat err)"
fi

# An installed tree that is elsewhere than ./configure was told.
(unset MAKEFLAGS MAKELEVEL; make -s -C "$build" install DESTDIR="$PWD/moved") >out 2>err
check "make install takes another root" [ $? = 0 ]
moved=$(find moved -path '*/bin/vat')
"$moved" compare --runs 1 -- true >out 2>err
check "vat compare finds its parts in a moved tree" sh -c '! grep "page_shim.so is" err'
if [ -n "$(find moved -path '*/valgrind/vat-*')" ]; then
  "$moved" profile -- true >out 2>err
  check "and so does vat profile" sh -c '! grep "tool is neither" err'
else
  echo "SKIPPED vat profile in a moved tree: this vat was built without it"
fi

# Files whose licence is not that of the whole.
(
  cd "$top" || exit
  find README.md vat huge_pages cpu_algos gpu_algos experiments tests doc/examples doc/man \
    -type f ! -name '*.o' ! -name '*.a' -exec grep -l 'SPDX-License-Identifier: BSD-2-[C]lause' {} + |
    grep -v -e '^doc/man/[^/]*\.[0-9]$' -e '\.pc$' -e '^tests/doc/extended_' | sort
) >bsd
(
  cd "$top" || exit
  sed -n '/^Files:$/,/^Copyright/s/^ //p' debian/copyright | while read -r pattern; do
    find . -path "./$pattern" -type f
  done | sed 's/^\.\///' | sort
) >listed
check "there are such files" [ -s bsd ]
check "each is in debian/copyright" sh -c '! comm -23 bsd listed | grep .'
check "and no other is" sh -c 'cd "$0" && ! grep -L "BSD-2-Clause" $(grep "\.[chk][a-z]*$" "$1") | grep .' \
  "$top" "$PWD/listed"

echo "test_package: $passed passed, $failed failed"
[ "$failed" = 0 ]
