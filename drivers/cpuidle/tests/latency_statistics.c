// SPDX-License-Identifier: GPL-2.0
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/sort.h>

#include "latency_statistics.h"

#define CENTI		100
#define CENTI_SQUARED	10000

static int compare(const void *a, const void *b)
{
	const u32 *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static u32 nearest_rank(const u32 *sorted, u32 count, u32 percent)
{
	return sorted[DIV_ROUND_UP(count * percent, 100) - 1];
}

/* From the whole part and the ten-thousandths of a variance. */
static u64 root_centi(u64 whole, u64 parts)
{
	if (whole >= U64_MAX / CENTI_SQUARED)
		return (u64)int_sqrt64(whole) * CENTI;
	return int_sqrt64(whole * CENTI_SQUARED + parts);
}

/*
 * From the deviations d from the mean rounded down, whose sum is the rest of
 * that division: variance = (sum of d^2 - rest^2 / n) / (n - 1). Each square
 * is divided on its own, as their sum may not fit.
 */
static u64 stddev_centi(const u32 *ns, u32 count, u32 mean, u32 rest)
{
	u64 whole = 0, remainders = 0, parts;
	u32 remainder;

	if (count < 2)
		return 0;
	for (u32 i = 0; i < count; i++) {
		s64 deviation = (s64)ns[i] - mean;

		whole += div_u64_rem(deviation * deviation, count - 1,
				     &remainder);
		remainders += remainder;
	}
	whole += div_u64_rem(remainders, count - 1, &remainder);
	/* This can go below zero, but not by more than whole makes up for. */
	parts = div_u64((u64)remainder * CENTI_SQUARED, count - 1);
	parts -= div64_u64((u64)rest * rest * CENTI_SQUARED,
			   (u64)count * (count - 1));
	return root_centi(whole, parts);
}

struct latency_statistics latency_statistics(u32 *ns, u32 count)
{
	u64 sum = 0;
	u32 mean, rest;

	if (!count)
		return (struct latency_statistics) {};

	sort(ns, count, sizeof(*ns), compare, NULL);
	for (u32 i = 0; i < count; i++)
		sum += ns[i];
	mean = div_u64_rem(sum, count, &rest);
	return (struct latency_statistics) {
		.min = ns[0],
		.median = nearest_rank(ns, count, 50),
		.percentile_90 = nearest_rank(ns, count, 90),
		.percentile_99 = nearest_rank(ns, count, 99),
		.max = ns[count - 1],
		.mean_centi = div_u64(sum * CENTI, count),
		.stddev_centi = stddev_centi(ns, count, mean, rest),
	};
}
