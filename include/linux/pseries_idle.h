/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Idle states of a pseries partition: platform facts in, state table out.
 *
 * Everything here is a pure function of its arguments: no hardware, no
 * globals, no allocation, no logging. What was unusual about an input is part
 * of the result, and the caller decides what to say about it. A caller asks in
 * two steps, so that firmware is consulted only when the policy wants it:
 *
 *	struct pseries_xcede xcede = {};
 *
 *	if (pseries_idle_wants_firmware(&platform) && <firmware answered>)
 *		pseries_xcede_decode(answer, size, &xcede);
 *	err = pseries_idle_build(&platform, &xcede, &table);
 */
#ifndef _LINUX_PSERIES_IDLE_H
#define _LINUX_PSERIES_IDLE_H

#include <linux/types.h>

/* What the processor is: lib/pseries_idle/processor.c */

/**
 * enum pseries_isa - Power ISA level that a partition runs at
 * @PSERIES_ISA_OLDER: below 2.04, or not known
 * @PSERIES_ISA_2_04: POWER5+ mode
 * @PSERIES_ISA_2_05: POWER6 mode
 * @PSERIES_ISA_2_06: POWER7 mode, POWER7+ included
 * @PSERIES_ISA_2_07: POWER8 mode
 * @PSERIES_ISA_3_0: POWER9 mode
 * @PSERIES_ISA_3_1: POWER10 mode, POWER11 included
 *
 * Ascending, so levels compare as numbers. The level is that of the mode the
 * partition was started in, which may be older than the physical processor.
 */
enum pseries_isa {
	PSERIES_ISA_OLDER,
	PSERIES_ISA_2_04,
	PSERIES_ISA_2_05,
	PSERIES_ISA_2_06,
	PSERIES_ISA_2_07,
	PSERIES_ISA_3_0,
	PSERIES_ISA_3_1,
};

/**
 * enum pseries_idle_trust - may firmware's CEDE latencies be believed, and why
 * @PSERIES_IDLE_DISTRUST: the processor is known to precede POWER10
 * @PSERIES_IDLE_TRUST_ISA: the partition runs at ISA 3.1 or later
 * @PSERIES_IDLE_TRUST_PVR: the processor is not known to precede POWER10,
 *	though the partition runs in an older mode
 */
enum pseries_idle_trust {
	PSERIES_IDLE_DISTRUST,
	PSERIES_IDLE_TRUST_ISA,
	PSERIES_IDLE_TRUST_PVR,
};

/**
 * pseries_processor_name - name of a processor
 * @pvr: Processor Version Register, any value
 *
 * Return: the name, or NULL if the processor is not a known one.
 */
const char *pseries_processor_name(u32 pvr);

/**
 * pseries_isa_from_cpu_version - ISA level behind a device tree's cpu-version
 * @cpu_version: a logical PVR in a compatibility mode, the PVR itself in raw
 *	mode (LoPAR, "Processor Compatibility Modes")
 * @isa: set to the level on success, left alone otherwise
 *
 * For tools and captures. A kernel knows its level by its CPU features.
 *
 * Return: 0, or -ENOENT if the value is not a known one.
 */
int pseries_isa_from_cpu_version(u32 cpu_version, enum pseries_isa *isa);

/**
 * pseries_processor_trust - may firmware's CEDE latencies be believed
 * @pvr: Processor Version Register, any value; the revision plays no part
 * @isa: ISA level of the partition
 *
 * Believed on POWER10 and whatever follows it, in every mode: ISA 3.1 is
 * proof of that, and below it a PVR that is not known to precede POWER10.
 *
 * Return: whether, and which of the two facts decided.
 */
enum pseries_idle_trust pseries_processor_trust(u32 pvr, enum pseries_isa isa);

/**
 * enum pseries_idle_guest_stop - may a partition idle in stop, or why not
 * @PSERIES_IDLE_STOP_NOT_VOUCHED: the administrator does not vouch for it
 * @PSERIES_IDLE_STOP_DEDICATED: not offered to dedicated partitions
 * @PSERIES_IDLE_STOP_OLD_ISA: there is no stop below ISA 3.0
 * @PSERIES_IDLE_STOP_OLD_POWER9: a stop of a partition can miss its wake-up on
 *	a POWER9 before DD2.3
 * @PSERIES_IDLE_STOP_ALLOWED: it may
 *
 * Where several reasons forbid it, the first of this list is given.
 */
