// SPDX-License-Identifier: GPL-2.0
/* "check": does what a kernel shows agree with the policy for its machine? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "machine.h"

#define OUR_DRIVER	"pseries_idle"

static bool is_our_driver(const struct running *running)
{
	return !strcmp(running->driver, OUR_DRIVER);
}

static bool states_agree(const struct running *running,
			 const struct pseries_idle_table *table)
{
	if (running->count != table->count)
		return false;
	for (unsigned int i = 0; i < table->count; i++) {
		const struct shown_state *shown = &running->states[i];
		const struct pseries_idle_state *state = &table->states[i];

		if (strcmp(shown->name, state->name) ||
		    shown->exit_latency_us != state->exit_latency_us ||
		    shown->target_residency_us != state->target_residency_us)
			return false;
	}
	return true;
}

static bool agree(const struct facts *facts, const struct outcome *outcome)
{
	if (outcome->err)
		return !is_our_driver(&facts->running);
	return is_our_driver(&facts->running) &&
	       states_agree(&facts->running, &outcome->table);
}

static void print_verdict(const struct facts *facts,
			  const struct outcome *outcome)
{
	const struct running *running = &facts->running;

	puts(agree(facts, outcome) ? "cpuidle agrees with the policy" :
				     "cpuidle DIFFERS from the policy");
	printf("kernel: driver %s", running->driver);
	for (unsigned int i = 0; i < running->count; i++)
		printf(", %s %u/%u us", running->states[i].name,
		       running->states[i].exit_latency_us,
		       running->states[i].target_residency_us);
	printf("\npolicy: driver %s", outcome->err ? "none" : OUR_DRIVER);
	for (unsigned int i = 0; i < outcome->table.count; i++)
		printf(", %s %u/%u us", outcome->table.states[i].name,
		       outcome->table.states[i].exit_latency_us,
		       outcome->table.states[i].target_residency_us);
	putchar('\n');
	if (!agree(facts, outcome))
		puts("booted with powersave=off, another driver, or another policy? See explain");
}

static void json_verdict(const struct facts *facts,
			 const struct outcome *outcome)
{
	json_begin(NULL, '{');
	json_bool("agrees", agree(facts, outcome));
	json_running(&facts->running);
	json_begin("policy", '{');
	json_text("driver", outcome->err ? "none" : OUR_DRIVER);
	json_states(&outcome->table);
	json_end();
	json_end();
}

int check_command(const struct arguments *arguments)
{
	static struct facts facts;
	struct outcome outcome;

	if (arguments->capture && arguments->root)
		bad_input("a capture, or --root: not both");
	if (arguments->capture)
		read_capture(arguments->capture, &facts);
	else
		read_machine(arguments->root ?: "", &facts);
	if (!*facts.running.driver)
		bad_input("%s: has nothing of cpuidle, so there is nothing to check",
			  arguments->capture ?: "this kernel");
	find_outcome(&facts, &outcome);
	(arguments->json ? json_verdict : print_verdict)(&facts, &outcome);
	return agree(&facts, &outcome) ? EXIT_SUCCESS : STATUS_DIFFERS;
}
