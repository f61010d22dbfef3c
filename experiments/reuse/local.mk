# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/reuse/last_uses.c \
	experiments/reuse/last_uses.h \
	experiments/reuse/line_uses.c \
	experiments/reuse/line_uses.h \
	experiments/reuse/lottery.h \
	experiments/reuse/page_uses.c \
	experiments/reuse/page_uses.h \
	experiments/reuse/reuse.h \
	experiments/reuse/reuse_ahead.c \
	experiments/reuse/reuse_ahead.h \
	experiments/reuse/reuse_cache.c \
	experiments/reuse/reuse_cache.h \
	experiments/reuse/reuse_get.c \
	experiments/reuse/reuse_histogram.c \
	experiments/reuse/reuse_histogram.h \
	experiments/reuse/reuse_json.c \
	experiments/reuse/reuse_json.h \
	experiments/reuse/reuse_key.c \
	experiments/reuse/reuse_sim.c \
	experiments/reuse/reuse_sim.h
if STREAMS
# The checksum of all the code that makes a profile: what is kept on disk must
# not outlive a change of it.
simulation = \
	experiments/reuse/last_uses.$(OBJEXT) \
	experiments/reuse/line_uses.$(OBJEXT) \
	experiments/reuse/page_uses.$(OBJEXT) \
	experiments/reuse/reuse_sim.$(OBJEXT) \
	experiments/stream/stream.$(OBJEXT) \
	experiments/stream/traced_algos.o \
	experiments/stream/tsan_runtime.$(OBJEXT) \
	libvat.a
experiments/reuse/simulation_id.h: $(simulation)
	$(AM_V_GEN)$(CC) -r -nostdlib -o $@.o $(simulation) && \
	$(OBJCOPY) --strip-debug $@.o $@.tmp && \
	cksum <$@.tmp | $(SED) 's/ /-/;s/.*/#define SIMULATION_ID "&"/' >$@ && \
	rm $@.o $@.tmp
experiments/reuse/reuse_key.$(OBJEXT): experiments/reuse/simulation_id.h
CLEANFILES += experiments/reuse/simulation_id.h
endif
