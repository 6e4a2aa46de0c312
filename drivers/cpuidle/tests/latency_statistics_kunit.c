// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of latencies, against series whose figures are known: written
 * out, or from the closed formula of 1 to n.
 */

#include <kunit/test.h>
#include <linux/string.h>

#include "latency_statistics.h"

#define MAX_COUNT	8

struct series {
	const char *name;
	u32 count;
	u32 ns[MAX_COUNT];
	struct latency_statistics expected;
};

static const struct series known_series[] = {
	{ "none", 0, {}, {} },
	{ "one", 1, { 711 }, { 711, 711, 711, 711, 711, 71100, 0 } },
	{ "all equal", 4, { 9, 9, 9, 9 }, { 9, 9, 9, 9, 9, 900, 0 } },
	/* Deviations of 1/2 from the mean: square root of 2/4. */
	{ "two", 2, { 4, 3 }, { 3, 3, 4, 4, 4, 350, 70 } },
	/* Square root of (1/9 + 1/9 + 4/9) / 2. */
	{ "mean with a fraction", 3, { 0, 1, 0 },
	  { 0, 0, 1, 1, 1, 33, 57 } },
	/* Squares sum up to 32, by 7. */
	{ "eight, unsorted", 8, { 9, 2, 4, 5, 4, 7, 5, 4 },
	  { 2, 4, 9, 9, 9, 500, 213 } },
	{ "highest first", 5, { 50, 40, 30, 20, 10 },
	  { 10, 30, 50, 50, 50, 3000, 1581 } },
	/* The variance, 5 * 10^17, is beyond what is rooted with fractions. */
	{ "as far apart as can be", 2, { LATENCY_LIMIT_NS - 1, 0 },
	  { 0, 0, 999999999, 999999999, 999999999, 49999999950, 70710678000 } },
};

KUNIT_ARRAY_PARAM_DESC(known, known_series, name);

static void expect_statistics(struct kunit *test,
			      const struct latency_statistics *expected,
			      const struct latency_statistics *got)
{
	KUNIT_EXPECT_EQ(test, expected->min, got->min);
	KUNIT_EXPECT_EQ(test, expected->median, got->median);
	KUNIT_EXPECT_EQ(test, expected->percentile_90, got->percentile_90);
	KUNIT_EXPECT_EQ(test, expected->percentile_99, got->percentile_99);
	KUNIT_EXPECT_EQ(test, expected->max, got->max);
	KUNIT_EXPECT_EQ(test, expected->mean_centi, got->mean_centi);
	KUNIT_EXPECT_EQ(test, expected->stddev_centi, got->stddev_centi);
}

static void known(struct kunit *test)
{
	const struct series *row = test->param_value;
	struct latency_statistics got;
	u32 ns[MAX_COUNT];

	memcpy(ns, row->ns, sizeof(ns));
	got = latency_statistics(ns, row->count);
	expect_statistics(test, &row->expected, &got);
}

/* 1 to 100, in an order that is far from sorted: 37 has no divisor with 101. */
static void percentile_of_unsorted_list(struct kunit *test)
{
	/* The variance of 1 to n is n (n + 1) / 12. */
	const struct latency_statistics expected = {
		1, 50, 90, 99, 100, 5050, 2901,
	};
	struct latency_statistics got;
	u32 ns[100];

	for (u32 i = 0; i < 100; i++)
		ns[i] = (i + 1) * 37 % 101;
	got = latency_statistics(ns, 100);
	expect_statistics(test, &expected, &got);
}

/* The rank is rounded up: of 101 values, 99 % are 100 of them. */
static void percentile_between_two_ranks(struct kunit *test)
{
	struct latency_statistics got;
	u32 ns[101];

	for (u32 i = 0; i < 101; i++)
		ns[i] = 101 - i;
	got = latency_statistics(ns, 101);
	KUNIT_EXPECT_EQ(test, 51, got.median);
	KUNIT_EXPECT_EQ(test, 91, got.percentile_90);
	KUNIT_EXPECT_EQ(test, 100, got.percentile_99);
}

/* As many as there may be, as far apart as they may be. */
static void no_sum_wraps(struct kunit *test)
{
	/* The root of n / (n - 1) is five millionths above one. */
	const struct latency_statistics expected = {
		0, 0, 999999999, 999999999, 999999999, 49999999950, 50000249900,
	};
	u32 *ns = kunit_kmalloc_array(test, LATENCY_MAX_SAMPLES, sizeof(*ns),
				      GFP_KERNEL);
	struct latency_statistics got;

	KUNIT_ASSERT_NOT_NULL(test, ns);
	for (u32 i = 0; i < LATENCY_MAX_SAMPLES; i++)
		ns[i] = i % 2 ? LATENCY_LIMIT_NS - 1 : 0;
	got = latency_statistics(ns, LATENCY_MAX_SAMPLES);
	expect_statistics(test, &expected, &got);
}

static struct kunit_case statistics_cases[] = {
	KUNIT_CASE_PARAM(known, known_gen_params),
	KUNIT_CASE(percentile_of_unsorted_list),
	KUNIT_CASE(percentile_between_two_ranks),
	KUNIT_CASE(no_sum_wraps),
	{}
};

static struct kunit_suite statistics_suite = {
	.name = "cpuidle_latency_statistics",
	.test_cases = statistics_cases,
};

kunit_test_suite(statistics_suite);

MODULE_DESCRIPTION("KUnit tests for statistics of wake-up latencies");
MODULE_LICENSE("GPL");
