/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/each_width.h -- a function for vectors of every width.
 *
 * CPU_EACH_WIDTH before a function's definition: the compiler makes one for
 * each width of vectors and the machine picks, where both can; but not for
 * ThreadSanitizer's instrumentation, which wants to see each key read.  The
 * function's name has to be the only one of its kind in the program: clang 14
 * exports what picks, static or not.
 */
#ifndef CPU_ALGOS_EACH_WIDTH_H
#define CPU_ALGOS_EACH_WIDTH_H
#include <stdint.h> /* says whether the C library is glibc */

#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1 /* as gcc says it */
#endif
#endif
#if defined __has_attribute
#if __has_attribute(target_clones) && defined __x86_64__ && \
    defined __GLIBC__ && !defined __SANITIZE_THREAD__
#define CPU_EACH_WIDTH \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef CPU_EACH_WIDTH
#define CPU_EACH_WIDTH
#endif
#endif
