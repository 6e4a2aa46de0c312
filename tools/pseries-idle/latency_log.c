// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/array_size.h>

#include "input.h"
#include "latency_log.h"

#define MAX_LOG		(64 << 20)
#define MAX_SERIES	16384
#define MAX_CPU		65535

/* What the suite keeps to. */
#define MAX_SAMPLES	100000
#define MAX_NS		999999999

#define SAMPLES_MARK	"# wakeup: samples "
#define TITLE_MARK	"# latency of wake-ups, CPU "
#define LINE_MARK	"# "
#define NUMBERS		10	/* in a row of a table, after the label */

const char * const source_names[SOURCES] = {
	[SOURCE_TIMER] = "timer",
	[SOURCE_IPI] = "IPI",
};

/* A log that is being read: which line, and which table that is in. */
struct reader {
	struct latency_log *log;
	char where[512];
	const char *at;
	bool in_table;
	u32 cpu;
	enum source source;
};

static bool skip(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(reader->at, word, length))
		return false;
	reader->at += length;
	return true;
}

static void expect(struct reader *reader, const char *word)
{
	if (!skip(reader, word))
		bad_input("%s: \"%s\" is missing before \"%.40s\": is the line cut off?",
			  reader->where, word, reader->at);
}

static u64 take_number(struct reader *reader, u64 highest, const char *what)
{
	char digits[21];
	size_t length = strspn(reader->at, "0123456789");

	if (!length || length >= sizeof(digits))
		bad_input("%s: %s \"%.40s\" is not a number: is the line cut off?",
			  reader->where, what, reader->at);
	memcpy(digits, reader->at, length);
	digits[length] = '\0';
	reader->at += length;
	return parse_number(digits, highest, what, reader->where);
}

static enum source take_source(struct reader *reader)
{
	for (enum source source = 0; source < SOURCES; source++)
		if (skip(reader, source_names[source]))
			return source;
	bad_input("%s: nothing wakes up by \"%.40s\"", reader->where,
		  reader->at);
}

static struct wakeups *find(const struct latency_log *log, u32 cpu,
			    enum source source, const char *label)
{
	/* Backwards, as lines of the same series come one after the other. */
	for (size_t i = log->count; i-- > 0;) {
		struct wakeups *wakeups = &log->wakeups[i];

		if (wakeups->cpu == cpu && wakeups->source == source &&
		    !strcmp(wakeups->label, label))
			return wakeups;
	}
	return NULL;
}

/* NULL never comes back: without memory there is nothing to go on with. */
static void *grow(void *memory, size_t count, size_t size)
{
	memory = reallocarray(memory, count, size);
	if (!memory)
		bad_input("no memory for %zu times %zu bytes", count, size);
	return memory;
}

static struct wakeups *find_or_add(struct reader *reader, u32 cpu,
				   enum source source, const char *label)
{
	struct latency_log *log = reader->log;
	struct wakeups *wakeups = find(log, cpu, source, label);

	if (wakeups)
		return wakeups;
	if (log->count == MAX_SERIES)
		bad_input("%s: more than %d series", reader->where, MAX_SERIES);
	log->wakeups = grow(log->wakeups, log->count + 1, sizeof(*wakeups));
	wakeups = &log->wakeups[log->count++];
	*wakeups = (struct wakeups) { .cpu = cpu, .source = source };
	memcpy(wakeups->label, label, strlen(label) + 1);
	return wakeups;
}

static void copy_label(struct reader *reader, const char *from, size_t length,
		       char *label)
{
	while (length && from[length - 1] == ' ')
		length--;
	if (!length || length >= LABEL_SIZE)
		bad_input("%s: the name of a state has 1 to %d letters",
			  reader->where, LABEL_SIZE - 1);
	memcpy(label, from, length);
	label[length] = '\0';
}

/* "CPU 1, IPI, 1 Shared Cede:" */
static struct wakeups *take_series(struct reader *reader)
{
	char label[LABEL_SIZE];
	enum source source;
	const char *colon;
	u32 cpu;

	expect(reader, ", CPU ");
	cpu = take_number(reader, MAX_CPU, "CPU");
	expect(reader, ", ");
	source = take_source(reader);
	expect(reader, ", ");
	colon = strrchr(reader->at, ':');
	if (!colon)
		bad_input("%s: \":\" is missing: is the line cut off?",
			  reader->where);
	copy_label(reader, reader->at, colon - reader->at, label);
	reader->at = colon + 1;
	return find_or_add(reader, cpu, source, label);
}

