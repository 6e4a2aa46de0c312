// SPDX-License-Identifier: GPL-2.0
/* Any bytes as firmware's answer, through the core to a table. */
#include <stdlib.h>
#include <string.h>

#include <linux/pseries_idle.h>

static void expect(bool holds)
{
	if (!holds)
		abort();
}

int fuzz_one_input(const u8 *data, size_t size)
{
	const struct pseries_idle_platform platform = {
		.pvr = 0x00800200, .isa = PSERIES_ISA_3_1, .splpar = true,
		.tb_hz = 512000000,
	};
	struct pseries_xcede xcede = {};
	struct pseries_idle_table table;
	u64 last = 0;

	pseries_xcede_decode(data, size, &xcede);
	expect(xcede.verdict != PSERIES_XCEDE_NO_ANSWER);
	expect(xcede.verdict == PSERIES_XCEDE_OK || !xcede.count);
	for (unsigned int i = 0; i < xcede.count; i++) {
		struct pseries_xcede_record record =
			pseries_xcede_record(&xcede, i);

		expect(record.latency_ticks >= last);
		last = record.latency_ticks;
	}
	expect(!pseries_idle_build(&platform, &xcede, &table));
	expect(table.count == 2);
	expect(table.states[1].exit_latency_us >= 1);
	expect(table.states[1].exit_latency_us <= 1000);
	expect(table.states[1].target_residency_us ==
	       10 * table.states[1].exit_latency_us);
	return 0;
}
