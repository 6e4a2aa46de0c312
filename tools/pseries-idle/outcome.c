// SPDX-License-Identifier: GPL-2.0
#include "commands.h"
#include "json.h"

/* The way facts go in the driver. */
void find_outcome(const struct facts *facts, struct outcome *outcome)
{
	*outcome = (struct outcome) {};
	to_platform(facts, &outcome->platform);
	outcome->asked = pseries_idle_wants_firmware(&outcome->platform);
	if (outcome->asked && facts->answer.unknown)
		bad_input("what firmware says is not known: capture where /dev/papr-sysparm is");
	if (facts->answer.given)
		pseries_xcede_decode(facts->answer.bytes, facts->answer.size,
				     &outcome->xcede);
	outcome->err = pseries_idle_build(&outcome->platform, &outcome->xcede,
					  &outcome->table);
}

void build_believing(const struct pseries_xcede *xcede, u64 tb_hz,
		     struct pseries_idle_table *table)
{
	const struct pseries_idle_platform platform = {
		.isa = PSERIES_ISA_3_1, .splpar = true, .tb_hz = tb_hz,
	};

	pseries_idle_build(&platform, xcede, table);
}

const char *isa_text(enum pseries_isa isa)
{
	static const char * const text[] = {
		[PSERIES_ISA_OLDER] = "below 2.04",
		[PSERIES_ISA_2_04] = "2.04",
		[PSERIES_ISA_2_05] = "2.05",
		[PSERIES_ISA_2_06] = "2.06",
		[PSERIES_ISA_2_07] = "2.07",
		[PSERIES_ISA_3_0] = "3.0",
		[PSERIES_ISA_3_1] = "3.1",
	};

	return text[isa];
}

const char *trust_text(enum pseries_idle_trust trust)
{
	static const char * const text[] = {
		[PSERIES_IDLE_DISTRUST] =
			"not believed: the processor precedes POWER10",
		[PSERIES_IDLE_TRUST_ISA] =
			"believed: the partition runs at ISA 3.1 or later",
		[PSERIES_IDLE_TRUST_PVR] =
			"believed: the processor is not known to precede POWER10",
	};

	return text[trust];
}

const char *how_text(const struct pseries_idle_state *state)
{
	static const char * const text[] = {
		[PSERIES_IDLE_SNOOZE] = "polls",
		[PSERIES_IDLE_CEDE] = "cedes, donating",
		[PSERIES_IDLE_SHARED_CEDE] = "cedes",
		[PSERIES_IDLE_STOP0LITE] = "stops",
	};
	bool polls = state->kind == PSERIES_IDLE_SNOOZE;

	if (state->polling != polls)
		return "its polling flag is wrong";
	return text[state->kind];
}

void json_running(const struct running *running)
{
	json_begin("kernel", '{');
	json_text("driver", running->driver);
	json_begin("states", '[');
	for (unsigned int i = 0; i < running->count; i++) {
		json_begin(NULL, '{');
		json_text("name", running->states[i].name);
		json_number("exit_latency_us",
			    running->states[i].exit_latency_us);
		json_number("target_residency_us",
			    running->states[i].target_residency_us);
		json_end();
	}
	json_end();
	json_end();
}

void json_states(const struct pseries_idle_table *table)
{
	json_begin("states", '[');
	for (unsigned int i = 0; i < table->count; i++) {
		const struct pseries_idle_state *state = &table->states[i];

		json_begin(NULL, '{');
		json_text("name", state->name);
		json_number("exit_latency_us", state->exit_latency_us);
		json_number("target_residency_us", state->target_residency_us);
		json_bool("polling", state->polling);
		json_text("how", how_text(state));
		json_end();
	}
	json_end();
}
