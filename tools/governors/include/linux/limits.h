/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_LIMITS_LOOP_H
#define _LINUX_LIMITS_LOOP_H

#include_next <linux/limits.h>

#include <limits.h>

#endif
