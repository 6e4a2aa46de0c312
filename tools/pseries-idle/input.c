// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"

#define MAX_CAPTURE	65536

#define PLACE_SIZE	512

const char * const lpar_names[LPARS] = {
	[LPAR_NO_SPLPAR] = "no SPLPAR",
	[LPAR_SHARED] = "shared",
	[LPAR_DEDICATED] = "dedicated",
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

u64 parse_number(const char *text, u64 highest, const char *what,
		 const char *where)
{
	bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
	unsigned long long number;
	char *end;

	/* strtoull() would take a sign and white space. */
	if (!(hex ? hex_digit(text[2]) >= 0 : is_digit(text[0])))
		bad_input("%s: %s \"%.40s\" is not a number, such as 512000000 or 0x800200",
			  where, what, text);
	errno = 0;
	number = strtoull(text, &end, hex ? 16 : 10);
	if (*end)
		bad_input("%s: %s \"%.40s\" goes on after the number", where,
			  what, text);
	if (errno || number > highest)
		bad_input("%s: %s %.40s is above %llu", where, what, text,
			  (unsigned long long)highest);
	return number;
}

static bool is_printable(char c)
{
	return c >= ' ' && c <= '~';
}

void check_name(const char *text, size_t size, const char *whose,
		const char *where)
{
	size_t length = strlen(text);

	if (!length || length >= size)
		bad_input("%s: the name of a %s has 1 to %zu letters, this one %zu",
			  where, whose, size - 1, length);
	for (size_t i = 0; i < length; i++)
		if (!is_printable(text[i]))
			bad_input("%s: the name of a %s has an unprintable byte, 0x%02x",
				  where, whose, (unsigned char)text[i]);
}

enum lpar parse_lpar(const char *text, const char *where)
{
	for (enum lpar lpar = 0; lpar < LPARS; lpar++)
		if (!strcmp(text, lpar_names[lpar]))
			return lpar;
	bad_input("%s: \"%.40s\" is no kind of partition: say shared, dedicated or \"no SPLPAR\"",
		  where, text);
}

static bool parse_yes_no(const char *text, const char *what, const char *where)
{
	if (strcmp(text, "yes") && strcmp(text, "no"))
		bad_input("%s: %s is \"yes\" or \"no\", not \"%.40s\"", where,
			  what, text);
	return *text == 'y';
}

size_t read_file(const char *path, void *bytes, size_t size)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	size_t got;

	if (!file)
		bad_input("%s: %s", path, strerror(errno));
	errno = 0;
	got = fread(bytes, 1, size, file);
	if (ferror(file))
		bad_input("%s: %s", path, strerror(errno));
	if (got == size && fgetc(file) != EOF)
		bad_input("%s: is longer than %zu bytes", path, size);
	if (file != stdin)
		fclose(file);
	return got;
}

/* False if @text is anything but hexadecimal digits, in pairs. */
static bool parse_hex(const char *text, size_t length, struct firmware_answer *answer,
		      const char *where)
{
	size_t size = 0;

	if (length % 2)
		return false;
	for (size_t i = 0; i < length; i += 2) {
		int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);

		if (high < 0 || low < 0)
			return false;
		if (size == MAX_ANSWER)
			bad_input("%s: the answer is longer than %d bytes",
				  where, MAX_ANSWER);
		answer->bytes[size++] = high << 4 | low;
	}
	answer->size = size;
	answer->given = true;
	return true;
}

void read_answer(const char *text, struct firmware_answer *answer)
{
	if (!*text)
		bad_input("an empty word is no answer: give a file, or bytes in hexadecimal");
	if (parse_hex(text, strlen(text), answer, "argument"))
		return;
	if (!strncmp(text, "0x", 2) && access(text, F_OK))
		bad_input("%.40s: bytes come without 0x", text);
	if (!text[strspn(text, "0123456789abcdefABCDEF")] && access(text, F_OK))
		bad_input("%.40s: an odd number of hexadecimal digits", text);
	answer->size = read_file(text, answer->bytes, sizeof(answer->bytes));
	answer->given = true;
}

/* Captures */

enum key {
	KEY_PVR, KEY_CPU_VERSION, KEY_LPAR, KEY_TB_FREQ, KEY_XCEDE,
	KEY_GUEST_STOP, KEY_DRIVER, KEY_STATE, KEYS,
};

static const char * const key_names[KEYS] = {
	[KEY_PVR] = "pvr",
	[KEY_CPU_VERSION] = "cpu-version",
	[KEY_LPAR] = "lpar",
	[KEY_TB_FREQ] = "tb-freq",
	[KEY_XCEDE] = "xcede",
	[KEY_GUEST_STOP] = "guest-stop",
	[KEY_DRIVER] = "driver",
	[KEY_STATE] = "state",
};

