/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside the pseries idle driver: what its KUnit suite needs to run it on a
 * machine, with a cpuidle and with a driver instance of its own.
 */
#ifndef _DRIVERS_CPUIDLE_PSERIES_H
#define _DRIVERS_CPUIDLE_PSERIES_H

#include <linux/cpuhotplug.h>
#include <linux/cpuidle.h>
#include <linux/pseries_idle.h>
#include <asm/papr-sysparm.h>

/**
 * struct pseries_cpuidle - an instance of the driver
 * @driver: what cpuidle sees of it
 * @snooze_timeout_ticks: how long snooze polls, in timebase ticks
 */
struct pseries_cpuidle {
	struct cpuidle_driver driver;
	u64 snooze_timeout_ticks;
};

/**
 * struct pseries_cpuidle_ops - all that the driver asks of its surroundings
 * @powersave_off: did the administrator forbid power saving
 * @platform: read the facts that the policy depends on
 * @ask_firmware: get the CEDE latency settings, like papr_sysparm_get()
 * @register_driver: cpuidle_register()
 * @unregister_driver: cpuidle_unregister()
 * @setup_hotplug: cpuhp_setup_state_nocalls()
 * @remove_hotplug: cpuhp_remove_state_nocalls()
 */
struct pseries_cpuidle_ops {
	bool (*powersave_off)(void);
	struct pseries_idle_platform (*platform)(void);
	int (*ask_firmware)(struct papr_sysparm_buf *answer);

	int (*register_driver)(struct cpuidle_driver *driver,
			       const struct cpumask *coupled_cpus);
	void (*unregister_driver)(struct cpuidle_driver *driver);
	int (*setup_hotplug)(enum cpuhp_state state, const char *name,
			     int (*startup)(unsigned int cpu),
			     int (*teardown)(unsigned int cpu));
	void (*remove_hotplug)(enum cpuhp_state state);
};

/**
 * pseries_cpuidle_init - decide on the idle states, and register the driver
 * @ops: surroundings of the driver
 * @idle: an instance, zeroed; it is written when there is a table for it
 *
 * Return: 0; -ENODEV if this machine or its administrator does without; the
 * errno of the step that failed, with the steps before it undone.
 */
int pseries_cpuidle_init(const struct pseries_cpuidle_ops *ops,
			 struct pseries_cpuidle *idle);

/* How the states are entered; only cpuidle may do that. */
int pseries_cpuidle_snooze(struct cpuidle_device *dev,
			   struct cpuidle_driver *drv, int index);
int pseries_cpuidle_cede(struct cpuidle_device *dev,
			 struct cpuidle_driver *drv, int index);
int pseries_cpuidle_shared_cede(struct cpuidle_device *dev,
				struct cpuidle_driver *drv, int index);
int pseries_cpuidle_stop0lite(struct cpuidle_device *dev,
			      struct cpuidle_driver *drv, int index);

#endif /* _DRIVERS_CPUIDLE_PSERIES_H */
