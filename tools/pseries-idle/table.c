// SPDX-License-Identifier: GPL-2.0
/*
 * "table": the whole decision table, every processor at every ISA level, of
 * every kind, with every answer that the situations of the policy suite know,
 * and with stop vouched for or not.
 *
 * As JSON, a row for each combination. As text, which is kept in the
 * repository to be read and diffed, what does not matter is drawn together:
 * rows that differ in level or answer alone, and come to the same. What comes
 * of vouching for stop has rows where it makes a difference.
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

/* One point of the table but for the answer. */
struct partition {
	u32 pvr;
	enum pseries_isa isa;
	enum lpar lpar;
	bool guest_stop;
};

static void fill(const struct partition *partition,
		 const struct named_answer *answer, struct cell *cell)
{
	const struct pseries_idle_platform platform = {
		.pvr = partition->pvr, .isa = partition->isa,
		.splpar = partition->lpar != LPAR_NO_SPLPAR,
		.shared = partition->lpar == LPAR_SHARED,
		.guest_stop = partition->guest_stop,
		.tb_hz = PUBLISHED_TB_HZ,
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

static void json_row(const struct partition *partition, const char *name,
		     const struct named_answer *answer)
{
	struct cell cell;

	fill(partition, answer, &cell);
	json_begin(NULL, '{');
	json_number("pvr", partition->pvr);
	json_text("processor", name);
	json_text("isa", isa_text(partition->isa));
	json_text("native", native_text(partition->pvr));
	json_text("lpar", lpar_names[partition->lpar]);
	json_bool("guest_stop", partition->guest_stop);
	json_text("answer", answer->name);
	json_bytes("bytes", answer->bytes, answer->size);
	json_bool("asked", cell.asked);
	json_bool("driver", !cell.err);
	json_states(&cell.table);
	json_number("snooze_timeout_ticks", cell.table.snooze_timeout_ticks);
	json_text("why", cell.err ? NULL :
				    pseries_idle_why_text(cell.table.why));
	json_text("stop0lite",
		  cell.err ? NULL :
			     pseries_idle_guest_stop_text(cell.table.guest_stop));
	json_end();
}

static void json_rows(u32 pvr, const char *name)
{
	struct partition partition = { .pvr = pvr };

	for (int vouched = 0; vouched < 2; vouched++) {
		partition.guest_stop = vouched;
		for (partition.lpar = 0; partition.lpar < LPARS; partition.lpar++)
			for (partition.isa = 0; partition.isa < LEVELS; partition.isa++)
				for (size_t i = 0; i < ANSWERS; i++)
					json_row(&partition, name, &answers[i]);
	}
}

/* Beside the same partition without: what is the same is not said again. */
static void compare_with_unvouched(const struct cell *cell,
				   const char *unvouched, char (*text)[TEXT_SIZE])
{
	if (cell->err || strcmp(*text, unvouched))
		return;
	memset(text, 0, sizeof(*text));
	snprintf(*text, sizeof(*text), "as without; stop0lite: %s",
		 pseries_idle_guest_stop_text(cell->table.guest_stop));
}

static void outcomes_at(const struct partition *partition,
			char (*texts)[TEXT_SIZE])
{
	struct partition unvouched = *partition;
	struct cell cell;

	unvouched.guest_stop = false;
	for (size_t i = 0; i < ANSWERS; i++) {
		char without[1][TEXT_SIZE];

		fill(&unvouched, &answers[i], &cell);
		write_outcome(&cell, without);
		fill(partition, &answers[i], &cell);
		write_outcome(&cell, &texts[i]);
		if (partition->guest_stop)
			compare_with_unvouched(&cell, *without, &texts[i]);
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

static void print_block(const char *name, const struct partition *partition,
			enum pseries_isa first, enum pseries_isa last,
			char (*texts)[TEXT_SIZE])
{
	printf("%s, ", name);
	print_levels(first, last);
	printf(", %s", lpar_names[partition->lpar]);
	if (partition->guest_stop)
		fputs(", stop vouched for", stdout);
	if (all_alike(texts)) {
		printf(": %s\n", texts[0]);
		return;
	}
	puts("");
	for (size_t i = 0; i < ANSWERS; i++)
		printf("    %s: %s\n", answers[i].name, texts[i]);
}

/* Levels that come to the same are one block. */
static void print_levels_of(const char *name, struct partition partition)
{
	char texts[ANSWERS][TEXT_SIZE], next[ANSWERS][TEXT_SIZE];
	enum pseries_isa first = 0;

	partition.isa = first;
	outcomes_at(&partition, texts);
	for (partition.isa = 1; partition.isa <= LEVELS; partition.isa++) {
		if (partition.isa < LEVELS) {
			outcomes_at(&partition, next);
			if (!memcmp(texts, next, sizeof(texts)))
				continue;
		}
		print_block(name, &partition, first, partition.isa - 1, texts);
		first = partition.isa;
		memcpy(texts, next, sizeof(texts));
	}
}

/* Without SPLPAR, for one, there is no driver anyhow. */
static bool vouching_matters(struct partition partition)
{
	char with[ANSWERS][TEXT_SIZE], without[ANSWERS][TEXT_SIZE];

	for (partition.isa = 0; partition.isa < LEVELS; partition.isa++) {
		partition.guest_stop = true;
		outcomes_at(&partition, with);
		partition.guest_stop = false;
		outcomes_at(&partition, without);
		if (memcmp(with, without, sizeof(with)))
			return true;
	}
	return false;
}

static void print_rows(u32 pvr, const char *name)
{
	for (enum lpar lpar = 0; lpar < LPARS; lpar++) {
		struct partition partition = { .pvr = pvr, .lpar = lpar };

		print_levels_of(name, partition);
		partition.guest_stop = true;
		if (vouching_matters(partition))
			print_levels_of(name, partition);
	}
}

/*
 * Known processors by asking for each version, the first POWER9 that may stop,
 * then a processor that nobody knows.
 */
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
	rows(POWER9_DD2_3, "POWER9 DD2.3 (0x4e)");
	rows(SUCCESSOR, "unknown processor");
}

static void print_head(void)
{
	puts("# The decision table of the idle policy, at a timebase of 512 MHz: exit");
	puts("# latency/target residency of each state and how it is entered, how long");
	puts("# snooze polls, and why. Where the administrator vouches for stop: what is");
	puts("# different. Written by \"make policy\"; to be read and diffed, not edited.");
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
