/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_machine.h -- machines: their names, and their
 * records on the page. */
#pragma once
#include <stdio.h>

#include "experiments/report/survey.h"

enum { REPORT_MACHINE_SIZE = 224 };

/* A text of the record, or ""; `object` may be NULL. */
const char *report_machine_text(const json_t *object, const char *key);

/* The machine as a card of terms and values. */
void report_machine(FILE *page, const json_t *machine);
/* Its name in a heading: the processor. */
const char *report_machine_name(const json_t *machine);
/* And what it is: "AMD EPYC, a KVM guest". */
const char *report_machine_title(const json_t *machine,
                                 char title[REPORT_MACHINE_SIZE]);
/* That of its GPU. */
const char *report_machine_gpu(const json_t *machine,
                               char name[REPORT_MACHINE_SIZE]);
/*
 * Those that times are of: that one, and the GPU where any are of one.
 * `of_gpu`: of figures of GPUs, what was measured and counted in this survey or
 * in the one beside it: "NVIDIA H100; emulator on AMD EPYC".
 */
void report_machine_titles(const struct survey *survey, bool of_gpu,
                           char titles[REPORT_MACHINE_SIZE]);
