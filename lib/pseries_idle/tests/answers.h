/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Firmware answers for tests: as published, and made to order.
 *
 * An answer is system parameter 45 as firmware returns it, length field
 * first. The published ones come from partitions with a 512 MHz timebase.
 */
#ifndef _PSERIES_IDLE_TESTS_ANSWERS_H
#define _PSERIES_IDLE_TESTS_ANSWERS_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#define PUBLISHED_TB_HZ		512000000ULL

/* 30 us and 10 ms */
static const u8 __maybe_unused power8_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x4e, 0x20, 0x00, 0,
	0,
};

/* 2 us and 8 ms */
static const u8 __maybe_unused power9_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x04, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x3e, 0x80, 0x00, 0,
	0,
};

/* 12 us and 30 us */
static const u8 __maybe_unused power10_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0,
};

/* The most that a system parameter can carry, after its length field. */
#define ANSWER_MAX_LENGTH	4000

struct answer {
	size_t size;
	size_t record_size;
	u8 bytes[2 + ANSWER_MAX_LENGTH];
};

static inline void answer_begin(struct answer *answer, size_t record_size)
{
	memset(answer, 0, sizeof(*answer));
	answer->record_size = record_size;
	answer->bytes[2] = record_size - 1;
	answer->size = 3;
}

/* Fields that the record size leaves no room for are cut, added ones 0xee. */
static inline void answer_add(struct answer *answer, u8 specifier,
			      u64 latency_ticks, u8 irq)
{
	u8 record[256];

	memset(record, 0xee, sizeof(record));
	record[0] = specifier;
	put_unaligned_be64(latency_ticks, record + 1);
	record[9] = irq;
	memcpy(answer->bytes + answer->size, record, answer->record_size);
	answer->size += answer->record_size;
}

static inline void answer_append(struct answer *answer, u8 byte)
{
	answer->bytes[answer->size++] = byte;
}

static inline void answer_set_length(struct answer *answer)
{
	put_unaligned_be16(answer->size - 2, answer->bytes);
}

static inline void answer_end(struct answer *answer)
{
	answer_append(answer, '\0');
	answer_set_length(answer);
}

#endif /* _PSERIES_IDLE_TESTS_ANSWERS_H */
