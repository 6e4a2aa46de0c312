/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a governor of the tree sees instead of the kernel when it is included
 * after this: the loop's clock, tick, timers and CPUs, so that its source can
 * stand unmodified. See loop.h.
 *
 * All headers that a governor includes come first, so that only the governor
 * itself is affected.
 */
#include <linux/cpuidle.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/sched/stat.h>
#include <linux/tick.h>
#include <linux/time.h>
#include <linux/uaccess.h>

#include "loop.h"

#define tick_nohz_get_sleep_length	loop_sleep_length
#define tick_nohz_tick_stopped		loop_tick_stopped
#define tick_nohz_idle_got_tick		loop_got_tick
#undef tick_nohz_enabled
#define tick_nohz_enabled		true
#define local_clock			loop_clock
#define cpuidle_governor_latency_req	loop_latency_req
#define nr_iowait_cpu			loop_iowait

#undef TICK_NSEC
#define TICK_NSEC			loop_tick_ns()

/* UML has one CPU: without this all simulated ones would share their data. */
#undef DEFINE_PER_CPU
#define DEFINE_PER_CPU(type, name)	struct { type of[LOOP_CPUS]; } name
#undef per_cpu
#define per_cpu(name, cpu)		((name).of[cpu])
#undef per_cpu_ptr
#define per_cpu_ptr(data, cpu)		(&(data)->of[cpu])
#undef this_cpu_ptr
#define this_cpu_ptr(data)		per_cpu_ptr(data, loop_this_cpu())

/* It registers with the loop, when the loop calls its initcall. */
#undef __init
#define __init
#undef postcore_initcall
#define postcore_initcall(initcall)	const initcall_t GOVERNOR = initcall
#define cpuidle_register_governor	loop_register
