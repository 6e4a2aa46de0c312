// SPDX-License-Identifier: GPL-2.0
/*
 * From platform facts to the idle state table of a pseries partition.
 *
 * The whole policy is this file, and the list of processors in processor.c:
 *
 *  1. Without shared processor LPAR firmware there is no H_CEDE: no table.
 *  2. A shared partition snoozes, then cedes with fixed numbers. (KVM guests
 *     are of this kind.) Between the two it stops, if the administrator
 *     vouches for the hypervisor and pseries_processor_guest_stop() allows it.
 *  3. A dedicated partition snoozes, then cedes with default numbers, unless
 *  4. its processor's firmware is believed and gives a usable latency. CEDE
 *     is shallower than every extended state that firmware lists, so the
 *     lowest latency listed bounds it, interrupt-responsive or not.
 *  5. Which processors' firmware is believed: pseries_processor_trust().
 *  6. Snooze polls for as long as ceding would not have paid.
 *  7. Whatever the input: one polling state, state 0, at 0/0; residencies
 *     ascend strictly; none is below its exit latency.
 */

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/pseries_idle.h>
#include <linux/string.h>
#include <linux/time64.h>

/* Below, a microsecond is less than a tick; above, a device tree cell ends. */
#define MIN_TB_HZ		1000000ULL
#define MAX_TB_HZ		U32_MAX

/*
 * An extended CEDE state slower than this says nothing about CEDE itself: the
 * slowest first state ever published takes 30 us, and the residency that
 * would follow would keep a CPU polling for good.
 */
#define MAX_USABLE_US		1000

/* A cede pays when the stay is ten times the time to leave it: Linux's rule. */
#define RESIDENCY_PER_LATENCY	10

static const struct pseries_idle_state snooze = {
	.name = "snooze",
	.kind = PSERIES_IDLE_SNOOZE,
	.polling = true,
};

/* Latencies and residencies as Linux has had them since it cedes. */
static const struct pseries_idle_state shared_cede = {
	.name = "Shared Cede",
	.kind = PSERIES_IDLE_SHARED_CEDE,
	.exit_latency_us = 10,
	.target_residency_us = 100,
};

/*
 * As proposed with its measurements: 1 to 3 us to wake up, where snooze takes
 * 1 to 2 and Shared Cede 20 to 30.
 */
static const struct pseries_idle_state stop0lite = {
	.name = "stop0lite",
	.kind = PSERIES_IDLE_STOP0LITE,
	.exit_latency_us = 2,
	.target_residency_us = 20,
};

static const struct pseries_idle_state default_cede = {
	.name = "CEDE",
	.kind = PSERIES_IDLE_CEDE,
	.exit_latency_us = 10,
	.target_residency_us = 100,
};

static bool tb_hz_is_sane(u64 tb_hz)
{
	return tb_hz >= MIN_TB_HZ && tb_hz <= MAX_TB_HZ;
}

/* Neither product wraps: @tb_hz is at least USEC_PER_SEC, and 32 bits. */
static u64 ticks_to_us(u64 ticks, u64 tb_hz)
{
	u32 rest;
	u64 seconds = div_u64_rem(ticks, tb_hz, &rest);

	return seconds * USEC_PER_SEC +
	       DIV_ROUND_UP_ULL((u64)rest * USEC_PER_SEC, tb_hz);
}

int pseries_idle_ticks_to_us(u64 ticks, u64 tb_hz, u64 *us)
{
	if (!tb_hz_is_sane(tb_hz))
		return -EINVAL;

	*us = ticks_to_us(ticks, tb_hz);
	return 0;
}

/* Rounded up as well, so that snooze never gives up before CEDE pays. */
static u64 us_to_ticks(u32 us, u64 tb_hz)
{
	return DIV_ROUND_UP_ULL(us * tb_hz, USEC_PER_SEC);
}

static bool is_usable(u64 us)
{
	return us > 0 && us <= MAX_USABLE_US;
}

static void add_state(struct pseries_idle_table *table,
		      const struct pseries_idle_state *state)
{
	table->states[table->count++] = *state;
}

