/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_point_check.h -- what can be told of a point of a sweep
 * only when the levels of its trees are known. */
#pragma once
#include "experiments/sim/sim_request.h"

/* Can the policy do it with so few nodes, and do trees and costs fit each
 * other?  An exit code, having printed what is wrong. */
int sim_point_check(const struct sim_request *request);
