/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/widths.h -- one function, compiled for each width of vectors.
 *
 * CPU_EACH_WIDTH before a static function (clang 14 loses others, and wants
 * each to have a name of its own in all the program) has the compiler make it
 * for each width and the machine pick one when the program starts.  It is
 * nothing where compiler or C library cannot do that.
 *
 * Under ThreadSanitizer's instrumentation each number read and written is to be
 * seen.  CPU_PLAIN_ACCESSES is 1 there: no loop is to be made into vectors.
 * gcc's sees the vectors that a program is written with, clang's does not see
 * any of more than 16 bytes: CPU_SEES_VECTORS is 0 there, and they are to be
 * left out, too.
 */
#pragma once
#include <stdint.h> /* says whether the C library is glibc */

#if defined __SANITIZE_THREAD__ /* as gcc says it */
#define CPU_PLAIN_ACCESSES 1
#elif defined __has_feature /* as clang does */
#if __has_feature(thread_sanitizer)
#define CPU_PLAIN_ACCESSES 1
#endif
#endif
#ifndef CPU_PLAIN_ACCESSES
#define CPU_PLAIN_ACCESSES 0
#endif

#if CPU_PLAIN_ACCESSES && defined __clang__
#define CPU_SEES_VECTORS 0
#else
#define CPU_SEES_VECTORS 1
#endif

#if defined __has_attribute
#if __has_attribute(target_clones) && defined __x86_64__ && \
    defined __GLIBC__ && CPU_SEES_VECTORS
/* AVX2 with FMA, which no name of a feature includes, is level 3 of x86-64 to
 * gcc since version 12.  To others it is Haswell, which AMD's are not: those
 * get AVX2 alone. */
#if __GNUC__ >= 12
#define CPU_EACH_WIDTH \
  __attribute__((target_clones("avx512f", "arch=x86-64-v3", "default")))
#else
#define CPU_EACH_WIDTH \
  __attribute__((target_clones("avx512f", "arch=haswell", "avx2", "default")))
#endif
#endif
#endif
#ifndef CPU_EACH_WIDTH
#define CPU_EACH_WIDTH
#endif
