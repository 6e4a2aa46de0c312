/* SPDX-License-Identifier: GPL-2.0 */
/* The facts of the partition that this runs on. */
#ifndef _PSERIES_IDLE_MACHINE_H
#define _PSERIES_IDLE_MACHINE_H

#include "input.h"

/* Reads below @root, "" for the machine itself: a test brings its own. */
void read_machine(const char *root, struct facts *facts);

#endif
