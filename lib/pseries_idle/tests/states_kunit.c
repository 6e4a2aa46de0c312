// SPDX-License-Identifier: GPL-2.0
/*
 * The policy's rules over the whole product of partition type, processor, ISA
 * level, timebase and firmware answer. A case per rule, so that a broken rule
 * is red by its own name; a row per firmware answer.
 */

#include <kunit/test.h>
#include <linux/pseries_idle.h>

#include "answers.h"
#include "oracle.h"

static u64 verified;

/* Known processors, their unknown neighbours, and the ends of the range. */
static const u16 versions[] = {
	0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3e, 0x3f,
	0x40, 0x41, 0x44, 0x45, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x66, 0x70, 0x80,
	0x82, 0x90,
	0x00, 0x32, 0x3d, 0x42, 0x4f, 0x7f, 0x81, 0x83, 0x91, 0x0f00, 0xffff,
};

/* POWER9's DD2.3 among them, and DD2.2, which must not stop. */
static const u16 revisions[] = { 0x0000, 0x0203, 0x1202, 0xffff };

static const enum pseries_isa isas[] = {
	PSERIES_ISA_OLDER, PSERIES_ISA_2_04, PSERIES_ISA_2_05, PSERIES_ISA_2_06,
	PSERIES_ISA_2_07, PSERIES_ISA_3_0, PSERIES_ISA_3_1, PSERIES_ISA_3_1 + 1,
};

/* The range's ends, odd ones between, and what POWER servers have. */
static const u64 timebases[] = {
	1000000, 1000001, 14318180, 187500000, 333333333, 512000000, U32_MAX,
};

/* A latency: whole ticks of some microseconds, and some ticks more. */
struct latency {
	u64 us;
	u64 ticks;
};

struct firmware_row {
	const char *name;
	enum pseries_xcede_verdict verdict;
	unsigned int count;
	struct latency latencies[4];
	enum pseries_idle_why why;
};

#define REFUSED(_verdict) \
	.verdict = PSERIES_XCEDE_ ## _verdict, .why = PSERIES_IDLE_WHY_REFUSED
#define UNUSABLE(_why) \
	.verdict = PSERIES_XCEDE_OK, .why = PSERIES_IDLE_WHY_ ## _why
#define USABLE \
	.verdict = PSERIES_XCEDE_OK, .why = PSERIES_IDLE_WHY_FIRMWARE
#define LATENCIES(_count, ...) .count = _count, .latencies = { __VA_ARGS__ }

#define ONE_TICK_LESS	((u64)-1)

static const struct firmware_row firmware_rows[] = {
	{ "no answer", .verdict = PSERIES_XCEDE_NO_ANSWER,
	  .why = PSERIES_IDLE_WHY_NO_ANSWER },

	{ "refused: too short", REFUSED(TOO_SHORT) },
	{ "refused: beyond its buffer", REFUSED(BEYOND_BUFFER) },
	{ "refused: small records", REFUSED(SMALL_RECORDS) },
	{ "refused: trailing bytes", REFUSED(TRAILING_BYTES) },
	{ "refused: specifiers", REFUSED(SPECIFIER_ORDER) },
	{ "refused: latencies", REFUSED(LATENCY_ORDER) },

	{ "no records", UNUSABLE(NO_RECORDS) },
	{ "zero", UNUSABLE(ALL_ZERO), LATENCIES(1, { 0 }) },
	{ "zero four times", UNUSABLE(ALL_ZERO), LATENCIES(4, { 0 }) },
	{ "1 ms and a tick", UNUSABLE(TOO_SLOW), LATENCIES(1, { 1000, 1 }) },
	{ "1001 us, 10 ms", UNUSABLE(TOO_SLOW),
	  LATENCIES(2, { 1001 }, { 10000 }) },
	{ "zero, 1 ms and a tick", UNUSABLE(TOO_SLOW),
	  LATENCIES(2, { 0 }, { 1000, 1 }) },
	{ "an hour", UNUSABLE(TOO_SLOW), LATENCIES(1, { 3600000000 }) },
	{ "2^32 us and 1", UNUSABLE(TOO_SLOW), LATENCIES(1, { 0x100000001 }) },
	{ "the largest there is", UNUSABLE(TOO_SLOW),
	  LATENCIES(1, { 0, U64_MAX }) },
	{ "half the largest, the largest", UNUSABLE(TOO_SLOW),
	  LATENCIES(2, { 0, 1ULL << 63 }, { 0, U64_MAX }) },

	{ "a tick", USABLE, LATENCIES(1, { 0, 1 }) },
	{ "1 us", USABLE, LATENCIES(1, { 1 }) },
	{ "1 us and a tick", USABLE, LATENCIES(1, { 1, 1 }) },
	{ "2 us, 8 ms", USABLE, LATENCIES(2, { 2 }, { 8000 }) },
	{ "10 us less a tick", USABLE, LATENCIES(1, { 10, ONE_TICK_LESS }) },
	{ "12 us, 30 us", USABLE, LATENCIES(2, { 12 }, { 30 }) },
	{ "30 us, 10 ms", USABLE, LATENCIES(2, { 30 }, { 10000 }) },
	{ "7 us thrice", USABLE, LATENCIES(3, { 7 }, { 7 }, { 7 }) },
	{ "zero, 12 us", USABLE, LATENCIES(2, { 0 }, { 12 }) },
	{ "zero, zero, a tick, 5 us", USABLE,
	  LATENCIES(4, { 0 }, { 0 }, { 0, 1 }, { 5 }) },
	{ "1 ms less a tick", USABLE, LATENCIES(1, { 1000, ONE_TICK_LESS }) },
	{ "1 ms", USABLE, LATENCIES(1, { 1000 }) },
	{ "zero, 1 ms, the largest there is", USABLE,
	  LATENCIES(3, { 0 }, { 1000 }, { 0, U64_MAX }) },
};

