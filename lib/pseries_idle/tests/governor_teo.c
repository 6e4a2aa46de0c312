// SPDX-License-Identifier: GPL-2.0
/* The tree's own teo governor, in the loop. */
#define GOVERNOR	loop_teo

#include "governor_env.h"

#include "../../../drivers/cpuidle/governors/teo.c"