static enum key find_key(const char *name, const char *where)
{
	for (enum key key = 0; key < KEYS; key++)
		if (!strcmp(name, key_names[key]))
			return key;
	bad_input("%s: unknown key \"%.40s\"", where, name);
}

/* "CEDE 12 120": the numbers are the last two words. */
static void parse_state(char *text, struct running *running, const char *where)
{
	struct shown_state *state = &running->states[running->count];
	char *residency = strrchr(text, ' '), *latency = NULL;

	if (residency) {
		*residency++ = '\0';
		latency = strrchr(text, ' ');
	}
	if (!latency)
		bad_input("%s: a state is a name, exit latency and target residency",
			  where);
	*latency++ = '\0';
	check_name(text, sizeof(state->name), "state", where);
	if (running->count == MAX_STATES)
		bad_input("%s: more than %d states", where, MAX_STATES);
	memcpy(state->name, text, strlen(text) + 1);
	state->exit_latency_us = parse_number(latency, UINT32_MAX,
					      "exit latency", where);
	state->target_residency_us = parse_number(residency, UINT32_MAX,
						  "target residency", where);
	running->count++;
}

static void parse_xcede(const char *text, struct firmware_answer *answer,
			const char *where)
{
	if (!strcmp(text, "none"))
		return;
	answer->unknown = !strcmp(text, "unknown");
	if (answer->unknown)
		return;
	if (!*text || !parse_hex(text, strlen(text), answer, where))
		bad_input("%s: xcede is \"none\", \"unknown\", or bytes in hexadecimal",
			  where);
}

static void parse_driver(const char *text, struct running *running,
			 const char *where)
{
	check_name(text, sizeof(running->driver), "driver", where);
	memcpy(running->driver, text, strlen(text) + 1);
}

static void parse_value(enum key key, char *value, struct facts *facts,
			const char *where)
{
	switch (key) {
	case KEY_PVR:
		facts->pvr = parse_number(value, UINT32_MAX, "PVR", where);
		break;
	case KEY_CPU_VERSION:
		facts->cpu_version = parse_number(value, UINT32_MAX,
						  "cpu-version", where);
		break;
	case KEY_LPAR:
		facts->lpar = parse_lpar(value, where);
		break;
	case KEY_TB_FREQ:
		facts->tb_hz = parse_number(value, UINT64_MAX,
					    "timebase frequency", where);
		break;
	case KEY_XCEDE:
		parse_xcede(value, &facts->answer, where);
		break;
	case KEY_GUEST_STOP:
		facts->guest_stop = parse_yes_no(value, "guest-stop", where);
		break;
	case KEY_DRIVER:
		parse_driver(value, &facts->running, where);
		break;
	case KEY_STATE:
		parse_state(value, &facts->running, where);
		break;
	case KEYS:
		break;
	}
}

static void parse_line(char *line, struct facts *facts, unsigned int *seen,
		       const char *where)
{
	char *value = strstr(line, ": ");
	enum key key;

	if (!value)
		bad_input("%s: expected \"key: value\", got \"%.40s\"", where,
			  line);
	*value = '\0';
	key = find_key(line, where);
	if (key != KEY_STATE && *seen & 1U << key)
		bad_input("%s: %s stands here twice", where, key_names[key]);
	*seen |= 1U << key;
	parse_value(key, value + 2, facts, where);
}

/* Mail and other systems may end a line with a carriage return, too. */
static bool ends_line(const char *text)
{
	return *text == '\n' || (text[0] == '\r' && text[1] == '\n');
}

static void check_printable(const char *text, size_t size, const char *name)
{
	for (size_t i = 0; i < size; i++)
		if (!is_printable(text[i]) && !ends_line(text + i))
			bad_input("%s: byte 0x%02x at offset %zu: not a capture, which is text",
				  name, (unsigned char)text[i], i);
}

/* Ends the line that @text begins with; the next one. */
static char *cut_line(char *text)
{
	char *end = strchrnul(text, '\n');
	char *next = *end ? end + 1 : end;

	*end = '\0';
	if (end > text && end[-1] == '\r')
		end[-1] = '\0';
	return next;
}

void parse_capture(char *text, size_t size, const char *name,
		   struct facts *facts)
{
	char place[PLACE_SIZE];
	unsigned int number = 0, seen = 0;

