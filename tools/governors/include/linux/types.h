/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a governor, or its loop, needs of the kernel header of this name, in a
 * program. The types are the kernel's, so that formats fit.
 */
#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t			u8;
typedef uint16_t		u16;
typedef uint32_t		u32;
typedef unsigned long long	u64;
typedef int32_t			s32;
typedef long long		s64;

#endif
