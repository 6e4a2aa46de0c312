// SPDX-License-Identifier: GPL-2.0
/*
 * "table": the whole decision table, every processor at every ISA level, of
 * every kind, with every answer that the situations of the policy suite know.
 *
 * As JSON, a row for each combination. As text, which is kept in the
 * repository to be read and diffed, what does not matter is drawn together:
 * rows that differ in level or answer alone, and come to the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/array_size.h>

#include "commands.h"
#include "json.h"
#include "situations.h"

struct named_answer {
	const char *name;
	const u8 *bytes;
	size_t size;
};

#define NAMED(_name, _bytes)	{ _name, _bytes, sizeof(_bytes) }

static const struct named_answer answers[] = {
	{ "no answer", NULL, 0 },
	NAMED("firmware 12/30 us", power10_answer),
	NAMED("firmware 2 us/8 ms", power9_answer),
	NAMED("firmware 30 us/10 ms", power8_answer),
	NAMED("firmware 0/12 us", zero_first_answer),
	NAMED("firmware 1 us", one_us_answer),
	NAMED("firmware 1 us and a tick", above_one_us_answer),
	NAMED("firmware 1 ms", one_ms_answer),
	NAMED("firmware 1 ms and a tick", above_one_ms_answer),
	NAMED("firmware 10 ms only", ten_ms_answer),
	NAMED("firmware 430 s only", ten_times_wraps_answer),
	NAMED("firmware 0 only", all_zero_answer),
	NAMED("firmware lists nothing", no_records_answer),
	NAMED("firmware 12 us, final NUL missing", no_nul_answer),
	NAMED("firmware 12/30 us, fields added", added_fields_answer),
	NAMED("firmware 12/30 us, no interrupt flag", fewer_fields_answer),
	NAMED("firmware 17 records from 12 us", seventeen_records_answer),
	NAMED("firmware's length is 0", length_zero_answer),
	NAMED("firmware's length is 1", length_one_answer),
	NAMED("firmware's length is 65535", length_65535_answer),
	NAMED("firmware's length ends in the second record", length_too_short_answer),
	NAMED("two bytes after firmware's records", two_bytes_left_answer),
	NAMED("firmware's last byte is no NUL", no_nul_at_end_answer),
	NAMED("firmware's records of 1 byte", one_byte_records_answer),
	NAMED("firmware's records of 8 bytes", eight_byte_records_answer),
	NAMED("firmware's records of 256 bytes, but shorter", long_records_answer),
	NAMED("firmware leaves a specifier out", specifier_left_out_answer),
	NAMED("firmware has a specifier twice", specifier_twice_answer),
	NAMED("firmware's latencies descend", descending_answer),
};

#define ANSWERS		ARRAY_SIZE(answers)
#define LEVELS		(PSERIES_ISA_3_1 + 1)
#define VERSIONS	0x10000
#define TEXT_SIZE	512

struct cell {
	bool asked;
	int err;
	struct pseries_idle_table table;
};

static void fill(u32 pvr, enum pseries_isa isa, enum lpar lpar,
		 const struct named_answer *answer, struct cell *cell)
{
	const struct pseries_idle_platform platform = {
		.pvr = pvr, .isa = isa, .splpar = lpar != LPAR_NO_SPLPAR,
		.shared = lpar == LPAR_SHARED, .tb_hz = PUBLISHED_TB_HZ,
	};
	struct pseries_xcede xcede = {};

	if (answer->bytes)
		pseries_xcede_decode(answer->bytes, answer->size, &xcede);
	cell->asked = pseries_idle_wants_firmware(&platform);
	cell->err = pseries_idle_build(&platform, &xcede, &cell->table);
}

static void write_outcome(const struct cell *cell, char (*text)[TEXT_SIZE])
{
	const struct pseries_idle_table *table = &cell->table;
	int used = 0;

	/* The rest zero, to be compared whole. */
	memset(text, 0, sizeof(*text));
	if (cell->err) {
		snprintf(*text, sizeof(*text), "no driver");
		return;
	}
	for (unsigned int i = 0; i < table->count; i++) {
		const struct pseries_idle_state *state = &table->states[i];

		used += snprintf(*text + used, sizeof(*text) - used,
				 "%s %u/%u us %s; ", state->name,
				 state->exit_latency_us,
				 state->target_residency_us, how_text(state));
	}
	snprintf(*text + used, sizeof(*text) - used, "%llu ticks (%s)%s",
		 (unsigned long long)table->snooze_timeout_ticks,
		 pseries_idle_why_text(table->why),
		 cell->asked ? "" : ", not asked");
}

