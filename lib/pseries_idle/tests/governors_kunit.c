// SPDX-License-Identifier: GPL-2.0
/*
 * What the tree's governors make of the policy's tables: in the loop of
 * simulated CPUs, from a seed, so that each run is the same.
 *
 * What holds for any sane use is asserted for every governor, table and
 * pattern of sleeps. What is known of the governors of this tree is pinned
 * down row by row, with its reason: a red row means that a governor changed,
 * not that the policy did.
 */

#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "loop.h"
#include "scenario.h"
#include "sleeps.h"
#include "sweep.h"

#define SLEEPS		400

static const s64 means_us[] = { 5, 20, 60, 110, 250, 1000, 5000, 30000 };

/* A loop with a table of the core's, freed with the test. */
static struct loop *start_loop(struct kunit *test,
			       const struct loop_governor *governor,
			       const struct loop_table *table, unsigned int hz)
{
	struct loop *loop = kunit_kzalloc(test, sizeof(*loop), GFP_KERNEL);
	struct pseries_idle_table states;

	KUNIT_ASSERT_NOT_NULL(test, loop);
	KUNIT_ASSERT_EQ(test, 0, loop_table_build(table, &states));
	loop_start(loop, *governor->initcall, &states, hz);
	return loop;
}

/* The CEDE of a table, shared or not; state 0 is snooze. */
static int cede_of(const struct loop *loop)
{
	return loop->driver.state_count - 1;
}

static u64 usage_of(const struct loop_cpu *cpu, int state)
{
	return cpu->device.states_usage[state].usage;
}

/* Whatever the combination */

struct combination {
	const struct loop_governor *governor;
	const struct loop_table *table;
	enum pattern pattern;
};

static const void *next_of(size_t count, const void *previous, char *desc)
{
	static struct combination all[GOVERNORS * TABLES * PATTERNS];
	const struct combination *last = previous;
	size_t next = last ? last - all + 1 : 0;
	struct combination *row = &all[next];

	if (next == count)
		return NULL;
	row->pattern = next % PATTERNS;
	row->table = loop_tables[next / PATTERNS % TABLES];
	row->governor = loop_governors[next / PATTERNS / TABLES];
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, %s, %s", row->governor->name,
		 row->table->name, pattern_names[row->pattern]);
	return row;
}

static const void *next_combination(const void *previous, char *desc)
{
	return next_of(GOVERNORS * TABLES * PATTERNS, previous, desc);
}

/* Without ladder, the last: it looks at the state that it would go to alone. */
static const void *next_that_looks_around(const void *previous, char *desc)
{
	return next_of((GOVERNORS - 1) * TABLES * PATTERNS, previous, desc);
}

/* Every stay is accounted for, once, and no time is lost or made. */
static void expect_sums(struct kunit *test, const struct loop *loop,
			unsigned int sleeps, s64 mean_us)
{
	const struct loop_cpu *cpu = &loop->cpus[0];
	u64 usage = 0, time_ns = 0;

	for (int i = 0; i < loop->driver.state_count; i++) {
		const struct cpuidle_state_usage *state =
			&cpu->device.states_usage[i];

		usage += state->usage;
		time_ns += state->time_ns;
		KUNIT_EXPECT_LE_MSG(test, state->above + state->below,
				    state->usage, "mean %lld us", mean_us);
	}
	KUNIT_EXPECT_EQ_MSG(test, loop->no_states, 0, "mean %lld us", mean_us);
	KUNIT_EXPECT_EQ_MSG(test, usage, cpu->selections, "mean %lld us", mean_us);
	KUNIT_EXPECT_GE_MSG(test, usage, sleeps, "mean %lld us", mean_us);
	KUNIT_EXPECT_EQ_MSG(test, time_ns + sleeps * WORK_NS, cpu->now_ns,
			    "mean %lld us", mean_us);
	KUNIT_EXPECT_EQ_MSG(test, cpu->hypercalls, usage_of(cpu, cede_of(loop)),
			    "mean %lld us", mean_us);
	/* Too deep for the shallowest, or too shallow for the deepest: never. */
	KUNIT_EXPECT_EQ(test, cpu->device.states_usage[0].above, 0);
	KUNIT_EXPECT_EQ(test, cpu->device.states_usage[cede_of(loop)].below, 0);
	/* A wake-up waits for one exit at most. */
	KUNIT_EXPECT_LE_MSG(test, cpu->late_ns,
			    sleeps * (s64)loop->driver.states[cede_of(loop)].exit_latency_ns,
			    "mean %lld us", mean_us);
}

