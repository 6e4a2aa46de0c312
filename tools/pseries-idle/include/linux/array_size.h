/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_ARRAY_SIZE_H
#define _LINUX_ARRAY_SIZE_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif
