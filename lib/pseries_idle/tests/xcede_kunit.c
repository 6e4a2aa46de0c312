// SPDX-License-Identifier: GPL-2.0
/*
 * Firmware's CEDE latency settings are taken whole or refused with a reason,
 * whatever the bytes, and no byte beyond the buffer is read: answers whose
 * verdict is checked lie at the very end of an allocation, where KASAN sees
 * one byte more.
 */

#include <kunit/test.h>
#include <linux/pseries_idle.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "answers.h"

static u64 verified;

/* What a decoded answer comes to. */
struct outcome {
	enum pseries_xcede_verdict verdict;
	unsigned int count;
	unsigned int record_size;
	bool missing_nul;
};

static struct outcome refused(enum pseries_xcede_verdict verdict)
{
	return (struct outcome) { .verdict = verdict };
}

/*
 * The rule once more, as a reader with a pencil applies it: byte by byte,
 * without a division.
 */
static struct outcome expected_outcome(const u8 *answer, size_t size)
{
	struct outcome taken = { .verdict = PSERIES_XCEDE_OK };
	size_t length, record_size, left;
	const u8 *record, *previous = NULL;

	if (size <= 1)
		return refused(PSERIES_XCEDE_TOO_SHORT);
	length = answer[0] * 256 + answer[1];
	if (length == 0 || length == 1)
		return refused(PSERIES_XCEDE_TOO_SHORT);
	if (2 + length > size)
		return refused(PSERIES_XCEDE_BEYOND_BUFFER);
	record_size = (size_t)answer[2] + 1;
	if (record_size <= 8)
		return refused(PSERIES_XCEDE_SMALL_RECORDS);

	for (left = length - 1; left >= record_size; left -= record_size)
		;
	if (left >= 2 || (left == 1 && answer[2 + length - 1]))
		return refused(PSERIES_XCEDE_TRAILING_BYTES);

	for (record = answer + 3; record + record_size <= answer + 2 + length;
	     record += record_size) {
		if (previous) {
			int latency_order = memcmp(record + 1, previous + 1, 8);

			if ((int)record[0] - (int)previous[0] != 1)
				return refused(PSERIES_XCEDE_SPECIFIER_ORDER);
			if (latency_order < 0)
				return refused(PSERIES_XCEDE_LATENCY_ORDER);
		}
		previous = record;
		taken.count++;
	}
	taken.record_size = record_size;
	taken.missing_nul = left == 0;
	return taken;
}

/*
 * Decode a copy of @size bytes that ends where its allocation ends, into
 * memory that held something else.
 */
static struct outcome decode_tight(struct kunit *test, const u8 *answer,
				   size_t size)
{
	u8 *copy = kmalloc(size, GFP_KERNEL);
	struct pseries_xcede xcede;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, answer, size);
	memset(&xcede, 0xa5, sizeof(xcede));
	pseries_xcede_decode(copy, size, &xcede);

	/* Read what a policy would. */
	for (unsigned int i = 0; i < xcede.count; i++)
		pseries_xcede_record(&xcede, i);
	if (xcede.records != (xcede.verdict == PSERIES_XCEDE_OK ? copy + 3 : NULL))
		KUNIT_FAIL(test, "records point elsewhere: %*ph",
			   (int)min(size, 64UL), answer);
	if (memcmp(copy, answer, size))
		KUNIT_FAIL(test, "input written: %*ph", (int)min(size, 64UL), answer);
	kfree(copy);
	verified++;
	return (struct outcome) {
		.verdict = xcede.verdict,
		.count = xcede.count,
		.record_size = xcede.record_size,
		.missing_nul = xcede.missing_nul,
	};
}

static bool same_outcome(struct outcome a, struct outcome b)
{
	return a.verdict == b.verdict && a.count == b.count &&
	       a.record_size == b.record_size && a.missing_nul == b.missing_nul;
}

/* Decode, and compare with the outcome by the rule. False at a mismatch. */
static bool check_answer(struct kunit *test, const u8 *answer, size_t size)
{
	struct outcome expected = expected_outcome(answer, size);
	struct outcome got = decode_tight(test, answer, size);

	if (same_outcome(got, expected))
		return true;
	KUNIT_FAIL(test,
		   "%zu bytes %*ph: expected \"%s\" with %u records of %u bytes, NUL missing: %d, got \"%s\" with %u of %u, %d",
		   size, (int)min(size, 64UL), answer,
		   pseries_xcede_verdict_text(expected.verdict), expected.count,
		   expected.record_size, expected.missing_nul,
		   pseries_xcede_verdict_text(got.verdict), got.count,
		   got.record_size, got.missing_nul);
	return false;
}

