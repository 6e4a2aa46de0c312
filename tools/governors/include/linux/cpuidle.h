/* SPDX-License-Identifier: GPL-2.0 */
/* What a governor, or its loop, needs of the kernel header of this name, in a program. */
#ifndef _LINUX_CPUIDLE_H
#define _LINUX_CPUIDLE_H

#include <linux/ktime.h>
#include <linux/types.h>

#define CPUIDLE_STATE_MAX		10
#define CPUIDLE_FLAG_NONE		0x00
#define CPUIDLE_FLAG_POLLING		0x01
#define CPUIDLE_STATE_DISABLED_BY_USER	0x01

struct cpuidle_state {
	s64 exit_latency_ns;
	s64 target_residency_ns;
	unsigned int flags;
	unsigned int exit_latency;
	int power_usage;
	unsigned int target_residency;
};

struct cpuidle_state_usage {
	unsigned long long disable;
	unsigned long long usage;
	u64 time_ns;
	unsigned long long above;
	unsigned long long below;
	unsigned long long rejected;
};

struct cpuidle_driver {
	struct cpuidle_state states[CPUIDLE_STATE_MAX];
	int state_count;
};

struct cpuidle_device {
	unsigned int poll_time_limit;
	unsigned int cpu;
	ktime_t next_hrtimer;
	int last_state_idx;
	u64 last_residency_ns;
	u64 poll_limit_ns;
	struct cpuidle_state_usage states_usage[CPUIDLE_STATE_MAX];
};

struct cpuidle_governor {
	const char *name;
	unsigned int rating;
	int (*enable)(struct cpuidle_driver *driver, struct cpuidle_device *device);
	void (*disable)(struct cpuidle_driver *driver, struct cpuidle_device *device);
	int (*select)(struct cpuidle_driver *driver, struct cpuidle_device *device,
		      bool *stop_tick);
	void (*reflect)(struct cpuidle_device *device, int index);
};

#endif
