# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/data/data.c \
	experiments/data/data.h \
	experiments/data/data_2bit.c \
	experiments/data/data_2bit.h \
	experiments/data/data_dna.c \
	experiments/data/data_dna.h \
	experiments/data/data_graph.c \
	experiments/data/data_graph.h \
	experiments/data/data_graph_answers.c \
	experiments/data/data_keys.c \
	experiments/data/data_list.c \
	experiments/data/data_matrix.c \
	experiments/data/data_points.c \
	experiments/data/data_reads.c \
	experiments/data/data_sink.c \
	experiments/data/data_sink.h \
	experiments/data/data_source.c \
	experiments/data/data_source.h \
	experiments/data/data_text.c \
	experiments/data/data_unpack.c \
	experiments/data/data_unpack.h
