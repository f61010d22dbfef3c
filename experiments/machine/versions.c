/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/versions.h"

#include <config.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <stddef.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

#ifdef HAVE_PAPI
#include <papi.h>
/* papi.h gives its version as one number, made by this from four. */
#undef PAPI_VERSION_NUMBER
#define PAPI_VERSION_NUMBER(major, minor, revision, increment) \
  TEXT(major) "." TEXT(minor) "." TEXT(revision)
#define PAPI_TEXT PAPI_VERSION
#else
#define PAPI_TEXT NULL
#endif

#ifdef HAVE_HWLOC
#include <hwloc.h>
#define HWLOC_TEXT HWLOC_VERSION
#else
#define HWLOC_TEXT NULL
#endif

#ifdef HAVE_JEMALLOC
#include <jemalloc/jemalloc.h>
#define JEMALLOC_TEXT          \
  TEXT(JEMALLOC_VERSION_MAJOR) \
  "." TEXT(JEMALLOC_VERSION_MINOR) "." TEXT(JEMALLOC_VERSION_BUGFIX)
#else
#define JEMALLOC_TEXT NULL
#endif

#ifdef HAVE_HUGETLBFS
#define HUGETLBFS_TEXT "unknown"
#else
#define HUGETLBFS_TEXT NULL
#endif

const struct version versions[] = {
    {"papi", "PAPI", "names of hardware counters", PAPI_TEXT},
    {"hwloc", "hwloc", "topology and pinning", HWLOC_TEXT},
    {"jemalloc", "jemalloc", "many small objects on huge pages", JEMALLOC_TEXT},
    {"libhugetlbfs", "libhugetlbfs", "hugetlb pages", HUGETLBFS_TEXT},
    {"gsl", "GSL", "statistics", GSL_VERSION},
    {"jansson", "Jansson", "JSON", JANSSON_VERSION},
    {0},
};

#ifdef __clang__
const char version_of_compiler[] = __VERSION__;
#else
const char version_of_compiler[] = "gcc " __VERSION__;
#endif
