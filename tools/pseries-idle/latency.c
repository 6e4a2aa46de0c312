// SPDX-License-Identifier: GPL-2.0
/* "latency": what was measured of wake-ups, and which latency it supports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/array_size.h>

#include "commands.h"
#include "json.h"
#include "latency_log.h"
#include "ministat.h"

#define NS_PER_US	1000

/* What firmware says of CEDE, if that is known. */
struct firmware {
	bool known;
	u32 latency_us;
	const char *why;
};

/* What a measured wake-up latency speaks for. */
enum support {
	SUPPORTS_NOTHING,	/* nothing was measured, or the CPU was busy */
	WITHIN_TABLE,
	ABOVE_TABLE,
	SUPPORTS_TABLE,
	SUPPORTS_FIRMWARE,
	SUPPORTS_BOTH,
};

static const char * const support_text[] = {
	[SUPPORTS_NOTHING] = "nothing",
	[WITHIN_TABLE] = "is within the table's",
	[ABOVE_TABLE] = "is above the table's",
	[SUPPORTS_TABLE] = "supports the table's",
	[SUPPORTS_FIRMWARE] = "supports firmware's",
	[SUPPORTS_BOTH] = "supports both alike",
};

/* Firmware's latencies are of what ends up in H_CEDE. */
static bool is_cede(const char *label)
{
	static const char * const names[] = { "CEDE", "Shared Cede" };
	const char *name = label + strspn(label, "0123456789");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (*name == ' ' && !strcmp(name + 1, names[i]))
			return true;
	return false;
}

/* How many times the one is the other, whichever is more. */
static double distance(u32 ns, u32 us)
{
	double expected = (double)us * NS_PER_US;

	if (ns == expected)
		return 1;
	return ns > expected ? ns / expected : expected / ns;
}

static enum support support_of(const struct wakeups *wakeups,
			       const struct firmware *firmware)
{
	u32 ns = wakeups->summary.percentile_99;
	double from_table, from_firmware;

	if (wakeups->busy || !wakeups->count)
		return SUPPORTS_NOTHING;
	if (!firmware->known || !is_cede(wakeups->label))
		return ns <= (u64)wakeups->exit_latency_us * NS_PER_US ?
		       WITHIN_TABLE : ABOVE_TABLE;
	from_table = distance(ns, wakeups->exit_latency_us);
	from_firmware = distance(ns, firmware->latency_us);
	if (from_table == from_firmware)
		return SUPPORTS_BOTH;
	return from_table < from_firmware ? SUPPORTS_TABLE : SUPPORTS_FIRMWARE;
}

static void find_firmware(const struct arguments *arguments,
			  struct firmware *firmware)
{
	static struct facts facts;
	struct pseries_idle_table table;
	struct pseries_xcede xcede = {};

	if (arguments->capture && (arguments->xcede || arguments->tb_hz))
		bad_input("a capture has all of that: leave out --xcede and --tb-freq");
	if (arguments->capture)
		read_capture(arguments->capture, &facts);
	else
		facts.tb_hz = timebase_from_arguments(arguments);
	if (arguments->xcede)
		read_answer(arguments->xcede, &facts.answer);
	firmware->why = "not given, see --xcede and --capture";
	if (!facts.answer.given)
		return;
	pseries_xcede_decode(facts.answer.bytes, facts.answer.size, &xcede);
	build_believing(&xcede, facts.tb_hz, &table);
	firmware->why = pseries_idle_why_text(table.why);
	firmware->known = table.why == PSERIES_IDLE_WHY_FIRMWARE;
	firmware->latency_us = table.states[1].exit_latency_us;
}

/* The table of a log */

static const char *exit_text(const struct wakeups *wakeups)
{
	static char text[16];

	if (wakeups->busy)
		return "-";
	snprintf(text, sizeof(text), "%u", wakeups->exit_latency_us);
	return text;
}

