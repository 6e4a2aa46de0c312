/* SPDX-License-Identifier: GPL-2.0 */
/* What comes of many sleeps of a kind: a point of a sweep. */
#ifndef _PSERIES_IDLE_TESTS_SWEEP_H
#define _PSERIES_IDLE_TESTS_SWEEP_H

#include <linux/pseries_idle.h>
#include <linux/types.h>

#include "loop.h"
#include "sleeps.h"

/* Sleeps that a governor may learn from before any is counted. */
#define WARM_UP		64

/* The standard sweep: means in microseconds, around each table's residency. */
#define SWEEP_LENGTHS	38
#define SWEEP_SLEEPS	200U	/* of each, in the kernel */
extern const s64 sweep_us[SWEEP_LENGTHS];

/**
 * struct sweep_point - what became of a number of sleeps
 * @sleeps: their number
 * @ceded: in how many of them the CPU was ceded
 * @entries: how often a state was entered, by state
 * @above: entries of a state that was too deep
 * @below: entries of a state that was too shallow
 * @hypercalls: cedes
 * @late_ns: latency paid, the sum over all sleeps
 * @polled_ns: time in a state that polls
 * @idle_ns: time in any state
 */
struct sweep_point {
	u64 sleeps;
	u64 ceded;
	u64 entries[PSERIES_IDLE_MAX_STATES];
	u64 above;
	u64 below;
	u64 hypercalls;
	s64 late_ns;
	u64 polled_ns;
	u64 idle_ns;
};

/**
 * sweep - let the first CPU sleep, and count
 * @loop: the loop
 * @pattern: of the sleeps
 * @mean_ns: of their length
 * @times: how many are counted, after %WARM_UP that are not
 * @point: what is added to
 */
void sweep(struct loop *loop, enum pattern pattern, s64 mean_ns,
	   unsigned int times, struct sweep_point *point);

#define SWEEP_TEXT	224

/**
 * sweep_text - a point in words
 * @text: room for %SWEEP_TEXT bytes
 * @point: the point
 *
 * Return: @text.
 */
const char *sweep_text(char *text, const struct sweep_point *point);

#endif /* _PSERIES_IDLE_TESTS_SWEEP_H */