enum pseries_idle_guest_stop {
	PSERIES_IDLE_STOP_NOT_VOUCHED,
	PSERIES_IDLE_STOP_DEDICATED,
	PSERIES_IDLE_STOP_OLD_ISA,
	PSERIES_IDLE_STOP_OLD_POWER9,
	PSERIES_IDLE_STOP_ALLOWED,
};

/**
 * pseries_processor_guest_stop - does the processor let a partition use stop
 * @pvr: Processor Version Register: the physical processor, in every mode
 * @isa: ISA level of the partition
 *
 * Power ISA 3.0 has stop. On POWER9 before DD2.3 a thread that a partition
 * stopped can miss its wake-up, as the review of the proposal to use it says
 * (linuxppc-dev, March 2020, "Add support for stop instruction inside KVM
 * guest").
 *
 * The revision of a POWER9, PVR version 0x4e, is the low 12 bits of its PVR:
 * 0x0203 is DD2.3. The four bits above tell the chip and the size of its
 * cores, so that 0x004e0202 and 0x004e1202 are both DD2.2. Chips that count
 * their revisions from DD1.0 again (0x2xxx, 0x3xxx) come out as too old, as
 * nothing published says from when on they are safe. No other processor is
 * known to have the fault. One that is not known counts as newer, in every
 * mode: version 0x4f for one, a POWER9 that was never sold. (A logical PVR
 * would count so, too, but the register never has one.)
 *
 * Return: PSERIES_IDLE_STOP_OLD_ISA, PSERIES_IDLE_STOP_OLD_POWER9 or
 * PSERIES_IDLE_STOP_ALLOWED.
 */
enum pseries_idle_guest_stop
pseries_processor_guest_stop(u32 pvr, enum pseries_isa isa);

/* What firmware says about CEDE: lib/pseries_idle/xcede.c */

/**
 * enum pseries_xcede_verdict - what came of decoding firmware's answer
 * @PSERIES_XCEDE_NO_ANSWER: nothing was decoded; what zeroed memory means
 * @PSERIES_XCEDE_OK: the answer was taken, whole
 * @PSERIES_XCEDE_TOO_SHORT: no room for record size and final NUL
 * @PSERIES_XCEDE_BEYOND_BUFFER: it claims more bytes than the buffer holds
 * @PSERIES_XCEDE_SMALL_RECORDS: records too small for specifier and latency
 * @PSERIES_XCEDE_TRAILING_BYTES: bytes other than one final NUL follow the
 *	last whole record
 * @PSERIES_XCEDE_SPECIFIER_ORDER: a specifier is not its predecessor plus one
 * @PSERIES_XCEDE_LATENCY_ORDER: a latency is below its predecessor
 *
 * An answer with several faults is refused for the first: framing in the
 * order of this list, then record by record, specifier before latency.
 */
enum pseries_xcede_verdict {
	PSERIES_XCEDE_NO_ANSWER,
	PSERIES_XCEDE_OK,
	PSERIES_XCEDE_TOO_SHORT,
	PSERIES_XCEDE_BEYOND_BUFFER,
	PSERIES_XCEDE_SMALL_RECORDS,
	PSERIES_XCEDE_TRAILING_BYTES,
	PSERIES_XCEDE_SPECIFIER_ORDER,
	PSERIES_XCEDE_LATENCY_ORDER,
};

/**
 * enum pseries_xcede_irq - does an external interrupt end a CEDE state
 * @PSERIES_XCEDE_IRQ_NOT_TOLD: the records are too small to say
 * @PSERIES_XCEDE_IRQ_IGNORED: it does not
 * @PSERIES_XCEDE_IRQ_WAKES: it does
 */
enum pseries_xcede_irq {
	PSERIES_XCEDE_IRQ_NOT_TOLD,
	PSERIES_XCEDE_IRQ_IGNORED,
	PSERIES_XCEDE_IRQ_WAKES,
};

/**
 * struct pseries_xcede_record - one cede latency setting
 * @latency_ticks: maximum wake-up latency, in timebase ticks
 * @irq: whether an external interrupt ends the state
 * @specifier: what a partition puts into its VPA to ask for the state
 */
