/* SPDX-License-Identifier: GPL-2.0 */
/* What the core needs of the kernel header of this name, in a program. */
#ifndef _LINUX_COMPILER_H
#define _LINUX_COMPILER_H

#define __maybe_unused		__attribute__((__unused__))

#endif