static void adds_up(struct kunit *test)
{
	static const unsigned int hz[] = { 100, 250, 1000 };
	const struct combination *row = test->param_value;

	for (size_t i = 0; i < ARRAY_SIZE(means_us); i++) {
		struct loop *loop = start_loop(test, row->governor, row->table,
					  hz[i % ARRAY_SIZE(hz)]);
		struct sleeps sleeps = {
			.pattern = row->pattern, .mean_ns = US(means_us[i]), .random = SEED,
		};

		sleep_often(loop, 0, &sleeps, SLEEPS);
		expect_sums(test, loop, SLEEPS, means_us[i]);
		kunit_kfree(test, loop);
	}
}

/* The same from the same seed, and apart from what another CPU does. */
static void cpus_are_apart(struct kunit *test)
{
	const struct combination *row = test->param_value;
	struct loop *alone = start_loop(test, row->governor, row->table, 250);
	struct loop *beside;
	struct sleeps once = { .pattern = row->pattern, .mean_ns = US(80), .random = SEED };
	struct sleeps again = once;
	struct sleeps other = {
		.pattern = EXPONENTIAL, .mean_ns = US(1500), .random = ~SEED,
	};

	sleep_often(alone, 0, &once, SLEEPS);

	beside = start_loop(test, row->governor, row->table, 250);
	for (unsigned int i = 0; i < SLEEPS; i++) {
		sleep_once(beside, 0, &again);
		sleep_once(beside, 1, &other);
	}
	KUNIT_EXPECT_MEMEQ(test, &alone->cpus[0], &beside->cpus[0],
			   sizeof(alone->cpus[0]));
}

/* A state that is disabled is never chosen. */
static void disabled_states(struct kunit *test)
{
	const struct combination *row = test->param_value;

	int count = 1;

	for (int disabled = 0; disabled < count; disabled++) {
		struct loop *loop = start_loop(test, row->governor, row->table, 250);
		const struct loop_cpu *cpu = &loop->cpus[0];

		count = loop->driver.state_count;
		loop->cpus[0].device.states_usage[disabled].disable =
			CPUIDLE_STATE_DISABLED_BY_USER;
		for (size_t i = 0; i < ARRAY_SIZE(means_us); i++) {
			struct sleeps sleeps = {
				.pattern = row->pattern, .mean_ns = US(means_us[i]),
				.random = SEED,
			};

			sleep_often(loop, 0, &sleeps, 50);
		}
		KUNIT_EXPECT_EQ(test, 0, usage_of(cpu, disabled));
		KUNIT_EXPECT_GT(test, usage_of(cpu, disabled ? 0 : cede_of(loop)), 0);
	}
}

/* A limit below what leaving a cede takes is a limit. */
static void latency_limit(struct kunit *test)
{
	const struct combination *row = test->param_value;

	for (s64 below = 1; below >= 0; below--) {
		struct loop *loop = start_loop(test, row->governor, row->table, 250);
		const struct loop_cpu *cpu = &loop->cpus[0];
		s64 exit_ns = loop->driver.states[cede_of(loop)].exit_latency_ns;
		struct sleeps sleeps = {
			.pattern = row->pattern, .mean_ns = US(5000), .random = SEED,
		};

		loop->latency_limit_ns = exit_ns - below;
		sleep_often(loop, 0, &sleeps, SLEEPS);
		if (below && row->governor != &with_ladder)
			KUNIT_EXPECT_EQ(test, 0, usage_of(cpu, cede_of(loop)));
		if (!below)
			KUNIT_EXPECT_GT(test, usage_of(cpu, cede_of(loop)), 0);
	}
}

/* What menu and teo are for, by the share of sleeps that were ceded, in % */

struct choice {
	const char *name;
	const struct loop_governor *governor;
	const struct loop_table *table;
	enum pattern pattern;
	s64 mean_us;
	unsigned int least, most;
};

