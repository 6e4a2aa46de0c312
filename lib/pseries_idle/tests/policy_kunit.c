// SPDX-License-Identifier: GPL-2.0
/*
 * The situations that a reviewer thinks in, each with the table it shall get:
 * see situations.h. Facts and answer go the way they go in the driver.
 */

#include <kunit/test.h>
#include <linux/pseries_idle.h>

#include "situations.h"

KUNIT_ARRAY_PARAM_DESC(situation, situations, name);

static void expect_state(struct kunit *test, const struct pseries_idle_state *got,
			 const struct pseries_idle_state *expected)
{
	KUNIT_EXPECT_STREQ(test, got->name, expected->name);
	KUNIT_EXPECT_EQ(test, got->kind, expected->kind);
	KUNIT_EXPECT_EQ(test, got->exit_latency_us, expected->exit_latency_us);
	KUNIT_EXPECT_EQ(test, got->target_residency_us,
			expected->target_residency_us);
	KUNIT_EXPECT_EQ(test, got->polling, expected->polling);
}

static void situation(struct kunit *test)
{
	static const struct pseries_idle_state snooze = {
		.name = "snooze",
		.kind = PSERIES_IDLE_SNOOZE,
		.polling = true,
	};
	const struct situation *row = test->param_value;
	struct pseries_xcede xcede = {};
	struct pseries_idle_table table;
	unsigned int next = 1;

	KUNIT_EXPECT_EQ(test, pseries_idle_wants_firmware(&row->platform),
			row->asked);
	if (row->answer)
		pseries_xcede_decode(row->answer, row->answer_size, &xcede);
	KUNIT_ASSERT_EQ(test, row->err,
			pseries_idle_build(&row->platform, &xcede, &table));
	if (row->err)
		return;

	KUNIT_ASSERT_EQ(test, table.count, row->stop.name ? 3 : 2);
	expect_state(test, &table.states[0], &snooze);
	if (row->stop.name)
		expect_state(test, &table.states[next++], &row->stop);
	expect_state(test, &table.states[next], &row->cede);
	KUNIT_EXPECT_EQ(test, table.snooze_timeout_ticks,
			row->snooze_timeout_ticks);
	KUNIT_EXPECT_EQ_MSG(test, table.why, row->why, "\"%s\", not \"%s\"",
			    pseries_idle_why_text(table.why),
			    pseries_idle_why_text(row->why));
	KUNIT_EXPECT_EQ_MSG(test, table.guest_stop, row->guest_stop,
			    "\"%s\", not \"%s\"",
			    pseries_idle_guest_stop_text(table.guest_stop),
			    pseries_idle_guest_stop_text(row->guest_stop));
}

static struct kunit_case policy_cases[] = {
	KUNIT_CASE_PARAM(situation, situation_gen_params),
	{}
};

static struct kunit_suite policy_suite = {
	.name = "pseries_idle_policy",
	.test_cases = policy_cases,
};

kunit_test_suite(policy_suite);

MODULE_DESCRIPTION("KUnit tests for the pseries idle policy, situation by situation");
MODULE_LICENSE("GPL");
