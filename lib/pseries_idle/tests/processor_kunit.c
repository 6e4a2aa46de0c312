// SPDX-License-Identifier: GPL-2.0
/*
 * Rule 5: firmware's CEDE latencies are believed on POWER10 and whatever
 * follows it, in every mode; not on a processor known to precede POWER10.
 * Rule 2: a partition may stop from ISA 3.0 on, not on POWER9 before DD2.3.
 */

#include <kunit/test.h>
#include <linux/pseries_idle.h>
#include <linux/sched.h>

#include "oracle.h"

#define VERSIONS	0x10000

static u64 verified;

static u32 pvr(u32 version, u32 revision)
{
	return version << 16 | revision;
}

static const enum pseries_isa isas[] = {
	PSERIES_ISA_OLDER, PSERIES_ISA_2_04, PSERIES_ISA_2_05, PSERIES_ISA_2_06,
	PSERIES_ISA_2_07, PSERIES_ISA_3_0, PSERIES_ISA_3_1, PSERIES_ISA_3_1 + 1,
};

static void isa_desc(const enum pseries_isa *isa, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "ISA %s", isa_name(*isa));
}

KUNIT_ARRAY_PARAM(isa, isas, isa_desc);

static enum pseries_idle_trust expected_trust(u32 version, enum pseries_isa isa)
{
	if (isa == PSERIES_ISA_3_1 || isa == PSERIES_ISA_3_1 + 1)
		return PSERIES_IDLE_TRUST_ISA;
	return precedes_power10(version) ? PSERIES_IDLE_DISTRUST :
					   PSERIES_IDLE_TRUST_PVR;
}

/* Linux 6.12's rule, for comparison. */
static bool linux_6_12_asks(u32 version, enum pseries_isa isa)
{
	return isa >= PSERIES_ISA_3_1 || version == 0x80;
}

/* Compare a version at all of @revisions; false at the first mismatch. */
static bool check_version(struct kunit *test, u32 version, enum pseries_isa isa,
			  const u16 *revisions, size_t count)
{
	enum pseries_idle_trust expected = expected_trust(version, isa);

	for (size_t i = 0; i < count; i++) {
		u32 value = pvr(version, revisions[i]);
		enum pseries_idle_trust got = pseries_processor_trust(value, isa);

		verified++;
		if (got == expected)
			continue;
		KUNIT_FAIL(test, "PVR 0x%08x at ISA %s: expected %s, got %s",
			   value, isa_name(isa), trust_name(expected),
			   trust_name(got));
		return false;
	}
	return true;
}

/* Every version, at the revisions where a slip of mask or shift would show. */
static void every_version(struct kunit *test)
{
	static const u16 revisions[] = {
		0x0000, 0x0001, 0x0080, 0x0200, 0x0fff, 0x1000, 0x1202, 0x7fff,
		0x8000, 0xfffe, 0xffff,
	};
	const enum pseries_isa *isa = test->param_value;

	for (u32 version = 0; version < VERSIONS; version++) {
		if (!check_version(test, version, *isa, revisions,
				   ARRAY_SIZE(revisions)))
			return;
	}
}

/* Every PVR there can be, at the newest level where the PVR decides. */
static void every_pvr(struct kunit *test)
{
	u16 *revisions = kunit_kmalloc_array(test, VERSIONS, sizeof(*revisions),
					     GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, revisions);
	for (u32 i = 0; i < VERSIONS; i++)
		revisions[i] = i;

	for (u32 version = 0; version < VERSIONS; version++) {
		if (!check_version(test, version, PSERIES_ISA_3_0, revisions,
				   VERSIONS))
			return;
		cond_resched();
	}
}

/*
 * With the level taken from the same feature bits, the rule and that of Linux
 * 6.12 differ exactly where the processor is neither POWER10 nor one that is
 * known to precede it, and the level is below 3.1.
 */
static void differs_from_linux_6_12(struct kunit *test)
{
	const enum pseries_isa *isa = test->param_value;

	for (u32 version = 0; version < VERSIONS; version++) {
		bool ours = pseries_processor_trust(pvr(version, 0x0200), *isa) !=
			    PSERIES_IDLE_DISTRUST;
		bool linux_asks = linux_6_12_asks(version, *isa);
		bool expected = *isa < PSERIES_ISA_3_1 && version != 0x80 &&
				!precedes_power10(version);

		if (ours == (linux_asks || expected))
			continue;
		KUNIT_FAIL(test,
			   "PVR version 0x%04x at ISA %s: expected a difference: %d; firmware asked by this rule: %d, by Linux 6.12's: %d",
			   version, isa_name(*isa), expected, ours, linux_asks);
		return;
	}
}

