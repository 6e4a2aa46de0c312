/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_KTIME_H
#define _LINUX_KTIME_H

#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

typedef s64 ktime_t;

#define KTIME_MAX		INT64_MAX

static inline s64 ktime_to_us(ktime_t ns)
{
	return ns / NSEC_PER_USEC;
}

static inline s64 ktime_to_ns(ktime_t ns)
{
	return ns;
}

#endif
