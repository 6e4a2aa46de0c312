/* SPDX-License-Identifier: GPL-2.0 */
/* The governors and tables that are put into the loop, by name. */
#ifndef _PSERIES_IDLE_TESTS_SCENARIO_H
#define _PSERIES_IDLE_TESTS_SCENARIO_H

#include <linux/init.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "loop.h"

struct kunit;

#define US(us)		((us) * (s64)NSEC_PER_USEC)

enum { SNOOZE, CEDE };		/* states of each table */

struct loop_governor {
	const char *name;
	const initcall_t *initcall;
};

struct loop_table {
	const char *name;
	bool shared;
	const u8 *answer;	/* of firmware; NULL: the default */
	size_t answer_size;
};

extern const struct loop_governor with_menu, with_teo, with_ladder;
#define GOVERNORS	3
extern const struct loop_governor * const loop_governors[GOVERNORS];

extern const struct loop_table on_shared, on_dedicated, on_firmware_12, on_firmware_2;
#define TABLES		4
extern const struct loop_table * const loop_tables[TABLES];

/* A loop with a table of the core's, freed with the test. */
struct loop *start_loop(struct kunit *test, const struct loop_governor *governor,
			const struct loop_table *table, unsigned int hz);

#endif /* _PSERIES_IDLE_TESTS_SCENARIO_H */
