# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_WITH(NAME, WHAT-FOR, TRY): --with-NAME=yes|no|auto.  TRY sets
# vat_found=yes|no; yes fails where it is missing, auto takes what is there.
# Defines HAVE_NAME in config.h and the automake conditional HAVE_NAME, and
# adds a line to the closing summary.
AC_DEFUN([VAT_WITH], [
  AC_ARG_WITH([$1],
    [AS_HELP_STRING([--with-$1=yes|no|auto], [$2 (default: auto)])],
    [], [with_$1=auto])
  AS_CASE(["$with_$1"], [yes|no|auto], [],
    [AC_MSG_ERROR([--with-$1=$with_$1: say yes, no or auto])])
  vat_found=no
  AS_IF([test "x$with_$1" != xno], [$3])
  AS_IF([test "x$with_$1$vat_found" = xyesno],
    [AC_MSG_ERROR([--with-$1=yes, but it is missing: run ./bootstrap --install-deps])])
  AS_IF([test $vat_found = yes],
    [AC_DEFINE(AS_TR_CPP([HAVE_$1]), [1], [Define to 1 for $2.])
     vat_line=yes],
    [test "x$with_$1" = xno], [vat_line="no (switched off)"],
    [vat_line="no (not found)"])
  AM_CONDITIONAL(AS_TR_CPP([HAVE_$1]), [test $vat_found = yes])
  vat_summary="$vat_summary
  $1: $vat_line - $2"
])

# VAT_TRY_LIB(VAR, HEADERS, LIBRARY, FUNCTION): HEADERS are included in order.
# Substitutes VAR_LIBS and leaves LIBS alone.
AC_DEFUN([VAT_TRY_LIB], [
  vat_found=yes
  m4_foreach_w([vat_header], [$2],
    [AC_CHECK_HEADER(vat_header, [], [vat_found=no], [#include <stddef.h>])])
  AS_IF([test $vat_found = yes], [AC_CHECK_LIB([$3], [$4], [$1_LIBS=-l$3], [vat_found=no])])
  AC_SUBST([$1_LIBS])
])

# VAT_TRY_PROG(VAR, PROGRAM, EXTRA-DIRECTORY)
AC_DEFUN([VAT_TRY_PROG], [
  AC_PATH_PROG([$1], [$2], [], [$PATH:$3])
  AS_IF([test -n "$$1"], [vat_found=yes])
])

# VAT_TRY_HEADER(VAR, HEADER): VAR_CPPFLAGS names Valgrind-like include roots.
AC_DEFUN([VAT_TRY_HEADER], [
  vat_save_CPPFLAGS=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS -I/usr/include/valgrind -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1"
  AC_CHECK_HEADER([$2], [vat_found=yes])
  CPPFLAGS=$vat_save_CPPFLAGS
])

AC_DEFUN([VAT_SUMMARY], [
  AS_IF([test "$GNUPLOT" = no], [vat_gnuplot="no (vat report needs it at run time)"],
    [vat_gnuplot=$GNUPLOT])
  AS_IF([test $have_cunit = yes], [vat_cunit=yes],
    [vat_cunit="no (make check needs it: ./bootstrap --install-deps)"])
  AC_MSG_NOTICE([vat AC_PACKAGE_VERSION is configured
  compiler: $CC $CFLAGS
  gnuplot: $vat_gnuplot
  cunit: $vat_cunit$vat_summary
  next: make && make check])
])
