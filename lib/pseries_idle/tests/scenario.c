// SPDX-License-Identifier: GPL-2.0
#include <linux/pseries_idle.h>

#include "answers.h"
#include "scenario.h"

const struct loop_governor with_menu = { "menu", &loop_menu };
const struct loop_governor with_teo = { "teo", &loop_teo };
const struct loop_governor with_ladder = { "ladder", &loop_ladder };
const struct loop_governor * const loop_governors[] = { &with_menu, &with_teo, &with_ladder };

const struct loop_table on_shared = { "shared 10/100", "shared", .shared = true };
const struct loop_table on_shared_stop = {
	"shared, stop0lite 2/20", "stop0lite", .shared = true, .guest_stop = true,
};

const struct loop_table on_dedicated = { "dedicated 10/100", "dedicated" };
const struct loop_table on_firmware_12 = {
	"firmware 12/120", "firmware-12", .answer = power10_answer,
	.answer_size = sizeof(power10_answer),
};

const struct loop_table on_firmware_2 = {
	"firmware 2/20", "firmware-2", .answer = power9_answer,
	.answer_size = sizeof(power9_answer),
};

const struct loop_table * const loop_tables[] = {
	&on_shared, &on_shared_stop, &on_dedicated, &on_firmware_12, &on_firmware_2,
};

int loop_table_build(const struct loop_table *table,
		     struct pseries_idle_table *states)
{
	/* One whose firmware is believed, whatever it says. */
	const struct pseries_idle_platform platform = {
		.pvr = 0x00800200, .isa = PSERIES_ISA_3_1, .splpar = true,
		.shared = table->shared, .guest_stop = table->guest_stop,
		.tb_hz = PUBLISHED_TB_HZ,
	};
	struct pseries_xcede xcede = {};

	if (table->answer)
		pseries_xcede_decode(table->answer, table->answer_size, &xcede);
	return pseries_idle_build(&platform, &xcede, states);
}
