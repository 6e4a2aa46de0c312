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

/* As a program is built with nothing of the kernel's, order plays no part. */

struct cpuidle_state {
	unsigned int flags;
	unsigned int target_residency, exit_latency;
	s64 target_residency_ns, exit_latency_ns;
};

struct cpuidle_state_usage {
	u64 usage, above, below;
	u64 disable;
	u64 time_ns;
};

struct cpuidle_driver {
	int state_count;
	struct cpuidle_state states[CPUIDLE_STATE_MAX];
};

struct cpuidle_device {
	struct cpuidle_state_usage states_usage[CPUIDLE_STATE_MAX];
	u64 last_residency_ns;
	int last_state_idx;
	bool poll_time_limit;
	unsigned int cpu;
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
