/* SPDX-License-Identifier: GPL-2.0 */
/* The commands: each gets its arguments, and returns the exit status. */
#ifndef _PSERIES_IDLE_COMMANDS_H
#define _PSERIES_IDLE_COMMANDS_H

#include "input.h"

int explain_command(const struct arguments *arguments);
int decode_command(const struct arguments *arguments);
int capture_command(const struct arguments *arguments);
int check_command(const struct arguments *arguments);
int table_command(const struct arguments *arguments);
int latency_command(const struct arguments *arguments);

/* Shared by them: what the core makes of facts, and how it is shown. */
struct outcome {
	struct pseries_idle_platform platform;
	struct pseries_xcede xcede;
	struct pseries_idle_table table;
	bool asked;
	int err;
};

void find_outcome(const struct facts *facts, struct outcome *outcome);
/* Of a partition that believes this firmware. */
void build_believing(const struct pseries_xcede *xcede, u64 tb_hz,
		     struct pseries_idle_table *table);
const char *isa_text(enum pseries_isa isa);
const char *trust_text(enum pseries_idle_trust trust);
void json_running(const struct running *running);
/* Whether it polls, stops, or which way it cedes. */
const char *how_text(const struct pseries_idle_state *state);
void json_states(const struct pseries_idle_table *table);

#endif