static void make_room(struct wakeups *wakeups, u32 count)
{
	if (count <= wakeups->room)
		return;
	wakeups->room = 2 * count;
	wakeups->ns = grow(wakeups->ns, wakeups->room, sizeof(*wakeups->ns));
}

/* "1 to 12 of 400, CPU 1, IPI, 1 Shared Cede: 7564 ..." */
static void read_samples(struct reader *reader)
{
	u32 first, last, announced;
	struct wakeups *wakeups;

	first = take_number(reader, MAX_SAMPLES, "sample");
	expect(reader, " to ");
	last = take_number(reader, MAX_SAMPLES, "sample");
	expect(reader, " of ");
	announced = take_number(reader, MAX_SAMPLES, "number of samples");
	wakeups = take_series(reader);
	if (first != wakeups->count + 1 || last < first || last > announced ||
	    (wakeups->count && announced != wakeups->announced))
		bad_input("%s: samples %u to %u of %u cannot follow %u: are two runs in this log?",
			  reader->where, first, last, announced, wakeups->count);
	wakeups->announced = announced;
	make_room(wakeups, last);
	while (wakeups->count < last) {
		expect(reader, " ");
		wakeups->ns[wakeups->count++] = take_number(reader, MAX_NS,
							    "latency");
	}
	if (*reader->at)
		bad_input("%s: \"%.40s\" is left over", reader->where,
			  reader->at);
}

/* "1, IPI (ns" */
static void read_title(struct reader *reader)
{
	reader->cpu = take_number(reader, MAX_CPU, "CPU");
	expect(reader, ", ");
	reader->source = take_source(reader);
	reader->in_table = true;
}

/* Where the last @count words of a text begin; NULL if there are fewer. */
static const char *last_words(const char *text, unsigned int count)
{
	const char *at = text + strlen(text);

	while (count--) {
		while (at > text && at[-1] == ' ')
			at--;
		if (at == text)
			return NULL;
		while (at > text && at[-1] != ' ')
			at--;
	}
	return at;
}

static u64 take_next(struct reader *reader, u64 highest, const char *what)
{
	reader->at += strspn(reader->at, " ");
	return take_number(reader, highest, what);
}

/* "5668.74" as 566874 */
static u64 take_centi(struct reader *reader, const char *what)
{
	u64 whole = take_next(reader, MAX_NS, what);

	expect(reader, ".");
	if (strspn(reader->at, "0123456789") < 2)
		bad_input("%s: %s has not two decimals: is the line cut off?",
			  reader->where, what);
	reader->at += 2;
	return whole * 100 + (reader->at[-2] - '0') * 10 + (reader->at[-1] - '0');
}

static void take_summary(struct reader *reader, struct summary *summary)
{
	summary->min = take_next(reader, MAX_NS, "min");
	summary->median = take_next(reader, MAX_NS, "median");
	summary->mean_centi = take_centi(reader, "avg");
	summary->percentile_90 = take_next(reader, MAX_NS, "90%ile");
	summary->percentile_99 = take_next(reader, MAX_NS, "99%ile");
	summary->max = take_next(reader, MAX_NS, "max");
	summary->stddev_centi = take_centi(reader, "stddev");
}

static bool is_header(const char *text)
{
	return !strncmp(text, "state ", strlen("state "));
}

/* Of a table, from the label on. What is no row ends the table. */
static void read_row(struct reader *reader)
{
	const char *numbers = last_words(reader->at, NUMBERS);
	char label[LABEL_SIZE];
	struct wakeups *wakeups;
	u32 count;

	if (is_header(reader->at))
		return;
	reader->in_table = numbers && numbers > reader->at &&
			   strspn(numbers, "-.0123456789 ") == strlen(numbers);
	if (!reader->in_table)
		return;
	copy_label(reader, reader->at, numbers - reader->at, label);
	wakeups = find_or_add(reader, reader->cpu, reader->source, label);
	if (wakeups->in_table)
		bad_input("%s: CPU %u, %s, %s is in two tables: are two runs in this log?",
			  reader->where, reader->cpu,
			  source_names[reader->source], label);
	wakeups->in_table = true;
	reader->at = numbers;
	wakeups->busy = skip(reader, "-");
	if (!wakeups->busy)
		wakeups->exit_latency_us = take_next(reader, UINT32_MAX,
						     "exit latency");
	count = take_next(reader, MAX_SAMPLES, "N");
	wakeups->dropped = take_next(reader, MAX_SAMPLES, "dropped");
	take_summary(reader, &wakeups->summary);
	if (count != wakeups->count)
		bad_input("%s: N is %u, but %u samples are in the log: is it cut off?",
			  reader->where, count, wakeups->count);
}

