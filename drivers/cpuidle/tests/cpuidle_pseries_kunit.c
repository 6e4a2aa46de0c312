// SPDX-License-Identifier: GPL-2.0
/*
 * The pseries idle driver, from the facts to registered idle states and back
 * when a step fails.
 *
 * The driver runs on a machine and a cpuidle of the tests' own: fakes that
 * note down what it does, in order. The one in use is only looked at, in the
 * last case.
 *
 *	facts		reads the facts
 *	ask		asks the firmware
 *	register	registers with cpuidle
 *	online, DEAD	sets up the hotplug callback of that name
 *	-online		removes it again, and
 *	-register	unregisters
 */

#include <kunit/test.h>
#include <linux/kmsg_dump.h>
#include <linux/string.h>
#include <asm/lppaca.h>

#include "../cpuidle-pseries.h"
#include "situations.h"

#define ONLINE_STATE	4711

/* What the fakes are to say, and what they saw. */
static struct {
	struct kunit *test;
	bool powersave_off;
	struct pseries_idle_platform platform;
	int firmware_err;
	const u8 *answer;
	size_t answer_size;
	const char *failing_step;
	int failure;

	struct pseries_cpuidle idle;
	struct cpuidle_driver registered;
	char effects[128];
} fake;

static int effect(const char *step)
{
	if (fake.effects[0])
		strlcat(fake.effects, " ", sizeof(fake.effects));
	strlcat(fake.effects, step, sizeof(fake.effects));
	return fake.failing_step && !strcmp(step, fake.failing_step) ?
	       fake.failure : 0;
}

static bool fake_powersave_off(void)
{
	return fake.powersave_off;
}

static struct pseries_idle_platform fake_platform(void)
{
	effect("facts");
	return fake.platform;
}

static int fake_ask_firmware(struct papr_sysparm_buf *answer)
{
	effect("ask");
	KUNIT_EXPECT_TRUE_MSG(fake.test, !memchr_inv(answer, 0, sizeof(*answer)),
			      "the buffer was not cleared");
	if (fake.answer)
		memcpy(answer, fake.answer, fake.answer_size);
	return fake.firmware_err;
}

static int fake_register_driver(struct cpuidle_driver *driver,
				const struct cpumask *coupled_cpus)
{
	KUNIT_EXPECT_PTR_EQ(fake.test, driver, &fake.idle.driver);
	KUNIT_EXPECT_NULL(fake.test, coupled_cpus);
	fake.registered = *driver;
	return effect("register");
}

static void fake_unregister_driver(struct cpuidle_driver *driver)
{
	KUNIT_EXPECT_PTR_EQ(fake.test, driver, &fake.idle.driver);
	effect("-register");
}

static int fake_setup_hotplug(enum cpuhp_state state, const char *name,
			      int (*startup)(unsigned int cpu),
			      int (*teardown)(unsigned int cpu))
{
	int err;

	if (state == CPUHP_AP_ONLINE_DYN) {
		KUNIT_EXPECT_STREQ(fake.test, name, "cpuidle/pseries:online");
		KUNIT_EXPECT_NOT_NULL(fake.test, startup);
		KUNIT_EXPECT_NULL(fake.test, teardown);
		err = effect("online");
		return err ?: ONLINE_STATE;
	}

	KUNIT_EXPECT_EQ(fake.test, state, CPUHP_CPUIDLE_DEAD);
	KUNIT_EXPECT_STREQ(fake.test, name, "cpuidle/pseries:DEAD");
	KUNIT_EXPECT_NULL(fake.test, startup);
	KUNIT_EXPECT_NOT_NULL(fake.test, teardown);
	return effect("DEAD");
}

static void fake_remove_hotplug(enum cpuhp_state state)
{
	KUNIT_EXPECT_EQ(fake.test, state, ONLINE_STATE);
	effect("-online");
}

static const struct pseries_cpuidle_ops fake_ops = {
	.powersave_off = fake_powersave_off,
	.platform = fake_platform,
	.ask_firmware = fake_ask_firmware,
	.register_driver = fake_register_driver,
	.unregister_driver = fake_unregister_driver,
	.setup_hotplug = fake_setup_hotplug,
	.remove_hotplug = fake_remove_hotplug,
};

static int cpuidle_init(struct kunit *test)
{
	memset(&fake, 0, sizeof(fake));
	fake.test = test;
	return 0;
}

static void __init expect_init(struct kunit *test, int err, const char *effects)
{
	KUNIT_EXPECT_EQ(test, err, pseries_cpuidle_init(&fake_ops, &fake.idle));
	KUNIT_EXPECT_STREQ(test, effects, fake.effects);
}

