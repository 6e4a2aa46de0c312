// SPDX-License-Identifier: GPL-2.0
#include <linux/cpuidle.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/pseries_idle.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "loop.h"

/*
 * A CPU is never without any timer: there is one of the kernel's own. How far
 * it is hardly matters, but to be without would: governors calculate with it.
 */
#define BACKGROUND_NS	((s64)NSEC_PER_SEC)

/* A governor is asked without saying about which CPU: the one that runs. */
static struct loop *loop_now;
static struct loop_cpu *running;

/* What a governor sees */

bool loop_tick_stopped(void)
{
	return running->tick_stopped;
}

bool loop_got_tick(void)
{
	return running->got_tick;
}

u64 loop_clock(void)
{
	return running->now_ns;
}

s64 loop_latency_req(unsigned int cpu)
{
	return loop_now->latency_limit_ns;
}

long loop_tick_ns(void)
{
	return loop_now->tick_ns;
}

/* Nobody waits for a device here. */
unsigned int loop_iowait(unsigned int cpu)
{
	return 0;
}

unsigned int loop_this_cpu(void)
{
	return running->number;
}

/* The next thing the kernel knows of. */
static s64 next_event_ns(const struct loop_cpu *cpu)
{
	if (cpu->tick_stopped)
		return cpu->timer_ns;
	return min(cpu->timer_ns, cpu->next_tick_ns);
}

ktime_t loop_sleep_length(ktime_t *delta_next)
{
	*delta_next = next_event_ns(running) - running->now_ns;
	return running->timer_ns - running->now_ns;
}

/* Setting up */

int loop_register(struct cpuidle_governor *governor)
{
	loop_now->governor = governor;
	return 0;
}

static void copy_state(struct cpuidle_state *to,
		       const struct pseries_idle_state *from)
{
	to->flags = from->polling ? CPUIDLE_FLAG_POLLING : CPUIDLE_FLAG_NONE;
	to->exit_latency = from->exit_latency_us;
	to->target_residency = from->target_residency_us;
	to->exit_latency_ns = from->exit_latency_us * (u64)NSEC_PER_USEC;
	to->target_residency_ns =
		from->target_residency_us * (u64)NSEC_PER_USEC;
}

void loop_start(struct loop *loop, initcall_t governor,
		const struct pseries_idle_table *table, unsigned int hz)
{
	memset(loop, 0, sizeof(*loop));
	loop_now = loop;
	governor();
	loop->tick_ns = NSEC_PER_SEC / hz;
	loop->latency_limit_ns = LOOP_NEVER;
	loop->driver.state_count = table->count;
	for (unsigned int i = 0; i < table->count; i++) {
		const struct pseries_idle_state *state = &table->states[i];

		copy_state(&loop->driver.states[i], state);
		loop->cedes[i] = state->kind == PSERIES_IDLE_CEDE ||
				 state->kind == PSERIES_IDLE_SHARED_CEDE;
	}
	/* Rule 6 of the policy. */
	if (table->count > 1)
		loop->snooze_timeout_ns = loop->driver.states[1].target_residency_ns;

	for (unsigned int i = 0; i < LOOP_CPUS; i++) {
		struct loop_cpu *cpu = &loop->cpus[i];

		cpu->number = i;
		cpu->device.cpu = i;
		cpu->timer_ns = LOOP_NEVER;
		cpu->next_tick_ns = loop->tick_ns;
		running = cpu;
		if (loop->governor->enable)
			loop->governor->enable(&loop->driver, &cpu->device);
	}
}

/* Idling */

/* As the tree's cpuidle_enter_state() accounts. */
static void account(const struct cpuidle_driver *driver,
		    struct cpuidle_device *device, int index, s64 stay_ns)
{
	const struct cpuidle_state *states = driver->states;
	struct cpuidle_state_usage *usage = device->states_usage;
	int i;

