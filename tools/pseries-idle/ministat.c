// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input.h"
#include "ministat.h"

#define NOT_FOUND	127	/* the shell's exit status */
#define MAX_OUTPUT	4096

/* A file without a name, for nothing to be left behind. */
static int write_series(struct series series)
{
	int file = memfd_create("series", 0);
	FILE *stream = file < 0 ? NULL : fdopen(dup(file), "w");

	if (!stream)
		bad_input("memory for ministat: %s", strerror(errno));
	for (size_t i = 0; i < series.count; i++)
		fprintf(stream, "%u\n", series.numbers[i]);
	if (fclose(stream))
		bad_input("memory for ministat: %s", strerror(errno));
	return file;
}

static char *run(const char *command)
{
	FILE *output = popen(command, "r");
	char *text = calloc(1, MAX_OUTPUT);
	int status;

	if (!output || !text)
		bad_input("ministat: %s", strerror(errno));
	fread(text, 1, MAX_OUTPUT - 1, output);
	status = pclose(output);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		bad_input("ministat, which compares logs, is missing: apt-get install ministat");
	if (status)
		bad_input("ministat failed on %s", command);
	return text;
}

char *run_ministat(struct series before, struct series after, bool *differ)
{
	int files[] = { write_series(before), write_series(after) };
	char command[128], *text, *table;

	/* These are rewound when they are opened by these names. */
	snprintf(command, sizeof(command),
		 "exec ministat -A /proc/%d/fd/%d /proc/%d/fd/%d 2>&1",
		 getpid(), files[0], getpid(), files[1]);
	text = run(command);
	close(files[0]);
	close(files[1]);
	table = strstr(text, "    N ");
	if (!table)
		bad_input("ministat said something unexpected: %.80s", text);
	memmove(text, table, strlen(table) + 1);
	*differ = strstr(text, "\nDifference at ");
	return text;
}
