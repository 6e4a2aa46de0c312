/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_COMPILER_LOOP_H
#define _LINUX_COMPILER_LOOP_H

#include_next <linux/compiler.h>

#define likely(condition)	__builtin_expect(!!(condition), 1)
#define unlikely(condition)	__builtin_expect(!!(condition), 0)

#endif