KUNIT_ARRAY_PARAM_DESC(firmware, firmware_rows, name);

/* One point of the product, with what the rules make of its latencies. */
struct input {
	const struct firmware_row *firmware;
	struct pseries_xcede xcede;
	struct pseries_idle_platform platform;
	u32 lowest_us;		/* lowest usable latency, 0 if there is none */
	unsigned int lowest;	/* its record */
};

static u64 ticks_of(const struct latency *latency, u64 tb_hz)
{
	return latency->us * tb_hz / 1000000 + latency->ticks;
}

/* The least whole number of us that @ticks fit into; 0 if that is unusable. */
static u32 usable_us(u64 ticks, u64 tb_hz)
{
	if (!ticks)
		return 0;
	for (u32 us = 1; us <= 1000; us++) {
		if ((u128)us * tb_hz >= (u128)ticks * 1000000)
			return us;
	}
	return 0;
}

static void set_firmware(struct input *input, const struct firmware_row *row,
			 struct answer *answer, u64 tb_hz)
{
	memset(input, 0, sizeof(*input));
	input->firmware = row;
	input->platform.tb_hz = tb_hz;
	if (row->verdict != PSERIES_XCEDE_OK) {
		input->xcede.verdict = row->verdict;
		return;
	}

	answer_begin(answer, 10);
	for (unsigned int i = 0; i < row->count; i++) {
		u64 ticks = ticks_of(&row->latencies[i], tb_hz);
		u32 us = usable_us(ticks, tb_hz);

		answer_add(answer, i + 1, ticks, i % 2);
		if (us && (!input->lowest_us || us < input->lowest_us)) {
			input->lowest_us = us;
			input->lowest = i;
		}
	}
	answer_end(answer);
	pseries_xcede_decode(answer->bytes, answer->size, &input->xcede);
}

static unsigned int digit(unsigned int *number, unsigned int radix)
{
	unsigned int value = *number % radix;

	*number /= radix;
	return value;
}

/* Platform number @n at the timebase given; false when all were seen. */
static bool nth_platform(unsigned int n, struct pseries_idle_platform *platform)
{
	platform->splpar = digit(&n, 2);
	platform->shared = digit(&n, 2);
	platform->guest_stop = digit(&n, 2);
	platform->isa = isas[digit(&n, ARRAY_SIZE(isas))];
	platform->pvr = revisions[digit(&n, ARRAY_SIZE(revisions))];
	platform->pvr |= versions[digit(&n, ARRAY_SIZE(versions))] << 16;
	return n == 0;
}

static bool trusted(const struct pseries_idle_platform *platform)
{
	return platform->isa >= PSERIES_ISA_3_1 ||
	       !precedes_power10(platform->pvr >> 16);
}