static void expect_no_table(struct kunit *test)
{
	KUNIT_EXPECT_TRUE_MSG(test, !memchr_inv(&fake.idle, 0, sizeof(fake.idle)),
			      "the instance was written");
}

static void expect_state(struct kunit *test, unsigned int index,
			 const char *name, unsigned int flags,
			 unsigned int latency_us, unsigned int residency_us,
			 int (*enter)(struct cpuidle_device *dev,
				      struct cpuidle_driver *drv, int index))
{
	const struct cpuidle_state *state = &fake.registered.states[index];

	KUNIT_EXPECT_STREQ(test, name, state->name);
	KUNIT_EXPECT_STREQ(test, name, state->desc);
	KUNIT_EXPECT_EQ_MSG(test, flags, state->flags, "state %u", index);
	KUNIT_EXPECT_EQ_MSG(test, latency_us, state->exit_latency, "state %u",
			    index);
	KUNIT_EXPECT_EQ_MSG(test, residency_us, state->target_residency,
			    "state %u", index);
	KUNIT_EXPECT_EQ_MSG(test, 0, state->exit_latency_ns, "state %u", index);
	KUNIT_EXPECT_EQ_MSG(test, 0, state->target_residency_ns, "state %u",
			    index);
	KUNIT_EXPECT_PTR_EQ_MSG(test, enter, state->enter, "state %u", index);
	KUNIT_EXPECT_NULL_MSG(test, state->enter_dead, "state %u", index);
	KUNIT_EXPECT_NULL_MSG(test, state->enter_s2idle, "state %u", index);
}

static void expect_snooze(struct kunit *test, int state_count,
			  u64 timeout_ticks)
{
	KUNIT_EXPECT_STREQ(test, "pseries_idle", fake.registered.name);
	KUNIT_EXPECT_EQ(test, state_count, fake.registered.state_count);
	expect_state(test, 0, "snooze", CPUIDLE_FLAG_POLLING, 0, 0,
		     pseries_cpuidle_snooze);
	KUNIT_EXPECT_EQ(test, timeout_ticks, fake.idle.snooze_timeout_ticks);
}

static void expect_default_cede(struct kunit *test)
{
	expect_snooze(test, 2, 51200);
	expect_state(test, 1, "CEDE", 0, 10, 100, pseries_cpuidle_cede);
}

KUNIT_ARRAY_PARAM_DESC(situation, situations, name);

/* Firmware is asked when the policy wants it, and its table is registered. */
static void __init situation(struct kunit *test)
{
	const struct situation *row = test->param_value;
	unsigned int next = 1;

	fake.platform = row->platform;
	fake.answer = row->answer;
	fake.answer_size = row->answer_size;
	fake.firmware_err = row->answer ? 0 : -EOPNOTSUPP;

	if (row->err) {
		expect_init(test, row->err, "facts");
		expect_no_table(test);
		return;
	}

	expect_init(test, 0, row->asked ? "facts ask register online DEAD" :
					  "facts register online DEAD");
	expect_snooze(test, row->stop.name ? 3 : 2, row->snooze_timeout_ticks);
	if (row->stop.name)
		expect_state(test, next++, row->stop.name, 0,
			     row->stop.exit_latency_us,
			     row->stop.target_residency_us,
			     pseries_cpuidle_stop0lite);
	expect_state(test, next, row->cede.name, 0, row->cede.exit_latency_us,
		     row->cede.target_residency_us,
		     row->platform.shared ? pseries_cpuidle_shared_cede :
					    pseries_cpuidle_cede);
}

static const struct pseries_idle_platform dedicated_power10 = {
	.pvr = POWER10,
	.isa = PSERIES_ISA_3_1,
	.splpar = true,
	.tb_hz = PUBLISHED_TB_HZ,
};

struct status_row {
	const char *name;
	int err;
};

static const struct status_row status_rows[] = {
	{ "nothing to ask with", -ENOENT },
	{ "parameter not supported", -EOPNOTSUPP },
	{ "partition not authorised", -EPERM },
	{ "parameter error", -EINVAL },
	{ "hardware error", -EIO },
	{ "no memory", -ENOMEM },
};

KUNIT_ARRAY_PARAM_DESC(status, status_rows, name);

/* Firmware that refuses costs its latencies only, whatever is in the buffer. */
static void __init firmware_refuses(struct kunit *test)
{
	const struct status_row *row = test->param_value;

	fake.platform = dedicated_power10;
	fake.firmware_err = row->err;
	fake.answer = power10_answer;
	fake.answer_size = sizeof(power10_answer);

	expect_init(test, 0, "facts ask register online DEAD");
	expect_default_cede(test);
}

/* Firmware that succeeds without having written an answer. */
static void __init firmware_writes_nothing(struct kunit *test)
{
	fake.platform = dedicated_power10;

	expect_init(test, 0, "facts ask register online DEAD");
	expect_default_cede(test);
}

