// SPDX-License-Identifier: GPL-2.0
/*
 * Where a pseries kernel shows the facts to a program:
 *
 *	PVR			/proc/cpuinfo, "(pvr 0080 0200)"
 *	cpu-version, timebase	the device tree's first CPU
 *	SPLPAR			the device tree's list of hypervisor functions
 *	shared or dedicated	/proc/ppc64/lparcfg
 *	firmware's answer	/dev/papr-sysparm, parameter 45
 *	stop vouched for	the driver's parameter in sysfs
 *	idle states		cpuidle in sysfs
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "machine.h"

#define TEXT_SIZE	65536
#define LINE_SIZE	256

#define CPUINFO		"/proc/cpuinfo"
#define DEVICE_TREE	"/proc/device-tree"
#define CPUS		DEVICE_TREE "/cpus"
#define LPARCFG		"/proc/ppc64/lparcfg"
#define SYSPARM		"/dev/papr-sysparm"
#define GUEST_STOP	"/sys/module/pseries_idle/parameters/guest_stop"
#define CPUIDLE		"/sys/devices/system/cpu/cpuidle"
#define STATES		"/sys/devices/system/cpu/cpu0/cpuidle"

#define NOT_PSERIES	"is this a pseries partition?"

/* The kernel's interface to system parameters, as asm/papr-sysparm.h has it */
#define CEDE_LATENCY_SETTINGS	45

struct sysparm {
	u32 parameter;
	u16 length;
	u8 data[MAX_ANSWER - 2];
};

#define SYSPARM_GET	_IOWR(0xb2, 1, struct sysparm)

static const char *path_below(const char *root, const char *path)
{
	static char whole[PATH_MAX];

	if (snprintf(whole, sizeof(whole), "%s%s", root, path) >=
	    (int)sizeof(whole))
		bad_input("%.80s...: this path is too long", root);
	return whole;
}

/*
 * Bytes read, and a NUL after them; -1 if there is no such file. Below a root
 * of somebody's own may be a pipe, and nobody who writes to it.
 */
static ssize_t read_below(const char *root, const char *path, char *text,
			  size_t size)
{
	int file = open(path_below(root, path), O_RDONLY | O_NONBLOCK);
	ssize_t got, all = 0;

	if (file < 0)
		return -1;
	do {
		got = read(file, text + all, size - 1 - all);
		if (got > 0)
			all += got;
	} while (got > 0);
	close(file);
	text[all] = '\0';
	return got < 0 ? -1 : all;
}

static ssize_t need_below(const char *root, const char *path, char *text,
			  size_t size)
{
	ssize_t got = read_below(root, path, text, size);

	if (got < 0)
		bad_input("%s%s: %s: " NOT_PSERIES, root, path,
			  strerror(errno));
	return got;
}

/* The rest of the first line that begins with @key, cut out of @text. */
static char *find_line(char *text, const char *key)
{
	size_t length = strlen(key);

	while (*text) {
		char *end = strchrnul(text, '\n');

		if (!strncmp(text, key, length)) {
			*end = '\0';
			return text + length;
		}
		text = *end ? end + 1 : end;
	}
	return NULL;
}

static bool parse_pvr(const char *text, u32 *pvr)
{
	static const char form[] = "(pvr xxxx xxxx)";

	*pvr = 0;
	for (size_t i = 0; form[i]; i++) {
		int digit = hex_digit(text[i]);

		if (form[i] == 'x' ? digit < 0 : text[i] != form[i])
			return false;
		if (form[i] == 'x')
			*pvr = *pvr << 4 | digit;
	}
	return true;
}

static u32 read_pvr(const char *root, char *text)
{
	const char *line, *found;
	u32 pvr;

	need_below(root, CPUINFO, text, TEXT_SIZE);
	line = find_line(text, "revision");
	found = line ? strstr(line, "(pvr ") : NULL;
	if (!found || !parse_pvr(found, &pvr))
		bad_input("%s" CPUINFO ": shows no PVR, as in \"(pvr 0080 0200)\": "
			  NOT_PSERIES, root);
	return pvr;
}

