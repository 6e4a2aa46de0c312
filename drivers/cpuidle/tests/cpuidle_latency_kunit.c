// SPDX-License-Identifier: GPL-2.0
/*
 * How long the CPUs of this machine take to wake up, from each of their idle
 * states, and how long a handler takes on a CPU that is not idle. Any machine
 * with cpuidle and two CPUs.
 *
 * What comes out are figures, not a verdict: a case fails only if it could not
 * measure, or has left a setting behind. `pseries-idle latency` reads them.
 */

#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "latency_series.h"
#include "latency_statistics.h"
#include "latency_wakeup.h"

/* Number and name of a state. */
#define LABEL_SIZE	(3 + CPUIDLE_NAME_LEN)
#define PER_LINE	12

static unsigned int samples = 400;
module_param(samples, uint, 0444);
MODULE_PARM_DESC(samples, "Wake-ups of a CPU from a state, 1 to 100000 (400)");

static char *cpus = "";
module_param(cpus, charp, 0444);
MODULE_PARM_DESC(cpus, "CPUs to measure, such as 1,4-7 (the last one)");

/* A CPU in a state, woken up by something; and what that took. */
struct row {
	unsigned int cpu;
	enum latency_source source;
	int state;
	unsigned int states;
	unsigned int exit_latency_us;
	char label[LABEL_SIZE];
	const char *skipped;
	const char *unusable;

	bool measured;
	u32 fates[LATENCY_FATES];
	struct latency_statistics statistics;
};

/* The settings of all CPUs, as they were found. */
struct setting {
	const struct cpuidle_device *dev;
	unsigned long long disable[CPUIDLE_STATE_MAX];
};

static const char * const source_names[] = {
	[LATENCY_TIMER] = "timer",
	[LATENCY_IPI] = "IPI",
};

static struct row *rows;
static unsigned int row_count;
static struct setting *settings;
static struct latency_waker waker;

/* What to measure */

static struct row *add_row(unsigned int cpu, enum latency_source source)
{
	struct row *row = &rows[row_count++];

	row->cpu = cpu;
	row->source = source;
	row->state = LATENCY_BUSY;
	strscpy(row->label, "busy");
	return row;
}

static void add_state(struct row *row, const struct cpuidle_driver *drv,
		      int number)
{
	const struct cpuidle_state *state = &drv->states[number];

	row->state = number;
	row->states = drv->state_count;
	row->exit_latency_us = state->exit_latency;
	snprintf(row->label, sizeof(row->label), "%d %s", number, state->name);
}

static void add_rows(unsigned int cpu, enum latency_source source)
{
	struct cpuidle_device *dev = latency_device(cpu);
	struct cpuidle_driver *drv = cpuidle_get_cpu_driver(dev);
	struct row *busy = add_row(cpu, source);

	if (!drv || !dev->enabled) {
		busy->skipped = "the CPU has no idle states";
		return;
	}
	busy->states = drv->state_count;
	for (int i = 0; i < drv->state_count; i++)
		add_state(add_row(cpu, source), drv, i);
}

static const char *choose_cpus(struct cpumask *chosen)
{
	if (!samples || samples > LATENCY_MAX_SAMPLES)
		return "cpuidle_latency.samples is not 1 to 100000";
	if (!*cpus)
		cpumask_set_cpu(cpumask_last(cpu_online_mask), chosen);
	else if (cpulist_parse(cpus, chosen) ||
		 !cpumask_and(chosen, chosen, cpu_online_mask))
		return "cpuidle_latency.cpus is not a list of CPUs that are on line";
	return NULL;
}

static void choose_rows(struct cpumask *chosen)
{
	const char *unusable = choose_cpus(chosen);
	unsigned int cpu;

	if (unusable) {
		add_row(0, LATENCY_TIMER)->unusable = unusable;
		return;
	}
	for_each_cpu(cpu, chosen)
		for (enum latency_source source = 0; source < LATENCY_SOURCES; source++)
			add_rows(cpu, source);
}

static const void *row_gen_params(const void *previous, char *desc)
{
	const struct row *row = previous ? (const struct row *)previous + 1 : rows;

	if (row == rows + row_count)
		return NULL;
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "CPU %u, %s, %s", row->cpu,
		 source_names[row->source], row->label);
	return row;
}

/* The settings as they are now. */

static void read_settings(unsigned int cpu, struct setting *setting)
{
	const struct cpuidle_device *dev = latency_device(cpu);

	memset(setting, 0, sizeof(*setting));
	setting->dev = dev;
	for (unsigned int i = 0; dev && i < CPUIDLE_STATE_MAX; i++)
		setting->disable[i] = READ_ONCE(dev->states_usage[i].disable);
}