static const struct choice choices[] = {
	/* Long sleeps are ceded, whoever ends them. */
	{ "menu cedes for 5 ms, by a timer", &with_menu, &on_dedicated, TIMER, 5000, 95, 100 },
	{ "menu cedes for 5 ms, by a pipe", &with_menu, &on_dedicated, PIPE, 5000, 80, 100 },
	{ "teo cedes for 5 ms, by a timer", &with_teo, &on_dedicated, TIMER, 5000, 95, 100 },
	{ "teo cedes for 5 ms, by a pipe", &with_teo, &on_dedicated, PIPE, 5000, 80, 100 },
	{ "menu cedes for 1 ms, shared", &with_menu, &on_shared, TIMER, 1000, 95, 100 },
	{ "teo cedes for 1 ms, shared", &with_teo, &on_shared, TIMER, 1000, 95, 100 },

	/* Very short ones are not. */
	{ "menu snoozes for 5 us, by a timer", &with_menu, &on_dedicated, TIMER, 5, 0, 0 },
	{ "menu snoozes for 5 us, by a pipe", &with_menu, &on_dedicated, PIPE, 5, 0, 0 },
	{ "teo snoozes for 5 us, by a timer", &with_teo, &on_dedicated, TIMER, 5, 0, 0 },
	{ "teo snoozes for 5 us, by a pipe", &with_teo, &on_dedicated, PIPE, 5, 0, 0 },

	/* A timer is known, so the residency is the limit, to the microsecond. */
	{ "menu, timer of 99 us, 100 needed", &with_menu, &on_dedicated, TIMER, 99, 0, 0 },
	{ "menu, timer of 130 us, 100 needed", &with_menu, &on_dedicated, TIMER, 130, 95, 100 },
	{ "teo, timer of 99 us, 100 needed", &with_teo, &on_dedicated, TIMER, 99, 0, 0 },
	{ "teo, timer of 130 us, 100 needed", &with_teo, &on_dedicated, TIMER, 130, 95, 100 },
	/* What firmware says moves it. */
	{ "menu, timer of 110 us, firmware 12/120", &with_menu, &on_firmware_12, TIMER, 110, 0, 0 },
	{ "teo, timer of 110 us, firmware 12/120", &with_teo, &on_firmware_12, TIMER, 110, 0, 0 },
	{ "teo, timer of 30 us, firmware 2/20", &with_teo, &on_firmware_2, TIMER, 30, 95, 100 },

	/* stop0lite takes what is too short to cede, and nothing else. */
	{ "menu, timer of 50 us, stop0lite", &with_menu, &on_shared_stop, TIMER, 50, 0, 0 },
	{ "menu cedes for 5 ms, stop0lite", &with_menu, &on_shared_stop, TIMER, 5000, 95, 100 },
	{ "teo, timer of 50 us, stop0lite", &with_teo, &on_shared_stop, TIMER, 50, 0, 0 },
	{ "teo cedes for 5 ms, stop0lite", &with_teo, &on_shared_stop, TIMER, 5000, 95, 100 },

	/* Both learn what the kernel does not know, if it repeats. */
	{ "menu learns 60 us of a pipe", &with_menu, &on_dedicated, PIPE, 60, 0, 0 },
	{ "teo learns 60 us of a pipe", &with_teo, &on_dedicated, PIPE, 60, 0, 0 },
	{ "menu learns 250 us of a pipe", &with_menu, &on_dedicated, PIPE, 250, 90, 100 },
	{ "teo learns 250 us of a pipe", &with_teo, &on_dedicated, PIPE, 250, 90, 100 },

	/*
	 * When snooze times out, menu takes the sleep for an outlier, and what
	 * is left of it, 2 us here, for typical. That feeds itself, even if the
	 * timer is known; where more is left, CEDE comes next, and it ends.
	 */
	{ "menu, timer of 22 us, firmware 2/20", &with_menu, &on_firmware_2, TIMER, 22, 0, 20 },
	{ "menu, timer of 30 us, firmware 2/20", &with_menu, &on_firmware_2, TIMER, 30, 60, 100 },
	{ "menu, timer of 40 us, firmware 2/20", &with_menu, &on_firmware_2, TIMER, 40, 95, 100 },
	{ "teo, timer of 22 us, firmware 2/20", &with_teo, &on_firmware_2, TIMER, 22, 95, 100 },

	/*
	 * With a polling state 0, ladder begins in state 1; of two states there
	 * is then none to demote to. So it cedes, however short the sleep.
	 */
	{ "ladder cedes for 5 us", &with_ladder, &on_dedicated, PIPE, 5, 100, 100 },
	{ "ladder cedes for 5 us, firmware 2/20", &with_ladder, &on_firmware_2,
	  TIMER, 5, 100, 100 },
	{ "ladder cedes for 5 ms", &with_ladder, &on_shared, TIMER, 5000, 100, 100 },
};