static void print_wakeups(const struct wakeups *wakeups)
{
	const struct summary *s = &wakeups->summary;

	printf("%-18s %7s %6u %7u %9u %9u %9llu.%02llu %9u %9u %9u %9llu.%02llu\n",
	       wakeups->label, exit_text(wakeups), wakeups->count,
	       wakeups->dropped, s->min, s->median,
	       (unsigned long long)s->mean_centi / 100,
	       (unsigned long long)s->mean_centi % 100, s->percentile_90,
	       s->percentile_99, s->max,
	       (unsigned long long)s->stddev_centi / 100,
	       (unsigned long long)s->stddev_centi % 100);
}

static void print_title(const struct latency_log *log,
			const struct wakeups *wakeups)
{
	printf("\n%s: wake-ups of CPU %u by %s, in ns\n", log->name,
	       wakeups->cpu, source_names[wakeups->source]);
	printf("%-18s %7s %6s %7s %9s %9s %12s %9s %9s %9s %12s\n", "state",
	       "exit us", "N", "dropped", "min", "median", "avg", "90%ile",
	       "99%ile", "max", "stddev");
}

static bool same_table(const struct wakeups *a, const struct wakeups *b)
{
	return a->cpu == b->cpu && a->source == b->source;
}

static void print_tables(const struct latency_log *log)
{
	for (size_t i = 0; i < log->count; i++) {
		const struct wakeups *wakeups = &log->wakeups[i];

		if (!i || !same_table(wakeups, wakeups - 1))
			print_title(log, wakeups);
		print_wakeups(wakeups);
	}
}

/* Which latency is supported */

static void print_support(const struct wakeups *wakeups,
			  const struct firmware *firmware)
{
	enum support support = support_of(wakeups, firmware);
	u32 ns = wakeups->summary.percentile_99;

	if (wakeups->source != SOURCE_IPI || support == SUPPORTS_NOTHING)
		return;
	printf("CPU %u, %s: 99 %% within %u ns, table %u us", wakeups->cpu,
	       wakeups->label, ns, wakeups->exit_latency_us);
	if (firmware->known && is_cede(wakeups->label))
		printf(", firmware %u us", firmware->latency_us);
	printf(": %s\n", support_text[support]);
}

static void print_reasoning(const struct latency_log *log,
			    const struct firmware *firmware)
{
	printf("\n%s: which exit latency wake-ups by IPI speak for; firmware's: ",
	       log->name);
	if (firmware->known)
		printf("%u us\n", firmware->latency_us);
	else
		printf("%s\n", firmware->why);
	for (size_t i = 0; i < log->count; i++)
		print_support(&log->wakeups[i], firmware);
}

static bool is_against_table(const struct latency_log *log,
			     const struct firmware *firmware)
{
	for (size_t i = 0; i < log->count; i++)
		if (log->wakeups[i].source == SOURCE_IPI &&
		    support_of(&log->wakeups[i], firmware) == SUPPORTS_FIRMWARE)
			return true;
	return false;
}

static void json_wakeups(const struct wakeups *wakeups,
			 const struct firmware *firmware)
{
	const struct summary *s = &wakeups->summary;

	json_begin(NULL, '{');
	json_number("cpu", wakeups->cpu);
	json_text("source", source_names[wakeups->source]);
	json_text("state", wakeups->label);
	if (wakeups->busy)
		json_text("exit_latency_us", NULL);
	else
		json_number("exit_latency_us", wakeups->exit_latency_us);
	json_number("count", wakeups->count);
	json_number("dropped", wakeups->dropped);
	json_number("min_ns", s->min);
	json_number("median_ns", s->median);
	json_centi("mean_ns", s->mean_centi);
	json_number("percentile_90_ns", s->percentile_90);
	json_number("percentile_99_ns", s->percentile_99);
	json_number("max_ns", s->max);
	json_centi("stddev_ns", s->stddev_centi);
	json_text("verdict", wakeups->source == SOURCE_IPI ?
		  support_text[support_of(wakeups, firmware)] : NULL);
	json_end();
}