/* The same, where the verdict is written out beside the answer. */
static void check_verdict(struct kunit *test, const u8 *answer, size_t size,
			  enum pseries_xcede_verdict expected)
{
	struct outcome got = decode_tight(test, answer, size);

	if (got.verdict != expected)
		KUNIT_FAIL(test, "%zu bytes %*ph: expected \"%s\", got \"%s\"",
			   size, (int)min(size, 64UL), answer,
			   pseries_xcede_verdict_text(expected),
			   pseries_xcede_verdict_text(got.verdict));
	check_answer(test, answer, size);
}

struct published_row {
	const char *name;
	const u8 *answer;
	u64 ticks[2];
	const char *truncated;
};

/*
 * What is left when the answer is cut, its length field with it, to 0, 1, ...
 * bytes: s(hort), t(railing bytes), m(issing NUL), o(kay). Nothing but the
 * ends of records are places to cut.
 */
#define TRUNCATED_TWO_RECORDS	"sstttttttttmtttttttttmo"

static const struct published_row published_rows[] = {
	{ "POWER8", power8_answer, { 0x3c00, 0x4e2000 }, TRUNCATED_TWO_RECORDS },
	{ "POWER9", power9_answer, { 0x400, 0x3e8000 }, TRUNCATED_TWO_RECORDS },
	{ "POWER10", power10_answer, { 0x1800, 0x3c00 }, TRUNCATED_TWO_RECORDS },
};

#define PUBLISHED_SIZE	24

static_assert(sizeof(power8_answer) == PUBLISHED_SIZE);
static_assert(sizeof(power9_answer) == PUBLISHED_SIZE);
static_assert(sizeof(power10_answer) == PUBLISHED_SIZE);

KUNIT_ARRAY_PARAM_DESC(published, published_rows, name);

/* The published answers are taken, with these records. */
static void published(struct kunit *test)
{
	const struct published_row *row = test->param_value;
	struct pseries_xcede_record first, second;
	struct pseries_xcede xcede;

	pseries_xcede_decode(row->answer, PUBLISHED_SIZE, &xcede);
	KUNIT_EXPECT_EQ(test, xcede.verdict, PSERIES_XCEDE_OK);
	KUNIT_EXPECT_FALSE(test, xcede.missing_nul);
	KUNIT_EXPECT_EQ(test, xcede.record_size, 10);
	KUNIT_ASSERT_EQ(test, xcede.count, 2);

	first = pseries_xcede_record(&xcede, 0);
	KUNIT_EXPECT_EQ(test, first.specifier, 1);
	KUNIT_EXPECT_EQ(test, first.latency_ticks, row->ticks[0]);
	KUNIT_EXPECT_EQ(test, first.irq, PSERIES_XCEDE_IRQ_WAKES);

	second = pseries_xcede_record(&xcede, 1);
	KUNIT_EXPECT_EQ(test, second.specifier, 2);
	KUNIT_EXPECT_EQ(test, second.latency_ticks, row->ticks[1]);
	KUNIT_EXPECT_EQ(test, second.irq, PSERIES_XCEDE_IRQ_IGNORED);
}

/* What lies in the buffer behind the answer is not part of it. */
static void buffer_larger_than_answer(struct kunit *test)
{
	const struct published_row *row = test->param_value;
	u8 bytes[PUBLISHED_SIZE + 40];

	memset(bytes, 0xee, sizeof(bytes));
	memcpy(bytes, row->answer, PUBLISHED_SIZE);
	for (size_t size = PUBLISHED_SIZE; size <= sizeof(bytes); size++)
		check_verdict(test, bytes, size, PSERIES_XCEDE_OK);
}

/* An answer that goes on beyond its buffer is refused, wherever it is cut. */
static void buffer_cut(struct kunit *test)
{
	const struct published_row *row = test->param_value;

	for (size_t size = 0; size < PUBLISHED_SIZE; size++)
		check_verdict(test, row->answer, size,
			      size < 2 ? PSERIES_XCEDE_TOO_SHORT :
					 PSERIES_XCEDE_BEYOND_BUFFER);
}

static enum pseries_xcede_verdict verdict_of_letter(char letter)
{
	switch (letter) {
	case 's':
		return PSERIES_XCEDE_TOO_SHORT;
	case 't':
		return PSERIES_XCEDE_TRAILING_BYTES;
	}
	return PSERIES_XCEDE_OK;
}