static bool read_cell(const char *root, const char *cpu, const char *property,
		      u32 *value)
{
	char path[PATH_MAX];
	u8 cell[6];

	snprintf(path, sizeof(path), CPUS "/%s/%s", cpu, property);
	if (read_below(root, path, (char *)cell, sizeof(cell)) != 4)
		return false;
	*value = (u32)cell[0] << 24 | cell[1] << 16 | cell[2] << 8 | cell[3];
	return true;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Of the first CPU: others in there are caches, and have no cpu-version. */
static void read_cpu(const char *root, struct facts *facts)
{
	struct dirent **cpus;
	int count = scandir(path_below(root, CPUS), &cpus, is_shown, alphasort);
	bool found = false;
	u32 tb_hz;

	if (count < 0)
		bad_input("%s" CPUS ": %s: " NOT_PSERIES, root, strerror(errno));
	for (int i = 0; i < count; i++) {
		const char *cpu = cpus[i]->d_name;

		if (!found &&
		    read_cell(root, cpu, "cpu-version", &facts->cpu_version)) {
			found = true;
			if (!read_cell(root, cpu, "timebase-frequency", &tb_hz))
				bad_input("%s" CPUS "/%s/timebase-frequency: no cell of 4 bytes: "
					  NOT_PSERIES, root, cpu);
			facts->tb_hz = tb_hz;
		}
		free(cpus[i]);
	}
	free(cpus);
	if (!found)
		bad_input("%s" CPUS ": no CPU in there has a cpu-version of 4 bytes: "
			  NOT_PSERIES, root);
}

static bool has_splpar(const char *root, char *text)
{
	ssize_t size = need_below(root, DEVICE_TREE "/rtas/ibm,hypertas-functions",
				  text, TEXT_SIZE);

	for (const char *name = text; name < text + size;
	     name += strlen(name) + 1)
		if (!strcmp(name, "hcall-splpar"))
			return true;
	return false;
}

static enum lpar read_lpar(const char *root, char *text)
{
	static const char key[] = "shared_processor_mode=";
	const char *mode;

	if (!has_splpar(root, text))
		return LPAR_NO_SPLPAR;
	need_below(root, LPARCFG, text, TEXT_SIZE);
	mode = find_line(text, key);
	if (!mode)
		bad_input("%s" LPARCFG ": has no %s", root, key);
	if (strcmp(mode, "0") && strcmp(mode, "1"))
		bad_input("%s" LPARCFG ": %s\"%.40s\" is neither 0 nor 1", root,
			  key, mode);
	return *mode == '1' ? LPAR_SHARED : LPAR_DEDICATED;
}

/* What the kernel makes of firmware's refusals; its driver gets the same. */
static bool is_refusal(int err)
{
	return err == EOPNOTSUPP || err == EPERM || err == EINVAL || err == EIO;
}

/*
 * That firmware does not answer is a fact. That it could not be asked, as
 * there is no such device before Linux 6.8, says nothing of its answer.
 */
static void ask_firmware(const char *root, struct firmware_answer *answer)
{
	static struct sysparm sysparm = { .parameter = CEDE_LATENCY_SETTINGS };
	int file = open(path_below(root, SYSPARM), O_RDWR);

	if (file < 0) {
		if (errno == EACCES || errno == EPERM)
			bad_input("%s" SYSPARM ": %s: try as root", root,
				  strerror(errno));
		answer->unknown = true;
		return;
	}
	if (ioctl(file, SYSPARM_GET, &sysparm)) {
		answer->unknown = !is_refusal(errno);
	} else {
		size_t bytes = sysparm.length;

		if (bytes > sizeof(sysparm.data))
			bytes = sizeof(sysparm.data);
		answer->bytes[0] = sysparm.length >> 8;
		answer->bytes[1] = sysparm.length;
		memcpy(answer->bytes + 2, sysparm.data, bytes);
		answer->size = 2 + bytes;
		answer->given = true;
	}
	close(file);
}

/* All that a file of sysfs has, a line; false if there is no such file. */
static bool read_line(const char *root, const char *path,
		      char (*line)[LINE_SIZE])
{
	ssize_t got = read_below(root, path, *line, sizeof(*line));
	char *end;

	if (got < 0)
		return false;
	end = strchrnul(*line, '\n');
	if (got == sizeof(*line) - 1 || end + (*end == '\n') < *line + got)
		bad_input("%s%s: is more than a line of text", root, path);
	*end = '\0';
	return true;
}

static bool read_name(const char *root, const char *path, char *name,
		      size_t size, const char *whose)
{
	char line[LINE_SIZE];

	if (!read_line(root, path, &line))
		return false;
	check_name(line, size, whose, path_below(root, path));
	memcpy(name, line, strlen(line) + 1);
	return true;
}

/* Another driver has no such parameter, and does not stop. */
static bool read_guest_stop(const char *root)
{
	char line[LINE_SIZE];

	if (!read_line(root, GUEST_STOP, &line))
		return false;
	if (strcmp(line, "Y") && strcmp(line, "N"))
		bad_input("%s" GUEST_STOP ": \"%.40s\" is neither Y nor N", root,
			  line);
	return *line == 'Y';
}

static u32 read_us(const char *root, const char *path)
{
	char line[LINE_SIZE];

	if (!read_line(root, path, &line))
		bad_input("%s%s: %s", root, path, strerror(errno));
	return parse_number(line, UINT32_MAX, "time", path_below(root, path));
}

static bool read_state(const char *root, unsigned int number,
		       struct shown_state *state)
{
	char path[LINE_SIZE];

	snprintf(path, sizeof(path), STATES "/state%u/name", number);
	if (!read_name(root, path, state->name, sizeof(state->name), "state"))
		return false;
	snprintf(path, sizeof(path), STATES "/state%u/latency", number);
	state->exit_latency_us = read_us(root, path);
	snprintf(path, sizeof(path), STATES "/state%u/residency", number);
	state->target_residency_us = read_us(root, path);
	return true;
}

static void read_running(const char *root, struct running *running)
{
	struct shown_state state;

	if (!read_name(root, CPUIDLE "/current_driver", running->driver,
		       sizeof(running->driver), "driver"))
		return;
	while (read_state(root, running->count, &state)) {
		if (running->count == MAX_STATES)
			bad_input("%s" STATES ": has more than %d states", root,
				  MAX_STATES);
		running->states[running->count++] = state;
	}
}

void read_machine(const char *root, struct facts *facts)
{
	static char text[TEXT_SIZE];

	memset(facts, 0, sizeof(*facts));
	facts->pvr = read_pvr(root, text);
	read_cpu(root, facts);
	facts->lpar = read_lpar(root, text);
	ask_firmware(root, &facts->answer);
	facts->guest_stop = read_guest_stop(root);
	read_running(root, &facts->running);
}
