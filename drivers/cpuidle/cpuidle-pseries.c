// SPDX-License-Identifier: GPL-2.0
/*
 * Idle driver of pseries partitions.
 *
 * Which states there are, and how deep they are, is for lib/pseries_idle to
 * say. Here is what touches the machine: reading the facts that it decides
 * by, entering the states, and telling cpuidle and the administrator.
 *
 * The table is made once, at boot. A migration can change every fact that it
 * was made of; so whatever leads from facts to states stays after boot, and
 * only registration is __init.
 */
#define pr_fmt(fmt) "pseries_idle: " fmt

#include <linux/build_bug.h>
#include <linux/cpuhotplug.h>
#include <linux/cpuidle.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/pseries_idle.h>
#include <linux/sched/idle.h>
#include <linux/string.h>

#include <asm/cpu_has_feature.h>
#include <asm/firmware.h>
#include <asm/hw_irq.h>
#include <asm/idle.h>
#include <asm/lppaca.h>
#include <asm/papr-sysparm.h>
#include <asm/plpar_wrappers.h>
#include <asm/ppc-opcode.h>
#include <asm/processor.h>
#include <asm/reg.h>
#include <asm/time.h>

#include "cpuidle-pseries.h"

/* LoPAR, "System Parameters": cede latency settings information */
#define CEDE_LATENCY_SETTINGS	mk_papr_sysparm(45)

/* CEDE itself, below all extended states that a hint could ask for. */
#define CEDE_WITHOUT_HINT	0

/* PSSCR: requested level 0, which is all that a partition may ask for. */
#define STOP_LEVEL_0		0

/*
 * With pseries_idle.guest_stop=1 the administrator vouches that the hypervisor
 * lets this partition execute stop, that is, that it runs it with ESL and EC
 * of PSSCR cleared. A shared partition then idles in stop0lite, too, where the
 * policy allows that; where it does not, the log says why.
 *
 * The parameter KILLS THE MACHINE if the hypervisor does not: the first stop
 * is then a program interrupt, the idle task dies of it, and the kernel
 * panics, a moment after boot or after a migration. KVM, as of Linux 6.12, is
 * such a hypervisor. A migration is just as fatal, in another way, to a host
 * that the policy would refuse, for it is asked at boot only: on a POWER9
 * before DD2.3 wake-ups get lost.
 */
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX	"pseries_idle."
static bool guest_stop;
module_param(guest_stop, bool, 0444);
MODULE_PARM_DESC(guest_stop,
		 "idle in stop on a shared partition; the kernel dies if the hypervisor does not allow it, as KVM does not (default: 0)");

static struct pseries_cpuidle live __read_mostly;

/* Entering the states */

/* Returns true if it was the time that ran out. */
static __always_inline bool poll_for_work(u64 ticks)
{
	u64 deadline = get_tb() + ticks;

	while (!need_resched()) {
		HMT_low();
		HMT_very_low();
		if (get_tb() > deadline)
			return true;
	}
	return false;
}

__cpuidle int pseries_cpuidle_snooze(struct cpuidle_device *dev,
				     struct cpuidle_driver *drv, int index)
{
	bool timed_out;

	__current_set_polling();
	pseries_idle_prolog();
	raw_local_irq_enable();

	timed_out = poll_for_work(live.snooze_timeout_ticks);

	HMT_medium();
	__current_clr_polling();
	dev->poll_time_limit = timed_out;
	if (timed_out) {
		/*
		 * Whoever saw the flag relies on it instead of sending an
		 * interrupt. The idle loop may look for such work only when
		 * the flag is gone.
		 */
		smp_mb();
	}

	raw_local_irq_disable();
	pseries_idle_epilog();
	return index;
}

/* Returns with interrupts enabled, unless some were pending at the start. */
static __always_inline void cede_until_interrupt(void)
{
	if (!prep_irq_for_idle())
		return;

	cede_processor();
	/* Soft state says enabled by now; a mismatch would outlive us. */
	if (IS_ENABLED(CONFIG_TRACE_IRQFLAGS) && WARN_ON(!(mfmsr() & MSR_EE)))
		__hard_irq_enable();
}

__cpuidle int pseries_cpuidle_cede(struct cpuidle_device *dev,
				   struct cpuidle_driver *drv, int index)
{
	struct lppaca *vpa;
	u8 hint;

	pseries_idle_prolog();
	vpa = get_lppaca();
	vpa->donate_dedicated_cpu = 1;
	hint = vpa->cede_latency_hint;
	vpa->cede_latency_hint = CEDE_WITHOUT_HINT;

	HMT_medium();
	cede_until_interrupt();
	raw_local_irq_disable();

	/* Read again: cheaper than keeping it across the call. */
	vpa = get_lppaca();
	vpa->donate_dedicated_cpu = 0;
	vpa->cede_latency_hint = hint;
	pseries_idle_epilog();
	return index;
}

__cpuidle int pseries_cpuidle_shared_cede(struct cpuidle_device *dev,
					  struct cpuidle_driver *drv, int index)
{
	pseries_idle_prolog();
	cede_until_interrupt();
	raw_local_irq_disable();
	pseries_idle_epilog();
	return index;
}