/* An answer that says of itself that it is shorter. */
static void answer_cut(struct kunit *test)
{
	const struct published_row *row = test->param_value;
	u8 bytes[PUBLISHED_SIZE];

	KUNIT_ASSERT_EQ(test, strlen(row->truncated), PUBLISHED_SIZE - 2 + 1);
	memcpy(bytes, row->answer, sizeof(bytes));
	for (size_t length = 0; length <= PUBLISHED_SIZE - 2; length++) {
		char letter = row->truncated[length];

		bytes[1] = length;
		check_verdict(test, bytes, 2 + length, verdict_of_letter(letter));
		KUNIT_EXPECT_EQ_MSG(test,
				    decode_tight(test, bytes, 2 + length).missing_nul,
				    letter == 'm', "length %zu", length);
	}
}

/* Any one byte of a published answer replaced by any other. */
static void any_byte_replaced(struct kunit *test)
{
	const struct published_row *row = test->param_value;
	u8 bytes[PUBLISHED_SIZE];

	for (size_t i = 0; i < PUBLISHED_SIZE; i++) {
		memcpy(bytes, row->answer, sizeof(bytes));
		for (unsigned int value = 0; value < 256; value++) {
			bytes[i] = value;
			if (!check_answer(test, bytes, sizeof(bytes)))
				return;
		}
	}
}

/* Six records of ten bytes, latencies ascending, in a buffer just as large. */
static void answer_of_six(struct answer *answer)
{
	answer_begin(answer, 10);
	for (unsigned int i = 0; i < 6; i++)
		answer_add(answer, i + 1, 0x1000 * (i + 1), 0);
	answer_end(answer);
}

static struct answer *new_answer(struct kunit *test)
{
	struct answer *answer = kunit_kzalloc(test, sizeof(*answer), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, answer);
	return answer;
}

/* Every length field against a small buffer. Linux 6.12 wraps at 0 and 1. */
static void every_length(struct kunit *test)
{
	struct answer *answer = new_answer(test);

	answer_of_six(answer);
	KUNIT_ASSERT_EQ(test, answer->size, 64);
	check_verdict(test, answer->bytes, answer->size, PSERIES_XCEDE_OK);
	for (unsigned int length = 0; length <= U16_MAX; length++) {
		put_unaligned_be16(length, answer->bytes);
		if (!check_answer(test, answer->bytes, answer->size))
			return;
	}
}

/* Every record size at every length that fits: all framings of a buffer. */
static void every_framing(struct kunit *test)
{
	struct answer *answer = new_answer(test);

	answer_of_six(answer);
	for (unsigned int record_size = 1; record_size <= 256; record_size++) {
		answer->bytes[2] = record_size - 1;
		for (unsigned int length = 0; length <= 63; length++) {
			put_unaligned_be16(length, answer->bytes);
			if (!check_answer(test, answer->bytes, answer->size))
				return;
		}
	}
}

/* No room for specifier and latency below nine bytes; added fields ignored. */
static void every_record_size(struct kunit *test)
{
	static const u64 ticks[] = { 5, 0x0102030405060708, U64_MAX };
	struct answer *answer = new_answer(test);

	for (unsigned int record_size = 1; record_size <= 256; record_size++) {
		struct pseries_xcede xcede;

		answer_begin(answer, record_size);
		for (unsigned int i = 0; i < ARRAY_SIZE(ticks); i++)
			answer_add(answer, 7 + i, ticks[i], i);
		answer_end(answer);

		check_verdict(test, answer->bytes, answer->size,
			      record_size < 9 ? PSERIES_XCEDE_SMALL_RECORDS :
						PSERIES_XCEDE_OK);
		if (record_size < 9)
			continue;

		pseries_xcede_decode(answer->bytes, answer->size, &xcede);
		KUNIT_EXPECT_EQ_MSG(test, xcede.record_size, record_size,
				    "N = %u", record_size);
		KUNIT_ASSERT_EQ_MSG(test, xcede.count, 3, "N = %u", record_size);
		for (unsigned int i = 0; i < ARRAY_SIZE(ticks); i++) {
			struct pseries_xcede_record record =
				pseries_xcede_record(&xcede, i);
			enum pseries_xcede_irq irq =
				record_size == 9 ? PSERIES_XCEDE_IRQ_NOT_TOLD :
				i == 0 ? PSERIES_XCEDE_IRQ_IGNORED :
					 PSERIES_XCEDE_IRQ_WAKES;

			KUNIT_EXPECT_EQ_MSG(test, record.specifier, 7 + i,
					    "N = %u, record %u", record_size, i);
			KUNIT_EXPECT_EQ_MSG(test, record.latency_ticks, ticks[i],
					    "N = %u, record %u", record_size, i);
			KUNIT_EXPECT_EQ_MSG(test, record.irq, irq,
					    "N = %u, record %u", record_size, i);
		}
	}
}