static void expect_settings(struct kunit *test, unsigned int cpu)
{
	struct setting now;

	read_settings(cpu, &now);
	KUNIT_EXPECT_PTR_EQ_MSG(test, settings[cpu].dev, now.dev, "CPU %u", cpu);
	KUNIT_EXPECT_MEMEQ_MSG(test, settings[cpu].disable, now.disable,
			       sizeof(now.disable), "CPU %u", cpu);
}

/* Measuring */

static void print_samples(struct kunit *test, const struct row *row,
			  const u32 *ns, u32 count)
{
	char line[PER_LINE * sizeof(" 999999999") + 1];

	for (u32 i = 0; i < count; i += PER_LINE) {
		u32 end = min(i + PER_LINE, count);
		int length = 0;

		for (u32 j = i; j < end; j++)
			length += scnprintf(line + length, sizeof(line) - length,
					    " %u", ns[j]);
		kunit_info(test, "samples %u to %u of %u, CPU %u, %s, %s:%s",
			   i + 1, end, count, row->cpu,
			   source_names[row->source], row->label, line);
	}
}

static u32 dropped(const u32 *fates)
{
	return fates[LATENCY_LOST] + fates[LATENCY_NOT_SO] +
	       fates[LATENCY_NOT_ENTERED] + fates[LATENCY_OTHER_STATE];
}

static struct latency_target target_of(const struct row *row)
{
	return (struct latency_target) {
		.cpu = row->cpu,
		.state = row->state,
		.states = row->states,
		.device = latency_device,
		.wake = latency_wake,
		.context = &waker,
	};
}

static void measure(struct kunit *test, struct row *row)
{
	const struct latency_target target = target_of(row);
	struct latency_series series = {};
	int err;

	series.ns = kunit_kmalloc_array(test, samples, sizeof(*series.ns),
					GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, series.ns);
	latency_waker_init(&waker, row->source);
	err = latency_measure(&target, samples, &series);
	if (err == -EPERM)
		kunit_skip(test, "its driver disables the state");
	if (err == -ENXIO)
		kunit_skip(test, "there is no second CPU to be woken up by");

	row->measured = true;
	memcpy(row->fates, series.fates, sizeof(row->fates));
	print_samples(test, row, series.ns, series.fates[LATENCY_KEPT]);
	row->statistics = latency_statistics(series.ns,
					     series.fates[LATENCY_KEPT]);
	KUNIT_EXPECT_EQ_MSG(test, 0, err, "the series broke off");
	KUNIT_EXPECT_NE_MSG(test, 0, series.fates[LATENCY_KEPT],
			    "no wake-up was from this state: does the governor do as it is told?");
}

static void wakeup(struct kunit *test)
{
	struct row *row = &rows[(const struct row *)test->param_value - rows];

	if (row->unusable)
		KUNIT_FAIL_AND_ABORT(test, "%s", row->unusable);
	if (row->skipped)
		kunit_skip(test, "%s", row->skipped);
	measure(test, row);
	if (dropped(row->fates))
		kunit_info(test, "dropped: lost %u, not as it was to be %u, state not entered %u, other state entered %u",
			   row->fates[LATENCY_LOST], row->fates[LATENCY_NOT_SO],
			   row->fates[LATENCY_NOT_ENTERED],
			   row->fates[LATENCY_OTHER_STATE]);
	expect_settings(test, row->cpu);
}

/* A CPU that goes off line meanwhile */

#define LAST_WAKEUP	3

static unsigned int wakeups;

static int wake_until_offline(const struct latency_target *target,
			      struct latency_wakeup *wakeup)
{
	unsigned int other = cpumask_any_but(cpu_online_mask, target->cpu);
	int err;

	if (++wakeups <= LAST_WAKEUP)
		return latency_wake(target, wakeup);
	set_cpus_allowed_ptr(current, cpumask_of(other));
	err = remove_cpu(target->cpu);
	return err ?: latency_wake(target, wakeup);
}

