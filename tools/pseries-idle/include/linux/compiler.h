/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_COMPILER_H
#define _LINUX_COMPILER_H

#define __printf(a, b)		__attribute((__format__(printf, a, b)))
#define __maybe_unused		__attribute((__unused__))

#endif