/* 444 records of nine bytes fill a system parameter; 256 specifiers exist. */
static void every_record_count(struct kunit *test)
{
	struct answer *answer = new_answer(test);

	for (unsigned int count = 0; count <= 444; count++) {
		struct pseries_xcede xcede;

		answer_begin(answer, 9);
		for (unsigned int i = 0; i < count; i++)
			answer_add(answer, i, 1000 + i, 0);
		answer_end(answer);
		KUNIT_ASSERT_LE(test, answer->size, sizeof(answer->bytes));

		check_verdict(test, answer->bytes, answer->size,
			      count <= 256 ? PSERIES_XCEDE_OK :
					     PSERIES_XCEDE_SPECIFIER_ORDER);
		pseries_xcede_decode(answer->bytes, answer->size, &xcede);
		KUNIT_EXPECT_EQ_MSG(test, xcede.count, count <= 256 ? count : 0,
				    "%u records", count);
		for (unsigned int i = 0; i < xcede.count; i++)
			KUNIT_EXPECT_EQ_MSG(test, 1000 + i,
					    pseries_xcede_record(&xcede, i).latency_ticks,
					    "%u records, record %u", count, i);
	}
}

struct order_row {
	const char *name;
	unsigned int count;
	struct {
		u8 specifier;
		u64 ticks;
	} records[4];
	enum pseries_xcede_verdict expected;
};

#define REFUSED_SPECIFIERS	.expected = PSERIES_XCEDE_SPECIFIER_ORDER
#define REFUSED_LATENCIES	.expected = PSERIES_XCEDE_LATENCY_ORDER
#define TAKEN			.expected = PSERIES_XCEDE_OK

static const struct order_row order_rows[] = {
	{ "no record", 0, {}, TAKEN },
	{ "one record", 1, { { 1, 100 } }, TAKEN },
	{ "first specifier 0", 2, { { 0, 100 }, { 1, 200 } }, TAKEN },
	{ "first specifier 200", 2, { { 200, 100 }, { 201, 200 } }, TAKEN },
	{ "last specifier 255", 2, { { 254, 100 }, { 255, 200 } }, TAKEN },
	{ "equal latencies", 3, { { 1, 100 }, { 2, 100 }, { 3, 100 } }, TAKEN },
	{ "all latencies zero", 3, { { 1, 0 }, { 2, 0 }, { 3, 0 } }, TAKEN },
	{ "zero latency first", 2, { { 1, 0 }, { 2, 100 } }, TAKEN },
	{ "latencies up to the largest there is",
	  3, { { 1, 1 }, { 2, U64_MAX - 1 }, { 3, U64_MAX } }, TAKEN },
	{ "latency with its top bit set follows one without",
	  2, { { 1, S64_MAX }, { 2, 1ULL << 63 } }, TAKEN },
	{ "latencies that differ in the last byte only",
	  2, { { 1, 0x0101010101010101 }, { 2, 0x0101010101010102 } }, TAKEN },

	{ "specifier repeated", 2, { { 1, 100 }, { 1, 200 } }, REFUSED_SPECIFIERS },
	{ "specifier skipped", 2, { { 1, 100 }, { 3, 200 } }, REFUSED_SPECIFIERS },
	{ "specifiers descend", 2, { { 2, 100 }, { 1, 200 } }, REFUSED_SPECIFIERS },
	{ "specifier wraps", 2, { { 255, 100 }, { 0, 200 } }, REFUSED_SPECIFIERS },
	{ "hole at the end", 4,
	  { { 1, 100 }, { 2, 200 }, { 3, 300 }, { 5, 400 } }, REFUSED_SPECIFIERS },
	{ "hole and lower latency in one record", 2, { { 1, 200 }, { 3, 100 } },
	  REFUSED_SPECIFIERS },

	{ "latency descends by one", 2, { { 1, 100 }, { 2, 99 } },
	  REFUSED_LATENCIES },
	{ "latency descends to zero", 2, { { 1, 100 }, { 2, 0 } },
	  REFUSED_LATENCIES },
	{ "latency descends at the end", 4,
	  { { 1, 100 }, { 2, 200 }, { 3, 300 }, { 4, 299 } }, REFUSED_LATENCIES },
	{ "latency descends from the largest there is", 2,
	  { { 1, U64_MAX }, { 2, U64_MAX - 1 } }, REFUSED_LATENCIES },
	{ "latency descends in the first byte, ascends in the rest", 2,
	  { { 1, 0x0200000000000000 }, { 2, 0x01ffffffffffffff } },
	  REFUSED_LATENCIES },
	{ "lower latency before a hole", 3, { { 1, 200 }, { 2, 100 }, { 9, 300 } },
	  REFUSED_LATENCIES },
};

