// SPDX-License-Identifier: GPL-2.0
/*
 * idle-loop: experiments with the governors of a kernel tree, as CSV.
 *
 * Governors, loop and tables are the ones that the KUnit suite runs in the
 * kernel, lib/pseries_idle/tests; here is what is measured with them, and the
 * tables that a user makes up.
 */
#include <argp.h>
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "loop.h"
#include "scenario.h"
#include "sleeps.h"
#include "sweep.h"

#define MOST_TABLES	16
#define LONGEST_US	1000000

static const s64 work_us[] = {
	1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120,
	130, 150, 200, 300, 500, 1000,
};

struct table {
	const char *name;
	struct pseries_idle_table states;
};

struct arguments {
	const char *command;
	unsigned int hz;
	unsigned int cpus;
	unsigned int times;
	s64 work_ns;
	size_t count;
	struct table tables[MOST_TABLES];
};

static void __attribute((__noreturn__, __format__(printf, 1, 2)))
bad_input(const char *format, ...)
{
	va_list arguments;

	fputs("idle-loop: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

/* Tables */

static bool take_number(const char **text, u32 *number)
{
	*number = 0;
	if (**text < '0' || **text > '9')
		return false;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		*number = *number * 10 + (**text - '0');
		if (*number > LONGEST_US)
			return false;
	}
	return true;
}

static bool take_word(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)))
		return false;
	*text += strlen(word);
	return true;
}

/* "snooze"; "10/100" for CEDE with that latency and residency; "stop2/20" */
static bool take_state(const char **text, struct pseries_idle_state *state)
{
	if (take_word(text, "snooze")) {
		state->kind = PSERIES_IDLE_SNOOZE;
		state->polling = true;
		return true;
	}
	state->kind = take_word(text, "stop") ? PSERIES_IDLE_STOP0LITE : PSERIES_IDLE_CEDE;
	return take_number(text, &state->exit_latency_us) && *(*text)++ == '/' &&
	       take_number(text, &state->target_residency_us);
}

static bool is_sane(const struct pseries_idle_table *table)
{
	for (unsigned int i = 0; i < table->count; i++) {
		const struct pseries_idle_state *state = &table->states[i];

		if (state->polling ? i : !state->target_residency_us)
			return false;
		if (i && state->target_residency_us <= state[-1].target_residency_us)
			return false;
		if (state->target_residency_us < state->exit_latency_us)
			return false;
	}
	return true;
}

static void take_states(const char *text, const char *states,
			struct pseries_idle_table *table)
{
	do {
		if (table->count == PSERIES_IDLE_MAX_STATES)
			bad_input("%.60s: more than %d states", text,
				  PSERIES_IDLE_MAX_STATES);
		if (!take_state(&states, &table->states[table->count++]))
			bad_input("%.60s is no table: see --help", text);
	} while (*states++ == ',');
	if (states[-1])
		bad_input("%.60s: \"%.20s\" is no state", text, states - 1);
	if (table->count == 1 && table->states[0].polling)
		bad_input("%.60s: beside snooze there has to be a state to choose", text);
	if (!is_sane(table))
		bad_input("%.60s: %s", text,
			  "residency has to ascend, to be no less than latency, and 0 for snooze only");
}

static void take_table(char *text, struct table *table)
{
	char *equals = strchr(text, '=');

	for (size_t i = 0; i < TABLES; i++)
		if (!strcmp(text, loop_tables[i]->key)) {
			table->name = loop_tables[i]->name;
			if (loop_table_build(loop_tables[i], &table->states))
				bad_input("%s: the core makes no such table", text);
			return;
		}
	table->name = text;
	if (strpbrk(text, "\"\n\r"))
		bad_input("a table has a quote or a line's end in its name");
	take_states(text, equals ? equals + 1 : text, &table->states);
	if (equals)
		*equals = '\0';
	if (!*table->name)
		bad_input("=%.60s: a table's name is empty", equals + 1);
}

/* What two share could not be told apart in the CSV. */
static void require_new_name(const struct table *tables, const struct table *table)
{
	for (; tables < table; tables++)
		if (!strcmp(tables->name, table->name))
			bad_input("two tables are called \"%.60s\": give each a name of its own",
				  table->name);
}

/* Experiments */

typedef void (*experiment)(const struct arguments *arguments,
			   const struct loop_governor *governor,
			   const struct table *table);

