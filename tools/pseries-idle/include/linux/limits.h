/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _PSERIES_IDLE_LIMITS_H
#define _PSERIES_IDLE_LIMITS_H

/* The system has one of this name, and needs it. */
#include_next <linux/limits.h>

#include <stdint.h>

#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX

#endif
