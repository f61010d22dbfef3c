/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/widths.h -- one function, compiled for each width of vectors.
 *
 * CPU_EACH_WIDTH before a static function (clang 14 loses others) has the
 * compiler make it for each width and the machine pick one when the program
 * starts.  It is nothing where compiler or C library cannot do that, and under
 * ThreadSanitizer's instrumentation, which wants to see each number read and
 * written: CPU_PLAIN_ACCESSES is 1 there, and vectors of one's own are to be
 * left out, too.
 */
#ifndef CPU_ALGOS_WIDTHS_H
#define CPU_ALGOS_WIDTHS_H
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

#if defined __has_attribute
#if __has_attribute(target_clones) && defined __x86_64__ && \
    defined __GLIBC__ && !(CPU_PLAIN_ACCESSES && defined __clang__)
/* Haswell stands for AVX2 with FMA, which no name of a feature includes. */
#define CPU_EACH_WIDTH \
  __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#endif
#endif
#ifndef CPU_EACH_WIDTH
#define CPU_EACH_WIDTH
#endif
#endif
