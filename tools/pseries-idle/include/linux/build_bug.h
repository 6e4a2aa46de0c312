/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_BUILD_BUG_H
#define _LINUX_BUILD_BUG_H

#include <assert.h>

#endif
