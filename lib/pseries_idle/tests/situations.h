/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy, as the situations that a reviewer thinks in: what a partition
 * is, what its firmware says, and the CEDE state that it shall get, with
 * stop0lite before it in a few. Written out by hand, so that a change of
 * policy is a change of rows here.
 *
 * All at a 512 MHz timebase. Snooze, 0/0 and polling, comes first everywhere.
 */
#ifndef _PSERIES_IDLE_TESTS_SITUATIONS_H
#define _PSERIES_IDLE_TESTS_SITUATIONS_H

#include <linux/errno.h>
#include <linux/pseries_idle.h>

#include "answers.h"

struct situation {
	const char *name;
	struct pseries_idle_platform platform;
	const u8 *answer;		/* NULL: firmware gives none */
	size_t answer_size;
	bool asked;			/* is firmware asked for it? */
	int err;
	struct pseries_idle_state stop;	/* without a name: not there */
	struct pseries_idle_state cede;
	u64 snooze_timeout_ticks;
	enum pseries_idle_why why;
	enum pseries_idle_guest_stop guest_stop;
};

/* Physical processors, with a revision as sold. */
#define POWER7		0x003f0201
#define POWER8		0x004d0200
#define POWER9		0x004e1202	/* DD2.2 */
#define POWER9_DD2_3	0x004e1203
#define POWER10		0x00800200
#define POWER11		0x00820200
#define SUCCESSOR	0x00840100	/* not in any table */
#define HX_C2000	0x00660000
#define PA6T		0x00900102

/* The rest of the answers that rows below refer to. */
static const u8 zero_first_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x00, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 0,
	0,
};

static const u8 all_zero_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x00, 0x00, 1,
	0,
};

static const u8 ten_ms_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0, 0, 0x4e, 0x20, 0x00, 1,
	0,
};

/* 512000 ticks, and one more */
static const u8 one_ms_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0, 0, 0x07, 0xd0, 0x00, 1,
	0,
};

static const u8 above_one_ms_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0, 0, 0x07, 0xd0, 0x01, 1,
	0,
};

/* 512 ticks, and one more */
static const u8 one_us_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x02, 0x00, 1,
	0,
};

static const u8 above_one_us_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x02, 0x01, 1,
	0,
};

static const u8 no_records_answer[] = { 0, 2, 9, 0 };

static const u8 no_nul_answer[] = {
	0, 11, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
};

/* Records of twelve bytes: two fields that nobody knows yet. */
static const u8 added_fields_answer[] = {
	0, 26, 11,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1, 0xaa, 0xbb,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0, 0xcc, 0xdd,
	0,
};

/* Records of nine bytes: no interrupt flag. */
static const u8 fewer_fields_answer[] = {
	0, 20, 8,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00,
	0,
};

static const u8 length_zero_answer[] = { 0, 0, 9, 0 };

static const u8 descending_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 0,
	0,
};

/* 430 s: ten times that does not fit into 32 bits of microseconds */
static const u8 ten_times_wraps_answer[] = {
	0, 12, 9,
	1, 0, 0, 0, 0x33, 0x42, 0x8f, 0, 0, 1,
	0,
};

/* 12 us, and a microsecond more each */
static const u8 seventeen_records_answer[] = {
	0, 172, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x1a, 0x00, 1,
	3, 0, 0, 0, 0, 0, 0x00, 0x1c, 0x00, 1,
	4, 0, 0, 0, 0, 0, 0x00, 0x1e, 0x00, 1,
	5, 0, 0, 0, 0, 0, 0x00, 0x20, 0x00, 1,
	6, 0, 0, 0, 0, 0, 0x00, 0x22, 0x00, 1,
	7, 0, 0, 0, 0, 0, 0x00, 0x24, 0x00, 1,
	8, 0, 0, 0, 0, 0, 0x00, 0x26, 0x00, 1,
	9, 0, 0, 0, 0, 0, 0x00, 0x28, 0x00, 1,
	10, 0, 0, 0, 0, 0, 0x00, 0x2a, 0x00, 1,
	11, 0, 0, 0, 0, 0, 0x00, 0x2c, 0x00, 1,
	12, 0, 0, 0, 0, 0, 0x00, 0x2e, 0x00, 1,
	13, 0, 0, 0, 0, 0, 0x00, 0x30, 0x00, 1,
	14, 0, 0, 0, 0, 0, 0x00, 0x32, 0x00, 1,
	15, 0, 0, 0, 0, 0, 0x00, 0x34, 0x00, 1,
	16, 0, 0, 0, 0, 0, 0x00, 0x36, 0x00, 1,
	17, 0, 0, 0, 0, 0, 0x00, 0x38, 0x00, 1,
	0,
};