	device->last_residency_ns = stay_ns;
	usage[index].time_ns += stay_ns;
	usage[index].usage++;
	if (stay_ns < states[index].target_residency_ns) {
		for (i = index - 1; i >= 0 && usage[i].disable; i--)
			;
		if (i >= 0)
			usage[index].above++;
	} else if (stay_ns > states[index].exit_latency_ns) {
		for (i = index + 1; i < driver->state_count && usage[i].disable; i++)
			;
		if (i < driver->state_count &&
		    stay_ns - states[index].exit_latency_ns >=
		    states[i].target_residency_ns)
			usage[index].below++;
	}
}

/* Returns true if the CPU has something to do; @wake_ns is absolute. */
static bool enter(struct loop *loop, struct loop_cpu *cpu, int index,
		  s64 wake_ns)
{
	const struct cpuidle_state *state = &loop->driver.states[index];
	s64 begin = cpu->now_ns;
	s64 due = max(min(next_event_ns(cpu), wake_ns), begin);
	bool polling = state->flags & CPUIDLE_FLAG_POLLING;
	bool timed_out = polling && due - begin > loop->snooze_timeout_ns;

	if (timed_out)
		due = begin + loop->snooze_timeout_ns;
	cpu->now_ns = due + state->exit_latency_ns;
	cpu->device.poll_time_limit = timed_out;
	cpu->hypercalls += loop->cedes[index];
	account(&loop->driver, &cpu->device, index, cpu->now_ns - begin);

	cpu->got_tick = !cpu->tick_stopped && cpu->next_tick_ns <= cpu->now_ns;
	while (!cpu->tick_stopped && cpu->next_tick_ns <= cpu->now_ns)
		cpu->next_tick_ns += loop->tick_ns;
	if (min(cpu->timer_ns, wake_ns) > cpu->now_ns)
		return false;
	cpu->late_ns += cpu->now_ns - max(min(cpu->timer_ns, wake_ns), begin);
	return true;
}

/* Stopping the tick is worth it only if no timer is due before it. */
static void maybe_stop_tick(struct loop_cpu *cpu, bool stop)
{
	if (stop && cpu->timer_ns > cpu->next_tick_ns)
		cpu->tick_stopped = true;
}

static void restart_tick(struct loop *loop, struct loop_cpu *cpu)
{
	s64 ticks = div64_s64(cpu->now_ns, loop->tick_ns) + 1;

	cpu->tick_stopped = false;
	cpu->next_tick_ns = ticks * loop->tick_ns;
}

static s64 from_now(const struct loop_cpu *cpu, s64 ns)
{
	return ns == LOOP_NEVER ? LOOP_NEVER : cpu->now_ns + ns;
}

static int choose(struct loop *loop, struct loop_cpu *cpu, bool *stop_tick)
{
	int index = loop->governor->select(&loop->driver, &cpu->device, stop_tick);

	cpu->selections++;
	if (index >= 0 && index < loop->driver.state_count)
		return index;
	loop->no_states++;
	return 0;
}

void loop_idle(struct loop *loop, unsigned int number, s64 timer_ns,
	       s64 wake_ns)
{
	struct loop_cpu *cpu = &loop->cpus[number];
	bool busy = false;

	if (timer_ns == LOOP_NEVER && wake_ns == LOOP_NEVER)
		return;

	loop_now = loop;
	running = cpu;
	cpu->timer_ns = from_now(cpu, min(timer_ns, BACKGROUND_NS));
	wake_ns = from_now(cpu, wake_ns);
	while (!busy) {
		bool stop_tick = true;
		int index = choose(loop, cpu, &stop_tick);

		maybe_stop_tick(cpu, stop_tick);
		busy = enter(loop, cpu, index, wake_ns);
		if (loop->governor->reflect)
			loop->governor->reflect(&cpu->device, index);
	}
	restart_tick(loop, cpu);
	cpu->timer_ns = LOOP_NEVER;
}

void loop_work(struct loop *loop, unsigned int number, s64 ns)
{
	struct loop_cpu *cpu = &loop->cpus[number];

	cpu->now_ns += ns;
	restart_tick(loop, cpu);
}
