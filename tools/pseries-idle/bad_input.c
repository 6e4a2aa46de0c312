// SPDX-License-Identifier: GPL-2.0
/* By itself, so that a fuzzer can go on where the tool ends. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "input.h"

void bad_input(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("pseries-idle: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(STATUS_BAD_INPUT);
}
