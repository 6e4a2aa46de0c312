/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit suite cpuidle_latency prints, read from a kernel log or KTAP,
 * whatever else is in there.
 */
#ifndef _PSERIES_IDLE_LATENCY_LOG_H
#define _PSERIES_IDLE_LATENCY_LOG_H

#include <linux/types.h>

/* "10 Shared Cede": number and name of a state; or "busy". */
#define LABEL_SIZE	24

enum source { SOURCE_TIMER, SOURCE_IPI, SOURCES };

extern const char * const source_names[SOURCES];

/* Numbers in ns, if they are not hundredths of that. */
struct summary {
	u32 min, median, percentile_90, percentile_99, max;
	u64 mean_centi, stddev_centi;
};

/* A CPU woken up from a state by a source, many times. */
struct wakeups {
	u32 cpu;
	enum source source;
	char label[LABEL_SIZE];
	bool in_table;
	bool busy;
	u32 exit_latency_us;
	u32 dropped;
	u32 count, announced, room;
	u32 *ns;
	struct summary summary;
};

struct latency_log {
	const char *name;
	size_t count;
	struct wakeups *wakeups;	/* as the tables have them */
};

/* Each summary is what the samples in the log come to, or the log is bad. */
void read_latency_log(const char *path, struct latency_log *log);
void free_latency_log(struct latency_log *log);

/* The series in @log of the same CPU, source and state; NULL if it has none. */
const struct wakeups *find_wakeups(const struct latency_log *log,
				   const struct wakeups *like);

#endif
