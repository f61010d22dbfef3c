# SPDX-License-Identifier: GPL-3.0-or-later
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
experiments/reuse/reuse_json.$(OBJEXT): experiments/reuse/simulation_id.h
CLEANFILES += experiments/reuse/simulation_id.h
endif
