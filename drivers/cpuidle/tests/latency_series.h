/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A series of wake-ups from one idle state: hold a CPU in it, tell for each
 * wake-up whether it was from that state, and leave the settings as they were.
 *
 * How a CPU is woken, and where its cpuidle device is, the caller brings
 * along; a test brings a device of its own.
 */
#ifndef _DRIVERS_CPUIDLE_LATENCY_SERIES_H
#define _DRIVERS_CPUIDLE_LATENCY_SERIES_H

#include <linux/cpuidle.h>
#include <linux/types.h>

/* In place of a state: the CPU is kept from idling. */
#define LATENCY_BUSY		(-1)

/* A CPU that does not wake up any more is given up after so many attempts. */
#define LATENCY_MAX_LOST	10

/**
 * struct latency_wakeup - a wake-up, and what speaks for where it was from
 * @ns: how long it took
 * @was_idle: did the handler run in the place of the idle task
 * @before: usage counters of the states, read on the CPU before it went idle
 * @after: the same when it was woken up
 */
struct latency_wakeup {
	s64 ns;
	bool was_idle;
	u64 before[CPUIDLE_STATE_MAX];
	u64 after[CPUIDLE_STATE_MAX];
};

/**
 * enum latency_fate - what becomes of a sample
 * @LATENCY_KEPT: it is one of the wanted state
 * @LATENCY_LOST: the handler did not run in time, or before it was due
 * @LATENCY_NOT_SO: it ran on a busy CPU, or on an idle one that was to be busy
 * @LATENCY_NOT_ENTERED: the counter of the state did not move
 * @LATENCY_OTHER_STATE: that of another one did
 * @LATENCY_FATES: how many there are
 */
enum latency_fate {
	LATENCY_KEPT,
	LATENCY_LOST,
	LATENCY_NOT_SO,
	LATENCY_NOT_ENTERED,
	LATENCY_OTHER_STATE,
	LATENCY_FATES,
};

/**
 * struct latency_target - what is to be measured
 * @cpu: which CPU
 * @state: in which of its states, or LATENCY_BUSY
 * @states: how many states it has
 * @device: find the CPU's cpuidle device; NULL if it has none now. Called
 * with CPU hotplug locked out.
 * @wake: have @cpu woken up once, and describe it. 0; -ETIME if it did not
 * wake up in time; any other errno ends the series.
 * @context: for @wake to use
 */
struct latency_target {
	unsigned int cpu;
	int state;
	unsigned int states;
	struct cpuidle_device *(*device)(unsigned int cpu);
	int (*wake)(const struct latency_target *target,
		    struct latency_wakeup *wakeup);
	void *context;
};

/**
 * struct latency_series - what was measured
 * @ns: the latencies that were kept, in the order they were measured
 * @fates: how many samples had each fate; @ns has fates[LATENCY_KEPT]
 */
struct latency_series {
	u32 *ns;
	u32 fates[LATENCY_FATES];
};

/**
 * latency_fate() - whether a wake-up was from the state it should be from
 * @wakeup: the wake-up
 * @state: the state, or LATENCY_BUSY
 * @states: how many states there are
 *
 * Return: LATENCY_KEPT if the counter of the state moved and no other did, and
 * the CPU was idle; with LATENCY_BUSY, if none moved and it was not. Else the
 * first reason against it.
 */
enum latency_fate latency_fate(const struct latency_wakeup *wakeup, int state,
			       unsigned int states);

/**
 * latency_measure() - take samples from a CPU that is held in one state
 * @target: what to measure
 * @tries: how many samples to take
 * @series: where they go; its @ns has room for @tries
 *
 * All other states are disabled meanwhile, in the way that an administrator
 * does it. However the series ends, each state is as enabled as it was; if
 * the CPU's device is another one by then, or gone, its settings went with it.
 *
 * Return: 0; -ENODEV if the CPU has no device; -EPERM if its driver disables
 * the state; -ETIME if it was given up; else the errno of @target->wake.
 * @series is right in each case.
 */
int latency_measure(const struct latency_target *target, u32 tries,
		    struct latency_series *series);

#endif /* _DRIVERS_CPUIDLE_LATENCY_SERIES_H */
