/* SPDX-License-Identifier: GPL-2.0 */
/* Debian's ministat: does a series differ from another? */
#ifndef _PSERIES_IDLE_MINISTAT_H
#define _PSERIES_IDLE_MINISTAT_H

#include <stdio.h>

#include <linux/types.h>

/* With fewer numbers in either, there is nothing to say. */
#define MINISTAT_LEAST	3

struct series {
	const u32 *numbers;
	size_t count;
};

/*
 * Returns what ministat printed below the names of its two inputs, to be
 * freed; @differ tells whether it calls the difference proven.
 */
char *run_ministat(struct series before, struct series after, bool *differ);

#endif