#define EXPECTED_SIZE	128

/*
 * A rule: true if it holds for what pseries_idle_build() made of an input, or
 * does not speak of it; else says what it expected.
 */
typedef bool (*rule_fn)(const struct input *input, int err,
			const struct pseries_idle_table *table, char *expected);

static __printf(2, 3) bool differs(char *expected, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(expected, EXPECTED_SIZE, fmt, args);
	va_end(args);
	return false;
}

static void report(struct kunit *test, const struct input *input, int err,
		   const struct pseries_idle_table *table, const char *expected)
{
	const struct pseries_idle_platform *platform = &input->platform;
	const struct pseries_idle_state *state1 = &table->states[1];

	KUNIT_FAIL(test,
		   "PVR 0x%08x, ISA %s, splpar %d, shared %d, stop vouched for %d, timebase %llu Hz, firmware \"%s\": expected %s, got error %d, %u states, \"%s\" %u/%u us, timeout %llu ticks, \"%s\", stop \"%s\"",
		   platform->pvr, isa_name(platform->isa), platform->splpar,
		   platform->shared, platform->guest_stop, platform->tb_hz,
		   input->firmware->name, expected, err, table->count,
		   state1->name, state1->exit_latency_us,
		   state1->target_residency_us, table->snooze_timeout_ticks,
		   pseries_idle_why_text(table->why),
		   guest_stop_name(table->guest_stop));
}

/* Hold @rule against every input with the row's answer; stop when it breaks. */
static void check_rule(struct kunit *test, rule_fn rule)
{
	const struct firmware_row *row = test->param_value;
	struct answer *answer = kunit_kzalloc(test, sizeof(*answer), GFP_KERNEL);
	struct pseries_idle_table table;
	char expected[EXPECTED_SIZE];
	struct input input;

	KUNIT_ASSERT_NOT_NULL(test, answer);
	for (size_t i = 0; i < ARRAY_SIZE(timebases); i++) {
		set_firmware(&input, row, answer, timebases[i]);
		KUNIT_ASSERT_EQ(test, input.xcede.verdict, row->verdict);

		for (unsigned int n = 0; nth_platform(n, &input.platform); n++) {
			int err = pseries_idle_build(&input.platform,
						     &input.xcede, &table);

			verified++;
			if (rule(&input, err, &table, expected))
				continue;
			report(test, &input, err, &table, expected);
			return;
		}
	}
}

static bool is_empty(const struct pseries_idle_table *table)
{
	return !memchr_inv(table, 0, sizeof(*table));
}

static bool rule1(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	if (input->platform.splpar)
		return err == 0 || differs(expected, "a table");
	return (err == -ENODEV && is_empty(table)) ||
	       differs(expected, "-ENODEV and an empty table");
}

/* Rule 1: no shared processor LPAR firmware, no driver. */
static void rule1_no_splpar_no_table(struct kunit *test)
{
	check_rule(test, rule1);
}

static bool state_is(const struct pseries_idle_state *state, const char *name,
		     enum pseries_idle_kind kind, u32 latency_us,
		     u32 residency_us)
{
	return !strcmp(state->name, name) && state->kind == kind &&
	       state->exit_latency_us == latency_us &&
	       state->target_residency_us == residency_us;
}

/* The state after snooze, and the last one. */
static bool cede_is(const struct pseries_idle_table *table, u32 latency_us,
		    u32 residency_us)
{
	return table->count == 2 &&
	       state_is(&table->states[1], "CEDE", PSERIES_IDLE_CEDE,
			latency_us, residency_us);
}

static enum pseries_idle_guest_stop
expected_guest_stop(const struct pseries_idle_platform *platform)
{
	if (!platform->guest_stop)
		return PSERIES_IDLE_STOP_NOT_VOUCHED;
	if (!platform->shared)
		return PSERIES_IDLE_STOP_DEDICATED;
	if (platform->isa < PSERIES_ISA_3_0)
		return PSERIES_IDLE_STOP_OLD_ISA;
	return misses_wakeups(platform->pvr) ? PSERIES_IDLE_STOP_OLD_POWER9 :
					       PSERIES_IDLE_STOP_ALLOWED;
}

static bool may_stop(const struct pseries_idle_platform *platform)
{
	return expected_guest_stop(platform) == PSERIES_IDLE_STOP_ALLOWED;
}

