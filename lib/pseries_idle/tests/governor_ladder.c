// SPDX-License-Identifier: GPL-2.0
/* The tree's own ladder governor, in the loop. */
#define GOVERNOR	loop_ladder

#include "governor_env.h"

#include "../../../drivers/cpuidle/governors/ladder.c"
