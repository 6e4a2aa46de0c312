// SPDX-License-Identifier: GPL-2.0
/*
 * Where a pseries kernel shows the facts to a program:
 *
 *	PVR			/proc/cpuinfo, "(pvr 0080 0200)"
 *	cpu-version, timebase	the device tree's first CPU
 *	SPLPAR			the device tree's list of hypervisor functions
 *	shared or dedicated	/proc/ppc64/lparcfg
 *	firmware's answer	/dev/papr-sysparm, parameter 45
 *	idle states		cpuidle in sysfs
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "machine.h"

#define PATH_SIZE	512
#define TEXT_SIZE	65536

#define CPUINFO		"/proc/cpuinfo"
#define DEVICE_TREE	"/proc/device-tree"
#define LPARCFG		"/proc/ppc64/lparcfg"
#define SYSPARM		"/dev/papr-sysparm"
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
	static char whole[PATH_SIZE];

	if (snprintf(whole, sizeof(whole), "%s%s", root, path) >=
	    (int)sizeof(whole))
		bad_input("%.80s...: this path is too long", root);
	return whole;
}

/* Bytes read, and a NUL after them; -1 if there is no such file. */
static ssize_t read_below(const char *root, const char *path, char *text,
			  size_t size)
{
	int file = open(path_below(root, path), O_RDONLY);
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

static u32 read_pvr(const char *root, char *text)
{
	const char *found;
	unsigned int version, revision;

	need_below(root, CPUINFO, text, TEXT_SIZE);
	found = strstr(text, "(pvr ");
	if (!found || sscanf(found, "(pvr %4x %4x)", &version, &revision) != 2)
		bad_input("%s" CPUINFO ": shows no PVR: " NOT_PSERIES, root);
	return version << 16 | revision;
}

static u32 read_cell(const char *root, const char *property)
{
	char pattern[PATH_SIZE];
	u8 cell[5] = {};
	glob_t found;
	ssize_t got = -1;

	snprintf(pattern, sizeof(pattern), "%s" DEVICE_TREE "/cpus/*/%s", root,
		 property);
	if (!glob(pattern, 0, NULL, &found)) {
		got = read_below("", found.gl_pathv[0], (char *)cell,
				 sizeof(cell));
		globfree(&found);
	}
	if (got != 4)
		bad_input("%s: is not there: " NOT_PSERIES, pattern);
	return (u32)cell[0] << 24 | cell[1] << 16 | cell[2] << 8 | cell[3];
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
	const char *found;

	if (!has_splpar(root, text))
		return LPAR_NO_SPLPAR;
	need_below(root, LPARCFG, text, TEXT_SIZE);
	found = strstr(text, key);
	if (!found)
		bad_input("%s" LPARCFG ": has no %s", root, key);
	return found[sizeof(key) - 1] == '1' ? LPAR_SHARED : LPAR_DEDICATED;
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

/* A line of sysfs without its end; false if there is no such file. */
static bool read_line(const char *root, const char *path, char *text,
		      size_t size)
{
	if (read_below(root, path, text, size) < 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static u32 read_us(const char *root, const char *path)
{
	char text[32];

	if (!read_line(root, path, text, sizeof(text)))
		bad_input("%s%s: %s", root, path, strerror(errno));
	return parse_number(text, UINT32_MAX, "time", path);
}

static bool read_state(const char *root, unsigned int number,
		       struct shown_state *state)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), STATES "/state%u/name", number);
	if (!read_line(root, path, state->name, sizeof(state->name)))
		return false;
	snprintf(path, sizeof(path), STATES "/state%u/latency", number);
	state->exit_latency_us = read_us(root, path);
	snprintf(path, sizeof(path), STATES "/state%u/residency", number);
	state->target_residency_us = read_us(root, path);
	return true;
}

static void read_running(const char *root, struct running *running)
{
	if (!read_line(root, CPUIDLE "/current_driver", running->driver,
		       sizeof(running->driver)))
		return;
	while (running->count < MAX_STATES &&
	       read_state(root, running->count,
			  &running->states[running->count]))
		running->count++;
}

void read_machine(const char *root, struct facts *facts)
{
	static char text[TEXT_SIZE];

	memset(facts, 0, sizeof(*facts));
	facts->pvr = read_pvr(root, text);
	facts->cpu_version = read_cell(root, "cpu-version");
	facts->tb_hz = read_cell(root, "timebase-frequency");
	facts->lpar = read_lpar(root, text);
	ask_firmware(root, &facts->answer);
	read_running(root, &facts->running);
}