struct pseries_xcede_record {
	u64 latency_ticks;
	enum pseries_xcede_irq irq;
	u8 specifier;
};

/**
 * struct pseries_xcede - firmware's decoded answer, a view of its bytes
 * @verdict: whether the answer was taken, or why not
 * @missing_nul: taken although the final NUL is missing
 * @count: number of records, 0 to 256; 0 unless @verdict is PSERIES_XCEDE_OK
 * @record_size: bytes a record takes in the answer, 9 to 256; 0 unless taken
 * @records: first record inside the bytes given to pseries_xcede_decode(),
 *	which have to outlive this view; NULL unless taken
 */
struct pseries_xcede {
	enum pseries_xcede_verdict verdict;
	bool missing_nul;
	unsigned int count;
	unsigned int record_size;
	const u8 *records;
};

/**
 * pseries_xcede_decode - decode firmware's CEDE latency settings
 * @answer: the answer, its 16-bit length field first
 * @size: bytes that may be read at @answer; more than the answer takes is fine
 * @xcede: set to a view of the answer, see &struct pseries_xcede
 *
 * Any bytes will do: no byte beyond @size is read, and an answer that is not
 * well-formed is refused with its reason in @xcede and no record.
 */
void pseries_xcede_decode(const u8 *answer, size_t size,
			  struct pseries_xcede *xcede);

/**
 * pseries_xcede_record - one record of a decoded answer
 * @xcede: what pseries_xcede_decode() made of the answer
 * @index: which record, from 0
 *
 * Return: the record. Where the answer has none of that index, all of it is
 * zero, a latency that no policy finds usable.
 */
struct pseries_xcede_record
pseries_xcede_record(const struct pseries_xcede *xcede, unsigned int index);

/**
 * pseries_xcede_verdict_text - a verdict in words
 * @verdict: the verdict, any value
 *
 * Return: words that complete "firmware's CEDE latency settings: ...".
 */
const char *pseries_xcede_verdict_text(enum pseries_xcede_verdict verdict);

/* What follows for the idle states: lib/pseries_idle/states.c */

/**
 * struct pseries_idle_platform - the facts that the policy depends on
 * @pvr: Processor Version Register: the physical processor, in every mode
 * @isa: ISA level of the partition
 * @splpar: firmware offers shared processor LPAR calls (H_CEDE among them)
 * @shared: the partition draws from a shared processor pool
 * @guest_stop: the administrator vouches that the hypervisor lets the
 *	partition execute stop, here and wherever it may migrate to. No fact
 *	that a partition could read tells, and where it is not so, the first
 *	stop is a program interrupt that kills the idle task.
 * @tb_hz: timebase frequency in Hz, 1 MHz up to what a 32-bit device tree
 *	cell holds; 512 MHz on POWER servers
 */
struct pseries_idle_platform {
	u32 pvr;
	enum pseries_isa isa;
	bool splpar;
	bool shared;
	bool guest_stop;
	u64 tb_hz;
};

/**
 * enum pseries_idle_kind - how an idle state is entered
 * @PSERIES_IDLE_SNOOZE: poll at low SMT priority
 * @PSERIES_IDLE_CEDE: cede, donating the dedicated processor
 * @PSERIES_IDLE_SHARED_CEDE: cede to the shared pool
 * @PSERIES_IDLE_STOP0LITE: stop, keeping the processor, all registers, and
 *	the place in the program
 * @PSERIES_IDLE_KINDS: their number
 */
enum pseries_idle_kind {
	PSERIES_IDLE_SNOOZE,
	PSERIES_IDLE_CEDE,
	PSERIES_IDLE_SHARED_CEDE,
	PSERIES_IDLE_STOP0LITE,
	PSERIES_IDLE_KINDS,
};

/**
 * struct pseries_idle_state - one row of the state table
 * @name: name in sysfs
 * @kind: how it is entered
 * @exit_latency_us: time to leave it, in microseconds
 * @target_residency_us: shortest stay that pays, in microseconds
 * @polling: the CPU keeps running and watches for work
 */
struct pseries_idle_state {
	const char *name;
	enum pseries_idle_kind kind;
	u32 exit_latency_us;
	u32 target_residency_us;
	bool polling;
};

