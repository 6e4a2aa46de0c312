/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake a CPU up, and see how long it takes.
 */
#ifndef _DRIVERS_CPUIDLE_LATENCY_WAKEUP_H
#define _DRIVERS_CPUIDLE_LATENCY_WAKEUP_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>

#include "latency_series.h"

/**
 * enum latency_source - what a CPU is woken up by
 * @LATENCY_TIMER: a timer of its own; the latency is how late its handler is
 * @LATENCY_IPI: an interrupt that another CPU sends; the latency is from there
 * to the handler
 * @LATENCY_SOURCES: how many there are
 */
enum latency_source {
	LATENCY_TIMER,
	LATENCY_IPI,
	LATENCY_SOURCES,
};

/**
 * struct latency_waker - wakes one CPU at a time
 * @source: what by
 * @cpu: which one
 * @timer: on that CPU; or on the one that will send
 * @ipi: what it sends
 * @since: when it was sent
 * @ns: how long it took
 * @was_idle: what the handler saw
 * @woken: the handler ran
 */
struct latency_waker {
	enum latency_source source;
	unsigned int cpu;
	struct hrtimer timer;
	struct irq_work ipi;
	ktime_t since;
	s64 ns;
	bool was_idle;
	struct completion woken;
};

/**
 * latency_waker_init() - prepare to wake CPUs up
 * @waker: what to prepare
 * @source: what CPUs are to be woken up by
 */
void latency_waker_init(struct latency_waker *waker, enum latency_source source);

/**
 * latency_wake() - the wake of struct latency_target, on this machine
 * @target: its context is a waker
 * @wakeup: is written
 *
 * Goes to sleep on the CPU, and is woken up there; or stays awake there, if
 * that is what @target wants. CPU hotplug is locked out meanwhile. Leaves the
 * caller bound to the CPU.
 *
 * Return: 0; -ENODEV if the CPU is off line; -ENXIO if it is the only one;
 * -ETIME if the wake-up did not come within a second.
 */
int latency_wake(const struct latency_target *target,
		 struct latency_wakeup *wakeup);

/**
 * latency_device() - the device of struct latency_target, on this machine
 * @cpu: which CPU
 *
 * Return: the cpuidle device, or NULL.
 */
struct cpuidle_device *latency_device(unsigned int cpu);

#endif /* _DRIVERS_CPUIDLE_LATENCY_WAKEUP_H */
