/* SPDX-License-Identifier: GPL-2.0 */
/* What the suites know by themselves, apart from the code under test. */
#ifndef _PSERIES_IDLE_TESTS_ORACLE_H
#define _PSERIES_IDLE_TESTS_ORACLE_H

#include <linux/pseries_idle.h>
#include <linux/types.h>

static inline const char *isa_name(enum pseries_isa isa)
{
	static const char * const names[] = {
		"below 2.04", "2.04", "2.05", "2.06", "2.07", "3.0", "3.1",
		"beyond 3.1",
	};

	return names[isa];
}

static inline const char *trust_name(enum pseries_idle_trust trust)
{
	static const char * const names[] = {
		"distrust", "trust by ISA level", "trust by PVR",
	};

	return names[trust];
}

static inline const char *guest_stop_name(enum pseries_idle_guest_stop stop)
{
	static const char * const names[] = {
		"not vouched for", "refused: dedicated", "refused: ISA level",
		"refused: POWER9 before DD2.3", "allowed",
	};

	return names[stop];
}

/* By PVR version, bits 31:16. As ranges; what lies between is unknown. */
static inline bool precedes_power10(u32 version)
{
	switch (version) {
	case 0x33 ... 0x3c:	/* RS64, POWER4, 970, POWER5 */
	case 0x3e ... 0x41:	/* POWER6, POWER7, 630 */
	case 0x44 ... 0x45:	/* 970 */
	case 0x4a ... 0x4e:	/* POWER7+, POWER8, POWER9 */
	case 0x66:		/* HX-C2000 */
	case 0x70:		/* Cell */
	case 0x90:		/* PA6T */
		return true;
	}
	return false;
}

/* A POWER9 before DD2.3, by the numbers that /proc/cpuinfo takes from a PVR. */
static inline bool misses_wakeups(u32 pvr)
{
	u32 major = pvr >> 8 & 0xf, minor = pvr & 0xff;

	return pvr >> 16 == 0x4e && (major < 2 || (major == 2 && minor < 3));
}

#endif /* _PSERIES_IDLE_TESTS_ORACLE_H */
