// SPDX-License-Identifier: GPL-2.0
/* "explain": the state table, and for each number where it came from. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "json.h"

static const char *processor_name(u32 pvr)
{
	return pseries_processor_name(pvr) ?: "unknown processor";
}

static void print_facts(const struct facts *facts,
			const struct outcome *outcome)
{
	printf("processor: %s (PVR 0x%08x)\n", processor_name(facts->pvr),
	       facts->pvr);
	printf("ISA level: %s (cpu-version 0x%08x)\n",
	       isa_text(outcome->platform.isa), facts->cpu_version);
	printf("partition: %s\n", lpar_names[facts->lpar]);
	printf("timebase: %llu Hz\n", (unsigned long long)facts->tb_hz);
	if (facts->guest_stop)
		puts("stop: vouched for by the administrator");
}

static const char *asked_text(const struct outcome *outcome)
{
	if (outcome->asked)
		return "asked: dedicated, and the processor's firmware is believed (rules 4 and 5)";
	if (!outcome->platform.splpar)
		return "not asked: there is no CEDE to know about (rule 1)";
	if (outcome->platform.shared)
		return "not asked: a shared partition has fixed numbers (rule 2)";
	return "not asked: the processor precedes POWER10 (rule 5)";
}

static void print_firmware(const struct outcome *outcome)
{
	printf("firmware: %s\n", asked_text(outcome));
	if (!outcome->asked)
		return;
	printf("  %s\n", trust_text(outcome->table.trust));
	printf("  its answer: %s\n",
	       pseries_xcede_verdict_text(outcome->xcede.verdict));
	if (outcome->xcede.missing_nul)
		puts("  odd: the final NUL is missing; tolerated");
}

static void print_latency_source(const struct outcome *outcome)
{
	const struct pseries_idle_table *table = &outcome->table;
	struct pseries_xcede_record record;

	printf("    exit latency: %s", pseries_idle_why_text(table->why));
	switch (table->why) {
	case PSERIES_IDLE_WHY_SHARED:
		puts(" (rule 2)");
		break;
	case PSERIES_IDLE_WHY_FIRMWARE:
		record = pseries_xcede_record(&outcome->xcede, table->record);
		printf(": record %u, %llu ticks, rounded up (rule 4)\n",
		       record.specifier,
		       (unsigned long long)record.latency_ticks);
		break;
	default:
		puts(" (rule 3)");
		break;
	}
	if (table->why == PSERIES_IDLE_WHY_FIRMWARE)
		puts("    target residency: ten times the exit latency (rule 4)");
	else
		puts("    target residency: fixed with it");
}

static void print_why_no_stop(const struct pseries_idle_table *table)
{
	if (table->guest_stop != PSERIES_IDLE_STOP_NOT_VOUCHED &&
	    table->guest_stop != PSERIES_IDLE_STOP_ALLOWED)
		printf("no stop0lite: %s (rule 2)\n",
		       pseries_idle_guest_stop_text(table->guest_stop));
}

static void print_states(const struct outcome *outcome)
{
	const struct pseries_idle_table *table = &outcome->table;

	for (unsigned int i = 0; i < table->count; i++) {
		const struct pseries_idle_state *state = &table->states[i];

		printf("state %u: %s, exit latency %u us, target residency %u us\n",
		       i, state->name, state->exit_latency_us,
		       state->target_residency_us);
		if (state->polling)
			printf("    polls for %llu ticks: residency of state 1 (rule 6)\n",
			       (unsigned long long)table->snooze_timeout_ticks);
		else if (state->kind == PSERIES_IDLE_STOP0LITE)
			printf("    exit latency and target residency: fixed; stop %s (rule 2)\n",
			       pseries_idle_guest_stop_text(table->guest_stop));
		else
			print_latency_source(outcome);
	}
	print_why_no_stop(table);
}

static void print_outcome(const struct facts *facts,
			  const struct outcome *outcome)
{
	print_facts(facts, outcome);
	print_firmware(outcome);
	if (outcome->err)
		puts("no idle driver: without SPLPAR there is no H_CEDE (rule 1)");
	else
		print_states(outcome);
}

static void json_outcome(const struct facts *facts,
			 const struct outcome *outcome)
{
	json_begin(NULL, '{');
	json_number("pvr", facts->pvr);
	json_text("processor", pseries_processor_name(facts->pvr));
	json_text("isa", isa_text(outcome->platform.isa));
	json_text("lpar", lpar_names[facts->lpar]);
	json_bool("guest_stop", facts->guest_stop);
	json_number("tb_freq", facts->tb_hz);
	json_bool("asked", outcome->asked);
	json_text("verdict",
		  pseries_xcede_verdict_text(outcome->xcede.verdict));
	json_bool("driver", !outcome->err);
	json_states(&outcome->table);
	if (!outcome->err) {
		json_number("snooze_timeout_ticks",
			    outcome->table.snooze_timeout_ticks);
		json_text("trust", trust_text(outcome->table.trust));
		json_text("why", pseries_idle_why_text(outcome->table.why));
		json_text("stop0lite",
			  pseries_idle_guest_stop_text(outcome->table.guest_stop));
	}
	json_end();
}

int explain_command(const struct arguments *arguments)
{
	static struct facts facts;
	struct outcome outcome;

	facts_from_arguments(arguments, &facts);
	find_outcome(&facts, &outcome);
	(arguments->json ? json_outcome : print_outcome)(&facts, &outcome);
	return EXIT_SUCCESS;
}
