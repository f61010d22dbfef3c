# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_EMU: can kernels be compiled for the emulated GPU, and once more with each
# access a call?  As gpu_algos/simt/local.mk does it, by $CXX or else by g++.
# Half of what a build takes, it can be left out: --without-emu.
AC_DEFUN([VAT_EMU], [
  AC_ARG_WITH([emu],
    [AS_HELP_STRING([--with-emu=yes|no|auto], [GPU algorithms on --device emu (default: auto)])],
    [], [with_emu=auto])
  AS_CASE(["$with_emu"], [yes|no|auto], [],
    [AC_MSG_ERROR([--with-emu=$with_emu: say yes, no or auto])])
  # A thread's stack is small: what needs more is to hit the guard behind it.
  EMU_CXXFLAGS="-g1 -Wno-unknown-pragmas -fstack-clash-protection -fno-exceptions -fno-rtti -fno-gnu-unique -ftls-model=local-exec -fno-extern-tls-init"
  # What kernels do wrong is the emulator's to tell, not that of sanitizers, which
  # do not know the stacks of its threads.
  AS_CASE([" $CXXFLAGS"], [*-fsanitize*], [EMU_CXXFLAGS="$EMU_CXXFLAGS -fno-sanitize=all"])
  # Straight from the source: blocks in its order and loops as they are written,
  # or lanes that part would not be seen to meet again.
  # Nothing is called that they do not say: no fortified functions, no guards.
  EMU_COUNTED_CXXFLAGS="$NO_COVERAGE_CFLAGS -U_FORTIFY_SOURCE -fno-stack-protector -g1 -O1 -fno-tree-ch -fno-reorder-blocks -fno-tree-loop-distribute-patterns -fsanitize=thread,bounds --param tsan-distinguish-volatile=1 -fsanitize-coverage=trace-pc -DSIMT_COUNTED"
  AC_MSG_CHECKING([for a C++ compiler that makes kernels for the emulated GPU])
  cat >conftest.cc <<VAT_EOF
extern thread_local int smem;
template <class T> T kept(T *at) {
  static __constinit thread_local T last;
  T before = last;
  last = *at + smem;
  return before;
}
extern "C" int vat_kernels(int *at);
int vat_kernels(int *at) { return kept(at); }
VAT_EOF
  EMU_CXX=
  for vat_cxx in "$CXX" g++; do
    AS_IF([test "$with_emu" != no && test -z "$EMU_CXX" && test "$OBJCOPY" != no &&
           $vat_cxx -std=c++17 $CXXFLAGS $CPPFLAGS $EMU_CXXFLAGS -Werror -c conftest.cc >&AS_MESSAGE_LOG_FD 2>&1 &&
           $vat_cxx -r -nostdlib -Wl,--force-group-allocation -o conftest_all.o conftest.o >&AS_MESSAGE_LOG_FD 2>&1],
      [EMU_CXX=$vat_cxx])
  done
  AS_IF([test -n "$EMU_CXX"], [vat_emu="yes, by $EMU_CXX"],
    [test "$with_emu" = no], [vat_emu="no (switched off)"],
    [vat_emu="no (g++ or GNU binutils not found)"])
  AC_MSG_RESULT([$vat_emu])
  AS_IF([test "$with_emu" = yes && test -z "$EMU_CXX"],
    [AC_MSG_ERROR([--with-emu=yes, but it is missing: run ./bootstrap --install-deps])])
  AC_MSG_CHECKING([whether it can count what they do])
  AS_CASE([" $CFLAGS $CXXFLAGS"],
    [*-fsanitize*], [vat_counted="no (counts and sanitizers exclude each other)"],
    [AS_IF([test -n "$EMU_CXX" &&
            $EMU_CXX -std=c++17 $CXXFLAGS $CPPFLAGS $EMU_CXXFLAGS $EMU_COUNTED_CXXFLAGS -Werror -c conftest.cc >&AS_MESSAGE_LOG_FD 2>&1 &&
            $OBJCOPY --redefine-syms=$srcdir/gpu_algos/simt/hooks.syms conftest.o conftest_all.o >&AS_MESSAGE_LOG_FD 2>&1 &&
            ! $NM conftest_all.o | grep ' U __[[stu]]' >&AS_MESSAGE_LOG_FD],
      [vat_counted=yes], [vat_counted="no${EMU_CXX:+ ($EMU_CXX cannot do it, see config.log)}"])])
  AC_MSG_RESULT([$vat_counted])
  AC_MSG_CHECKING([whether their arithmetic can be counted, too])
  # It knows the assembly of x86-64.
  vat_arithmetic=no
  AS_IF([test "$vat_counted" = yes &&
         $EMU_CXX -std=c++17 $CXXFLAGS $CPPFLAGS $EMU_CXXFLAGS $EMU_COUNTED_CXXFLAGS -S -o conftest.s conftest.cc >&AS_MESSAGE_LOG_FD 2>&1 &&
         $AWK -f $srcdir/gpu_algos/simt/arithmetic.awk conftest.s >conftest.numbered 2>&AS_MESSAGE_LOG_FD &&
         grep '%rsp' conftest.numbered >&AS_MESSAGE_LOG_FD &&
         grep 'set.*Lsimt_1,' conftest.numbered >&AS_MESSAGE_LOG_FD &&
         $EMU_CXX -x assembler -c -o conftest.o conftest.numbered >&AS_MESSAGE_LOG_FD 2>&1],
    [vat_arithmetic=yes])
  rm -f conftest*
  AC_MSG_RESULT([$vat_arithmetic])
  AS_IF([test -n "$EMU_CXX"], [AC_DEFINE([HAVE_EMU], [1], [Define to 1 for the emulated GPU.])])
  AM_CONDITIONAL([EMU], [test -n "$EMU_CXX"])
  AS_IF([test "$vat_counted" = yes],
    [AC_DEFINE([HAVE_EMU_COUNTED], [1], [Define to 1 for counts of the emulated GPU.])])
  AM_CONDITIONAL([EMU_COUNTED], [test "$vat_counted" = yes])
  AS_IF([test "$vat_arithmetic" = yes],
    [AC_DEFINE([HAVE_EMU_ARITHMETIC], [1], [Define to 1 where counts of the emulated GPU have arithmetic.])])
  AM_CONDITIONAL([EMU_ARITHMETIC], [test "$vat_arithmetic" = yes])
  AC_SUBST([EMU_CXX])
  AC_SUBST([EMU_CXXFLAGS])
  AC_SUBST([EMU_COUNTED_CXXFLAGS])
  vat_summary="$vat_summary
  emu: $vat_emu - GPU algorithms on --device emu
  emu counts: $vat_counted - what their warps ask of the memory
  emu arithmetic: $vat_arithmetic - how much they compute"
])
