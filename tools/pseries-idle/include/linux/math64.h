/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_MATH64_H
#define _LINUX_MATH64_H

#include <linux/types.h>

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *rest)
{
	*rest = dividend % divisor;
	return dividend / divisor;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 DIV_ROUND_UP_ULL(u64 dividend, u64 divisor)
{
	return (dividend + divisor - 1) / divisor;
}

#endif
