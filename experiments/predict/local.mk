# SPDX-License-Identifier: GPL-3.0-or-later
libexperiments_a_SOURCES += \
	experiments/predict/forms.c \
	experiments/predict/forms.h \
	experiments/predict/predict.c \
	experiments/predict/predict.h \
	experiments/predict/predict_print.c \
	experiments/predict/predict_request.c
