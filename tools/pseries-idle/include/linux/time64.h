/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_TIME64_H
#define _LINUX_TIME64_H

#define USEC_PER_SEC		1000000ULL

#endif
