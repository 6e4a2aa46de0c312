/* SPDX-License-Identifier: GPL-2.0 */
/* How long a CPU of the loop sleeps, and who wakes it: from a seed. */
#ifndef _PSERIES_IDLE_TESTS_SLEEPS_H
#define _PSERIES_IDLE_TESTS_SLEEPS_H

#include <linux/types.h>

#include "loop.h"

/* Fixed, so that each run is the same. */
#define SEED		0x20200730U

/**
 * enum pattern - of sleeps around a mean length
 * @TIMER: always the same, and the kernel knows it
 * @PIPE: always the same, but unknown to the kernel, as the rest are
 * @JITTER: within a quarter around the mean
 * @ALTERNATING: a tenth of the mean and twice it
 * @EXPONENTIAL: nearly as arrivals by chance are
 * @BURSTS: fifteen short ones, then a long one
 * @PATTERNS: their number
 */
enum pattern {
	TIMER,
	PIPE,
	JITTER,
	ALTERNATING,
	EXPONENTIAL,
	BURSTS,
	PATTERNS,
};

extern const char * const pattern_names[PATTERNS];

/**
 * struct sleeps - a sequence of sleeps
 * @pattern: of the lengths
 * @mean_ns: of the lengths
 * @random: state of the generator, %SEED or another to begin with
 * @number: of the sleep that is next
 */
struct sleeps {
	enum pattern pattern;
	s64 mean_ns;
	u32 random;
	unsigned int number;
};

/* What a CPU works between two sleeps. */
#define WORK_NS		3000

/**
 * sleep_once - let a CPU work for %WORK_NS, then sleep
 * @loop: the loop
 * @cpu: which CPU
 * @sleeps: where its sequence of sleeps is; moved on
 */
void sleep_once(struct loop *loop, unsigned int cpu, struct sleeps *sleeps);

/**
 * sleep_often - several times sleep_once()
 * @loop: the loop
 * @cpu: which CPU
 * @sleeps: where its sequence of sleeps is; moved on
 * @times: how often
 */
void sleep_often(struct loop *loop, unsigned int cpu, struct sleeps *sleeps,
		 unsigned int times);

#endif /* _PSERIES_IDLE_TESTS_SLEEPS_H */