KUNIT_ARRAY_PARAM_DESC(order, order_rows, name);

/* Specifiers ascend by one; no latency is below its predecessor. */
static void record_order(struct kunit *test)
{
	const struct order_row *row = test->param_value;
	struct answer *answer = new_answer(test);

	for (unsigned int record_size = 9; record_size <= 12; record_size++) {
		/* Without the row's fault, it is taken. */
		answer_begin(answer, record_size);
		for (unsigned int i = 0; i < row->count; i++)
			answer_add(answer, i + 1, 100 * i, 1);
		answer_end(answer);
		check_verdict(test, answer->bytes, answer->size, PSERIES_XCEDE_OK);

		answer_begin(answer, record_size);
		for (unsigned int i = 0; i < row->count; i++)
			answer_add(answer, row->records[i].specifier,
				   row->records[i].ticks, 1);
		answer_end(answer);
		check_verdict(test, answer->bytes, answer->size, row->expected);
	}
}

struct tail_row {
	const char *name;
	unsigned int count;
	u8 bytes[10];
	enum pseries_xcede_verdict expected;
	bool missing_nul;
};

#define REFUSED_TAIL \
	.expected = PSERIES_XCEDE_TRAILING_BYTES, .missing_nul = false
#define TAKEN_WITH_NUL \
	.expected = PSERIES_XCEDE_OK, .missing_nul = false
#define TAKEN_WITHOUT_NUL \
	.expected = PSERIES_XCEDE_OK, .missing_nul = true

static const struct tail_row tail_rows[] = {
	{ "one NUL", 1, { 0 }, TAKEN_WITH_NUL },
	{ "nothing", 0, {}, TAKEN_WITHOUT_NUL },
	{ "one byte that is no NUL", 1, { 1 }, REFUSED_TAIL },
	{ "one byte 0xff", 1, { 0xff }, REFUSED_TAIL },
	{ "two NULs", 2, { 0, 0 }, REFUSED_TAIL },
	{ "a byte and a NUL", 2, { 3, 0 }, REFUSED_TAIL },
	{ "a NUL and a byte", 2, { 0, 3 }, REFUSED_TAIL },
	{ "a record but for its last byte", 9, { 3, 0, 0, 0, 0, 0, 0, 0xff, 0 },
	  REFUSED_TAIL },
	{ "nine NULs", 9, {}, REFUSED_TAIL },
};

KUNIT_ARRAY_PARAM_DESC(tail, tail_rows, name);

/* One final NUL follows the last record. It may be missing: flagged. */
static void bytes_after_last_record(struct kunit *test)
{
	const struct tail_row *row = test->param_value;
	struct answer *answer = new_answer(test);
	struct outcome got;

	/* Without the row's tail, it is taken. */
	check_verdict(test, power10_answer, PUBLISHED_SIZE, PSERIES_XCEDE_OK);

	answer_begin(answer, 10);
	answer_add(answer, 1, 0x1800, 1);
	answer_add(answer, 2, 0x3c00, 0);
	for (unsigned int i = 0; i < row->count; i++)
		answer_append(answer, row->bytes[i]);
	answer_set_length(answer);
	check_verdict(test, answer->bytes, answer->size, row->expected);

	got = decode_tight(test, answer->bytes, answer->size);
	KUNIT_EXPECT_EQ(test, got.missing_nul, row->missing_nul);
	KUNIT_EXPECT_EQ(test, got.count,
			row->expected == PSERIES_XCEDE_OK ? 2 : 0);
}