static bool rule2(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	unsigned int last = may_stop(&input->platform) ? 2 : 1;

	if (!input->platform.splpar || !input->platform.shared)
		return true;
	return (table->count == last + 1 &&
		state_is(&table->states[last], "Shared Cede",
			 PSERIES_IDLE_SHARED_CEDE, 10, 100) &&
		table->why == PSERIES_IDLE_WHY_SHARED) ||
	       differs(expected, "state %u, the last, to be Shared Cede 10/100 us because shared",
		       last);
}

/* Rule 2: neither processor nor firmware changes a shared partition. */
static void rule2_shared_is_fixed(struct kunit *test)
{
	check_rule(test, rule2);
}

static bool rule2_stop(const struct input *input, int err,
		       const struct pseries_idle_table *table, char *expected)
{
	enum pseries_idle_guest_stop stop = expected_guest_stop(&input->platform);

	if (!input->platform.splpar)
		return true;
	if (table->guest_stop != stop)
		return differs(expected, "stop \"%s\"", guest_stop_name(stop));
	if (stop == PSERIES_IDLE_STOP_ALLOWED)
		return state_is(&table->states[1], "stop0lite",
				PSERIES_IDLE_STOP0LITE, 2, 20) ||
		       differs(expected, "stop0lite 2/20 us as state 1");
	for (unsigned int i = 0; i < table->count; i++) {
		if (table->states[i].kind == PSERIES_IDLE_STOP0LITE)
			return differs(expected, "no stop0lite");
	}
	return true;
}

/* Rule 2: stop0lite where it is vouched for and allowed, else why not. */
static void rule2_stop0lite(struct kunit *test)
{
	check_rule(test, rule2_stop);
}

static bool is_dedicated(const struct input *input)
{
	return input->platform.splpar && !input->platform.shared;
}

static bool uses_firmware(const struct input *input)
{
	return trusted(&input->platform) && input->lowest_us;
}

static bool rule3(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	if (!is_dedicated(input) || uses_firmware(input))
		return true;
	return cede_is(table, 10, 100) ||
	       differs(expected, "CEDE 10/100 us");
}

/* Rule 3: what a dedicated partition does without a latency to believe. */
static void rule3_dedicated_default(struct kunit *test)
{
	check_rule(test, rule3);
}

static bool rule4(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	if (!is_dedicated(input) || !uses_firmware(input))
		return true;
	return (cede_is(table, input->lowest_us, 10 * input->lowest_us) &&
		table->record == input->lowest) ||
	       differs(expected, "CEDE %u/%u us of record %u", input->lowest_us,
		       10 * input->lowest_us, input->lowest);
}

/* Rule 4: the lowest usable latency, rounded up, and ten times that. */
static void rule4_lowest_usable_latency(struct kunit *test)
{
	check_rule(test, rule4);
}

static enum pseries_idle_why expected_why(const struct input *input)
{
	return trusted(&input->platform) ? input->firmware->why :
					   PSERIES_IDLE_WHY_OLD_PROCESSOR;
}

static bool rule4_why(const struct input *input, int err,
		      const struct pseries_idle_table *table, char *expected)
{
	enum pseries_idle_why why = expected_why(input);

	if (!is_dedicated(input))
		return true;
	return table->why == why ||
	       differs(expected, "\"%s\"", pseries_idle_why_text(why));
}

/* Rule 4: the reason says what became of firmware's answer. */
static void rule4_reason(struct kunit *test)
{
	check_rule(test, rule4_why);
}

static bool rule5(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	bool asks = is_dedicated(input) && trusted(&input->platform);

	return pseries_idle_wants_firmware(&input->platform) == asks ||
	       differs(expected, "firmware asked: %d", asks);
}

/* Rule 5: firmware is asked exactly when its answer would be believed. */
static void rule5_when_firmware_is_asked(struct kunit *test)
{
	check_rule(test, rule5);
}

static bool rule5_why(const struct input *input, int err,
		      const struct pseries_idle_table *table, char *expected)
{
	enum pseries_idle_trust trust = PSERIES_IDLE_DISTRUST;

	if (input->platform.isa >= PSERIES_ISA_3_1)
		trust = PSERIES_IDLE_TRUST_ISA;
	else if (!precedes_power10(input->platform.pvr >> 16))
		trust = PSERIES_IDLE_TRUST_PVR;

	return !input->platform.splpar || table->trust == trust ||
	       differs(expected, "%s (got %s)", trust_name(trust),
		       trust_name(table->trust));
}

