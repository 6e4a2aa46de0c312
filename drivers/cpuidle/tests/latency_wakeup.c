// SPDX-License-Identifier: GPL-2.0
/*
 * Whoever measures does so from a thread on the CPU that is to be woken up:
 * what it reads of the CPU's counters before it goes to sleep and when it runs
 * again is exact, for all idle states between the two have been left, and
 * counted, by then.
 */
#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "latency_wakeup.h"

/* From going to sleep to being woken up. */
#define SLEEP		ms_to_ktime(1)
#define PATIENCE	HZ

/* In the handler, in whose place the idle task was if the CPU was idle. */
static void note_wakeup(struct latency_waker *waker, ktime_t since)
{
	waker->ns = ktime_to_ns(ktime_sub(ktime_get(), since));
	waker->was_idle = is_idle_task(current);
	complete(&waker->woken);
}

static void ipi_came(struct irq_work *work)
{
	struct latency_waker *waker = container_of(work, struct latency_waker, ipi);

	note_wakeup(waker, waker->since);
}

static enum hrtimer_restart timer_expired(struct hrtimer *timer)
{
	struct latency_waker *waker = container_of(timer, struct latency_waker, timer);

	if (waker->source == LATENCY_TIMER) {
		note_wakeup(waker, hrtimer_get_expires(timer));
	} else {
		waker->since = ktime_get();
		irq_work_queue_on(&waker->ipi, waker->cpu);
	}
	return HRTIMER_NORESTART;
}

static void start_timer(void *data)
{
	struct latency_waker *waker = data;

	hrtimer_start(&waker->timer, SLEEP, HRTIMER_MODE_REL_PINNED_HARD);
}

static int start(struct latency_waker *waker, unsigned int sender)
{
	if (waker->source == LATENCY_IPI)
		return smp_call_function_single(sender, start_timer, waker, true);
	start_timer(waker);
	return 0;
}

static bool stay_awake(struct completion *woken)
{
	unsigned long end = jiffies + PATIENCE;

	while (!completion_done(woken) && time_before(jiffies, end))
		cpu_relax();
	return completion_done(woken);
}

static void read_usage(const struct cpuidle_device *dev, u64 *usage)
{
	for (unsigned int i = 0; dev && i < CPUIDLE_STATE_MAX; i++)
		usage[i] = READ_ONCE(dev->states_usage[i].usage);
}

static int wake(const struct latency_target *target, unsigned int sender,
		struct latency_wakeup *wakeup)
{
	struct latency_waker *waker = target->context;
	const struct cpuidle_device *dev = latency_device(target->cpu);
	bool woken;
	int err;

	waker->cpu = target->cpu;
	reinit_completion(&waker->woken);
	read_usage(dev, wakeup->before);
	err = start(waker, sender);
	if (err)
		return err;
	if (target->state == LATENCY_BUSY)
		woken = stay_awake(&waker->woken);
	else
		woken = wait_for_completion_timeout(&waker->woken, PATIENCE);
	read_usage(dev, wakeup->after);

	/* Nothing of this may happen later. */
	hrtimer_cancel(&waker->timer);
	irq_work_sync(&waker->ipi);
	wakeup->ns = waker->ns;
	wakeup->was_idle = waker->was_idle;
	return woken ? 0 : -ETIME;
}

int latency_wake(const struct latency_target *target,
		 struct latency_wakeup *wakeup)
{
	unsigned int sender;
	int err = -ENODEV;

	cpus_read_lock();
	sender = cpumask_any_but(cpu_online_mask, target->cpu);
	if (cpu_online(target->cpu))
		err = set_cpus_allowed_ptr(current, cpumask_of(target->cpu));
	if (!err)
		err = sender < nr_cpu_ids ? wake(target, sender, wakeup) : -ENXIO;
	cpus_read_unlock();
	return err;
}

struct cpuidle_device *latency_device(unsigned int cpu)
{
	return per_cpu(cpuidle_devices, cpu);
}

void latency_waker_init(struct latency_waker *waker, enum latency_source source)
{
	waker->source = source;
	hrtimer_init(&waker->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	waker->timer.function = timer_expired;
	waker->ipi = IRQ_WORK_INIT_HARD(ipi_came);
	init_completion(&waker->woken);
}
