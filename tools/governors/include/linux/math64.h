/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_MATH64_LOOP_H
#define _LINUX_MATH64_LOOP_H

#include_next <linux/math64.h>

#define do_div(dividend, divisor) ({		\
	__auto_type dividend_ = &(dividend);	\
	u32 divisor_ = (divisor);		\
	u32 rest_ = *dividend_ % divisor_;	\
						\
	*dividend_ /= divisor_;			\
	rest_;					\
})

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline s64 div64_s64(s64 dividend, s64 divisor)
{
	return dividend / divisor;
}

static inline u64 mul_u32_u32(u32 a, u32 b)
{
	return (u64)a * b;
}

#endif