/* Rule 5: the table says which fact decided. */
static void rule5_reason(struct kunit *test)
{
	check_rule(test, rule5_why);
}

static bool rule6(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	u128 wanted = (u128)table->states[1].target_residency_us *
		      input->platform.tb_hz;
	u128 timeout = (u128)table->snooze_timeout_ticks * 1000000;

	if (!input->platform.splpar)
		return true;
	return (timeout >= wanted && timeout - wanted < 1000000) ||
	       differs(expected, "as timeout %u us in ticks, rounded up",
		       table->states[1].target_residency_us);
}

/* Rule 6: snooze polls for the target residency of state 1. */
static void rule6_snooze_timeout(struct kunit *test)
{
	check_rule(test, rule6);
}

static bool rule7(const struct input *input, int err,
		  const struct pseries_idle_table *table, char *expected)
{
	const struct pseries_idle_state *states = table->states;

	if (!input->platform.splpar)
		return true;
	if (table->count < 2 || table->count > PSERIES_IDLE_MAX_STATES)
		return differs(expected, "2 to %d states", PSERIES_IDLE_MAX_STATES);
	if (strcmp(states[0].name, "snooze") ||
	    states[0].kind != PSERIES_IDLE_SNOOZE || !states[0].polling ||
	    states[0].exit_latency_us || states[0].target_residency_us)
		return differs(expected, "state 0 to be snooze, polling, 0/0");

	for (unsigned int i = 1; i < table->count; i++) {
		if (states[i].polling)
			return differs(expected, "no polling state but state 0");
		if (states[i].target_residency_us <= states[i - 1].target_residency_us)
			return differs(expected, "residencies to ascend");
		if (states[i].target_residency_us < states[i].exit_latency_us)
			return differs(expected, "residency >= exit latency");
	}
	return true;
}

/* Rule 7: what holds for every table. */
static void rule7_invariants(struct kunit *test)
{
	check_rule(test, rule7);
}

static bool same_state(const struct pseries_idle_state *a,
		       const struct pseries_idle_state *b)
{
	return a->name == b->name && a->kind == b->kind &&
	       a->exit_latency_us == b->exit_latency_us &&
	       a->target_residency_us == b->target_residency_us &&
	       a->polling == b->polling;
}

/* Field by field: what pads them is nobody's. */
static bool same_table(const struct pseries_idle_table *a,
		       const struct pseries_idle_table *b)
{
	for (unsigned int i = 0; i < PSERIES_IDLE_MAX_STATES; i++) {
		if (!same_state(&a->states[i], &b->states[i]))
			return false;
	}
	return a->count == b->count && a->trust == b->trust &&
	       a->guest_stop == b->guest_stop && a->why == b->why &&
	       a->record == b->record &&
	       a->snooze_timeout_ticks == b->snooze_timeout_ticks;
}

static bool rule7_again(const struct input *input, int err,
			const struct pseries_idle_table *table, char *expected)
{
	struct input copy = *input;
	struct pseries_idle_table again;

	memset(&again, 0xff, sizeof(again));
	if (pseries_idle_build(&copy.platform, &copy.xcede, &again) != err ||
	    !same_table(&again, table))
		return differs(expected, "the same result a second time");
	return !memcmp(&copy, input, sizeof(copy)) ||
	       differs(expected, "inputs to be left alone");
}

/* Rule 7: the same input gives the same table, and is not written. */
static void rule7_same_input_same_table(struct kunit *test)
{
	check_rule(test, rule7_again);
}