/* The level of a processor that runs in no compatibility mode. */
static const char *native_text(u32 pvr)
{
	enum pseries_isa isa;

	return pseries_isa_from_cpu_version(pvr, &isa) ? NULL : isa_text(isa);
}

static void json_row(u32 pvr, const char *name, enum pseries_isa isa,
		     enum lpar lpar, const struct named_answer *answer)
{
	struct cell cell;

	fill(pvr, isa, lpar, answer, &cell);
	json_begin(NULL, '{');
	json_number("pvr", pvr);
	json_text("processor", name);
	json_text("isa", isa_text(isa));
	json_text("native", native_text(pvr));
	json_text("lpar", lpar_names[lpar]);
	json_text("answer", answer->name);
	json_bytes("bytes", answer->bytes, answer->size);
	json_bool("asked", cell.asked);
	json_bool("driver", !cell.err);
	json_states(&cell.table);
	json_number("snooze_timeout_ticks", cell.table.snooze_timeout_ticks);
	json_text("why", cell.err ? NULL :
				    pseries_idle_why_text(cell.table.why));
	json_end();
}

static void json_rows(u32 pvr, const char *name)
{
	for (enum lpar lpar = 0; lpar < LPARS; lpar++)
		for (enum pseries_isa isa = 0; isa < LEVELS; isa++)
			for (size_t i = 0; i < ANSWERS; i++)
				json_row(pvr, name, isa, lpar, &answers[i]);
}

static void outcomes_at(u32 pvr, enum pseries_isa isa, enum lpar lpar,
			char (*texts)[TEXT_SIZE])
{
	struct cell cell;

	for (size_t i = 0; i < ANSWERS; i++) {
		fill(pvr, isa, lpar, &answers[i], &cell);
		write_outcome(&cell, &texts[i]);
	}
}

static void print_levels(enum pseries_isa first, enum pseries_isa last)
{
	if (first == 0 && last == LEVELS - 1)
		fputs("any level", stdout);
	else if (first == last)
		printf("ISA %s", isa_text(first));
	else if (first == 0)
		printf("up to ISA %s", isa_text(last));
	else
		printf("ISA %s to %s", isa_text(first), isa_text(last));
}

static bool all_alike(char (*texts)[TEXT_SIZE])
{
	for (size_t i = 1; i < ANSWERS; i++)
		if (strcmp(texts[0], texts[i]))
			return false;
	return true;
}

static void print_block(const char *name, enum lpar lpar,
			enum pseries_isa first, enum pseries_isa last,
			char (*texts)[TEXT_SIZE])
{
	printf("%s, ", name);
	print_levels(first, last);
	printf(", %s", lpar_names[lpar]);
	if (all_alike(texts)) {
		printf(": %s\n", texts[0]);
		return;
	}
	puts("");
	for (size_t i = 0; i < ANSWERS; i++)
		printf("    %s: %s\n", answers[i].name, texts[i]);
}

static void print_rows(u32 pvr, const char *name)
{
	char texts[ANSWERS][TEXT_SIZE], next[ANSWERS][TEXT_SIZE];

	for (enum lpar lpar = 0; lpar < LPARS; lpar++) {
		enum pseries_isa first = 0;

		outcomes_at(pvr, first, lpar, texts);
		for (enum pseries_isa isa = 1; isa <= LEVELS; isa++) {
			if (isa < LEVELS) {
				outcomes_at(pvr, isa, lpar, next);
				if (!memcmp(texts, next, sizeof(texts)))
					continue;
			}
			print_block(name, lpar, first, isa - 1, texts);
			first = isa;
			memcpy(texts, next, sizeof(texts));
		}
	}
}

/* Known processors by asking for each version, then one that nobody knows. */
static void each_processor(void (*rows)(u32 pvr, const char *name))
{
	for (u32 version = 0; version < VERSIONS; version++) {
		const char *name = pseries_processor_name(version << 16);
		char text[64];

		if (!name)
			continue;
		snprintf(text, sizeof(text), "%s (0x%02x)", name, version);
		rows(version << 16, text);
	}
	rows(SUCCESSOR, "unknown processor");
}

static void print_head(void)
{
	puts("# The decision table of the idle policy, at a timebase of 512 MHz: exit");
	puts("# latency/target residency of each state and how it is entered, how long");
	puts("# snooze polls, and why. Written by \"make policy\"; to be read and diffed, not");
	puts("# edited.");
}

int table_command(const struct arguments *arguments)
{
	if (arguments->json) {
		json_begin(NULL, '[');
		each_processor(json_rows);
		json_end();
	} else {
		print_head();
		each_processor(print_rows);
	}
	return EXIT_SUCCESS;
}
