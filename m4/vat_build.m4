# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_WARNINGS: the warnings every file is built with; --enable-werror for CI.
AC_DEFUN([VAT_WARNINGS], [
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
    [], [enable_werror=no])
  VAT_CFLAGS="-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wformat=2"
  VAT_CXXFLAGS="-Wall -Wextra -Wshadow"
  AS_IF([test "x$enable_werror" = xyes],
    [VAT_CFLAGS="$VAT_CFLAGS -Werror"; VAT_CXXFLAGS="$VAT_CXXFLAGS -Werror"])
  AC_SUBST([VAT_CFLAGS])
  AC_SUBST([VAT_CXXFLAGS])
])

# VAT_SANITIZE: --enable-sanitize builds everything with ASan and UBSan.
AC_DEFUN([VAT_SANITIZE], [
  AC_ARG_ENABLE([sanitize],
    [AS_HELP_STRING([--enable-sanitize], [build with ASan and UBSan])],
    [], [enable_sanitize=no])
  AS_IF([test "x$enable_sanitize" = xyes], [
    vat_san="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
    CFLAGS="$CFLAGS $vat_san"
    CXXFLAGS="$CXXFLAGS $vat_san"
    LDFLAGS="$LDFLAGS -fsanitize=address,undefined"
  ])
])

# VAT_COVERAGE: --enable-coverage counts how often each line runs, by gcov, for
# `make coverage`.  Not what runs outside of vat (the Valgrind tool, the shim of
# vat compare) nor what is compiled once more to be counted itself.
AC_DEFUN([VAT_COVERAGE], [
  AC_ARG_ENABLE([coverage],
    [AS_HELP_STRING([--enable-coverage], [build for `make coverage`; needs gcc])],
    [], [enable_coverage=no])
  AM_CONDITIONAL([ENABLE_COVERAGE], [test "x$enable_coverage" = xyes])
  AS_IF([test "x$enable_coverage" = xyes], [
    COVERAGE_CFLAGS="--coverage -fprofile-update=prefer-atomic"
    NO_COVERAGE_CFLAGS="-fno-profile-arcs -fno-test-coverage"
    COVERAGE_LDFLAGS=--coverage
  ])
  AC_SUBST([COVERAGE_CFLAGS])
  AC_SUBST([COVERAGE_LDFLAGS])
  AC_SUBST([NO_COVERAGE_CFLAGS])
])

# VAT_FUZZ: --enable-fuzz builds everything for libFuzzer, which clang has, with
# ASan and UBSan.
AC_DEFUN([VAT_FUZZ], [
  AC_ARG_ENABLE([fuzz],
    [AS_HELP_STRING([--enable-fuzz], [build for `make fuzz`; needs CC=clang])],
    [], [enable_fuzz=no])
  AM_CONDITIONAL([ENABLE_FUZZ], [test "x$enable_fuzz" = xyes])
  AS_IF([test "x$enable_fuzz" = xyes], [
    vat_fuzz="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
    # Loops that ask to be unrolled are not, without the optimizer for it.
    CFLAGS="-g -O1 -Wno-pass-failed $vat_fuzz"
    LDFLAGS="$LDFLAGS -fsanitize=address,undefined"
    AC_MSG_CHECKING([whether $CC has libFuzzer])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-fuzz needs clang: configure with CC=clang CXX=clang++])])
  ])
])
