// SPDX-License-Identifier: GPL-2.0
/* Says the situations of the policy suite, for the tests of the tool. */
#include <stdio.h>

#include <linux/array_size.h>

#include "json.h"
#include "situations.h"

static const char *lpar_of(const struct pseries_idle_platform *platform)
{
	if (!platform->splpar)
		return "no SPLPAR";
	return platform->shared ? "shared" : "dedicated";
}

/* A cpu-version that stands for the level. */
static u32 cpu_version_of(enum pseries_isa isa)
{
	static const u32 versions[] = {
		[PSERIES_ISA_OLDER] = 0x00350000,	/* POWER4, raw */
		[PSERIES_ISA_2_04] = 0x0f000001,
		[PSERIES_ISA_2_05] = 0x0f000002,
		[PSERIES_ISA_2_06] = 0x0f000003,
		[PSERIES_ISA_2_07] = 0x0f000004,
		[PSERIES_ISA_3_0] = 0x0f000005,
		[PSERIES_ISA_3_1] = 0x0f000006,
	};

	return versions[isa];
}

/* One without a name is not there. */
static void say_state(const struct pseries_idle_state *state)
{
	if (!state->name)
		return;
	json_begin(NULL, '{');
	json_text("name", state->name);
	json_number("exit_latency_us", state->exit_latency_us);
	json_number("target_residency_us", state->target_residency_us);
	json_end();
}

int main(void)
{
	json_begin(NULL, '[');
	for (size_t i = 0; i < ARRAY_SIZE(situations); i++) {
		const struct situation *row = &situations[i];

		json_begin(NULL, '{');
		json_text("name", row->name);
		json_number("pvr", row->platform.pvr);
		json_number("cpu_version", cpu_version_of(row->platform.isa));
		json_text("lpar", lpar_of(&row->platform));
		json_bool("guest_stop", row->platform.guest_stop);
		json_bool("answered", row->answer);
		json_bytes("answer", row->answer, row->answer_size);
		json_bool("asked", row->asked);
		json_bool("driver", !row->err);
		json_begin("states", '[');
		say_state(&row->stop);
		say_state(&row->cede);
		json_end();
		json_number("stop_reason", row->guest_stop);
		json_number("snooze_timeout_ticks", row->snooze_timeout_ticks);
		json_end();
	}
	json_end();
	return 0;
}