static void json_log(const struct latency_log *log,
		     const struct firmware *firmware)
{
	json_begin(NULL, '{');
	json_text("log", log->name);
	json_begin("wakeups", '[');
	for (size_t i = 0; i < log->count; i++)
		json_wakeups(&log->wakeups[i], firmware);
	json_end();
	json_end();
}

/* Two logs */

enum change { SAME, DIFFERENT, TOO_FEW, GONE };

static const char * const change_text[] = {
	[SAME] = "no difference proven",
	[DIFFERENT] = "differs",
	[TOO_FEW] = "too few to compare",
	[GONE] = "only in one log",
};

static void show_change(const struct wakeups *wakeups, enum change change,
			const char *words, bool json)
{
	if (!json) {
		printf("\nCPU %u, %s, %s: %s\n%s", wakeups->cpu,
		       source_names[wakeups->source], wakeups->label,
		       change_text[change], words);
		return;
	}
	json_begin(NULL, '{');
	json_number("cpu", wakeups->cpu);
	json_text("source", source_names[wakeups->source]);
	json_text("state", wakeups->label);
	json_text("change", change_text[change]);
	json_text("ministat", *words ? words : NULL);
	json_end();
}

static enum change compare_one(const struct wakeups *before,
			       const struct wakeups *after, bool json)
{
	char *words;
	bool differ;

	if (!after || before->count < MINISTAT_LEAST ||
	    after->count < MINISTAT_LEAST) {
		enum change change = after ? TOO_FEW : GONE;

		show_change(before, change, "", json);
		return change;
	}
	words = run_ministat((struct series) { before->ns, before->count },
			     (struct series) { after->ns, after->count },
			     &differ);
	show_change(before, differ ? DIFFERENT : SAME, words, json);
	free(words);
	return differ ? DIFFERENT : SAME;
}

/* True if they differ. */
static bool compare_logs(const struct latency_log *before,
			 const struct latency_log *after, bool json)
{
	bool differ = false;

	for (size_t i = 0; i < before->count; i++) {
		const struct wakeups *wakeups = &before->wakeups[i];
		enum change change = compare_one(wakeups,
						 find_wakeups(after, wakeups),
						 json);

		differ |= change == DIFFERENT || change == GONE;
	}
	for (size_t i = 0; i < after->count; i++) {
		if (find_wakeups(before, &after->wakeups[i]))
			continue;
		show_change(&after->wakeups[i], GONE, "", json);
		differ = true;
	}
	return differ;
}

static void show_log(const struct latency_log *log,
		     const struct firmware *firmware, bool json)
{
	if (json) {
		json_log(log, firmware);
		return;
	}
	print_tables(log);
	print_reasoning(log, firmware);
}

static void begin_part(const char *key, const char *words, bool json)
{
	if (json)
		json_begin(key, '[');
	else
		fputs(words, stdout);
}

static void end_part(bool json)
{
	if (json)
		json_end();
}

int latency_command(const struct arguments *arguments)
{
	unsigned int count = arguments->logs[1] ? 2 : 1;
	struct latency_log logs[MAX_LOGS];
	struct firmware firmware = {};
	bool json = arguments->json, differ = false;

	if (!arguments->logs[0])
		bad_input("latency needs a log, or two: see --help");
	find_firmware(arguments, &firmware);
	for (unsigned int i = 0; i < count; i++)
		read_latency_log(arguments->logs[i], &logs[i]);
	if (json)
		json_begin(NULL, '{');
	begin_part("logs", "", json);
	for (unsigned int i = 0; i < count; i++) {
		show_log(&logs[i], &firmware, json);
		differ |= is_against_table(&logs[i], &firmware);
	}
	end_part(json);
	if (count == 2) {
		begin_part("changes", "\nFrom the first log (x) to the second (+):\n",
			   json);
		differ |= compare_logs(&logs[0], &logs[1], json);
		end_part(json);
	}
	end_part(json);
	for (unsigned int i = 0; i < count; i++)
		free_latency_log(&logs[i]);
	return differ ? STATUS_DIFFERS : EXIT_SUCCESS;
}
