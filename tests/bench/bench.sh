# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts of programs that people run have in common; they read this.
# shellcheck disable=SC2034

fail() { # fail STATUS MESSAGE
  echo "${0##*/}: $2" >&2
  exit "$1"
}

failed=0
tell() { # a program that does not work, and the next one may
  echo "${0##*/}: $*" >&2
  failed=1
}

say() { # progress
  echo "${0##*/}: $(date +%T) $*" >&2
}

find_vat() { # the command, in $vat
  vat=$(realpath "${VAT:-experiments/vat}")
  [ -x "$vat" ] || fail 3 "$vat is absent; fix: make"
  command -v jq >/dev/null ||
    fail 3 "jq is absent; fix: ./bootstrap --install-bench-deps"
}

# made FILE COMMAND...: FILE is what COMMAND prints, unless it is there.
made() {
  file=$1
  shift
  [ -s "$file" ] || { "$@" >"$file.part" && mv "$file.part" "$file"; }
}

postgres_bin() { # the newest one
  set +f
  for dir in /usr/lib/postgresql/*/bin; do
    [ ! -x "$dir/initdb" ] || bin=$dir
  done
  set -f
  echo "${bin:-}"
}

# PostgreSQL does not run as root.
as_postgres=''
[ "$(id -u)" != 0 ] || as_postgres='runuser -u postgres --'

# postgres_begin FOLDER: a new cluster there, of the PostgreSQL in $bin.
postgres_begin() {
  rm -rf "$1"
  mkdir "$1"
  [ -z "$as_postgres" ] || chown postgres "$1"
  # shellcheck disable=SC2086
  (cd / && $as_postgres "$bin/initdb" -D "$1" --locale=C --no-sync >/dev/null)
}
