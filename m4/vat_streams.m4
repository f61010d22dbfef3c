# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_STREAMS: can the algorithms be compiled with each access a call, and the
# result be renamed?  As experiments/stream/local.mk does it.
AC_DEFUN([VAT_STREAMS], [
  AC_CHECK_TOOL([OBJCOPY], [objcopy], [no])
  AC_CHECK_TOOL([NM], [nm], [false])
  # One access of the source is to be one call, so no vectors but those of the
  # source.  clang takes a later -O2 for a request of them, and leaves out a load
  # before a store to the same place unless told.
  # A fortified memcpy() would go by another name.
  TRACED_CFLAGS="$NO_COVERAGE_CFLAGS -U_FORTIFY_SOURCE -fsanitize=thread -fno-tree-vectorize -fno-tree-slp-vectorize"
  TRACED_OBJCOPY="--redefine-sym cpu_algos=cpu_algos_traced --keep-global-symbol=cpu_algos_traced"
  for vat_name in memcpy memmove memset; do
    TRACED_OBJCOPY="$TRACED_OBJCOPY --redefine-sym $vat_name=__tsan_$vat_name"
  done
  AC_MSG_CHECKING([for address streams])
  vat_streams=yes
  AS_CASE([" $CFLAGS"],
    [*-fsanitize*], [vat_streams="no (they and sanitizers exclude each other)"],
    [AS_IF([test "$OBJCOPY" = no], [vat_streams="no (objcopy not found)"],
      [vat_clang="-mllvm -tsan-instrument-read-before-write=1 -mllvm -force-vector-width=1 -mllvm -force-vector-interleave=1 -mllvm -vectorize-slp=false"
       cat >conftest.c <<VAT_EOF
int table = 1, cpu_algos;
void touch(int *at);
void touch(int *at) { *at += table; }
VAT_EOF
       for vat_flags in "$vat_clang" "-mllvm -tsan-instrument-func-entry-exit=0" \
           "--param tsan-instrument-func-entry-exit=0"; do
         AS_IF([$CC $CFLAGS $CPPFLAGS -Werror $TRACED_CFLAGS $vat_flags -c conftest.c >&AS_MESSAGE_LOG_FD 2>&1],
           [TRACED_CFLAGS="$TRACED_CFLAGS $vat_flags"])
       done
       vat_inline="-DTRACED_CALLS_INLINE -include experiments/stream/traced_calls.h"
       for vat_flags in "$vat_inline" "-fno-integrated-as $vat_inline"; do
         AS_IF([{ $CC $CFLAGS $CPPFLAGS -I$srcdir $TRACED_CFLAGS $vat_flags -c conftest.c &&
                  $NM conftest.o
                } >conftest.nm 2>&AS_MESSAGE_LOG_FD &&
                grep vat_recorder conftest.nm >/dev/null && ! grep __tsan_read4 conftest.nm >/dev/null],
           [TRACED_CFLAGS="$TRACED_CFLAGS $vat_flags"
            vat_streams="yes, calls inline"
            break])
       done
       cat >conftest_main.c <<VAT_EOF
extern int cpu_algos_traced;
int table;
void __tsan_init(void);
void __tsan_func_entry(void *at);
void __tsan_func_exit(void *at);
void __tsan_read4(void *at);
void __tsan_write4(void *at);
void __tsan_init(void) {}
void __tsan_func_entry(void *at) { (void)at; }
void __tsan_func_exit(void *at) { (void)at; }
void __tsan_read4(void *at) { (void)at; }
void __tsan_write4(void *at) { (void)at; }
void vat_recorder_hand_on(void);
void *vat_recorder@<:@16@:>@;
void vat_recorder_hand_on(void) {}
int main(void) { return cpu_algos_traced + table; }
VAT_EOF
       AS_IF([{ $CC $CFLAGS $CPPFLAGS -I$srcdir $TRACED_CFLAGS -c conftest.c &&
               $CC -r -nostdlib -o conftest_all.o conftest.o &&
               $OBJCOPY $TRACED_OBJCOPY conftest_all.o conftest_traced.o &&
               $CC $CFLAGS $CPPFLAGS $LDFLAGS -o conftest_main conftest_main.c conftest_traced.o
             } >&AS_MESSAGE_LOG_FD 2>&1], [],
         [vat_streams="no ($CC -fsanitize=thread or objcopy cannot do it, see config.log)"])
       rm -f conftest*])])
  AC_MSG_RESULT([$vat_streams])
  AS_CASE(["$vat_streams"], [yes*],
    [AC_DEFINE([HAVE_STREAMS], [1], [Define to 1 for the algorithms' address streams.])])
  AM_CONDITIONAL([STREAMS], [test "${vat_streams#yes}" != "$vat_streams"])
  AC_SUBST([TRACED_CFLAGS])
  AC_SUBST([TRACED_OBJCOPY])
  vat_summary="$vat_summary
  streams: $vat_streams - vat sim --algo, vat trace --algo"
])
