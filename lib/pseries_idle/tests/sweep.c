// SPDX-License-Identifier: GPL-2.0
#include <linux/array_size.h>
#include <linux/cpuidle.h>
#include <linux/kernel.h>

#include "loop.h"
#include "sleeps.h"
#include "sweep.h"

const s64 sweep_us[] = {
	5, 6, 8, 10, 12, 15, 18, 20, 22, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100,
	110, 120, 130, 140, 150, 170, 200, 250, 300, 350, 400, 500, 600, 700, 850,
	1000, 1200, 1500, 2000,
};

/* Also backwards, with the sign, so that what was before can be taken off. */
static void add(struct sweep_point *point, const struct loop *loop, s64 sign)
{
	const struct loop_cpu *cpu = &loop->cpus[0];

	for (int i = 0; i < loop->driver.state_count; i++) {
		const struct cpuidle_state_usage *usage = &cpu->device.states_usage[i];

		point->entries[i] += sign * usage->usage;
		point->above += sign * usage->above;
		point->below += sign * usage->below;
		point->idle_ns += sign * usage->time_ns;
		if (loop->driver.states[i].flags & CPUIDLE_FLAG_POLLING)
			point->polled_ns += sign * usage->time_ns;
	}
	point->hypercalls += sign * cpu->hypercalls;
	point->late_ns += sign * cpu->late_ns;
}

void sweep(struct loop *loop, enum pattern pattern, s64 mean_ns,
	   unsigned int times, struct sweep_point *point)
{
	struct sleeps sleeps = { .pattern = pattern, .mean_ns = mean_ns, .random = SEED };
	const struct loop_cpu *cpu = &loop->cpus[0];

	sleep_often(loop, 0, &sleeps, WARM_UP);
	add(point, loop, -1);
	for (unsigned int i = 0; i < times; i++) {
		u64 before = cpu->hypercalls;

		sleep_once(loop, 0, &sleeps);
		point->ceded += cpu->hypercalls > before;
	}
	add(point, loop, 1);
	point->sleeps += times;
}

const char *sweep_text(char *text, const struct sweep_point *point)
{
	int at = snprintf(text, SWEEP_TEXT,
			  "%llu sleeps, %llu ceded, above %llu, below %llu, late %lld ns, polled %llu of %llu ns, entries",
			  point->sleeps, point->ceded, point->above, point->below,
			  point->late_ns, point->polled_ns, point->idle_ns);

	for (size_t i = 0; i < ARRAY_SIZE(point->entries); i++)
		at += snprintf(text + at, SWEEP_TEXT - at, " %llu", point->entries[i]);
	return text;
}
