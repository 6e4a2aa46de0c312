/* SPDX-License-Identifier: GPL-2.0 */
/* The governors and tables that are put into the loop, by name. */
#ifndef _PSERIES_IDLE_TESTS_SCENARIO_H
#define _PSERIES_IDLE_TESTS_SCENARIO_H

#include <linux/init.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "loop.h"

#define US(us)		((us) * (s64)NSEC_PER_USEC)

struct loop_governor {
	const char *name;
	const initcall_t *initcall;
};

/**
 * struct loop_table - a table that the core makes, and of what
 * @name: of the table
 * @key: a name to type
 * @shared: the partition is
 * @guest_stop: stop is vouched for
 * @answer: of firmware; NULL for none
 * @answer_size: bytes at @answer
 */
struct loop_table {
	const char *name;
	const char *key;
	bool shared;
	bool guest_stop;
	const u8 *answer;
	size_t answer_size;
};

extern const struct loop_governor with_menu, with_teo, with_ladder;
#define GOVERNORS	3
extern const struct loop_governor * const loop_governors[GOVERNORS];

extern const struct loop_table on_shared, on_shared_stop, on_dedicated;
extern const struct loop_table on_firmware_12, on_firmware_2;
#define TABLES		5
extern const struct loop_table * const loop_tables[TABLES];

/**
 * loop_table_build - let the core make a table
 * @table: which
 * @states: the result
 *
 * Return: what pseries_idle_build() does.
 */
int loop_table_build(const struct loop_table *table,
		     struct pseries_idle_table *states);

#endif /* _PSERIES_IDLE_TESTS_SCENARIO_H */
