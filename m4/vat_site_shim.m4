# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_TRY_SITE_SHIM: can jemalloc be linked into a library by names of its own
# (JEMALLOC_PIC, LD, OBJCOPY), and does glibc find the object of an address?
AC_DEFUN([VAT_TRY_SITE_SHIM], [
  AC_CHECK_TOOL([OBJCOPY], [objcopy], [no])
  AC_CHECK_TOOL([LD], [ld], [no])
  AC_CHECK_FUNC([_dl_find_object], [vat_finds=yes], [vat_finds=no])
  AC_CHECK_HEADER([jemalloc/jemalloc.h], [], [vat_finds=no])
  JEMALLOC_PIC=`$CC -print-file-name=libjemalloc_pic.a`
  AS_IF([test $vat_finds = yes && test "$OBJCOPY" != no && test "$LD" != no &&
         test -f "$JEMALLOC_PIC"], [vat_found=yes])
  AC_SUBST([JEMALLOC_PIC])
])