/**
 * enum pseries_idle_why - where the numbers of the CEDE state came from
 * @PSERIES_IDLE_WHY_SHARED: shared partition, whose table is fixed
 * @PSERIES_IDLE_WHY_OLD_PROCESSOR: default; the processor precedes POWER10
 * @PSERIES_IDLE_WHY_NO_ANSWER: default; firmware gave no answer
 * @PSERIES_IDLE_WHY_REFUSED: default; firmware's answer was refused
 * @PSERIES_IDLE_WHY_NO_RECORDS: default; the answer holds no record
 * @PSERIES_IDLE_WHY_ALL_ZERO: default; every latency is zero
 * @PSERIES_IDLE_WHY_TOO_SLOW: default; no latency but zero is within 1 ms
 * @PSERIES_IDLE_WHY_FIRMWARE: firmware's lowest usable latency
 */
enum pseries_idle_why {
	PSERIES_IDLE_WHY_SHARED,
	PSERIES_IDLE_WHY_OLD_PROCESSOR,
	PSERIES_IDLE_WHY_NO_ANSWER,
	PSERIES_IDLE_WHY_REFUSED,
	PSERIES_IDLE_WHY_NO_RECORDS,
	PSERIES_IDLE_WHY_ALL_ZERO,
	PSERIES_IDLE_WHY_TOO_SLOW,
	PSERIES_IDLE_WHY_FIRMWARE,
};

#define PSERIES_IDLE_MAX_STATES	3

/**
 * struct pseries_idle_table - idle states of a partition, and their reasons
 * @count: number of states, 2 or 3; 0 if there is no table
 * @states: the states, shallowest first
 * @snooze_timeout_ticks: how long snooze polls, in timebase ticks
 * @trust: whether firmware's latencies may be believed, and why
 * @guest_stop: whether stop0lite is among the states, or why not
 * @why: where the latency of the CEDE state, the deepest, came from
 * @record: the record that gave it, if @why is PSERIES_IDLE_WHY_FIRMWARE
 */
struct pseries_idle_table {
	unsigned int count;
	struct pseries_idle_state states[PSERIES_IDLE_MAX_STATES];
	u64 snooze_timeout_ticks;
	enum pseries_idle_trust trust;
	enum pseries_idle_guest_stop guest_stop;
	enum pseries_idle_why why;
	unsigned int record;
};

/**
 * pseries_idle_wants_firmware - is firmware to be asked for CEDE latencies
 * @platform: the facts; @tb_hz and @guest_stop play no part
 *
 * Return: true if pseries_idle_build() would look at an answer.
 */
bool pseries_idle_wants_firmware(const struct pseries_idle_platform *platform);

/**
 * pseries_idle_build - the idle states of a partition
 * @platform: the facts
 * @xcede: firmware's decoded answer; zeroed if there is none
 * @table: the result, all zero on error
 *
 * Return: 0; -ENODEV if the partition cannot cede; -EINVAL if the timebase
 * frequency is out of range.
 */
int pseries_idle_build(const struct pseries_idle_platform *platform,
		       const struct pseries_xcede *xcede,
		       struct pseries_idle_table *table);

/**
 * pseries_idle_ticks_to_us - timebase ticks in microseconds, rounded up
 * @ticks: timebase ticks, any value
 * @tb_hz: timebase frequency in Hz, see &struct pseries_idle_platform
 * @us: set to the exact quotient, rounded up, on success
 *
 * Return: 0, or -EINVAL if @tb_hz is out of range.
 */
int pseries_idle_ticks_to_us(u64 ticks, u64 tb_hz, u64 *us);

/**
 * pseries_idle_why_text - a reason in words
 * @why: the reason, any value
 *
 * Return: words that complete "CEDE latency: ...".
 */
const char *pseries_idle_why_text(enum pseries_idle_why why);

/**
 * pseries_idle_guest_stop_text - a reason for or against stop0lite in words
 * @guest_stop: the reason, any value
 *
 * Return: words that complete "stop0lite: ...".
 */
const char *pseries_idle_guest_stop_text(enum pseries_idle_guest_stop guest_stop);

#endif /* _LINUX_PSERIES_IDLE_H */