static enum pseries_idle_guest_stop expected_guest_stop(u32 value,
							enum pseries_isa isa)
{
	if (isa != PSERIES_ISA_3_0 && isa != PSERIES_ISA_3_1 &&
	    isa != PSERIES_ISA_3_1 + 1)
		return PSERIES_IDLE_STOP_OLD_ISA;
	return misses_wakeups(value) ? PSERIES_IDLE_STOP_OLD_POWER9 :
				       PSERIES_IDLE_STOP_ALLOWED;
}

static bool check_guest_stop(struct kunit *test, u32 value, enum pseries_isa isa)
{
	enum pseries_idle_guest_stop expected = expected_guest_stop(value, isa);
	enum pseries_idle_guest_stop got = pseries_processor_guest_stop(value, isa);

	verified++;
	if (got == expected)
		return true;
	KUNIT_FAIL(test, "PVR 0x%08x at ISA %s: expected %s, got %s", value,
		   isa_name(isa), guest_stop_name(expected), guest_stop_name(got));
	return false;
}

/* Every version, at revisions on both sides of what is too old for POWER9. */
static void stop_of_every_version(struct kunit *test)
{
	static const u16 revisions[] = {
		0x0000, 0x0100, 0x0202, 0x0203, 0x1202, 0x1203, 0x2101, 0xffff,
	};
	const enum pseries_isa *isa = test->param_value;

	for (u32 version = 0; version < VERSIONS; version++) {
		for (size_t i = 0; i < ARRAY_SIZE(revisions); i++) {
			if (!check_guest_stop(test, pvr(version, revisions[i]),
					      *isa))
				return;
		}
	}
}

/* Every POWER9 there can be: chip, size of its cores, revision. */
static void stop_of_every_power9(struct kunit *test)
{
	const enum pseries_isa *isa = test->param_value;

	for (u32 revision = 0; revision < VERSIONS; revision++) {
		if (!check_guest_stop(test, pvr(0x4e, revision), *isa))
			return;
	}
}

struct stop_row {
	const char *name;
	u32 pvr;
	enum pseries_isa isa;
	enum pseries_idle_guest_stop expected;
};

#define STOPS_AT(_isa, _expected) \
	.isa = PSERIES_ISA_ ## _isa, .expected = PSERIES_IDLE_STOP_ ## _expected

