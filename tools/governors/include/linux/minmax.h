/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_MINMAX_H
#define _LINUX_MINMAX_H

#define min(a, b) ({			\
	__auto_type a_ = (a);		\
	__auto_type b_ = (b);		\
					\
	a_ < b_ ? a_ : b_;		\
})

#define max(a, b) ({			\
	__auto_type a__ = (a);		\
	__auto_type b__ = (b);		\
					\
	a__ > b__ ? a__ : b__;		\
})

#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define clamp(value, low, high)	min(max(value, low), high)

#endif
