// SPDX-License-Identifier: GPL-2.0
/* Any bytes as a capture; what is wrong with one ends in bad_input(). */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

#define MAX_SIZE	8192

static jmp_buf was_refused;

void bad_input(const char *format, ...)
{
	(void)format;
	longjmp(was_refused, 1);
}

int fuzz_one_input(const u8 *data, size_t size)
{
	static struct facts facts;
	struct outcome outcome;
	char *text;

	if (size > MAX_SIZE)
		return 0;
	/* Of its own size, so that a sanitizer sees its end. */
	text = malloc(size + 1);
	memcpy(text, data, size);
	if (!setjmp(was_refused)) {
		parse_capture(text, size, "fuzz", &facts);
		find_outcome(&facts, &outcome);
	}
	free(text);
	return 0;
}