/* An answer that takes all of the buffer: 43 records of 93 bytes, no NUL. */
static void __init firmware_fills_the_buffer(struct kunit *test)
{
	struct papr_sysparm_buf *answer = kunit_kzalloc(test, sizeof(*answer),
							GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, answer);
	KUNIT_ASSERT_EQ(test, sizeof(answer->val), 1 + 43 * 93);
	answer->len = cpu_to_be16(4000);
	answer->val[0] = 93 - 1;
	for (size_t i = 0; i < 43; i++) {
		u8 *record = answer->val + 1 + i * 93;

		record[0] = i + 1;
		put_unaligned_be64(0x1800 + i, record + 1);
	}
	fake.platform = dedicated_power10;
	fake.answer = (const u8 *)answer;
	fake.answer_size = sizeof(*answer);

	expect_init(test, 0, "facts ask register online DEAD");
	expect_snooze(test, 2, 61440);
	expect_state(test, 1, "CEDE", 0, 12, 120, pseries_cpuidle_cede);
}

struct stop_row {
	const char *name;
	struct pseries_idle_platform platform;
	int state_count;
	const char *logged;	/* NULL: nothing about stop */
};

#define STOP_ROW(_guest_stop, _shared, _pvr, _isa)			\
	.platform = { .pvr = _pvr, .isa = PSERIES_ISA_ ## _isa,		\
		      .splpar = true, .shared = _shared,		\
		      .guest_stop = _guest_stop, .tb_hz = PUBLISHED_TB_HZ }

static const struct stop_row stop_rows[] = {
	{ "not vouched for", STOP_ROW(false, true, POWER10, 3_1), 2, NULL },
	{ "not vouched for, dedicated", STOP_ROW(false, false, POWER10, 3_1),
	  2, NULL },
	{ "vouched for", STOP_ROW(true, true, POWER10, 3_1), 3,
	  "stop0lite: vouched for, latency 2 us, residency 20 us; deadly if the hypervisor forbids it"
	},
	{ "dedicated", STOP_ROW(true, false, POWER10, 3_1), 2,
	  "stop0lite: refused, dedicated partition" },
	{ "POWER8 mode", STOP_ROW(true, true, POWER10, 2_07), 2,
	  "stop0lite: refused, ISA level below 3.0" },
	{ "POWER9 DD2.2", STOP_ROW(true, true, POWER9, 3_0), 2,
	  "stop0lite: refused, POWER9 before DD2.3 can miss wake-ups" },
};

KUNIT_ARRAY_PARAM_DESC(stop, stop_rows, name);

#define LOG_LINE	256

/* The next line of the kernel's log that speaks of stop0lite. */
static bool next_about_stop(struct kmsg_dump_iter *log, char *line)
{
	size_t size;

	while (kmsg_dump_get_line(log, false, line, LOG_LINE - 1, &size)) {
		line[size] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (strstr(line, "stop0lite: "))
			return true;
	}
	return false;
}

/* What is in the log already is not what is waited for. */
static void go_to_end(struct kmsg_dump_iter *log, char *line)
{
	kmsg_dump_rewind(log);
	while (next_about_stop(log, line))
		;
}

/* Who vouches for stop learns what came of it; nobody else hears of it. */
static void __init stop0lite_is_logged(struct kunit *test)
{
	const struct stop_row *row = test->param_value;
	struct kmsg_dump_iter log;
	char line[LOG_LINE];

	go_to_end(&log, line);
	fake.platform = row->platform;
	fake.firmware_err = -EOPNOTSUPP;
	KUNIT_EXPECT_EQ(test, 0, pseries_cpuidle_init(&fake_ops, &fake.idle));
	KUNIT_EXPECT_EQ(test, row->state_count, fake.registered.state_count);
	if (row->logged) {
		KUNIT_ASSERT_TRUE_MSG(test, next_about_stop(&log, line),
				      "no line about it");
		KUNIT_EXPECT_STREQ(test, strstr(line, "stop0lite: "), row->logged);
	}
	KUNIT_EXPECT_FALSE_MSG(test, next_about_stop(&log, line),
			       "logged: %s", line);
}

struct failure_row {
	const char *name;
	const char *step;
	int err;
	const char *effects;
};

static const struct failure_row failure_rows[] = {
	{ "cpuidle has a driver already", "register", -EBUSY,
	  "facts ask register" },
	{ "cpuidle is off", "register", -ENODEV,
	  "facts ask register" },
	{ "no hotplug state left for coming online", "online", -ENOSPC,
	  "facts ask register online -register" },
	{ "hotplug refuses the dead", "DEAD", -EBUSY,
	  "facts ask register online DEAD -online -register" },
};