/* Goes to what follows the mark, if the line has it. */
static bool find_mark(struct reader *reader, const char *line, const char *mark)
{
	const char *found = strstr(line, mark);

	if (found)
		reader->at = found + strlen(mark);
	return found;
}

static void read_line(struct reader *reader, const char *line)
{
	if (find_mark(reader, line, SAMPLES_MARK))
		read_samples(reader);
	else if (find_mark(reader, line, TITLE_MARK))
		read_title(reader);
	else if (reader->in_table && find_mark(reader, line, LINE_MARK))
		read_row(reader);
}

/* Do the samples come to what the table says? */

static int compare(const void *a, const void *b)
{
	const u32 *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static u32 nearest_rank(const u32 *sorted, u32 count, u32 percent)
{
	return sorted[((u64)count * percent + 99) / 100 - 1];
}

/* Rounded down, as the table; to a whole ns where that is, too. */
static bool is_near(u64 printed, long double exact)
{
	long double tolerance = exact < (long double)UINT32_MAX - 1 ? 1 : 100;

	return printed <= exact + 0.001L && printed + tolerance >= exact;
}

static bool agrees(const u32 *sorted, u32 count, const struct summary *summary)
{
	long double sum = 0, squares = 0, mean;

	for (u32 i = 0; i < count; i++)
		sum += sorted[i];
	mean = sum / count;
	for (u32 i = 0; i < count; i++)
		squares += (sorted[i] - mean) * (sorted[i] - mean);
	return summary->min == sorted[0] &&
	       summary->median == nearest_rank(sorted, count, 50) &&
	       summary->percentile_90 == nearest_rank(sorted, count, 90) &&
	       summary->percentile_99 == nearest_rank(sorted, count, 99) &&
	       summary->max == sorted[count - 1] &&
	       is_near(summary->mean_centi, 100 * mean) &&
	       is_near(summary->stddev_centi,
		       count > 1 ? 100 * sqrtl(squares / (count - 1)) : 0);
}

static void check_series(const struct latency_log *log,
			 const struct wakeups *wakeups)
{
	u32 *sorted;
	bool right;

	if (!wakeups->in_table)
		bad_input("%s: samples of CPU %u, %s, %s, but no table with them: is it cut off?",
			  log->name, wakeups->cpu,
			  source_names[wakeups->source], wakeups->label);
	if (!wakeups->count)
		return;
	sorted = grow(NULL, wakeups->count, sizeof(*sorted));
	memcpy(sorted, wakeups->ns, wakeups->count * sizeof(*sorted));
	qsort(sorted, wakeups->count, sizeof(*sorted), compare);
	right = agrees(sorted, wakeups->count, &wakeups->summary);
	free(sorted);
	if (!right)
		bad_input("%s: CPU %u, %s, %s: the samples do not come to its row",
			  log->name, wakeups->cpu,
			  source_names[wakeups->source], wakeups->label);
}

static void read_lines(struct latency_log *log, char *text)
{
	struct reader reader = { .log = log };
	unsigned int number = 0;

	while (*text) {
		char *end = strchrnul(text, '\n');
		char *next = *end ? end + 1 : end;

		*end = '\0';
		text[strcspn(text, "\r")] = '\0';
		snprintf(reader.where, sizeof(reader.where), "%.400s:%u",
			 log->name, ++number);
		read_line(&reader, text);
		text = next;
	}
}

void read_latency_log(const char *path, struct latency_log *log)
{
	char *text = grow(NULL, MAX_LOG + 1, 1);
	size_t size = read_file(path, text, MAX_LOG);

	*log = (struct latency_log) { .name = path };
	text[size] = '\0';
	/* A console may have printed them, and they end no line. */
	for (size_t i = 0; i < size; i++)
		if (!text[i])
			text[i] = '?';
	read_lines(log, text);
	free(text);
	if (!log->count)
		bad_input("%s: has no table of wake-ups: did the suite cpuidle_latency run?",
			  path);
	for (size_t i = 0; i < log->count; i++)
		check_series(log, &log->wakeups[i]);
}

void free_latency_log(struct latency_log *log)
{
	for (size_t i = 0; i < log->count; i++)
		free(log->wakeups[i].ns);
	free(log->wakeups);
}

const struct wakeups *find_wakeups(const struct latency_log *log,
				   const struct wakeups *like)
{
	return find(log, like->cpu, like->source, like->label);
}
