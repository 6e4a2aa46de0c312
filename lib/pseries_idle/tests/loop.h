/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Simulated CPUs that idle: the tree's governors choose, the core's tables are
 * what they choose from, and the clock runs only when the loop says so.
 *
 * A CPU goes idle with a timer that the kernel knows of, a wake-up that it does
 * not know of, or both. It leaves when the first of them is due. In between the
 * governor may be asked several times, as in the kernel: when a tick came that
 * was not stopped, and when snooze ran into its timeout.
 */
#ifndef _PSERIES_IDLE_TESTS_LOOP_H
#define _PSERIES_IDLE_TESTS_LOOP_H

#include <linux/cpuidle.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/pseries_idle.h>
#include <linux/types.h>

#define LOOP_CPUS	6
#define LOOP_NEVER	((s64)KTIME_MAX)

/**
 * struct loop_cpu - a simulated CPU
 * @device: as cpuidle has it, with usage, time, above and below per state
 * @number: of the CPU, below %LOOP_CPUS
 * @now_ns: its clock
 * @next_tick_ns: when the tick is due, unless it is stopped
 * @timer_ns: when the next timer is due, or %LOOP_NEVER
 * @tick_stopped: the governor stopped it for this stay in idle
 * @got_tick: it was the tick that ended the last state
 * @selections: how often the governor was asked
 * @hypercalls: how often a state was entered by a cede
 * @late_ns: by how much wake-ups were late because a state had to be left
 */
struct loop_cpu {
	struct cpuidle_device device;
	unsigned int number;
	s64 now_ns;
	s64 next_tick_ns;
	s64 timer_ns;
	bool tick_stopped;
	bool got_tick;
	u64 selections;
	u64 hypercalls;
	s64 late_ns;
};

/**
 * struct loop - a governor, a state table, and the CPUs that idle with them
 * @governor: of the tree
 * @driver: the states, from a table of the core
 * @cedes: which states are entered by a hypercall
 * @snooze_timeout_ns: how long state 0 polls
 * @tick_ns: length of a tick
 * @latency_limit_ns: what PM QoS allows
 * @no_states: how often the governor chose a state that there is not; it was
 *	taken for state 0
 * @cpus: the CPUs
 */
struct loop {
	struct cpuidle_governor *governor;
	struct cpuidle_driver driver;
	bool cedes[PSERIES_IDLE_MAX_STATES];
	s64 snooze_timeout_ns;
	s64 tick_ns;
	s64 latency_limit_ns;
	u64 no_states;
	struct loop_cpu cpus[LOOP_CPUS];
};

/**
 * loop_start - begin with CPUs that have not idled yet
 * @loop: set up anew
 * @governor: the initcall of one of the tree
 * @table: of the core
 * @hz: ticks a second
 */
void loop_start(struct loop *loop, initcall_t governor,
		const struct pseries_idle_table *table, unsigned int hz);

/**
 * loop_idle - let a CPU be idle until something is due
 * @loop: the loop
 * @cpu: which CPU
 * @timer_ns: from now, when a timer is due; %LOOP_NEVER for none but the
 *	kernel's own, in a second
 * @wake_ns: from now, when something comes that the kernel does not know of;
 *	%LOOP_NEVER for nothing
 *
 * With neither it would be for ever, so then nothing happens.
 */
void loop_idle(struct loop *loop, unsigned int cpu, s64 timer_ns, s64 wake_ns);

/**
 * loop_work - let a CPU be busy
 * @loop: the loop
 * @cpu: which CPU
 * @ns: for how long
 */
void loop_work(struct loop *loop, unsigned int cpu, s64 ns);

/* Initcalls of the tree's governors, each included by a file of its own. */
extern const initcall_t loop_menu;
extern const initcall_t loop_teo;
extern const initcall_t loop_ladder;

/* What a governor sees of it, of the CPU that it is asked about. */
ktime_t loop_sleep_length(ktime_t *delta_next);
bool loop_tick_stopped(void);
bool loop_got_tick(void);
u64 loop_clock(void);
s64 loop_latency_req(unsigned int cpu);
long loop_tick_ns(void);
unsigned int loop_iowait(unsigned int cpu);
int loop_register(struct cpuidle_governor *governor);
unsigned int loop_this_cpu(void);

#endif /* _PSERIES_IDLE_TESTS_LOOP_H */
