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
bool report_machine_is_virtual(const json_t *machine);
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

/*
 * The machines of all results files, beside each other.  A machine is a survey;
 * its number is its place among them, from 0.  Figures over machines are drawn
 * once, with the first.
 */

size_t machines_count(const struct survey *survey);

/* "2  AMD EPYC, a KVM guest": by its number on the page, and by more where
 * another one is called the same. */
enum { MACHINES_LABEL = 144 };
const char *machines_label(const struct survey *survey, size_t machine,
                           char label[MACHINES_LABEL]);
#define MACHINES_LABELED(survey, machine) \
  machines_label((survey), (machine), (char[MACHINES_LABEL]){""})
