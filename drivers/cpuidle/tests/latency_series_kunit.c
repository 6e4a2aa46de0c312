// SPDX-License-Identifier: GPL-2.0
/*
 * Holding a CPU in a state, attributing what is measured there, and leaving
 * the settings as they were, on a CPU that the tests make up: its device is a
 * variable, and its wake-ups do what the row says.
 */

#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/string.h>

#include "latency_series.h"
#include "latency_statistics.h"

#define CPU		4711
#define STATES		3
#define TRIES		20

#define USER		CPUIDLE_STATE_DISABLED_BY_USER
#define DRIVER		CPUIDLE_STATE_DISABLED_BY_DRIVER

/* What the CPU does, and what was seen of it. */
static struct {
	struct cpuidle_device dev, other_dev;
	struct cpuidle_device *found;
	bool busy;
	int enters;			/* instead of the state it is held in */
	u32 failing_wakeup;		/* counted from 1, as the wake-ups are */
	int failure;
	bool fails_for_good;
	struct cpuidle_device *found_after_failure;

	u32 wakeups;
	unsigned long long disable[STATES];	/* at the last wake-up */
	u32 ns[TRIES];
	struct latency_series series;
} fake;

static struct cpuidle_device *fake_device(unsigned int cpu)
{
	return cpu == CPU ? fake.found : NULL;
}

static void read_settings(unsigned long long *disable)
{
	for (unsigned int i = 0; i < STATES; i++)
		disable[i] = fake.dev.states_usage[i].disable;
}

static int fake_wake(const struct latency_target *target,
		     struct latency_wakeup *wakeup)
{
	read_settings(fake.disable);
	if (++fake.wakeups == fake.failing_wakeup ||
	    (fake.fails_for_good && fake.wakeups > fake.failing_wakeup)) {
		fake.found = fake.found_after_failure;
		return fake.failure;
	}
	wakeup->ns = 1000 - fake.wakeups;
	wakeup->was_idle = !fake.busy;
	if (target->state != LATENCY_BUSY)
		wakeup->after[fake.enters]++;
	return 0;
}

static int series_init(struct kunit *test)
{
	memset(&fake, 0, sizeof(fake));
	fake.found = &fake.dev;
	fake.found_after_failure = &fake.dev;
	fake.series.ns = fake.ns;
	return 0;
}

static int measure(int state)
{
	const struct latency_target target = {
		.cpu = CPU,
		.state = state,
		.states = STATES,
		.device = fake_device,
		.wake = fake_wake,
	};

	return latency_measure(&target, TRIES, &fake.series);
}

/* Settings as the administrator, the driver or both have made them. */
struct setting_row {
	const char *name;
	unsigned long long disable[STATES];
};

static const struct setting_row setting_rows[] = {
	{ "all enabled", { 0, 0, 0 } },
	{ "one disabled by the administrator", { 0, USER, 0 } },
	{ "all disabled by the administrator", { USER, USER, USER } },
	{ "one disabled by the driver as well", { DRIVER, DRIVER | USER, 0 } },
	{ "one disabled by what is yet to be", { BIT(5), BIT(5) | USER, 0 } },
};

KUNIT_ARRAY_PARAM_DESC(setting, setting_rows, name);

static void apply_settings(const struct setting_row *row)
{
	series_init(NULL);
	for (unsigned int i = 0; i < STATES; i++)
		fake.dev.states_usage[i].disable = row->disable[i];
}

static void expect_settings(struct kunit *test, const struct setting_row *row)
{
	unsigned long long disable[STATES];

	read_settings(disable);
	for (unsigned int i = 0; i < STATES; i++)
		KUNIT_EXPECT_EQ_MSG(test, row->disable[i], disable[i],
				    "state %u", i);
}

/* The one state is enabled while it is measured, and no other is. */
static void only_one_state_is_enabled(struct kunit *test)
{
	const struct setting_row *row = test->param_value;

	for (unsigned int state = 0; state < STATES; state++) {
		apply_settings(row);
		fake.enters = state;
		if (row->disable[state] & DRIVER) {
			KUNIT_EXPECT_EQ(test, -EPERM, measure(state));
			KUNIT_EXPECT_EQ(test, 0, fake.wakeups);
			continue;
		}
		KUNIT_EXPECT_EQ(test, 0, measure(state));
		KUNIT_EXPECT_EQ(test, TRIES, fake.wakeups);
		for (unsigned int i = 0; i < STATES; i++)
			KUNIT_EXPECT_EQ(test, i != state,
					!!(fake.disable[i] & USER));
	}
}

