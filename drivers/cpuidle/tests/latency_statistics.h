/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is said of a series of latencies. Plain integers in and out.
 */
#ifndef _DRIVERS_CPUIDLE_LATENCY_STATISTICS_H
#define _DRIVERS_CPUIDLE_LATENCY_STATISTICS_H

#include <linux/types.h>

/* What a latency is below, and how many there are at most: no sum wraps. */
#define LATENCY_LIMIT_NS	1000000000
#define LATENCY_MAX_SAMPLES	100000

/**
 * struct latency_statistics - a series of latencies, summed up
 * @min: the lowest, in ns, as the four that follow
 * @median: percentile 50
 * @percentile_90: of the sorted latencies the one at nine tenths of the way
 * @percentile_99: at 99 hundredths
 * @max: the highest
 * @mean_centi: their mean, in hundredths of a ns, rounded down
 * @stddev_centi: their standard deviation as a sample (n - 1), in hundredths
 * of a ns, rounded down; to a whole ns where it is above 42 ms
 */
struct latency_statistics {
	u32 min;
	u32 median;
	u32 percentile_90;
	u32 percentile_99;
	u32 max;
	u64 mean_centi;
	u64 stddev_centi;
};

/**
 * latency_statistics() - sum up a series of latencies
 * @ns: the latencies, in any order, below LATENCY_LIMIT_NS; they get sorted
 * @count: how many there are, up to LATENCY_MAX_SAMPLES
 *
 * Percentile p is the nearest rank: the lowest of the latencies that at least
 * p percent of them do not exceed. Without latencies all is zero.
 *
 * Return: the summary.
 */
struct latency_statistics latency_statistics(u32 *ns, u32 count);

#endif /* _DRIVERS_CPUIDLE_LATENCY_STATISTICS_H */
