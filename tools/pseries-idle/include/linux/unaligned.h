/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_UNALIGNED_H
#define _LINUX_UNALIGNED_H

#include <linux/types.h>

static inline u16 get_unaligned_be16(const void *from)
{
	const u8 *bytes = from;

	return bytes[0] << 8 | bytes[1];
}

static inline u64 get_unaligned_be64(const void *from)
{
	const u8 *bytes = from;
	u64 value = 0;

	for (size_t i = 0; i < sizeof(value); i++)
		value = value << 8 | bytes[i];
	return value;
}

static inline void put_unaligned_be16(u16 value, void *to)
{
	u8 *bytes = to;

	bytes[0] = value >> 8;
	bytes[1] = value;
}

static inline void put_unaligned_be64(u64 value, void *to)
{
	u8 *bytes = to;

	for (size_t i = sizeof(value); i > 0; i--, value >>= 8)
		bytes[i - 1] = value;
}

#endif
