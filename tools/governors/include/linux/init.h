/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_INIT_H
#define _LINUX_INIT_H

typedef int (*initcall_t)(void);

#endif