/* What ends a stop is not taken by it, for MSR says no, but pending after it. */
static __always_inline void stop_until_interrupt(void)
{
	if (!prep_irq_for_idle())
		return;

	mtspr(SPRN_PSSCR_PR, STOP_LEVEL_0);
	asm volatile(PPC_STOP : : : "memory");
	__hard_irq_enable();
}

__cpuidle int pseries_cpuidle_stop0lite(struct cpuidle_device *dev,
					struct cpuidle_driver *drv, int index)
{
	pseries_idle_prolog();
	stop_until_interrupt();
	raw_local_irq_disable();
	pseries_idle_epilog();
	return index;
}

/* From facts to states */

/* No feature bit tells the levels before POWER7's apart. */
static enum pseries_isa isa_level(void)
{
	if (cpu_has_feature(CPU_FTR_ARCH_31))
		return PSERIES_ISA_3_1;
	if (cpu_has_feature(CPU_FTR_ARCH_300))
		return PSERIES_ISA_3_0;
	if (cpu_has_feature(CPU_FTR_ARCH_207S))
		return PSERIES_ISA_2_07;
	if (cpu_has_feature(CPU_FTR_ARCH_206))
		return PSERIES_ISA_2_06;
	return PSERIES_ISA_OLDER;
}

static struct pseries_idle_platform read_platform(void)
{
	return (struct pseries_idle_platform) {
		.pvr = mfspr(SPRN_PVR),
		.isa = isa_level(),
		.splpar = firmware_has_feature(FW_FEATURE_SPLPAR),
		.shared = lppaca_shared_proc(),
		.guest_stop = guest_stop,
		.tb_hz = tb_ticks_per_sec,
	};
}

static int ask_firmware(struct papr_sysparm_buf *answer)
{
	return papr_sysparm_get(CEDE_LATENCY_SETTINGS, answer);
}

static const char *no_answer_text(int err)
{
	switch (err) {
	case -ENOENT:
		return "no way to ask for them";
	case -EOPNOTSUPP:
		return "not offered";
	case -EPERM:
		return "not for this partition to read";
	default:
		return "not available";
	}
}

#define SETTINGS "firmware's CEDE latency settings: "

static void log_latencies(const struct pseries_xcede *xcede, u64 tb_hz)
{
	u64 lowest_us = 0, highest_us = 0;
	unsigned int zero = 0;

	/* They ascend. */
	while (zero < xcede->count &&
	       !pseries_xcede_record(xcede, zero).latency_ticks)
		zero++;
	pseries_idle_ticks_to_us(pseries_xcede_record(xcede, zero).latency_ticks,
				 tb_hz, &lowest_us);
	pseries_idle_ticks_to_us(pseries_xcede_record(xcede, xcede->count - 1).latency_ticks,
				 tb_hz, &highest_us);

	pr_info(SETTINGS "%s, extended states: %u, latencies: %llu to %llu us\n",
		pseries_xcede_verdict_text(xcede->verdict), xcede->count,
		lowest_us, highest_us);
	if (zero)
		pr_warn(SETTINGS "latencies of zero, skipped: %u\n", zero);
	if (xcede->missing_nul)
		pr_warn(SETTINGS "the final NUL is missing, tolerated\n");
}

static void log_firmware(int err, const struct pseries_xcede *xcede, u64 tb_hz)
{
	if (err)
		pr_info(SETTINGS "%s (error %d)\n", no_answer_text(err), err);
	else if (xcede->verdict != PSERIES_XCEDE_OK)
		pr_warn(SETTINGS "refused: %s\n",
			pseries_xcede_verdict_text(xcede->verdict));
	else
		log_latencies(xcede, tb_hz);
}

static void log_table(const struct pseries_idle_platform *platform,
		      const struct pseries_idle_table *table)
{
	const struct pseries_idle_state *cede = &table->states[table->count - 1];

	pr_info("%s (PVR 0x%08x), %s partition: %s latency %u us, residency %u us (%s)\n",
		pseries_processor_name(platform->pvr) ?: "unknown processor",
		platform->pvr, platform->shared ? "shared" : "dedicated",
		cede->name, cede->exit_latency_us, cede->target_residency_us,
		pseries_idle_why_text(table->why));
}

/* Not a word to who did not ask for it. */
static void log_guest_stop(const struct pseries_idle_table *table)
{
	const char *text = pseries_idle_guest_stop_text(table->guest_stop);

	if (table->guest_stop == PSERIES_IDLE_STOP_ALLOWED)
		pr_notice("stop0lite: %s, latency %u us, residency %u us; deadly if the hypervisor forbids it\n",
			  text, table->states[1].exit_latency_us,
			  table->states[1].target_residency_us);
	else if (table->guest_stop != PSERIES_IDLE_STOP_NOT_VOUCHED)
		pr_warn("stop0lite: %s\n", text);
}