KUNIT_ARRAY_PARAM_DESC(choice, choices, name);

static void choice(struct kunit *test)
{
	const struct choice *row = test->param_value;
	struct loop *loop = start_loop(test, row->governor, row->table, 250);
	struct sweep_point point = {};
	unsigned int share;

	sweep(loop, row->pattern, US(row->mean_us), SLEEPS, &point);
	share = div_u64(100 * point.ceded, SLEEPS);
	KUNIT_EXPECT_GE_MSG(test, share, row->least, "%% of %d sleeps ceded", SLEEPS);
	KUNIT_EXPECT_LE_MSG(test, share, row->most, "%% of %d sleeps ceded", SLEEPS);
}

/*
 * The sweep that experiments are made of, here in the kernel: they run in a
 * program, which has to count the same. tools/governors/experiments compares.
 */
static void standard_sweep(struct kunit *test)
{
	const struct combination *row = test->param_value;
	struct sweep_point point = {};
	char text[SWEEP_TEXT];

	for (size_t i = 0; i < SWEEP_LENGTHS; i++) {
		struct loop *loop = start_loop(test, row->governor, row->table, 250);

		sweep(loop, row->pattern, US(sweep_us[i]), SWEEP_SLEEPS, &point);
		kunit_kfree(test, loop);
	}
	KUNIT_EXPECT_EQ(test, point.sleeps, SWEEP_LENGTHS * SWEEP_SLEEPS);
	KUNIT_EXPECT_LE(test, point.ceded, point.sleeps);
	/* stop0lite, if it is there, is entered without one. */
	KUNIT_EXPECT_EQ(test, point.hypercalls,
			point.entries[row->table->guest_stop ? 2 : 1]);
	KUNIT_EXPECT_LE(test, point.polled_ns, point.idle_ns);
	kunit_info(test, "swept %s, %s, %s: %s", row->governor->name,
		   row->table->name, pattern_names[row->pattern],
		   sweep_text(text, &point));
}

/* For make bench: this alone looks at the host's clock, and decides nothing. */
static void speed(struct kunit *test)
{
	const unsigned int sleeps = 200000;

	for (size_t i = 0; i < GOVERNORS; i++) {
		struct loop *loop = start_loop(test, loop_governors[i], &on_dedicated, 250);
		struct sweep_point point = {};
		u64 begin = ktime_get_ns();

		sweep(loop, EXPONENTIAL, US(100), sleeps, &point);
		kunit_info(test, "%s: %u sleeps in %llu ns", loop_governors[i]->name,
			   sleeps, ktime_get_ns() - begin);
		KUNIT_EXPECT_EQ(test, point.sleeps, sleeps);
	}
}

static struct kunit_case governors_cases[] = {
	KUNIT_CASE_PARAM(adds_up, next_combination),
	KUNIT_CASE_PARAM(cpus_are_apart, next_combination),
	KUNIT_CASE_PARAM(disabled_states, next_that_looks_around),
	KUNIT_CASE_PARAM(latency_limit, next_combination),
	KUNIT_CASE_PARAM(choice, choice_gen_params),
	KUNIT_CASE_PARAM(standard_sweep, next_combination),
	KUNIT_CASE(speed),
	{}
};

static struct kunit_suite governors_suite = {
	.name = "pseries_idle_governors",
	.test_cases = governors_cases,
};

kunit_test_suite(governors_suite);

MODULE_DESCRIPTION("KUnit tests: the tree's idle governors on the policy's tables");
MODULE_LICENSE("GPL");