static const u8 length_one_answer[] = {
	0, 1, 9,
	0,
};

static const u8 length_65535_answer[] = {
	0xff, 0xff, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0,
};

/* The length ends in the second record. */
static const u8 length_too_short_answer[] = {
	0, 17, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0,
};

static const u8 two_bytes_left_answer[] = {
	0, 23, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0, 0,
};

static const u8 no_nul_at_end_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0xff,
};

static const u8 one_byte_records_answer[] = {
	0, 3, 0,
	1,
	0,
};

static const u8 eight_byte_records_answer[] = {
	0, 18, 7,
	1, 0, 0, 0, 0, 0, 0x00, 0x18,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c,
	0,
};

/* Records of 256 bytes, says it. */
static const u8 long_records_answer[] = {
	0, 22, 255,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	2, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0,
};

static const u8 specifier_left_out_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	3, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0,
};

static const u8 specifier_twice_answer[] = {
	0, 22, 9,
	1, 0, 0, 0, 0, 0, 0x00, 0x18, 0x00, 1,
	1, 0, 0, 0, 0, 0, 0x00, 0x3c, 0x00, 0,
	0,
};

#define _PARTITION(_pvr, _isa, _splpar, _shared, _guest_stop)		\
	.platform = { .pvr = _pvr, .isa = PSERIES_ISA_ ## _isa,		\
		      .splpar = _splpar, .shared = _shared,		\
		      .guest_stop = _guest_stop,			\
		      .tb_hz = PUBLISHED_TB_HZ }
#define DEDICATED(_pvr, _isa)	_PARTITION(_pvr, _isa, true, false, false)
#define SHARED(_pvr, _isa)	_PARTITION(_pvr, _isa, true, true, false)
#define NO_SPLPAR(_pvr, _isa)	_PARTITION(_pvr, _isa, false, false, false)
/* The administrator vouches for stop in it. */
#define DEDICATED_VOUCHED(_pvr, _isa) _PARTITION(_pvr, _isa, true, false, true)
#define SHARED_VOUCHED(_pvr, _isa) _PARTITION(_pvr, _isa, true, true, true)
#define NO_SPLPAR_VOUCHED(_pvr, _isa) _PARTITION(_pvr, _isa, false, false, true)

#define ANSWER(_answer)		.answer = _answer, .answer_size = sizeof(_answer)
#define NO_ANSWER		.answer = NULL
#define ASKED			.asked = true
#define NOT_ASKED		.asked = false

#define _STATE(_name, _kind, _latency, _residency, _timeout)		\
	.cede = { .name = _name, .kind = PSERIES_IDLE_ ## _kind,	\
		  .exit_latency_us = _latency,				\
		  .target_residency_us = _residency },			\
	.snooze_timeout_ticks = _timeout
#define CEDE(_latency, _residency, _timeout)				\
	_STATE("CEDE", CEDE, _latency, _residency, _timeout)
#define SHARED_CEDE(_latency, _residency, _timeout)			\
	_STATE("Shared Cede", SHARED_CEDE, _latency, _residency, _timeout)
#define STOP0LITE(_latency, _residency)					\
	.stop = { .name = "stop0lite", .kind = PSERIES_IDLE_STOP0LITE,	\
		  .exit_latency_us = _latency,				\
		  .target_residency_us = _residency },			\
	.guest_stop = PSERIES_IDLE_STOP_ALLOWED
#define NO_STOP(_reason)	.guest_stop = PSERIES_IDLE_STOP_ ## _reason
#define NO_TABLE(_err)		.err = _err
#define BECAUSE(_why)		.why = PSERIES_IDLE_WHY_ ## _why