/* Latencies ascend in a well-formed answer: the first usable is the lowest. */
static void use_lowest_latency(const struct pseries_xcede *xcede, u64 tb_hz,
			       struct pseries_idle_table *table,
			       struct pseries_idle_state *cede)
{
	table->why = PSERIES_IDLE_WHY_NO_RECORDS;
	for (unsigned int i = 0; i < xcede->count; i++) {
		u64 ticks = pseries_xcede_record(xcede, i).latency_ticks;
		u64 us = ticks_to_us(ticks, tb_hz);

		if (is_usable(us)) {
			table->why = PSERIES_IDLE_WHY_FIRMWARE;
			table->record = i;
			cede->exit_latency_us = us;
			cede->target_residency_us = us * RESIDENCY_PER_LATENCY;
			return;
		}
		table->why = us ? PSERIES_IDLE_WHY_TOO_SLOW :
				  PSERIES_IDLE_WHY_ALL_ZERO;
	}
}

static void add_dedicated_cede(const struct pseries_xcede *xcede, u64 tb_hz,
			       struct pseries_idle_table *table)
{
	struct pseries_idle_state cede = default_cede;

	if (table->trust == PSERIES_IDLE_DISTRUST)
		table->why = PSERIES_IDLE_WHY_OLD_PROCESSOR;
	else if (xcede->verdict == PSERIES_XCEDE_NO_ANSWER)
		table->why = PSERIES_IDLE_WHY_NO_ANSWER;
	else if (xcede->verdict != PSERIES_XCEDE_OK)
		table->why = PSERIES_IDLE_WHY_REFUSED;
	else
		use_lowest_latency(xcede, tb_hz, table, &cede);
	add_state(table, &cede);
}

static enum pseries_idle_guest_stop
guest_stop(const struct pseries_idle_platform *platform)
{
	if (!platform->guest_stop)
		return PSERIES_IDLE_STOP_NOT_VOUCHED;
	if (!platform->shared)
		return PSERIES_IDLE_STOP_DEDICATED;
	return pseries_processor_guest_stop(platform->pvr, platform->isa);
}

bool pseries_idle_wants_firmware(const struct pseries_idle_platform *platform)
{
	return platform->splpar && !platform->shared &&
	       pseries_processor_trust(platform->pvr, platform->isa) !=
	       PSERIES_IDLE_DISTRUST;
}

int pseries_idle_build(const struct pseries_idle_platform *platform,
		       const struct pseries_xcede *xcede,
		       struct pseries_idle_table *table)
{
	memset(table, 0, sizeof(*table));
	if (!platform->splpar)
		return -ENODEV;
	if (!tb_hz_is_sane(platform->tb_hz))
		return -EINVAL;

	table->trust = pseries_processor_trust(platform->pvr, platform->isa);
	table->guest_stop = guest_stop(platform);
	add_state(table, &snooze);
	if (table->guest_stop == PSERIES_IDLE_STOP_ALLOWED)
		add_state(table, &stop0lite);
	if (platform->shared) {
		table->why = PSERIES_IDLE_WHY_SHARED;
		add_state(table, &shared_cede);
	} else {
		add_dedicated_cede(xcede, platform->tb_hz, table);
	}
	table->snooze_timeout_ticks =
		us_to_ticks(table->states[1].target_residency_us, platform->tb_hz);
	return 0;
}

const char *pseries_idle_why_text(enum pseries_idle_why why)
{
	static const char * const text[] = {
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
	};

	return why < ARRAY_SIZE(text) ? text[why] : "unknown reason";
}

const char *pseries_idle_guest_stop_text(enum pseries_idle_guest_stop guest_stop)
{
	static const char * const text[] = {
		[PSERIES_IDLE_STOP_NOT_VOUCHED] = "not vouched for",
		[PSERIES_IDLE_STOP_DEDICATED] = "refused, dedicated partition",
		[PSERIES_IDLE_STOP_OLD_ISA] = "refused, ISA level below 3.0",
		[PSERIES_IDLE_STOP_OLD_POWER9] =
			"refused, POWER9 before DD2.3 can miss wake-ups",
		[PSERIES_IDLE_STOP_ALLOWED] = "vouched for",
	};

	return guest_stop < ARRAY_SIZE(text) ? text[guest_stop] : "unknown reason";
}