/* Every POWER9 there can be, at every level, in every kind of partition. */
static void stop_on_every_power9(struct kunit *test)
{
	struct pseries_idle_platform platform = {
		.splpar = true, .tb_hz = PUBLISHED_TB_HZ,
	};
	const struct pseries_xcede no_answer = {};

	for (unsigned int n = 0; n < 4 * ARRAY_SIZE(isas) << 16; n++) {
		unsigned int rest = n >> 16;
		enum pseries_idle_guest_stop expected;
		struct pseries_idle_table table;

		platform.pvr = 0x4e << 16 | (n & 0xffff);
		platform.shared = digit(&rest, 2);
		platform.guest_stop = digit(&rest, 2);
		platform.isa = isas[rest];
		expected = expected_guest_stop(&platform);
		KUNIT_ASSERT_EQ(test, 0, pseries_idle_build(&platform, &no_answer,
							    &table));
		verified++;
		if (table.guest_stop == expected &&
		    table.count == (may_stop(&platform) ? 3 : 2) &&
		    !strcmp(table.states[1].name,
			    may_stop(&platform) ? "stop0lite" :
			    platform.shared ? "Shared Cede" : "CEDE"))
			continue;
		KUNIT_FAIL(test,
			   "PVR 0x%08x, ISA %s, shared %d, stop vouched for %d: expected stop \"%s\", got \"%s\", %u states, state 1 \"%s\"",
			   platform.pvr, isa_name(platform.isa), platform.shared,
			   platform.guest_stop, guest_stop_name(expected),
			   guest_stop_name(table.guest_stop), table.count,
			   table.states[1].name);
		return;
	}
}

struct bad_timebase_row {
	const char *name;
	u64 tb_hz;
};

