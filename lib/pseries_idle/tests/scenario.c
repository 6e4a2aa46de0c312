// SPDX-License-Identifier: GPL-2.0
#include <kunit/test.h>
#include <linux/pseries_idle.h>
#include <linux/slab.h>

#include "answers.h"
#include "scenario.h"

const struct loop_governor with_menu = { "menu", &loop_menu };
const struct loop_governor with_teo = { "teo", &loop_teo };
const struct loop_governor with_ladder = { "ladder", &loop_ladder };
const struct loop_governor * const loop_governors[] = { &with_menu, &with_teo, &with_ladder };

const struct loop_table on_shared = { "shared 10/100", .shared = true };
const struct loop_table on_dedicated = { "dedicated 10/100" };
const struct loop_table on_firmware_12 = {
	"firmware 12/120", .answer = power10_answer,
	.answer_size = sizeof(power10_answer),
};

const struct loop_table on_firmware_2 = {
	"firmware 2/20", .answer = power9_answer,
	.answer_size = sizeof(power9_answer),
};

const struct loop_table * const loop_tables[] = {
	&on_shared, &on_dedicated, &on_firmware_12, &on_firmware_2,
};

struct loop *start_loop(struct kunit *test, const struct loop_governor *governor,
			const struct loop_table *table, unsigned int hz)
{
	/* One whose firmware is believed, whatever it says. */
	const struct pseries_idle_platform platform = {
		.pvr = 0x00800200, .isa = PSERIES_ISA_3_1, .splpar = true,
		.shared = table->shared, .tb_hz = PUBLISHED_TB_HZ,
	};
	struct loop *loop = kunit_kzalloc(test, sizeof(*loop), GFP_KERNEL);
	struct pseries_idle_table states;
	struct pseries_xcede xcede = {};

	KUNIT_ASSERT_NOT_NULL(test, loop);
	if (table->answer)
		pseries_xcede_decode(table->answer, table->answer_size, &xcede);
	KUNIT_ASSERT_EQ(test, 0, pseries_idle_build(&platform, &xcede, &states));
	loop_start(loop, *governor->initcall, &states, hz);
	return loop;
}
