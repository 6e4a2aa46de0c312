// SPDX-License-Identifier: GPL-2.0
/*
 * Decode firmware's CEDE latency settings, PAPR system parameter 45.
 *
 * LoPAR, "System Parameters", lays the answer out as
 *
 *	length		2 bytes, big endian, of everything that follows
 *	record size	1 byte, N - 1
 *	records		N bytes each:
 *	    specifier	1 byte, ascending without holes
 *	    latency	8 bytes, big endian, ticks, never below its predecessor
 *	    interrupt	1 byte, whether an external interrupt ends the state
 *	NUL		1 byte
 *
 * and tells software to live with fewer fields and to ignore added ones. So N
 * is what firmware says, as long as specifier and latency fit.
 *
 * Latencies decide how long a CPU polls before it cedes. An answer that
 * breaks its own rules is therefore not mined for the parts that look right:
 * it is taken whole or refused, with the reason.
 */

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/pseries_idle.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#define LENGTH_BYTES		2
#define SHORTEST_LENGTH		2	/* record size and final NUL */

#define SPECIFIER_OFFSET	0
#define LATENCY_OFFSET		1
#define IRQ_OFFSET		9

#define SMALLEST_RECORD		9	/* specifier and latency */

static u8 specifier_at(const u8 *record)
{
	return record[SPECIFIER_OFFSET];
}

static u64 latency_at(const u8 *record)
{
	return get_unaligned_be64(record + LATENCY_OFFSET);
}

static enum pseries_xcede_verdict check_order(const struct pseries_xcede *xcede)
{
	const u8 *record = xcede->records;

	for (unsigned int i = 1; i < xcede->count; i++) {
		const u8 *next = record + xcede->record_size;

		if (specifier_at(next) != specifier_at(record) + 1)
			return PSERIES_XCEDE_SPECIFIER_ORDER;
		if (latency_at(next) < latency_at(record))
			return PSERIES_XCEDE_LATENCY_ORDER;
		record = next;
	}
	return PSERIES_XCEDE_OK;
}

/* @body holds @bytes bytes: the records, and what follows them. */
static enum pseries_xcede_verdict
find_records(const u8 *body, unsigned int bytes, struct pseries_xcede *xcede)
{
	unsigned int rest;

	if (xcede->record_size < SMALLEST_RECORD)
		return PSERIES_XCEDE_SMALL_RECORDS;
	rest = bytes % xcede->record_size;
	if (rest > 1 || (rest == 1 && body[bytes - 1] != '\0'))
		return PSERIES_XCEDE_TRAILING_BYTES;

	xcede->missing_nul = rest == 0;
	xcede->count = bytes / xcede->record_size;
	xcede->records = body;
	return check_order(xcede);
}

static enum pseries_xcede_verdict
decode(const u8 *answer, size_t size, struct pseries_xcede *xcede)
{
	unsigned int length;

	if (size < LENGTH_BYTES)
		return PSERIES_XCEDE_TOO_SHORT;
	length = get_unaligned_be16(answer);
	if (length < SHORTEST_LENGTH)
		return PSERIES_XCEDE_TOO_SHORT;
	if (length > size - LENGTH_BYTES)
		return PSERIES_XCEDE_BEYOND_BUFFER;

	answer += LENGTH_BYTES;
	xcede->record_size = *answer + 1;
	return find_records(answer + 1, length - 1, xcede);
}

void pseries_xcede_decode(const u8 *answer, size_t size,
			  struct pseries_xcede *xcede)
{
	enum pseries_xcede_verdict verdict = decode(answer, size, xcede);

	if (verdict != PSERIES_XCEDE_OK)
		memset(xcede, 0, sizeof(*xcede));
	xcede->verdict = verdict;
}

struct pseries_xcede_record
pseries_xcede_record(const struct pseries_xcede *xcede, unsigned int index)
{
	struct pseries_xcede_record record = {};
	const u8 *bytes;

	if (index >= xcede->count)
		return record;

	bytes = xcede->records + index * xcede->record_size;
	record.specifier = specifier_at(bytes);
	record.latency_ticks = latency_at(bytes);
	if (xcede->record_size > IRQ_OFFSET)
		record.irq = bytes[IRQ_OFFSET] ? PSERIES_XCEDE_IRQ_WAKES :
						 PSERIES_XCEDE_IRQ_IGNORED;
	return record;
}

const char *pseries_xcede_verdict_text(enum pseries_xcede_verdict verdict)
{
	static const char * const text[] = {
		[PSERIES_XCEDE_NO_ANSWER] = "no answer",
		[PSERIES_XCEDE_OK] = "well-formed",
		[PSERIES_XCEDE_TOO_SHORT] = "too short for record size and NUL",
		[PSERIES_XCEDE_BEYOND_BUFFER] = "longer than its buffer",
		[PSERIES_XCEDE_SMALL_RECORDS] = "records too small for a latency",
		[PSERIES_XCEDE_TRAILING_BYTES] = "bytes after the last record",
		[PSERIES_XCEDE_SPECIFIER_ORDER] = "specifiers do not ascend by one",
		[PSERIES_XCEDE_LATENCY_ORDER] = "latencies descend",
	};

	return verdict < ARRAY_SIZE(text) ? text[verdict] : "unknown verdict";
}
