// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "json.h"

#define MAX_DEPTH	8

static char closing[MAX_DEPTH];
static bool is_first[MAX_DEPTH + 1] = { true };
static int depth;

static void put_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void begin_value(const char *key)
{
	if (!is_first[depth])
		putchar(',');
	if (depth)
		printf("\n%*s", depth, "");
	is_first[depth] = false;
	if (key) {
		put_string(key);
		fputs(": ", stdout);
	}
}

void json_begin(const char *key, char bracket)
{
	begin_value(key);
	putchar(bracket);
	closing[depth++] = bracket == '{' ? '}' : ']';
	is_first[depth] = true;
}

void json_end(void)
{
	putchar(closing[--depth]);
	if (!depth)
		putchar('\n');
}

void json_text(const char *key, const char *text)
{
	begin_value(key);
	if (text)
		put_string(text);
	else
		fputs("null", stdout);
}

void json_number(const char *key, u64 number)
{
	begin_value(key);
	printf("%llu", (unsigned long long)number);
}

void json_centi(const char *key, u64 hundredths)
{
	begin_value(key);
	printf("%llu.%02llu", (unsigned long long)hundredths / 100,
	       (unsigned long long)hundredths % 100);
}

void json_bool(const char *key, bool value)
{
	begin_value(key);
	fputs(value ? "true" : "false", stdout);
}

void json_bytes(const char *key, const u8 *bytes, size_t size)
{
	begin_value(key);
	putchar('"');
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
	putchar('"');
}