/* One at a time, and none is large. */
static struct loop *start(const struct arguments *arguments,
			  const struct loop_governor *governor,
			  const struct table *table)
{
	static struct loop loop;

	loop_start(&loop, *governor->initcall, &table->states, arguments->hz);
	return &loop;
}

/* A tree can have any governors. */
static void require_states(const struct loop *loop, const struct loop_governor *governor,
			   const struct table *table)
{
	if (!loop->no_states)
		return;
	fprintf(stderr, "idle-loop: %s chose a state that \"%s\" does not have\n",
		governor->name, table->name);
	exit(1);
}

static void print_entries(const u64 *entries)
{
	for (size_t i = 0; i < PSERIES_IDLE_MAX_STATES; i++)
		printf(",%llu", entries[i]);
}

static void sweep_lengths(const struct arguments *arguments,
			  const struct loop_governor *governor,
			  const struct table *table)
{
	for (enum pattern pattern = 0; pattern < PATTERNS; pattern++)
		for (size_t i = 0; i < SWEEP_LENGTHS; i++) {
			struct loop *loop = start(arguments, governor, table);
			struct sweep_point point = {};

			sweep(loop, pattern, US(sweep_us[i]), arguments->times, &point);
			require_states(loop, governor, table);
			printf("%s,\"%s\",%s,%lld,%llu,%llu,%llu,%llu,%llu,%lld,%llu,%llu",
			       governor->name, table->name, pattern_names[pattern],
			       sweep_us[i], point.sleeps, point.ceded, point.above,
			       point.below, point.hypercalls, point.late_ns,
			       point.polled_ns, point.idle_ns);
			print_entries(point.entries);
			putchar('\n');
		}
}

/* The lines of the suite's case of this name. */
static void standard_sweep(const struct arguments *arguments,
			   const struct loop_governor *governor,
			   const struct table *table)
{
	char text[SWEEP_TEXT];

	for (enum pattern pattern = 0; pattern < PATTERNS; pattern++) {
		struct sweep_point point = {};

		for (size_t i = 0; i < SWEEP_LENGTHS; i++) {
			struct loop *loop = start(arguments, governor, table);

			sweep(loop, pattern, US(sweep_us[i]), SWEEP_SLEEPS, &point);
			require_states(loop, governor, table);
		}
		printf("swept %s, %s, %s: %s\n", governor->name, table->name,
		       pattern_names[pattern], sweep_text(text, &point));
	}
}

/*
 * A token goes round: who has it works, then hands it on and sleeps until it
 * comes again. The kernel knows no timer.
 */
static s64 go_round(struct loop *loop, unsigned int cpus, s64 work_ns)
{
	s64 begin = loop->cpus[0].now_ns;

	for (unsigned int i = 0; i < cpus; i++) {
		unsigned int next = (i + 1) % cpus;
		s64 handed_on_ns;

		loop_work(loop, i, work_ns);
		handed_on_ns = loop->cpus[i].now_ns;
		loop_idle(loop, next, LOOP_NEVER, handed_on_ns - loop->cpus[next].now_ns);
	}
	return loop->cpus[0].now_ns - begin;
}

/* On all CPUs. */
static struct sweep_point count_entries(const struct loop *loop)
{
	struct sweep_point point = {};

	for (unsigned int cpu = 0; cpu < LOOP_CPUS; cpu++)
		for (int state = 0; state < loop->driver.state_count; state++) {
			const struct cpuidle_state_usage *usage =
				&loop->cpus[cpu].device.states_usage[state];

			point.entries[state] += usage->usage;
			point.above += usage->above;
			point.below += usage->below;
		}
	return point;
}

static void ping_pong(const struct arguments *arguments,
		      const struct loop_governor *governor,
		      const struct table *table)
{
	for (size_t i = 0; i < ARRAY_SIZE(work_us); i++) {
		struct loop *loop = start(arguments, governor, table);
		struct sweep_point point;
		s64 ns = 0;

		for (unsigned int time = 0; time < arguments->times; time++)
			ns += go_round(loop, arguments->cpus, US(work_us[i]));
		require_states(loop, governor, table);
		point = count_entries(loop);
		printf("%s,\"%s\",%u,%lld,%u,%lld,%llu,%llu", governor->name,
		       table->name, arguments->cpus, work_us[i],
		       arguments->times, ns / arguments->times, point.above,
		       point.below);
		print_entries(point.entries);
		putchar('\n');
	}
}

