// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a capture; what is wrong with one ends in bad_input(). One that
 * is taken is written anew, and has to come back as it was.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

#define MAX_SIZE	8192

static jmp_buf was_refused;
static bool may_be_refused;

void bad_input(const char *format, ...)
{
	(void)format;
	if (!may_be_refused)
		abort();
	longjmp(was_refused, 1);
}

static void expect_to_come_back(const struct facts *facts)
{
	static struct facts again;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	write_capture(to, facts);
	fclose(to);
	may_be_refused = false;
	parse_capture(text, size, "again", &again);
	if (memcmp(facts, &again, sizeof(again)))
		abort();
	free(text);
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
	may_be_refused = true;
	if (!setjmp(was_refused)) {
		parse_capture(text, size, "fuzz", &facts);
		expect_to_come_back(&facts);
		may_be_refused = true;
		find_outcome(&facts, &outcome);
	}
	free(text);
	return 0;
}