static int make_table(const struct pseries_cpuidle_ops *ops,
		      struct pseries_idle_table *table)
{
	const struct pseries_idle_platform platform = ops->platform();
	struct papr_sysparm_buf *answer = NULL;
	struct pseries_xcede xcede = {};
	int err;

	if (pseries_idle_wants_firmware(&platform)) {
		answer = papr_sysparm_buf_alloc();
		err = answer ? ops->ask_firmware(answer) : -ENOMEM;
		/* In memory, the length field comes first, as in LoPAR. */
		if (!err)
			pseries_xcede_decode((const u8 *)answer, sizeof(*answer),
					     &xcede);
		log_firmware(err, &xcede, platform.tb_hz);
	}

	err = pseries_idle_build(&platform, &xcede, table);
	if (!err) {
		log_table(&platform, table);
		log_guest_stop(table);
	} else if (err != -ENODEV) {
		pr_err("no idle states: a timebase of %llu Hz cannot be\n",
		       platform.tb_hz);
	}
	papr_sysparm_buf_free(answer);
	return err;
}

static void copy_state(struct cpuidle_state *to,
		       const struct pseries_idle_state *from)
{
	static int (* const enter[PSERIES_IDLE_KINDS])(struct cpuidle_device *,
						       struct cpuidle_driver *,
						       int) = {
		[PSERIES_IDLE_SNOOZE] = pseries_cpuidle_snooze,
		[PSERIES_IDLE_CEDE] = pseries_cpuidle_cede,
		[PSERIES_IDLE_SHARED_CEDE] = pseries_cpuidle_shared_cede,
		[PSERIES_IDLE_STOP0LITE] = pseries_cpuidle_stop0lite,
	};

	strscpy(to->name, from->name);
	strscpy(to->desc, from->name);
	to->flags = from->polling ? CPUIDLE_FLAG_POLLING : CPUIDLE_FLAG_NONE;
	to->exit_latency = from->exit_latency_us;
	to->target_residency = from->target_residency_us;
	to->enter = enter[from->kind];
}

static void copy_table(struct pseries_cpuidle *idle,
		       const struct pseries_idle_table *table)
{
	static_assert(PSERIES_IDLE_MAX_STATES <= CPUIDLE_STATE_MAX);

	idle->driver.name = "pseries_idle";
	idle->driver.owner = THIS_MODULE;
	idle->driver.state_count = table->count;
	for (unsigned int i = 0; i < table->count; i++)
		copy_state(&idle->driver.states[i], &table->states[i]);
	idle->snooze_timeout_ticks = table->snooze_timeout_ticks;
}

/* Registration */

static void enable_idle_states(unsigned int cpu, bool enable)
{
	struct cpuidle_device *dev = per_cpu(cpuidle_devices, cpu);

	if (!dev || !cpuidle_get_driver())
		return;

	cpuidle_pause_and_lock();
	if (enable)
		cpuidle_enable_device(dev);
	else
		cpuidle_disable_device(dev);
	cpuidle_resume_and_unlock();
}

static int cpu_came_online(unsigned int cpu)
{
	enable_idle_states(cpu, true);
	return 0;
}

static int cpu_is_dead(unsigned int cpu)
{
	enable_idle_states(cpu, false);
	return 0;
}

static int __init register_all(const struct pseries_cpuidle_ops *ops,
			       struct cpuidle_driver *driver)
{
	int online, err;

	err = ops->register_driver(driver, NULL);
	if (err)
		return err;

	online = ops->setup_hotplug(CPUHP_AP_ONLINE_DYN, "cpuidle/pseries:online",
				    cpu_came_online, NULL);
	if (online < 0) {
		err = online;
		goto unregister;
	}

	err = ops->setup_hotplug(CPUHP_CPUIDLE_DEAD, "cpuidle/pseries:DEAD",
				 NULL, cpu_is_dead);
	if (err < 0)
		goto remove_online;
	return 0;

remove_online:
	ops->remove_hotplug(online);
unregister:
	ops->unregister_driver(driver);
	return err;
}

int __init pseries_cpuidle_init(const struct pseries_cpuidle_ops *ops,
				struct pseries_cpuidle *idle)
{
	struct pseries_idle_table table;
	int err;

	if (ops->powersave_off())
		return -ENODEV;

	err = make_table(ops, &table);
	if (err)
		return err;

	copy_table(idle, &table);
	err = register_all(ops, &idle->driver);
	if (err)
		pr_err("no idle states: registration failed with error %d\n", err);
	return err;
}

static bool powersave_off(void)
{
	return cpuidle_disable != IDLE_NO_OVERRIDE;
}

static const struct pseries_cpuidle_ops live_ops = {
	.powersave_off = powersave_off,
	.platform = read_platform,
	.ask_firmware = ask_firmware,
	.register_driver = cpuidle_register,
	.unregister_driver = cpuidle_unregister,
	.setup_hotplug = cpuhp_setup_state_nocalls,
	.remove_hotplug = cpuhp_remove_state_nocalls,
};

static int __init pseries_cpuidle_initcall(void)
{
	return pseries_cpuidle_init(&live_ops, &live);
}
device_initcall(pseries_cpuidle_initcall);