static void cpu_goes_offline(struct kunit *test)
{
	const struct row *row = &rows[row_count - 1];
	struct latency_target target = target_of(row);
	u32 ns[LAST_WAKEUP + 2];
	struct latency_series series = { .ns = ns };
	int err;

	if (row->state == LATENCY_BUSY)
		kunit_skip(test, "there is no CPU with idle states");
	target.wake = wake_until_offline;
	wakeups = 0;
	latency_waker_init(&waker, LATENCY_TIMER);
	err = latency_measure(&target, LAST_WAKEUP + 2, &series);
	if (cpu_online(row->cpu))
		kunit_skip(test, "CPU %u does not go off line (error %d)",
			   row->cpu, err);
	KUNIT_EXPECT_EQ(test, -ENODEV, err);
	KUNIT_EXPECT_EQ(test, LAST_WAKEUP + 1, wakeups);
	KUNIT_EXPECT_EQ(test, 0, add_cpu(row->cpu));
	expect_settings(test, row->cpu);
}

static void settings_are_as_before(struct kunit *test)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		expect_settings(test, cpu);
}

/* The tables */

static void print_row(struct kunit_suite *suite, const struct row *row)
{
	const struct latency_statistics *s = &row->statistics;
	char exit_us[12] = "-";

	if (row->state != LATENCY_BUSY)
		snprintf(exit_us, sizeof(exit_us), "%u", row->exit_latency_us);
	kunit_log(KERN_INFO, suite, KUNIT_SUBTEST_INDENT
		  "# %-18s %7s %6u %7u %9u %9u %9llu.%02llu %9u %9u %9u %9llu.%02llu",
		  row->label, exit_us, row->fates[LATENCY_KEPT],
		  dropped(row->fates), s->min, s->median, s->mean_centi / 100,
		  s->mean_centi % 100, s->percentile_90, s->percentile_99,
		  s->max, s->stddev_centi / 100, s->stddev_centi % 100);
}

static void print_title(struct kunit_suite *suite, const struct row *row)
{
	kunit_log(KERN_INFO, suite, KUNIT_SUBTEST_INDENT
		  "# latency of wake-ups, CPU %u, %s (ns, but exit latency in us)",
		  row->cpu, source_names[row->source]);
	kunit_log(KERN_INFO, suite, KUNIT_SUBTEST_INDENT
		  "# %-18s %7s %6s %7s %9s %9s %12s %9s %9s %9s %12s", "state",
		  "exit us", "N", "dropped", "min", "median", "avg", "90%ile",
		  "99%ile", "max", "stddev");
}

static void print_tables(struct kunit_suite *suite)
{
	const struct row *previous = NULL;

	for (const struct row *row = rows; row < rows + row_count; row++) {
		if (!row->measured)
			continue;
		if (!previous || previous->cpu != row->cpu ||
		    previous->source != row->source)
			print_title(suite, row);
		print_row(suite, row);
		previous = row;
	}
	if (previous && hrtimer_resolution > 1)
		kunit_log(KERN_INFO, suite, KUNIT_SUBTEST_INDENT
			  "# timers expire at a tick, every %u ns: without high resolution their latency tells little",
			  hrtimer_resolution);
}

/* The suite */

static void free_rows(void)
{
	kvfree(settings);
	kvfree(rows);
	row_count = 0;
}

static void latency_exit(struct kunit_suite *suite)
{
	print_tables(suite);
	free_rows();
}

static int latency_init(struct kunit_suite *suite)
{
	const unsigned int most = nr_cpu_ids * LATENCY_SOURCES * (CPUIDLE_STATE_MAX + 1);
	cpumask_var_t chosen;
	unsigned int cpu;

	if (!zalloc_cpumask_var(&chosen, GFP_KERNEL))
		return -ENOMEM;
	rows = kvcalloc(most, sizeof(*rows), GFP_KERNEL);
	settings = kvcalloc(nr_cpu_ids, sizeof(*settings), GFP_KERNEL);
	if (!rows || !settings) {
		free_rows();
		free_cpumask_var(chosen);
		return -ENOMEM;
	}
	choose_rows(chosen);
	for_each_possible_cpu(cpu)
		read_settings(cpu, &settings[cpu]);
	free_cpumask_var(chosen);
	return 0;
}

static struct kunit_case latency_cases[] = {
	KUNIT_CASE_PARAM(wakeup, row_gen_params),
	KUNIT_CASE(cpu_goes_offline),
	KUNIT_CASE(settings_are_as_before),
	{}
};

static struct kunit_suite latency_suite = {
	.name = "cpuidle_latency",
	.attr = { .speed = KUNIT_SPEED_VERY_SLOW },
	.suite_init = latency_init,
	.suite_exit = latency_exit,
	.test_cases = latency_cases,
};

kunit_test_suite(latency_suite);

MODULE_DESCRIPTION("KUnit suite that measures how CPUs wake up from idle states");
MODULE_LICENSE("GPL");
