// SPDX-License-Identifier: GPL-2.0
#include <linux/math64.h>

#include "loop.h"
#include "sleeps.h"

const char * const pattern_names[] = {
	[TIMER] = "a timer",
	[PIPE] = "a pipe",
	[JITTER] = "jitter",
	[ALTERNATING] = "alternating",
	[EXPONENTIAL] = "exponential",
	[BURSTS] = "bursts",
};

/* Numerical Recipes' linear congruential generator: the upper bits are good. */
static u32 random_16(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/*
 * With mean 1, in 1/65536: minus the logarithm of a number from 0 to 1, its
 * whole part by the position of the first bit that is set.
 */
static u32 random_exponential(u32 *state)
{
	const u32 ln_2 = 45426;
	u32 value = random_16(state) << 16 | random_16(state);
	u32 whole = 0;

	while (whole < 31 && !(value & 0x80000000U)) {
		value <<= 1;
		whole++;
	}
	/* Between two powers of two, as if the logarithm were a line. */
	return whole * ln_2 + ln_2 - mul_u32_u32(value & 0x7fffffff, ln_2) / 0x80000000U;
}

static s64 next_length(struct sleeps *sleeps)
{
	unsigned int number = sleeps->number++;
	s64 mean_ns = sleeps->mean_ns;

	switch (sleeps->pattern) {
	case JITTER:
		return mean_ns - mean_ns / 4 +
		       (mean_ns / 2 * random_16(&sleeps->random) >> 16);
	case ALTERNATING:
		return number % 2 ? 2 * mean_ns : mean_ns / 10 + 1;
	case EXPONENTIAL:
		return (mean_ns * random_exponential(&sleeps->random) >> 16) + 1;
	case BURSTS:
		return number % 16 ? mean_ns / 4 + 1 : 12 * mean_ns;
	default:
		return mean_ns;
	}
}

void sleep_once(struct loop *loop, unsigned int cpu, struct sleeps *sleeps)
{
	s64 ns = next_length(sleeps);

	loop_work(loop, cpu, WORK_NS);
	if (sleeps->pattern == TIMER)
		loop_idle(loop, cpu, ns, LOOP_NEVER);
	else
		loop_idle(loop, cpu, LOOP_NEVER, ns);
}

void sleep_often(struct loop *loop, unsigned int cpu, struct sleeps *sleeps,
		 unsigned int times)
{
	for (unsigned int i = 0; i < times; i++)
		sleep_once(loop, cpu, sleeps);
}
