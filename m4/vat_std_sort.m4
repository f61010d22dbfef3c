# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_TRY_STD_SORT: does $CXX make an object of std::sort that $CC links, and,
# where there are address streams, one whose accesses are calls?  The library
# has to have it in its headers: what it exports could not be traced.  Behind
# VAT_STREAMS.
AC_DEFUN([VAT_TRY_STD_SORT], [
  AC_MSG_CHECKING([for std::sort in headers of C++])
  STD_SORT_CXXFLAGS="-fno-exceptions -fno-rtti"
  cat >conftest.cc <<VAT_EOF
#include <algorithm>
extern "C" void sort(unsigned long *keys, unsigned long n);
void sort(unsigned long *keys, unsigned long n) { std::sort(keys, keys + n); }
VAT_EOF
  cat >conftest_main.c <<VAT_EOF
void sort(unsigned long *keys, unsigned long n);
int main(void) { unsigned long keys@<:@2@:>@ = {2, 1}; sort(keys, 2); return keys@<:@0@:>@ != 1; }
VAT_EOF
  # One COMDAT of a template in both copies of the algorithms would become one.
  vat_flags="-Wl,--force-group-allocation"
  AS_IF([{ $CXX -std=c++17 $CXXFLAGS $CPPFLAGS $STD_SORT_CXXFLAGS -c conftest.cc &&
           $CC $CFLAGS $CPPFLAGS $LDFLAGS -o conftest_main conftest_main.c conftest.o
         } >&AS_MESSAGE_LOG_FD 2>&1], [vat_found=yes])
  AS_IF([test $vat_found = yes && test "${vat_streams#yes}" != "$vat_streams"],
    [AS_IF([{ $CXX -std=c++17 $CXXFLAGS $CPPFLAGS -I$srcdir $STD_SORT_CXXFLAGS $TRACED_CFLAGS -c conftest.cc &&
              $CC -r -nostdlib $vat_flags -o conftest_all.o conftest.o
            } >&AS_MESSAGE_LOG_FD 2>&1],
       [TRACED_LDFLAGS=$vat_flags], [vat_found=no])])
  rm -f conftest*
  AC_MSG_RESULT([$vat_found])
  AC_SUBST([STD_SORT_CXXFLAGS])
  AC_SUBST([TRACED_LDFLAGS])
])