	memset(facts, 0, sizeof(*facts));
	text[size] = '\0';
	check_printable(text, size, name);
	while (*text) {
		char *next = cut_line(text);

		snprintf(place, sizeof(place), "%.400s:%u", name, ++number);
		if (*text && *text != '#')
			parse_line(text, facts, &seen, place);
		text = next;
	}
	for (enum key key = KEY_PVR; key <= KEY_XCEDE; key++)
		if (!(seen & 1U << key))
			bad_input("%s: %s is missing", name, key_names[key]);
}

void read_capture(const char *path, struct facts *facts)
{
	static char text[MAX_CAPTURE + 1];

	parse_capture(text, read_file(path, text, MAX_CAPTURE), path, facts);
}

const char *no_answer_text(const struct firmware_answer *answer)
{
	if (answer->given)
		return "";
	return answer->unknown ? "unknown" : "none";
}

void write_capture(FILE *to, const struct facts *facts)
{
	const struct running *running = &facts->running;

	fputs("# pseries-idle capture\n", to);
	fprintf(to, "pvr: 0x%08x\n", facts->pvr);
	fprintf(to, "cpu-version: 0x%08x\n", facts->cpu_version);
	fprintf(to, "lpar: %s\n", lpar_names[facts->lpar]);
	fprintf(to, "tb-freq: %llu\n", (unsigned long long)facts->tb_hz);
	fputs("xcede: ", to);
	for (size_t i = 0; i < facts->answer.size; i++)
		fprintf(to, "%02x", facts->answer.bytes[i]);
	fprintf(to, "%s\n", no_answer_text(&facts->answer));
	fprintf(to, "guest-stop: %s\n", facts->guest_stop ? "yes" : "no");
	if (*running->driver)
		fprintf(to, "driver: %s\n", running->driver);
	for (unsigned int i = 0; i < running->count; i++)
		fprintf(to, "state: %s %u %u\n", running->states[i].name,
			running->states[i].exit_latency_us,
			running->states[i].target_residency_us);
}

/* Facts for the core */

void to_platform(const struct facts *facts,
		 struct pseries_idle_platform *platform)
{
	u64 ignored;

	memset(platform, 0, sizeof(*platform));
	platform->pvr = facts->pvr;
	platform->splpar = facts->lpar != LPAR_NO_SPLPAR;
	platform->shared = facts->lpar == LPAR_SHARED;
	platform->guest_stop = facts->guest_stop;
	platform->tb_hz = facts->tb_hz;
	if (pseries_isa_from_cpu_version(facts->cpu_version, &platform->isa))
		bad_input("cpu-version 0x%08x: neither a logical PVR nor a known processor's",
			  facts->cpu_version);
	if (pseries_idle_ticks_to_us(0, facts->tb_hz, &ignored))
		bad_input("a timebase of %llu Hz cannot be: 1 MHz to %u Hz",
			  (unsigned long long)facts->tb_hz, UINT32_MAX);
}

u64 timebase_from_arguments(const struct arguments *arguments)
{
	u64 ignored, tb_hz = 512000000;

	if (arguments->tb_hz)
		tb_hz = parse_number(arguments->tb_hz, UINT64_MAX,
				     "timebase frequency", "--tb-freq");
	if (pseries_idle_ticks_to_us(0, tb_hz, &ignored))
		bad_input("--tb-freq: a timebase of %llu Hz cannot be: 1 MHz to %u Hz",
			  (unsigned long long)tb_hz, UINT32_MAX);
	return tb_hz;
}

void facts_from_arguments(const struct arguments *arguments,
			  struct facts *facts)
{
	bool any = arguments->pvr || arguments->cpu_version ||
		   arguments->lpar || arguments->tb_hz || arguments->xcede ||
		   arguments->guest_stop;

	if (arguments->capture) {
		if (any)
			bad_input("a capture has all the facts: leave out the options");
		read_capture(arguments->capture, facts);
		return;
	}
	memset(facts, 0, sizeof(*facts));
	if (!arguments->pvr || !arguments->lpar)
		bad_input("--pvr and --lpar are needed, or a capture: see --help");
	facts->pvr = parse_number(arguments->pvr, UINT32_MAX, "PVR", "--pvr");
	facts->cpu_version = facts->pvr;
	if (arguments->cpu_version)
		facts->cpu_version = parse_number(arguments->cpu_version,
						  UINT32_MAX, "cpu-version",
						  "--cpu-version");
	facts->lpar = parse_lpar(arguments->lpar, "--lpar");
	facts->guest_stop = arguments->guest_stop;
	facts->tb_hz = timebase_from_arguments(arguments);
	if (arguments->xcede && strcmp(arguments->xcede, "none"))
		read_answer(arguments->xcede, &facts->answer);
}