/* The same at one amount of work, each round by itself. */
static void dwell(const struct arguments *arguments,
		  const struct loop_governor *governor, const struct table *table)
{
	struct loop *loop = start(arguments, governor, table);

	for (unsigned int time = 0; time < arguments->times; time++)
		printf("%s,\"%s\",%u,%lld,%lld\n", governor->name, table->name,
		       arguments->cpus, arguments->work_ns,
		       go_round(loop, arguments->cpus, arguments->work_ns));
	require_states(loop, governor, table);
}

#define TIMES		",late_ns,polled_ns,idle_ns"
#define ENTRIES		",entries_0,entries_1,entries_2"
static_assert(PSERIES_IDLE_MAX_STATES == 3);

static const struct command {
	const char *name;
	experiment run;
	const char *columns;
} commands[] = {
	{ "sweep", sweep_lengths,
	  "governor,table,pattern,length_us,sleeps,ceded,above,below,hypercalls"
	  TIMES ENTRIES "\n" },
	{ "ping-pong", ping_pong,
	  "governor,table,cpus,work_us,rounds,round_ns,above,below" ENTRIES "\n" },
	{ "dwell", dwell, "governor,table,cpus,work_ns,round_ns\n" },
	{ "standard-sweep", standard_sweep, "" },
};

static void run(const struct arguments *arguments, const struct command *command)
{
	fputs(command->columns, stdout);
	for (size_t i = 0; i < GOVERNORS; i++)
		for (size_t j = 0; j < arguments->count; j++)
			command->run(arguments, loop_governors[i], &arguments->tables[j]);
}

/* Arguments */

static const struct argp_option options[] = {
	{ "hz", 'h', "HZ", 0, "ticks a second: 100, 250 or 1000; 250 without it", 0 },
	{ "cpus", 'c', "N", 0, "that the token goes round, 2 to 6", 0 },
	{ "times", 't', "N", 0, "sleeps of each length, or rounds of the token", 0 },
	{ "work", 'w', "NS", 0, "at each stop, for dwell", 0 },
	{}
};

static u32 number_of(const char *what, const char *text, u32 least, u32 most)
{
	const char *rest = text;
	u32 number;

	if (!take_number(&rest, &number) || *rest || number < least || number > most)
		bad_input("--%s=%.20s is no number from %u to %u", what, text, least,
			  most);
	return number;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'h':
		arguments->hz = number_of("hz", text, 10, 10000);
		return 0;
	case 'c':
		arguments->cpus = number_of("cpus", text, 2, LOOP_CPUS);
		return 0;
	case 't':
		arguments->times = number_of("times", text, 1, LONGEST_US);
		return 0;
	case 'w':
		arguments->work_ns = number_of("work", text, 1, LONGEST_US);
		return 0;
	case ARGP_KEY_ARG:
		if (!arguments->command) {
			arguments->command = text;
			return 0;
		}
		if (arguments->count == MOST_TABLES)
			bad_input("more than %d tables", MOST_TABLES);
		take_table(text, &arguments->tables[arguments->count]);
		require_new_name(arguments->tables,
				 &arguments->tables[arguments->count++]);
		return 0;
	case ARGP_KEY_END:
		if (!arguments->count)
			argp_error(state, "say what to run, and with which tables");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "sweep|ping-pong|dwell|standard-sweep TABLE...",
	.doc = "Experiments with the governors that this was built with, as CSV.\n"
	       "\vA table is shared, stop0lite, dedicated, firmware-12 or firmware-2, as the core\n"
	       "makes it; or states of your own, exit latency and target residency in us, as in\n"
	       "snooze,10/100 or NAME=snooze,stop2/20,10/100.",
};

int main(int argc, char **argv)
{
	struct arguments arguments = {
		.hz = 250, .cpus = LOOP_CPUS, .times = 1000, .work_ns = 20000,
	};

	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(arguments.command, commands[i].name)) {
			run(&arguments, &commands[i]);
			if (fflush(stdout) || ferror(stdout))
				bad_input("standard output: %s", strerror(errno));
			return 0;
		}
	bad_input("there is no experiment \"%.40s\": see --help", arguments.command);
}
