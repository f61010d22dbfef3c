/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/doctor.h"

const struct examination examinations[] = {
    {"Machine", examine_machine},
    {"Pages", examine_pages},
    {"Counters", examine_counters},
    {"Rights", examine_rights},
    {"Software", examine_software},
    {"GPU", examine_gpu},
    {0},
};