KUNIT_ARRAY_PARAM_DESC(failure, failure_rows, name);

/* What was done before the step that failed is undone, last thing first. */
static void __init registration_fails(struct kunit *test)
{
	const struct failure_row *row = test->param_value;

	fake.platform = dedicated_power10;
	fake.firmware_err = -EOPNOTSUPP;
	fake.failing_step = row->step;
	fake.failure = row->err;

	expect_init(test, row->err, row->effects);
}

/* An administrator who wants no power saving is heard before all else. */
static void __init powersave_off(struct kunit *test)
{
	fake.platform = dedicated_power10;
	fake.powersave_off = true;

	expect_init(test, -ENODEV, "");
	expect_no_table(test);
}

/* A machine without a sane timebase gets no driver. */
static void __init timebase_out_of_range(struct kunit *test)
{
	fake.platform = dedicated_power10;
	fake.platform.tb_hz = 0;
	fake.answer = power10_answer;
	fake.answer_size = sizeof(power10_answer);

	expect_init(test, -EINVAL, "facts ask");
	expect_no_table(test);
}

/* An instance is all that is written: a second one turns out the same. */
static void __init same_facts_same_driver(struct kunit *test)
{
	struct pseries_cpuidle *first = kunit_kzalloc(test, sizeof(*first),
						      GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, first);
	fake.platform = dedicated_power10;
	fake.answer = power10_answer;
	fake.answer_size = sizeof(power10_answer);
	expect_init(test, 0, "facts ask register online DEAD");

	/* Firmware that is slower, then the first again. */
	*first = fake.idle;
	memset(&fake.idle, 0, sizeof(fake.idle));
	fake.answer = power8_answer;
	fake.answer_size = sizeof(power8_answer);
	KUNIT_EXPECT_EQ(test, 0, pseries_cpuidle_init(&fake_ops, &fake.idle));
	expect_state(test, 1, "CEDE", 0, 30, 300, pseries_cpuidle_cede);

	memset(&fake.idle, 0, sizeof(fake.idle));
	fake.answer = power10_answer;
	fake.answer_size = sizeof(power10_answer);
	KUNIT_EXPECT_EQ(test, 0, pseries_cpuidle_init(&fake_ops, &fake.idle));
	KUNIT_EXPECT_MEMEQ(test, &fake.idle, first, sizeof(*first));
}

/* The driver in use took this partition for what it is. */
static void live_driver(struct kunit *test)
{
	const struct cpuidle_driver *driver = cpuidle_get_driver();
	bool shared = lppaca_shared_proc();

	if (!driver)
		kunit_skip(test, "no idle driver in use");

	KUNIT_EXPECT_STREQ(test, "pseries_idle", driver->name);
	KUNIT_ASSERT_EQ(test, 2, driver->state_count);
	KUNIT_EXPECT_STREQ(test, "snooze", driver->states[0].name);
	KUNIT_EXPECT_PTR_EQ(test, &pseries_cpuidle_snooze,
			    driver->states[0].enter);
	KUNIT_EXPECT_STREQ(test, shared ? "Shared Cede" : "CEDE",
			   driver->states[1].name);
	KUNIT_EXPECT_PTR_EQ(test, shared ? &pseries_cpuidle_shared_cede :
					   &pseries_cpuidle_cede,
			    driver->states[1].enter);
	if (shared) {
		KUNIT_EXPECT_EQ(test, 10, driver->states[1].exit_latency);
		KUNIT_EXPECT_EQ(test, 100, driver->states[1].target_residency);
	}
}

/* __refdata: they run, and are run once, before __init goes away. */
static struct kunit_case cpuidle_cases[] __refdata = {
	KUNIT_CASE_PARAM(situation, situation_gen_params),
	KUNIT_CASE_PARAM(firmware_refuses, status_gen_params),
	KUNIT_CASE(firmware_writes_nothing),
	KUNIT_CASE(firmware_fills_the_buffer),
	KUNIT_CASE_PARAM(stop0lite_is_logged, stop_gen_params),
	KUNIT_CASE_PARAM(registration_fails, failure_gen_params),
	KUNIT_CASE(powersave_off),
	KUNIT_CASE(timebase_out_of_range),
	KUNIT_CASE(same_facts_same_driver),
	KUNIT_CASE(live_driver),
	{}
};

static struct kunit_suite cpuidle_suite = {
	.name = "pseries_cpuidle",
	.init = cpuidle_init,
	.test_cases = cpuidle_cases,
};

kunit_test_init_section_suite(cpuidle_suite);

MODULE_DESCRIPTION("KUnit tests for the pseries idle driver");
MODULE_LICENSE("GPL");
