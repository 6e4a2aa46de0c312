// SPDX-License-Identifier: GPL-2.0
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "latency_series.h"
#include "latency_statistics.h"

/* The settings of a device before it was held. */
struct held {
	const struct cpuidle_device *dev;
	unsigned long disabled;
};

static bool is_disabled(const struct cpuidle_device *dev, unsigned int state,
			unsigned long long by)
{
	return READ_ONCE(dev->states_usage[state].disable) & by;
}

/* Whatever else the kernel has to say against a state is left as it is. */
static void set_disabled(struct cpuidle_device *dev, unsigned int state,
			 bool disabled)
{
	unsigned long long others = READ_ONCE(dev->states_usage[state].disable) &
				    ~CPUIDLE_STATE_DISABLED_BY_USER;

	WRITE_ONCE(dev->states_usage[state].disable,
		   others | (disabled ? CPUIDLE_STATE_DISABLED_BY_USER : 0));
}

static void hold_device(struct cpuidle_device *dev,
			const struct latency_target *target, struct held *held)
{
	held->dev = dev;
	held->disabled = 0;
	for (unsigned int i = 0; i < target->states; i++) {
		if (is_disabled(dev, i, CPUIDLE_STATE_DISABLED_BY_USER))
			held->disabled |= BIT(i);
		set_disabled(dev, i, i != target->state);
	}
}

static int hold(const struct latency_target *target, struct held *held)
{
	struct cpuidle_device *dev;
	int err = 0;

	if (target->state == LATENCY_BUSY)
		return 0;
	cpus_read_lock();
	dev = target->device(target->cpu);
	if (!dev)
		err = -ENODEV;
	else if (is_disabled(dev, target->state, CPUIDLE_STATE_DISABLED_BY_DRIVER))
		err = -EPERM;
	else
		hold_device(dev, target, held);
	cpus_read_unlock();
	return err;
}

static void release(const struct latency_target *target,
		    const struct held *held)
{
	struct cpuidle_device *dev;

	if (target->state == LATENCY_BUSY)
		return;
	cpus_read_lock();
	dev = target->device(target->cpu);
	if (dev && dev == held->dev)
		for (unsigned int i = 0; i < target->states; i++)
			set_disabled(dev, i, held->disabled & BIT(i));
	cpus_read_unlock();
}

enum latency_fate latency_fate(const struct latency_wakeup *wakeup, int state,
			       unsigned int states)
{
	bool idle_wanted = state != LATENCY_BUSY;

	if (wakeup->ns < 0 || wakeup->ns >= LATENCY_LIMIT_NS)
		return LATENCY_LOST;
	if (wakeup->was_idle != idle_wanted)
		return LATENCY_NOT_SO;
	for (int i = 0; i < states; i++) {
		bool moved = wakeup->after[i] != wakeup->before[i];
		bool wanted = i == state;

		if (moved != wanted)
			return moved ? LATENCY_OTHER_STATE : LATENCY_NOT_ENTERED;
	}
	return LATENCY_KEPT;
}

static int take_sample(const struct latency_target *target,
		       struct latency_series *series)
{
	struct latency_wakeup wakeup = {};
	enum latency_fate fate = LATENCY_LOST;
	int err = target->wake(target, &wakeup);

	if (err && err != -ETIME)
		return err;
	if (!err)
		fate = latency_fate(&wakeup, target->state, target->states);
	if (fate == LATENCY_KEPT)
		series->ns[series->fates[LATENCY_KEPT]] = wakeup.ns;
	series->fates[fate]++;
	return series->fates[LATENCY_LOST] < LATENCY_MAX_LOST ? 0 : -ETIME;
}

int latency_measure(const struct latency_target *target, u32 tries,
		    struct latency_series *series)
{
	struct held held;
	int err;

	memset(series->fates, 0, sizeof(series->fates));
	err = hold(target, &held);
	if (err)
		return err;
	for (u32 i = 0; i < tries && !err; i++)
		err = take_sample(target, series);
	release(target, &held);
	return err;
}