static const struct bad_timebase_row bad_timebase_rows[] = {
	{ "0 Hz", 0 },
	{ "1 Hz", 1 },
	{ "999999 Hz", 999999 },
	{ "2^32 Hz", 1ULL << 32 },
	{ "2^32 + 512000000 Hz", (1ULL << 32) + 512000000 },
	{ "the largest there is", U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(bad_timebase, bad_timebase_rows, name);

/* A timebase that no machine has gives an error, not a guess. */
static void timebase_out_of_range(struct kunit *test)
{
	const struct bad_timebase_row *row = test->param_value;
	struct pseries_idle_platform platform = { .tb_hz = row->tb_hz };
	struct pseries_idle_table table;
	struct pseries_xcede xcede;
	u64 us = 4711;

	pseries_xcede_decode(power10_answer, sizeof(power10_answer), &xcede);
	for (unsigned int n = 0; nth_platform(n, &platform); n++) {
		int expected = platform.splpar ? -EINVAL : -ENODEV;

		memset(&table, 0xff, sizeof(table));
		KUNIT_ASSERT_EQ_MSG(test, expected,
				    pseries_idle_build(&platform, &xcede, &table),
				    "PVR 0x%08x, ISA %s", platform.pvr,
				    isa_name(platform.isa));
		KUNIT_ASSERT_TRUE_MSG(test, is_empty(&table),
				      "PVR 0x%08x: table written", platform.pvr);
	}
	KUNIT_EXPECT_EQ(test, -EINVAL, pseries_idle_ticks_to_us(1, row->tb_hz, &us));
	KUNIT_EXPECT_EQ(test, us, 4711);
}

static void timebase_desc(const u64 *tb_hz, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%llu Hz", *tb_hz);
}

KUNIT_ARRAY_PARAM(timebase, timebases, timebase_desc);

/* Exact, rounding up: us - 1 is too short for the ticks, us is not. */
static bool check_ticks(struct kunit *test, u64 ticks, u64 tb_hz)
{
	u128 wanted = (u128)ticks * 1000000;
	u64 us = U64_MAX;
	int err = pseries_idle_ticks_to_us(ticks, tb_hz, &us);

	if (!err && (u128)us * tb_hz >= wanted && (u128)us * tb_hz - wanted < tb_hz)
		return true;
	KUNIT_FAIL(test,
		   "%llu ticks at %llu Hz: expected them in us, rounded up, got error %d, %llu us",
		   ticks, tb_hz, err, us);
	return false;
}

/* Every duration up to 3 ms or a million ticks; both sides of every power. */
static void ticks_to_us(struct kunit *test)
{
	const u64 *tb_hz = test->param_value;
	u64 end = min(*tb_hz / 1000000 * 3000, 1000000ULL);

	for (u64 ticks = 0; ticks <= end; ticks++) {
		if (!check_ticks(test, ticks, *tb_hz))
			return;
	}
	for (unsigned int bit = 0; bit < 64; bit++) {
		for (u64 delta = -3ULL; delta != 4; delta++)
			check_ticks(test, (1ULL << bit) + delta, *tb_hz);
	}
	for (u64 us = 1; us < U64_MAX / *tb_hz; us *= 3) {
		u64 ticks = us * *tb_hz / 1000000;

		check_ticks(test, ticks - 1, *tb_hz);
		check_ticks(test, ticks, *tb_hz);
		check_ticks(test, ticks + 1, *tb_hz);
	}
}

/* The words that an administrator reads; any number has some. */
static void why_text(struct kunit *test)
{
	static const char * const words[] = {
		[PSERIES_IDLE_WHY_SHARED] = "fixed, shared partition",
		[PSERIES_IDLE_WHY_OLD_PROCESSOR] =
			"default, processor precedes POWER10",
		[PSERIES_IDLE_WHY_NO_ANSWER] = "default, no answer from firmware",
		[PSERIES_IDLE_WHY_REFUSED] = "default, firmware's answer refused",
		[PSERIES_IDLE_WHY_NO_RECORDS] = "default, firmware lists no state",
		[PSERIES_IDLE_WHY_ALL_ZERO] = "default, firmware's latencies are zero",
		[PSERIES_IDLE_WHY_TOO_SLOW] =
			"default, firmware's latencies are above 1 ms",
		[PSERIES_IDLE_WHY_FIRMWARE] = "firmware's lowest",
		[PSERIES_IDLE_WHY_FIRMWARE + 1] = "unknown reason",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_STREQ_MSG(test, pseries_idle_why_text(i), words[i],
				       "reason %zu", i);
	KUNIT_EXPECT_STREQ(test, pseries_idle_why_text(-1), "unknown reason");
}

static void guest_stop_text(struct kunit *test)
{
	static const char * const words[] = {
		[PSERIES_IDLE_STOP_NOT_VOUCHED] = "not vouched for",
		[PSERIES_IDLE_STOP_DEDICATED] = "refused, dedicated partition",
		[PSERIES_IDLE_STOP_OLD_ISA] = "refused, ISA level below 3.0",
		[PSERIES_IDLE_STOP_OLD_POWER9] =
			"refused, POWER9 before DD2.3 can miss wake-ups",
		[PSERIES_IDLE_STOP_ALLOWED] = "vouched for",
		[PSERIES_IDLE_STOP_ALLOWED + 1] = "unknown reason",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_STREQ_MSG(test, pseries_idle_guest_stop_text(i),
				       words[i], "reason %zu", i);
	KUNIT_EXPECT_STREQ(test, pseries_idle_guest_stop_text(-1), "unknown reason");
}

static struct kunit_case states_cases[] = {
	KUNIT_CASE_PARAM(rule1_no_splpar_no_table, firmware_gen_params),
	KUNIT_CASE_PARAM(rule2_shared_is_fixed, firmware_gen_params),
	KUNIT_CASE_PARAM(rule2_stop0lite, firmware_gen_params),
	KUNIT_CASE(stop_on_every_power9),
	KUNIT_CASE_PARAM(rule3_dedicated_default, firmware_gen_params),
	KUNIT_CASE_PARAM(rule4_lowest_usable_latency, firmware_gen_params),
	KUNIT_CASE_PARAM(rule4_reason, firmware_gen_params),
	KUNIT_CASE_PARAM(rule5_when_firmware_is_asked, firmware_gen_params),
	KUNIT_CASE_PARAM(rule5_reason, firmware_gen_params),
	KUNIT_CASE_PARAM(rule6_snooze_timeout, firmware_gen_params),
	KUNIT_CASE_PARAM(rule7_invariants, firmware_gen_params),
	KUNIT_CASE_PARAM(rule7_same_input_same_table, firmware_gen_params),
	KUNIT_CASE_PARAM(timebase_out_of_range, bad_timebase_gen_params),
	KUNIT_CASE_PARAM(ticks_to_us, timebase_gen_params),
	KUNIT_CASE(why_text),
	KUNIT_CASE(guest_stop_text),
	{}
};

static void say_verified(struct kunit_suite *suite)
{
	kunit_info(suite, "verified %llu state tables", verified);
}

static struct kunit_suite states_suite = {
	.name = "pseries_idle_states",
	.suite_exit = say_verified,
	.test_cases = states_cases,
};

kunit_test_suite(states_suite);

MODULE_DESCRIPTION("KUnit tests for the rules of the pseries idle policy");
MODULE_LICENSE("GPL");