static const struct stop_row stop_rows[] = {
	{ "POWER9 DD1.0", 0x004e0100, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.0", 0x004e0200, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.1", 0x004e0201, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.2", 0x004e0202, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.3", 0x004e0203, STOPS_AT(3_0, ALLOWED) },
	{ "POWER9 DD2.0, small cores", 0x004e1200, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.1, small cores", 0x004e1201, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.2, small cores", 0x004e1202, STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER9 DD2.3, small cores", 0x004e1203, STOPS_AT(3_0, ALLOWED) },
	{ "POWER9 DD2.3 in POWER8 mode", 0x004e1203, STOPS_AT(2_07, OLD_ISA) },
	{ "POWER9 DD2.2 in POWER8 mode", 0x004e1202, STOPS_AT(2_07, OLD_ISA) },
	{ "scale-up POWER9 DD1.1", 0x004e2101, STOPS_AT(3_0, OLD_POWER9) },
	{ "scale-up POWER9 DD1.3, small cores", 0x004e3103,
	  STOPS_AT(3_0, OLD_POWER9) },
	{ "POWER8", 0x004d0200, STOPS_AT(2_07, OLD_ISA) },
	{ "POWER10 DD1.0", 0x00800100, STOPS_AT(3_1, ALLOWED) },
	{ "POWER10 DD2.0 in POWER9 mode", 0x00800200, STOPS_AT(3_0, ALLOWED) },
	{ "POWER10 DD2.0 in POWER8 mode", 0x00800200, STOPS_AT(2_07, OLD_ISA) },
	{ "POWER11 in POWER9 mode", 0x00820100, STOPS_AT(3_0, ALLOWED) },
	{ "unknown successor", 0x00840100, STOPS_AT(3_1, ALLOWED) },
};

KUNIT_ARRAY_PARAM_DESC(stop, stop_rows, name);

/* Processors as they are, by hand. */
static void stop_of(struct kunit *test)
{
	const struct stop_row *row = test->param_value;
	enum pseries_idle_guest_stop got =
		pseries_processor_guest_stop(row->pvr, row->isa);

	KUNIT_EXPECT_EQ_MSG(test, row->expected, got,
			    "PVR 0x%08x at ISA %s: expected %s, got %s",
			    row->pvr, isa_name(row->isa),
			    guest_stop_name(row->expected), guest_stop_name(got));
}

struct processor_row {
	u16 version;
	const char *name;
	enum pseries_isa isa;
};

static const struct processor_row processor_rows[] = {
	{ 0x33, "RS64-II", PSERIES_ISA_OLDER },
	{ 0x34, "RS64-III", PSERIES_ISA_OLDER },
	{ 0x35, "POWER4", PSERIES_ISA_OLDER },
	{ 0x36, "RS64-III", PSERIES_ISA_OLDER },
	{ 0x37, "RS64-IV", PSERIES_ISA_OLDER },
	{ 0x38, "POWER4+", PSERIES_ISA_OLDER },
	{ 0x39, "PPC970", PSERIES_ISA_OLDER },
	{ 0x3a, "POWER5", PSERIES_ISA_OLDER },
	{ 0x3b, "POWER5+", PSERIES_ISA_2_04 },
	{ 0x3c, "PPC970FX", PSERIES_ISA_OLDER },
	{ 0x3e, "POWER6", PSERIES_ISA_2_05 },
	{ 0x3f, "POWER7", PSERIES_ISA_2_06 },
	{ 0x40, "POWER3 (630)", PSERIES_ISA_OLDER },
	{ 0x41, "POWER3 (630+)", PSERIES_ISA_OLDER },
	{ 0x44, "PPC970MP", PSERIES_ISA_OLDER },
	{ 0x45, "PPC970GX", PSERIES_ISA_OLDER },
	{ 0x4a, "POWER7+", PSERIES_ISA_2_06 },
	{ 0x4b, "POWER8E", PSERIES_ISA_2_07 },
	{ 0x4c, "POWER8NVL", PSERIES_ISA_2_07 },
	{ 0x4d, "POWER8", PSERIES_ISA_2_07 },
	{ 0x4e, "POWER9", PSERIES_ISA_3_0 },
	{ 0x66, "HX-C2000", PSERIES_ISA_2_07 },
	{ 0x70, "Cell", PSERIES_ISA_OLDER },
	{ 0x80, "POWER10", PSERIES_ISA_3_1 },
	{ 0x82, "POWER11", PSERIES_ISA_3_1 },
	{ 0x90, "PA6T", PSERIES_ISA_2_04 },
};

static void processor_desc(const struct processor_row *row, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "PVR 0x%04x xxxx, %s",
		 row->version, row->name);
}

KUNIT_ARRAY_PARAM(processor, processor_rows, processor_desc);

/* A known processor has a name, and in raw mode its own level. */
static void known_processor(struct kunit *test)
{
	static const u16 revisions[] = { 0x0000, 0x0200, 0x1202, 0xffff };
	const struct processor_row *row = test->param_value;

	for (size_t i = 0; i < ARRAY_SIZE(revisions); i++) {
		u32 value = pvr(row->version, revisions[i]);
		enum pseries_isa isa = PSERIES_ISA_3_1 + 1;

		KUNIT_EXPECT_STREQ_MSG(test, pseries_processor_name(value),
				       row->name, "PVR 0x%08x", value);
		KUNIT_EXPECT_EQ_MSG(test, pseries_isa_from_cpu_version(value, &isa),
				    0, "cpu-version 0x%08x", value);
		KUNIT_EXPECT_EQ_MSG(test, isa, row->isa, "cpu-version 0x%08x",
				    value);
	}
}

static bool is_known(u32 version)
{
	return precedes_power10(version) || version == 0x80 || version == 0x82;
}

