# SPDX-License-Identifier: GPL-3.0-or-later

# VAT_CUDA_ROOT: NVCC, the user's or else the one that is there, and vat_cuda,
# the folder of its toolkit.  nvcc itself says where that is, as it may be called
# by a script that lies anywhere; one that does not say (clang, or an old one) is
# taken to be in the toolkit's bin, or a link to that.
AC_DEFUN([VAT_CUDA_ROOT], [
  AC_ARG_VAR([NVCC], [CUDA compiler command])
  AS_IF([test -z "$NVCC"],
    [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])])
  vat_cuda=
  AS_IF([test -n "$NVCC"], [
    AC_MSG_CHECKING([for the toolkit of $NVCC])
    vat_cuda=`$NVCC --dryrun -E -x cu /dev/null 2>&1 | $SED -n 's/^#\$ *TOP=//p'`
    AS_IF([test ! -d "$vat_cuda"],
      [vat_cuda=`command -v "$NVCC"` &&
       vat_cuda=`readlink -f "$vat_cuda"` && vat_cuda=`dirname "$vat_cuda"`/..])
    AC_MSG_RESULT([${vat_cuda:-no}])])
])

# VAT_TRY_CUDA: nvcc that makes kernels for the GPUs there are, and for those to
# come as PTX; a program with them is linked to CUDA's static library, so that
# it starts on machines without a GPU or a driver.
AC_DEFUN([VAT_TRY_CUDA], [
  AC_REQUIRE([VAT_CUDA_ROOT])
  AC_ARG_VAR([NVCCFLAGS], [CUDA compiler flags: optimization and for which GPUs])
  AS_IF([test -z "$NVCCFLAGS"],
    [NVCCFLAGS="-O3 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90"])
  AS_IF([test -n "$NVCC"], [
    for vat_dir in lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib; do
      AS_IF([test -f "$vat_cuda/$vat_dir/libcudart_static.a"],
        [CUDA_LIBS="-L$vat_cuda/$vat_dir -lcudart_static -lstdc++ -lpthread -ldl -lrt"
         break])
    done
    AC_MSG_CHECKING([whether $NVCC makes programs])
    cat >conftest.cu <<VAT_EOF
#include <cuda_runtime.h>
__global__ void one(int *at) { *at = 1; }
extern "C" int run(int *at);
int run(int *at) { one<<<1, 1>>>(at); return cudaGetLastError(); }
VAT_EOF
    cat >conftest_main.c <<VAT_EOF
int run(int *at);
int main(void) { return run(0); }
VAT_EOF
    AS_IF([{ $NVCC -std=c++20 $NVCCFLAGS -c -o conftest_cu.o conftest.cu &&
             $CC $CFLAGS $LDFLAGS -o conftest_main conftest_main.c conftest_cu.o $CUDA_LIBS
           } >&AS_MESSAGE_LOG_FD 2>&1],
      [vat_found=yes], [CUDA_LIBS=])
    rm -f conftest*
    AC_MSG_RESULT([$vat_found])])
  AC_SUBST([CUDA_LIBS])
])

# VAT_CUDA_OCCUPANCY: cuda_occupancy.h, which a test holds the calibrated model
# against; a header alone, so that no CUDA is built or linked for it.
AC_DEFUN([VAT_CUDA_OCCUPANCY], [
  AC_REQUIRE([VAT_CUDA_ROOT])
  AC_MSG_CHECKING([for cuda_occupancy.h])
  vat_found=no
  for vat_dir in ${vat_cuda:+"$vat_cuda/include"} /usr/local/cuda/include /usr/include; do
    AS_IF([test $vat_found = no && test -f "$vat_dir/cuda_occupancy.h"],
      [vat_found=$vat_dir])
  done
  AC_MSG_RESULT([$vat_found])
  AS_IF([test "$vat_found" != no], [
    AC_DEFINE([HAVE_CUDA_OCCUPANCY_H], [1], [Define to 1 for NVIDIA's occupancy, in tests.])
    AS_IF([test "$vat_found" != /usr/include],
      [CUDA_OCCUPANCY_CPPFLAGS="-isystem $vat_found"])])
  AC_SUBST([CUDA_OCCUPANCY_CPPFLAGS])
])
