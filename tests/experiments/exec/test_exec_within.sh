#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How the library of `vat exec` behaves within a program: in a sandbox, around
# fork, on small stacks, in programs of another C library and with another
# malloc.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
cc=${CC:-cc}
says() { grep -q -e "$1" "${2:-err}"; }
run() { # run PROGRAM...: below `vat exec $how`, of bounded time
  timeout 20 "$vat" exec $how -- "$@" >out 2>err
}

# --- sandboxes -------------------------------------------------------------------
$cc -O1 -g -o sandbox "$here/sandbox.c" || exit 99
for way in prctl syscall asks; do
  for how in '--huge site=make' '--huge site=make,mappings,data --report report.json'; do
    run ./sandbox $way
    check "a program in a sandbox lives on ($way, $how)" [ $? = 0 ]
    check "and does its work ($way, $how)" says done out
  done
done

# --- fork ------------------------------------------------------------------------
$cc -O1 -g -DLIBRARY -fPIC -shared -o libhandlers.so "$here/fork_handlers.c" &&
  $cc -O1 -g -pthread -o forks "$here/fork_handlers.c" ./libhandlers.so || exit 99
how='--huge site=make'
run ./forks
check "handlers of fork that allocate, older than the library's" says forked out

# --- another C library -------------------------------------------------------------
if command -v musl-gcc >/dev/null; then
  cat >musl.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *block = malloc(5 << 20); block = realloc(block, 9 << 20); free(block); puts("from musl"); return 6; }
C
  musl-gcc -O1 -o musl musl.c || exit 99
  for how in '--huge site=main' '--huge site=main,mappings --report report.json'; do
    run sh -c './musl; echo $?'
    check "a program of musl below one of glibc ($how)" [ "$(cat out)" = "from musl
6" ]
  done
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