static const struct situation situations[] = {
	/* Before POWER10 firmware is not asked, whatever it would say. */
	{ "POWER7 native, dedicated",
	  DEDICATED(POWER7, 2_06), NO_ANSWER,
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER8 native, dedicated, firmware 30 us/10 ms",
	  DEDICATED(POWER8, 2_07), ANSWER(power8_answer),
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER8 native, dedicated, no answer",
	  DEDICATED(POWER8, 2_07), NO_ANSWER,
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER8 in POWER7 mode, dedicated, firmware 30 us/10 ms",
	  DEDICATED(POWER8, 2_06), ANSWER(power8_answer),
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER9 native, dedicated, firmware 2 us/8 ms",
	  DEDICATED(POWER9, 3_0), ANSWER(power9_answer),
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER9 native, dedicated, no answer",
	  DEDICATED(POWER9, 3_0), NO_ANSWER,
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER9 in POWER8 mode, dedicated, firmware 2 us/8 ms",
	  DEDICATED(POWER9, 2_07), ANSWER(power9_answer),
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "HX-C2000 native, dedicated, firmware 30 us/10 ms",
	  DEDICATED(HX_C2000, 2_07), ANSWER(power8_answer),
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "PA6T, old with a large PVR, dedicated, firmware 12/30 us",
	  DEDICATED(PA6T, 2_04), ANSWER(power10_answer),
	  NOT_ASKED, CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },

	/* From POWER10 on it is, in every mode. */
	{ "POWER10 native, dedicated, firmware 12/30 us",
	  DEDICATED(POWER10, 3_1), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, no answer",
	  DEDICATED(POWER10, 3_1), NO_ANSWER,
	  ASKED, CEDE(10, 100, 51200), BECAUSE(NO_ANSWER) },
	{ "POWER10 in POWER9 mode, dedicated, firmware 12/30 us",
	  DEDICATED(POWER10, 3_0), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 in POWER9 mode, dedicated, no answer",
	  DEDICATED(POWER10, 3_0), NO_ANSWER,
	  ASKED, CEDE(10, 100, 51200), BECAUSE(NO_ANSWER) },
	{ "POWER10 in POWER8 mode, dedicated, firmware 12/30 us",
	  DEDICATED(POWER10, 2_07), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER11 native, dedicated, firmware 12/30 us",
	  DEDICATED(POWER11, 3_1), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER11 native, dedicated, no answer",
	  DEDICATED(POWER11, 3_1), NO_ANSWER,
	  ASKED, CEDE(10, 100, 51200), BECAUSE(NO_ANSWER) },
	{ "POWER11 in POWER9 mode, dedicated, firmware 12/30 us",
	  DEDICATED(POWER11, 3_0), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER11 in POWER9 mode, dedicated, no answer",
	  DEDICATED(POWER11, 3_0), NO_ANSWER,
	  ASKED, CEDE(10, 100, 51200), BECAUSE(NO_ANSWER) },
	{ "POWER11 in POWER8 mode, dedicated, firmware 12/30 us",
	  DEDICATED(POWER11, 2_07), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "unknown successor native, dedicated, firmware 12/30 us",
	  DEDICATED(SUCCESSOR, 3_1), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "unknown successor in POWER9 mode, dedicated, firmware 12/30 us",
	  DEDICATED(SUCCESSOR, 3_0), ANSWER(power10_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "unknown successor in POWER9 mode, dedicated, no answer",
	  DEDICATED(SUCCESSOR, 3_0), NO_ANSWER,
	  ASKED, CEDE(10, 100, 51200), BECAUSE(NO_ANSWER) },

	/* The lowest usable latency counts, rounded up, from zero to 1 ms. */
	{ "POWER10 native, dedicated, firmware 2 us/8 ms",
	  DEDICATED(POWER10, 3_1), ANSWER(power9_answer),
	  ASKED, CEDE(2, 20, 10240), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 30 us/10 ms",
	  DEDICATED(POWER10, 3_1), ANSWER(power8_answer),
	  ASKED, CEDE(30, 300, 153600), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 0/12 us",
	  DEDICATED(POWER10, 3_1), ANSWER(zero_first_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 1 us",
	  DEDICATED(POWER10, 3_1), ANSWER(one_us_answer),
	  ASKED, CEDE(1, 10, 5120), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 1 us and a tick",
	  DEDICATED(POWER10, 3_1), ANSWER(above_one_us_answer),
	  ASKED, CEDE(2, 20, 10240), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 1 ms",
	  DEDICATED(POWER10, 3_1), ANSWER(one_ms_answer),
	  ASKED, CEDE(1000, 10000, 5120000), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 1 ms and a tick",
	  DEDICATED(POWER10, 3_1), ANSWER(above_one_ms_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(TOO_SLOW) },
	{ "POWER10 native, dedicated, firmware 10 ms only",
	  DEDICATED(POWER10, 3_1), ANSWER(ten_ms_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(TOO_SLOW) },
	{ "POWER10 native, dedicated, firmware 430 s only",
	  DEDICATED(POWER10, 3_1), ANSWER(ten_times_wraps_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(TOO_SLOW) },
	{ "POWER10 native, dedicated, firmware 0 only",
	  DEDICATED(POWER10, 3_1), ANSWER(all_zero_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(ALL_ZERO) },
	{ "POWER10 native, dedicated, firmware lists nothing",
	  DEDICATED(POWER10, 3_1), ANSWER(no_records_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(NO_RECORDS) },

	/* An answer is taken whole or not at all. */
	{ "POWER10 native, dedicated, firmware 12 us, final NUL missing",
	  DEDICATED(POWER10, 3_1), ANSWER(no_nul_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 12/30 us, fields added",
	  DEDICATED(POWER10, 3_1), ANSWER(added_fields_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 12/30 us, no interrupt flag",
	  DEDICATED(POWER10, 3_1), ANSWER(fewer_fields_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware 17 records from 12 us",
	  DEDICATED(POWER10, 3_1), ANSWER(seventeen_records_answer),
	  ASKED, CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },
	{ "POWER10 native, dedicated, firmware's length is 0",
	  DEDICATED(POWER10, 3_1), ANSWER(length_zero_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's length is 1",
	  DEDICATED(POWER10, 3_1), ANSWER(length_one_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's length is 65535",
	  DEDICATED(POWER10, 3_1), ANSWER(length_65535_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's length ends in the second record",
	  DEDICATED(POWER10, 3_1), ANSWER(length_too_short_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, two bytes after firmware's records",
	  DEDICATED(POWER10, 3_1), ANSWER(two_bytes_left_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's last byte is no NUL",
	  DEDICATED(POWER10, 3_1), ANSWER(no_nul_at_end_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's records of 1 byte",
	  DEDICATED(POWER10, 3_1), ANSWER(one_byte_records_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's records of 8 bytes",
	  DEDICATED(POWER10, 3_1), ANSWER(eight_byte_records_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware's records of 256 bytes, but shorter",
	  DEDICATED(POWER10, 3_1), ANSWER(long_records_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware leaves a specifier out",
	  DEDICATED(POWER10, 3_1), ANSWER(specifier_left_out_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 native, dedicated, firmware has a specifier twice",
	  DEDICATED(POWER10, 3_1), ANSWER(specifier_twice_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },
	{ "POWER10 in POWER9 mode, dedicated, firmware's latencies descend",
	  DEDICATED(POWER10, 3_0), ANSWER(descending_answer),
	  ASKED, CEDE(10, 100, 51200), BECAUSE(REFUSED) },

	/* Shared partitions, KVM guests among them, are all alike. */
	{ "POWER8 native, shared",
	  SHARED(POWER8, 2_07), NO_ANSWER,
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "KVM guest on POWER9",
	  SHARED(POWER9, 3_0), NO_ANSWER,
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER9 native, shared",
	  SHARED(POWER9, 3_0), NO_ANSWER,
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER10 native, shared",
	  SHARED(POWER10, 3_1), NO_ANSWER,
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER10 native, shared, firmware 12/30 us",
	  SHARED(POWER10, 3_1), ANSWER(power10_answer),
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER10 in POWER9 mode, shared, firmware 12/30 us",
	  SHARED(POWER10, 3_0), ANSWER(power10_answer),
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER11 native, shared",
	  SHARED(POWER11, 3_1), NO_ANSWER,
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "unknown successor in POWER9 mode, shared",
	  SHARED(SUCCESSOR, 3_0), NO_ANSWER,
	  NOT_ASKED, SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },

	/* With stop vouched for they stop before they cede, if they may. */
	{ "POWER9 DD2.3 native, shared, stop vouched for",
	  SHARED_VOUCHED(POWER9_DD2_3, 3_0), NO_ANSWER, NOT_ASKED,
	  STOP0LITE(2, 20), SHARED_CEDE(10, 100, 10240), BECAUSE(SHARED) },
	{ "POWER9 DD2.2 native, shared, stop vouched for",
	  SHARED_VOUCHED(POWER9, 3_0), NO_ANSWER, NOT_ASKED,
	  NO_STOP(OLD_POWER9), SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER9 DD2.3 in POWER8 mode, shared, stop vouched for",
	  SHARED_VOUCHED(POWER9_DD2_3, 2_07), NO_ANSWER, NOT_ASKED,
	  NO_STOP(OLD_ISA), SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER8 native, shared, stop vouched for",
	  SHARED_VOUCHED(POWER8, 2_07), NO_ANSWER, NOT_ASKED,
	  NO_STOP(OLD_ISA), SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER10 native, shared, stop vouched for",
	  SHARED_VOUCHED(POWER10, 3_1), NO_ANSWER, NOT_ASKED,
	  STOP0LITE(2, 20), SHARED_CEDE(10, 100, 10240), BECAUSE(SHARED) },
	{ "POWER10 native, shared, firmware 12/30 us, stop vouched for",
	  SHARED_VOUCHED(POWER10, 3_1), ANSWER(power10_answer), NOT_ASKED,
	  STOP0LITE(2, 20), SHARED_CEDE(10, 100, 10240), BECAUSE(SHARED) },
	{ "POWER10 in POWER9 mode, shared, stop vouched for",
	  SHARED_VOUCHED(POWER10, 3_0), NO_ANSWER, NOT_ASKED,
	  STOP0LITE(2, 20), SHARED_CEDE(10, 100, 10240), BECAUSE(SHARED) },
	{ "POWER10 in POWER8 mode, shared, stop vouched for",
	  SHARED_VOUCHED(POWER10, 2_07), NO_ANSWER, NOT_ASKED,
	  NO_STOP(OLD_ISA), SHARED_CEDE(10, 100, 51200), BECAUSE(SHARED) },
	{ "POWER11 native, shared, stop vouched for",
	  SHARED_VOUCHED(POWER11, 3_1), NO_ANSWER, NOT_ASKED,
	  STOP0LITE(2, 20), SHARED_CEDE(10, 100, 10240), BECAUSE(SHARED) },
	{ "unknown successor in POWER9 mode, shared, stop vouched for",
	  SHARED_VOUCHED(SUCCESSOR, 3_0), NO_ANSWER, NOT_ASKED,
	  STOP0LITE(2, 20), SHARED_CEDE(10, 100, 10240), BECAUSE(SHARED) },
	{ "POWER9 DD2.3 native, dedicated, stop vouched for",
	  DEDICATED_VOUCHED(POWER9_DD2_3, 3_0), NO_ANSWER, NOT_ASKED,
	  NO_STOP(DEDICATED), CEDE(10, 100, 51200), BECAUSE(OLD_PROCESSOR) },
	{ "POWER10 native, dedicated, firmware 12/30 us, stop vouched for",
	  DEDICATED_VOUCHED(POWER10, 3_1), ANSWER(power10_answer), ASKED,
	  NO_STOP(DEDICATED), CEDE(12, 120, 61440), BECAUSE(FIRMWARE) },

	/* Without shared processor LPAR firmware there is nothing to cede to. */
	{ "POWER9 native, no SPLPAR",
	  NO_SPLPAR(POWER9, 3_0), NO_ANSWER,
	  NOT_ASKED, NO_TABLE(-ENODEV) },
	{ "POWER10 native, no SPLPAR, firmware 12/30 us",
	  NO_SPLPAR(POWER10, 3_1), ANSWER(power10_answer),
	  NOT_ASKED, NO_TABLE(-ENODEV) },
	{ "POWER10 native, no SPLPAR, stop vouched for",
	  NO_SPLPAR_VOUCHED(POWER10, 3_1), NO_ANSWER,
	  NOT_ASKED, NO_TABLE(-ENODEV) },
};

#endif /* _PSERIES_IDLE_TESTS_SITUATIONS_H */
