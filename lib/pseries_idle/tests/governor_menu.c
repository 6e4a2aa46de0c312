// SPDX-License-Identifier: GPL-2.0
/* The tree's own menu governor, in the loop. */
#define GOVERNOR	loop_menu

#include "governor_env.h"

#include "../../../drivers/cpuidle/governors/menu.c"
