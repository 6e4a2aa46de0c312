// SPDX-License-Identifier: GPL-2.0
/* By itself, so that a fuzzer can go on where the tool ends. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "input.h"

void bad_input(const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	/* A name or a word of a file must not end the line, or move the cursor. */
	for (char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	fflush(stdout);
	fprintf(stderr, "pseries-idle: %s\n", line);
	exit(STATUS_BAD_INPUT);
}