/* How a series can end, and what of it is kept. */
struct ending_row {
	const char *name;
	u32 failing_wakeup;
	int failure;
	int err;
	u32 kept;
};

static const struct ending_row ending_rows[] = {
	{ "as planned", 0, 0, 0, TRIES },
	{ "with one lost", 7, -ETIME, 0, TRIES - 1 },
	{ "with the CPU off line at once", 1, -ENODEV, -ENODEV, 0 },
	{ "with the CPU off line meanwhile", 8, -ENODEV, -ENODEV, 7 },
	{ "with no second CPU left", 20, -ENXIO, -ENXIO, 19 },
};

KUNIT_ARRAY_PARAM_DESC(ending, ending_rows, name);

static void every_setting_is_restored(struct kunit *test)
{
	const struct ending_row *row = test->param_value;

	for (unsigned int i = 0; i < ARRAY_SIZE(setting_rows); i++) {
		apply_settings(&setting_rows[i]);
		fake.enters = STATES - 1;
		fake.failing_wakeup = row->failing_wakeup;
		fake.failure = row->failure;

		KUNIT_EXPECT_EQ(test, row->err, measure(STATES - 1));
		KUNIT_EXPECT_EQ(test, row->kept,
				fake.series.fates[LATENCY_KEPT]);
		expect_settings(test, &setting_rows[i]);
	}
}

/* A CPU that does not wake up any more is given up. */
static void stuck_cpu(struct kunit *test)
{
	fake.dev.states_usage[0].disable = USER;
	fake.failing_wakeup = 5;
	fake.failure = -ETIME;
	fake.fails_for_good = true;
	KUNIT_EXPECT_EQ(test, -ETIME, measure(0));
	KUNIT_EXPECT_EQ(test, 4, fake.series.fates[LATENCY_KEPT]);
	KUNIT_EXPECT_EQ(test, LATENCY_MAX_LOST,
			fake.series.fates[LATENCY_LOST]);
	KUNIT_EXPECT_EQ(test, USER, fake.dev.states_usage[0].disable);
	KUNIT_EXPECT_EQ(test, 0, fake.dev.states_usage[1].disable);
}

/* What belongs to a device that is gone is not written to. */
static void device_is_replaced(struct kunit *test)
{
	struct cpuidle_device *const replacements[] = {
		NULL, &fake.other_dev,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(replacements); i++) {
		series_init(test);
		fake.dev.states_usage[0].disable = USER;
		fake.failing_wakeup = 2;
		fake.failure = -ENODEV;
		fake.found_after_failure = replacements[i];
		KUNIT_EXPECT_EQ(test, -ENODEV, measure(0));
		KUNIT_EXPECT_EQ(test, 0, fake.dev.states_usage[0].disable);
		KUNIT_EXPECT_EQ(test, USER, fake.dev.states_usage[1].disable);
		KUNIT_EXPECT_TRUE(test, !memchr_inv(&fake.other_dev, 0,
						    sizeof(fake.other_dev)));
	}
}

static void no_device(struct kunit *test)
{
	fake.found = NULL;
	KUNIT_EXPECT_EQ(test, -ENODEV, measure(1));
	KUNIT_EXPECT_EQ(test, 0, fake.wakeups);
}

/* A busy CPU needs no device, and none is touched. */
static void busy_cpu(struct kunit *test)
{
	fake.busy = true;
	fake.dev.states_usage[1].disable = USER;
	KUNIT_EXPECT_EQ(test, 0, measure(LATENCY_BUSY));
	KUNIT_EXPECT_EQ(test, TRIES, fake.series.fates[LATENCY_KEPT]);
	KUNIT_EXPECT_EQ(test, 0, fake.disable[0]);
	KUNIT_EXPECT_EQ(test, USER, fake.disable[1]);

	series_init(test);
	fake.found = NULL;
	fake.busy = true;
	KUNIT_EXPECT_EQ(test, 0, measure(LATENCY_BUSY));
}

/* The latencies are there in the order they were measured, without gaps. */
static void kept_in_order(struct kunit *test)
{
	fake.failing_wakeup = 3;
	fake.failure = -ETIME;
	KUNIT_EXPECT_EQ(test, 0, measure(0));
	KUNIT_EXPECT_EQ(test, TRIES - 1, fake.series.fates[LATENCY_KEPT]);
	KUNIT_EXPECT_EQ(test, 1, fake.series.fates[LATENCY_LOST]);
	KUNIT_EXPECT_EQ(test, 998, fake.ns[1]);
	KUNIT_EXPECT_EQ(test, 996, fake.ns[2]);
	KUNIT_EXPECT_EQ(test, 980, fake.ns[TRIES - 2]);
}