/* A processor that is not known has no name, and no level in raw mode. */
static void unknown_processors(struct kunit *test)
{
	for (u32 version = 0; version < VERSIONS; version++) {
		u32 value = pvr(version, 0x0200);
		enum pseries_isa isa = PSERIES_ISA_3_1 + 1;

		if (is_known(version) || version >> 8 == 0x0f)
			continue;
		KUNIT_ASSERT_NULL_MSG(test, pseries_processor_name(value),
				      "PVR 0x%08x", value);
		KUNIT_ASSERT_EQ_MSG(test, pseries_isa_from_cpu_version(value, &isa),
				    -ENOENT, "cpu-version 0x%08x", value);
		KUNIT_ASSERT_EQ_MSG(test, isa, PSERIES_ISA_3_1 + 1,
				    "cpu-version 0x%08x: level written", value);
	}
}

struct logical_row {
	const char *mode;
	u32 cpu_version;
	enum pseries_isa isa;
};

static const struct logical_row logical_rows[] = {
	{ "POWER5+ mode", 0x0f000001, PSERIES_ISA_2_04 },
	{ "POWER6 mode", 0x0f000002, PSERIES_ISA_2_05 },
	{ "POWER7 mode", 0x0f000003, PSERIES_ISA_2_06 },
	{ "POWER7+ mode", 0x0f100003, PSERIES_ISA_2_06 },
	{ "POWER8 mode", 0x0f000004, PSERIES_ISA_2_07 },
	{ "POWER9 mode", 0x0f000005, PSERIES_ISA_3_0 },
	{ "POWER10 mode", 0x0f000006, PSERIES_ISA_3_1 },
	{ "POWER11 mode", 0x0f000007, PSERIES_ISA_3_1 },
};

static void logical_desc(const struct logical_row *row, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, cpu-version 0x%08x",
		 row->mode, row->cpu_version);
}

KUNIT_ARRAY_PARAM(logical, logical_rows, logical_desc);

/* In a compatibility mode cpu-version names the level. */
static void logical_cpu_version(struct kunit *test)
{
	const struct logical_row *row = test->param_value;
	enum pseries_isa isa = PSERIES_ISA_OLDER;

	KUNIT_EXPECT_EQ(test, pseries_isa_from_cpu_version(row->cpu_version, &isa), 0);
	KUNIT_EXPECT_EQ(test, isa, row->isa);
}

static bool is_logical_row(u32 cpu_version)
{
	return (cpu_version >= 0x0f000001 && cpu_version <= 0x0f000007) ||
	       cpu_version == 0x0f100003;
}

/* Every other logical value, all 2^24 of them, names no level. */
static void unknown_logical_cpu_versions(struct kunit *test)
{
	for (u32 value = 0x0f000000; value < 0x10000000; value++) {
		enum pseries_isa isa = PSERIES_ISA_3_1 + 1;
		int err = pseries_isa_from_cpu_version(value, &isa);

		if (is_logical_row(value))
			continue;
		KUNIT_ASSERT_EQ_MSG(test, err, -ENOENT, "cpu-version 0x%08x", value);
		KUNIT_ASSERT_EQ_MSG(test, isa, PSERIES_ISA_3_1 + 1,
				    "cpu-version 0x%08x: level written", value);
	}
}

static struct kunit_case processor_cases[] = {
	KUNIT_CASE_PARAM(known_processor, processor_gen_params),
	KUNIT_CASE(unknown_processors),
	KUNIT_CASE_PARAM(logical_cpu_version, logical_gen_params),
	KUNIT_CASE(unknown_logical_cpu_versions),
	KUNIT_CASE_PARAM(every_version, isa_gen_params),
	KUNIT_CASE_PARAM(differs_from_linux_6_12, isa_gen_params),
	KUNIT_CASE_PARAM(stop_of, stop_gen_params),
	KUNIT_CASE_PARAM(stop_of_every_version, isa_gen_params),
	KUNIT_CASE_PARAM(stop_of_every_power9, isa_gen_params),
	KUNIT_CASE_ATTR(every_pvr, { .speed = KUNIT_SPEED_VERY_SLOW }),
	{}
};

static void say_verified(struct kunit_suite *suite)
{
	kunit_info(suite, "verified %llu processors at a level", verified);
}

static struct kunit_suite processor_suite = {
	.name = "pseries_idle_processor",
	.suite_exit = say_verified,
	.test_cases = processor_cases,
};

kunit_test_suite(processor_suite);

MODULE_DESCRIPTION("KUnit tests for the processors of the pseries idle policy");
MODULE_LICENSE("GPL");
