# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/report/figure.h \
	experiments/report/figure_operation_time.c \
	experiments/report/figure_page_ratio.c \
	experiments/report/figure_transposes.c \
	experiments/report/figures.c \
	experiments/report/gnuplot.c \
	experiments/report/gnuplot.h \
	experiments/report/html.c \
	experiments/report/html.h \
	experiments/report/html_style.c \
	experiments/report/human.c \
	experiments/report/human.h \
	experiments/report/kill_guard.c \
	experiments/report/kill_guard.h \
	experiments/report/leftovers.c \
	experiments/report/leftovers.h \
	experiments/report/meaning.c \
	experiments/report/meaning.h \
	experiments/report/out_dir.c \
	experiments/report/out_dir.h \
	experiments/report/plot.c \
	experiments/report/plot.h \
	experiments/report/report.c \
	experiments/report/report.h \
	experiments/report/report_machine.c \
	experiments/report/report_notes.c \
	experiments/report/report_page.c \
	experiments/report/report_page.h \
	experiments/report/survey.c \
	experiments/report/survey.h \
	experiments/report/table.c \
	experiments/report/table.h
