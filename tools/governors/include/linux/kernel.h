/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_KERNEL_H
#define _LINUX_KERNEL_H

#include <stdio.h>

#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>

#endif
