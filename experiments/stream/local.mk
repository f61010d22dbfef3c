# SPDX-License-Identifier: GPL-3.0-or-later
if STREAMS
libexperiments_a_SOURCES += \
	experiments/stream/traced_calls.h \
	experiments/stream/tsan_runtime.c
# The algorithms once more, each access a call.  Their table gets a name of its
# own and nothing else of them can be seen from outside, so that both copies fit
# one program; ThreadSanitizer's library is not linked.  What gcc makes calls of
# memcpy and the like is seen, too.
noinst_LIBRARIES += libcpu_algos_traced.a
libcpu_algos_traced_a_SOURCES = $(libcpu_algos_a_SOURCES)
libcpu_algos_traced_a_CFLAGS = $(AM_CFLAGS) $(TRACED_CFLAGS)
libcpu_algos_traced_a_CXXFLAGS = $(AM_CXXFLAGS) $(STD_SORT_CXXFLAGS) $(TRACED_CFLAGS)
experiments/stream/traced_algos.o: libcpu_algos_traced.a experiments/stream/$(am__dirstamp)
	$(AM_V_GEN)$(CC) -r -nostdlib $(TRACED_LDFLAGS) -o $@.tmp -Wl,--whole-archive libcpu_algos_traced.a && \
	$(OBJCOPY) $(TRACED_OBJCOPY) $@.tmp $@ && rm $@.tmp
experiments_vat_LDADD += experiments/stream/traced_algos.o
CLEANFILES += experiments/stream/traced_algos.o
endif
