// SPDX-License-Identifier: GPL-2.0
/*
 * What a PVR says about the processor behind a pseries partition.
 *
 * Firmware's CEDE latencies are realistic from POWER10 on; before, they leave
 * out the hypervisor's own share of a wake-up. That is a property of the
 * physical processor, whatever mode the partition runs in, and processors to
 * come inherit it. So the old ones are listed, and only those: the list is
 * complete for good, while a list of new ones would need an entry per year.
 */

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/pseries_idle.h>

#define PVR_VERSION_SHIFT	16
#define PVR_POWER9		0x4e
/* Of a POWER9: the bits above tell chip and size of its cores. */
#define PVR_POWER9_REVISION	0x0fff
#define POWER9_DD2_3		0x0203
#define LOGICAL_PVR_PREFIX	0x0f

struct processor {
	u16 version;		/* PVR bits 31:16 */
	enum pseries_isa isa;
	const char *name;
};

/*
 * PVR versions as the processors' manuals and arch/powerpc have them, names as
 * they are sold. Ascending; a PVR that is not listed is newer than the list.
 */
static const struct processor processors[] = {
	{ 0x33, PSERIES_ISA_OLDER, "RS64-II" },
	{ 0x34, PSERIES_ISA_OLDER, "RS64-III" },
	{ 0x35, PSERIES_ISA_OLDER, "POWER4" },
	{ 0x36, PSERIES_ISA_OLDER, "RS64-III" },
	{ 0x37, PSERIES_ISA_OLDER, "RS64-IV" },
	{ 0x38, PSERIES_ISA_OLDER, "POWER4+" },
	{ 0x39, PSERIES_ISA_OLDER, "PPC970" },
	{ 0x3a, PSERIES_ISA_OLDER, "POWER5" },
	{ 0x3b, PSERIES_ISA_2_04,  "POWER5+" },
	{ 0x3c, PSERIES_ISA_OLDER, "PPC970FX" },
	{ 0x3e, PSERIES_ISA_2_05,  "POWER6" },
	{ 0x3f, PSERIES_ISA_2_06,  "POWER7" },
	{ 0x40, PSERIES_ISA_OLDER, "POWER3 (630)" },
	{ 0x41, PSERIES_ISA_OLDER, "POWER3 (630+)" },
	{ 0x44, PSERIES_ISA_OLDER, "PPC970MP" },
	{ 0x45, PSERIES_ISA_OLDER, "PPC970GX" },
	{ 0x4a, PSERIES_ISA_2_06,  "POWER7+" },
	{ 0x4b, PSERIES_ISA_2_07,  "POWER8E" },
	{ 0x4c, PSERIES_ISA_2_07,  "POWER8NVL" },
	{ 0x4d, PSERIES_ISA_2_07,  "POWER8" },
	{ 0x4e, PSERIES_ISA_3_0,   "POWER9" },
	{ 0x66, PSERIES_ISA_2_07,  "HX-C2000" },
	{ 0x70, PSERIES_ISA_OLDER, "Cell" },
	{ 0x80, PSERIES_ISA_3_1,   "POWER10" },
	{ 0x82, PSERIES_ISA_3_1,   "POWER11" },
	{ 0x90, PSERIES_ISA_2_04,  "PA6T" },
};

struct logical_pvr {
	u32 value;
	enum pseries_isa isa;
};

/* What the device tree's cpu-version says in a compatibility mode (LoPAR). */
static const struct logical_pvr logical_pvrs[] = {
	{ 0x0f000001, PSERIES_ISA_2_04 },
	{ 0x0f000002, PSERIES_ISA_2_05 },
	{ 0x0f000003, PSERIES_ISA_2_06 },
	{ 0x0f100003, PSERIES_ISA_2_06 },	/* 2.06+: the largest, and old */
	{ 0x0f000004, PSERIES_ISA_2_07 },
	{ 0x0f000005, PSERIES_ISA_3_0 },
	{ 0x0f000006, PSERIES_ISA_3_1 },
	{ 0x0f000007, PSERIES_ISA_3_1 },	/* on POWER11 */
};

/* From the newest down: nearly every PVR there can be ends in one step. */
static const struct processor *find_processor(u32 pvr)
{
	u16 version = pvr >> PVR_VERSION_SHIFT;
	size_t i = ARRAY_SIZE(processors);

	while (i && processors[i - 1].version > version)
		i--;
	return i && processors[i - 1].version == version ? &processors[i - 1] : NULL;
}

const char *pseries_processor_name(u32 pvr)
{
	const struct processor *processor = find_processor(pvr);

	return processor ? processor->name : NULL;
}

static int isa_from_logical_pvr(u32 value, enum pseries_isa *isa)
{
	for (size_t i = 0; i < ARRAY_SIZE(logical_pvrs); i++) {
		if (logical_pvrs[i].value == value) {
			*isa = logical_pvrs[i].isa;
			return 0;
		}
	}
	return -ENOENT;
}

int pseries_isa_from_cpu_version(u32 cpu_version, enum pseries_isa *isa)
{
	const struct processor *processor;

	if (cpu_version >> 24 == LOGICAL_PVR_PREFIX)
		return isa_from_logical_pvr(cpu_version, isa);

	processor = find_processor(cpu_version);
	if (!processor)
		return -ENOENT;
	*isa = processor->isa;
	return 0;
}

enum pseries_idle_trust pseries_processor_trust(u32 pvr, enum pseries_isa isa)
{
	const struct processor *processor;

	if (isa >= PSERIES_ISA_3_1)
		return PSERIES_IDLE_TRUST_ISA;

	processor = find_processor(pvr);
	if (processor && processor->isa < PSERIES_ISA_3_1)
		return PSERIES_IDLE_DISTRUST;
	return PSERIES_IDLE_TRUST_PVR;
}

static bool is_power9_before_dd2_3(u32 pvr)
{
	return pvr >> PVR_VERSION_SHIFT == PVR_POWER9 &&
	       (pvr & PVR_POWER9_REVISION) < POWER9_DD2_3;
}

enum pseries_idle_guest_stop
pseries_processor_guest_stop(u32 pvr, enum pseries_isa isa)
{
	if (isa < PSERIES_ISA_3_0)
		return PSERIES_IDLE_STOP_OLD_ISA;
	if (is_power9_before_dd2_3(pvr))
		return PSERIES_IDLE_STOP_OLD_POWER9;
	return PSERIES_IDLE_STOP_ALLOWED;
}