/* A CPU whose governor does not mind the settings: nothing is kept. */
static void governor_that_disobeys(struct kunit *test)
{
	fake.enters = 2;
	KUNIT_EXPECT_EQ(test, 0, measure(1));
	KUNIT_EXPECT_EQ(test, 0, fake.series.fates[LATENCY_KEPT]);
	KUNIT_EXPECT_EQ(test, TRIES, fake.series.fates[LATENCY_NOT_ENTERED]);
}

/* Attribution */

struct fate_row {
	const char *name;
	int state;
	bool was_idle;
	s64 ns;
	u64 moved[STATES];
	enum latency_fate fate;
};

static const struct fate_row fate_rows[] = {
	{ "from the state", 1, true, 5000, { 0, 1, 0 }, LATENCY_KEPT },
	{ "from the state, entered again", 1, true, 5000, { 0, 9, 0 },
	  LATENCY_KEPT },
	{ "from a shallower one", 1, true, 5000, { 1, 0, 0 },
	  LATENCY_OTHER_STATE },
	{ "from a deeper one", 1, true, 5000, { 0, 0, 1 },
	  LATENCY_NOT_ENTERED },
	{ "from the state, after a shallower one", 1, true, 5000, { 1, 1, 0 },
	  LATENCY_OTHER_STATE },
	{ "from the state, after a deeper one", 1, true, 5000, { 0, 1, 1 },
	  LATENCY_OTHER_STATE },
	{ "from no state", 1, true, 5000, { 0, 0, 0 }, LATENCY_NOT_ENTERED },
	{ "busy again", 1, false, 5000, { 0, 1, 0 }, LATENCY_NOT_SO },
	{ "at once", 0, true, 0, { 1, 0, 0 }, LATENCY_KEPT },
	{ "before it was due", 0, true, -1, { 1, 0, 0 }, LATENCY_LOST },
	{ "just in time", 0, true, LATENCY_LIMIT_NS - 1, { 1, 0, 0 },
	  LATENCY_KEPT },
	{ "too late", 0, true, LATENCY_LIMIT_NS, { 1, 0, 0 }, LATENCY_LOST },
	{ "counter wraps", 2, true, 5000, { 0, 0, U64_MAX }, LATENCY_KEPT },
	{ "busy", LATENCY_BUSY, false, 800, { 0, 0, 0 }, LATENCY_KEPT },
	{ "busy, but idle", LATENCY_BUSY, true, 800, { 0, 0, 0 },
	  LATENCY_NOT_SO },
	{ "busy, but for a while", LATENCY_BUSY, false, 800, { 0, 0, 1 },
	  LATENCY_OTHER_STATE },
};

KUNIT_ARRAY_PARAM_DESC(fate, fate_rows, name);

static void attributed_to_the_right_state(struct kunit *test)
{
	const struct fate_row *row = test->param_value;
	struct latency_wakeup wakeup = {
		.ns = row->ns,
		.was_idle = row->was_idle,
		.before = { 100, 200, 300 },
	};

	for (unsigned int i = 0; i < STATES; i++)
		wakeup.after[i] = wakeup.before[i] + row->moved[i];
	KUNIT_EXPECT_EQ(test, row->fate,
			latency_fate(&wakeup, row->state, STATES));
}

static struct kunit_case series_cases[] = {
	KUNIT_CASE_PARAM(only_one_state_is_enabled, setting_gen_params),
	KUNIT_CASE_PARAM(every_setting_is_restored, ending_gen_params),
	KUNIT_CASE(stuck_cpu),
	KUNIT_CASE(device_is_replaced),
	KUNIT_CASE(no_device),
	KUNIT_CASE(busy_cpu),
	KUNIT_CASE(kept_in_order),
	KUNIT_CASE(governor_that_disobeys),
	KUNIT_CASE_PARAM(attributed_to_the_right_state, fate_gen_params),
	{}
};

static struct kunit_suite series_suite = {
	.name = "cpuidle_latency_series",
	.init = series_init,
	.test_cases = series_cases,
};

kunit_test_suite(series_suite);

MODULE_DESCRIPTION("KUnit tests for series of wake-ups from an idle state");
MODULE_LICENSE("GPL");