/* Asking for a record that is not there gives no latency and reads nothing. */
static void record_beyond_count(struct kunit *test)
{
	static const unsigned int indexes[] = { 2, 3, 255, 256, INT_MAX, UINT_MAX };
	struct pseries_xcede xcede;

	pseries_xcede_decode(power10_answer, sizeof(power10_answer), &xcede);
	KUNIT_ASSERT_EQ(test, xcede.count, 2);
	for (size_t i = 0; i < ARRAY_SIZE(indexes); i++) {
		struct pseries_xcede_record record =
			pseries_xcede_record(&xcede, indexes[i]);

		KUNIT_EXPECT_EQ_MSG(test, record.specifier, 0, "record %u",
				    indexes[i]);
		KUNIT_EXPECT_EQ_MSG(test, record.latency_ticks, 0, "record %u",
				    indexes[i]);
		KUNIT_EXPECT_EQ_MSG(test, record.irq, PSERIES_XCEDE_IRQ_NOT_TOLD,
				    "record %u", indexes[i]);
	}
}

/* Any non-zero interrupt flag means that interrupts end the state. */
static void interrupt_flag(struct kunit *test)
{
	u8 bytes[PUBLISHED_SIZE];

	memcpy(bytes, power10_answer, sizeof(bytes));
	for (unsigned int flag = 0; flag < 256; flag++) {
		struct pseries_xcede xcede;

		bytes[12] = flag;
		pseries_xcede_decode(bytes, sizeof(bytes), &xcede);
		KUNIT_EXPECT_EQ_MSG(test, pseries_xcede_record(&xcede, 0).irq,
				    flag == 0 ? PSERIES_XCEDE_IRQ_IGNORED :
						PSERIES_XCEDE_IRQ_WAKES,
				    "flag 0x%02x", flag);
	}
}

/* Memory that was only zeroed says that there is no answer. */
static void zeroed_is_no_answer(struct kunit *test)
{
	struct pseries_xcede xcede = {};

	KUNIT_EXPECT_EQ(test, xcede.verdict, PSERIES_XCEDE_NO_ANSWER);
	KUNIT_EXPECT_EQ(test, pseries_xcede_record(&xcede, 0).latency_ticks, 0);
}

/* The words that an administrator reads; any number has some. */
static void verdict_text(struct kunit *test)
{
	static const char * const words[] = {
		[PSERIES_XCEDE_NO_ANSWER] = "no answer",
		[PSERIES_XCEDE_OK] = "well-formed",
		[PSERIES_XCEDE_TOO_SHORT] = "too short for record size and NUL",
		[PSERIES_XCEDE_BEYOND_BUFFER] = "longer than its buffer",
		[PSERIES_XCEDE_SMALL_RECORDS] = "records too small for a latency",
		[PSERIES_XCEDE_TRAILING_BYTES] = "bytes after the last record",
		[PSERIES_XCEDE_SPECIFIER_ORDER] = "specifiers do not ascend by one",
		[PSERIES_XCEDE_LATENCY_ORDER] = "latencies descend",
		[PSERIES_XCEDE_LATENCY_ORDER + 1] = "unknown verdict",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_STREQ_MSG(test, pseries_xcede_verdict_text(i),
				       words[i], "verdict %zu", i);
	KUNIT_EXPECT_STREQ(test, pseries_xcede_verdict_text(-1),
			   "unknown verdict");
}

static struct kunit_case xcede_cases[] = {
	KUNIT_CASE_PARAM(published, published_gen_params),
	KUNIT_CASE_PARAM(buffer_larger_than_answer, published_gen_params),
	KUNIT_CASE_PARAM(buffer_cut, published_gen_params),
	KUNIT_CASE_PARAM(answer_cut, published_gen_params),
	KUNIT_CASE_PARAM(any_byte_replaced, published_gen_params),
	KUNIT_CASE(every_length),
	KUNIT_CASE(every_framing),
	KUNIT_CASE(every_record_size),
	KUNIT_CASE(every_record_count),
	KUNIT_CASE_PARAM(record_order, order_gen_params),
	KUNIT_CASE_PARAM(bytes_after_last_record, tail_gen_params),
	KUNIT_CASE(record_beyond_count),
	KUNIT_CASE(interrupt_flag),
	KUNIT_CASE(zeroed_is_no_answer),
	KUNIT_CASE(verdict_text),
	{}
};

static void say_verified(struct kunit_suite *suite)
{
	kunit_info(suite, "verified %llu firmware answers", verified);
}

static struct kunit_suite xcede_suite = {
	.name = "pseries_idle_xcede",
	.suite_exit = say_verified,
	.test_cases = xcede_cases,
};

kunit_test_suite(xcede_suite);

MODULE_DESCRIPTION("KUnit tests for firmware's CEDE latency settings");
MODULE_LICENSE("GPL");
