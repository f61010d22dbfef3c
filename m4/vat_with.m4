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

# VAT_TRY_VALGRIND: can a Valgrind tool be built?  Not with sanitizers, which
# need a C library.
AC_DEFUN([VAT_TRY_VALGRIND], [
  AS_IF([$PKG_CONFIG --exists valgrind &&
         test "`$PKG_CONFIG --variable=platform valgrind`" = amd64-linux], [
    VALGRIND_CPPFLAGS="-isystem `$PKG_CONFIG --variable=includedir valgrind` -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1"
    VALGRIND_CFLAGS="-m64 -std=gnu11 -U_FORTIFY_SOURCE -fno-pie -fno-stack-protector -fno-strict-aliasing -fno-builtin -fomit-frame-pointer -gdwarf-4"
    VALGRIND_LDFLAGS="-m64 -static -nodefaultlibs -nostartfiles -u _start -Wl,-Ttext-segment=`$PKG_CONFIG --variable=valt_load_address valgrind`"
    vat_libs="`$PKG_CONFIG --variable=libdir valgrind`/valgrind"
    VALGRIND_LIBS="$vat_libs/libcoregrind-amd64-linux.a $vat_libs/libvex-amd64-linux.a -lgcc $vat_libs/libgcc-sup-amd64-linux.a"
    AC_MSG_CHECKING([whether a Valgrind tool can be built])
    cat >conftest.c <<VAT_EOF
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"
static void init(void) { VG_(details_name)("conftest"); }
VG_DETERMINE_INTERFACE_VERSION(init)
VAT_EOF
    AS_IF([$CC $VALGRIND_CPPFLAGS $CPPFLAGS $CFLAGS $VALGRIND_CFLAGS -c conftest.c >&AS_MESSAGE_LOG_FD 2>&1 &&
           $CC $CFLAGS $VALGRIND_CFLAGS $VALGRIND_LDFLAGS $LDFLAGS -o conftest_tool conftest.$OBJEXT $VALGRIND_LIBS >&AS_MESSAGE_LOG_FD 2>&1],
      [vat_found=yes])
    rm -f conftest*
    AC_MSG_RESULT([$vat_found])])
  AC_SUBST([VALGRIND_CPPFLAGS])
  AC_SUBST([VALGRIND_CFLAGS])
  AC_SUBST([VALGRIND_LDFLAGS])
  AC_SUBST([VALGRIND_LIBS])
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
