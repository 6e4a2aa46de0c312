// SPDX-License-Identifier: GPL-2.0
/* "decode": firmware's answer record by record, and what is odd about it. */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "json.h"

/* What the policy would do with a record, if it looked at it. */
enum use { USE_ZERO, USE_TOO_SLOW, USE_LOWEST, USE_NOT_NEEDED };

static const char * const use_text[] = {
	[USE_ZERO] = "not usable: zero",
	[USE_TOO_SLOW] = "not usable: above 1 ms",
	[USE_LOWEST] = "the lowest usable: it is what will be used",
	[USE_NOT_NEEDED] = "not needed: a lower one is used",
};

static const char * const irq_text[] = {
	[PSERIES_XCEDE_IRQ_NOT_TOLD] = "not told",
	[PSERIES_XCEDE_IRQ_IGNORED] = "no",
	[PSERIES_XCEDE_IRQ_WAKES] = "yes",
};

static enum use use_of(unsigned int index, u64 us,
		       const struct pseries_idle_table *table)
{
	if (table->why == PSERIES_IDLE_WHY_FIRMWARE && index >= table->record)
		return index == table->record ? USE_LOWEST : USE_NOT_NEEDED;
	return us ? USE_TOO_SLOW : USE_ZERO;
}

static void print_record(const struct pseries_xcede_record *record, u64 us,
			 enum use use)
{
	printf("  record %u: %llu ticks, %llu us, ended by external interrupts: %s (%s)\n",
	       record->specifier, (unsigned long long)record->latency_ticks,
	       (unsigned long long)us, irq_text[record->irq], use_text[use]);
}

static void json_record(const struct pseries_xcede_record *record, u64 us,
			enum use use)
{
	json_begin(NULL, '{');
	json_number("specifier", record->specifier);
	json_number("latency_ticks", record->latency_ticks);
	json_number("latency_us", us);
	json_text("external_interrupts", irq_text[record->irq]);
	json_text("use", use_text[use]);
	json_end();
}

static void show_records(const struct pseries_xcede *xcede, u64 tb_hz,
			 const struct pseries_idle_table *table, bool json)
{
	for (unsigned int i = 0; i < xcede->count; i++) {
		struct pseries_xcede_record record =
			pseries_xcede_record(xcede, i);
		u64 us;

		pseries_idle_ticks_to_us(record.latency_ticks, tb_hz, &us);
		(json ? json_record : print_record)(&record, us,
						    use_of(i, us, table));
	}
}

static void print_answer(const struct pseries_xcede *xcede, u64 tb_hz,
			 const struct pseries_idle_table *table)
{
	printf("firmware's CEDE latency settings: %s\n",
	       pseries_xcede_verdict_text(xcede->verdict));
	if (xcede->verdict == PSERIES_XCEDE_OK)
		printf("  records: %u, of %u bytes each\n", xcede->count,
		       xcede->record_size);
	if (xcede->missing_nul)
		puts("  odd: the final NUL is missing; tolerated");
	if (xcede->verdict == PSERIES_XCEDE_OK && xcede->record_size > 10)
		puts("  newer than the published format: added fields are ignored");
	if (xcede->verdict == PSERIES_XCEDE_OK && xcede->record_size < 10)
		puts("  without the interrupt flag, which plays no part");
	show_records(xcede, tb_hz, table, false);
	printf("a partition that believes it gets CEDE %u/%u us (%s)\n",
	       table->states[1].exit_latency_us,
	       table->states[1].target_residency_us,
	       pseries_idle_why_text(table->why));
}

static void json_answer(const struct pseries_xcede *xcede, u64 tb_hz,
			const struct pseries_idle_table *table)
{
	json_begin(NULL, '{');
	json_text("verdict", pseries_xcede_verdict_text(xcede->verdict));
	json_bool("taken", xcede->verdict == PSERIES_XCEDE_OK);
	json_bool("missing_nul", xcede->missing_nul);
	json_number("record_size", xcede->record_size);
	json_begin("records", '[');
	show_records(xcede, tb_hz, table, true);
	json_end();
	json_number("exit_latency_us", table->states[1].exit_latency_us);
	json_number("target_residency_us",
		    table->states[1].target_residency_us);
	json_text("why", pseries_idle_why_text(table->why));
	json_end();
}

int decode_command(const struct arguments *arguments)
{
	static struct firmware_answer answer;
	struct pseries_idle_table table;
	struct pseries_xcede xcede = {};
	u64 tb_hz = timebase_from_arguments(arguments);

	if (!arguments->xcede)
		bad_input("decode needs a file, \"-\", or bytes in hexadecimal");
	read_answer(arguments->xcede, &answer);
	pseries_xcede_decode(answer.bytes, answer.size, &xcede);
	build_believing(&xcede, tb_hz, &table);
	(arguments->json ? json_answer : print_answer)(&xcede, tb_hz, &table);
	return xcede.verdict == PSERIES_XCEDE_OK ? EXIT_SUCCESS :
						   STATUS_DIFFERS;
}
