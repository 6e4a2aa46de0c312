/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write JSON to standard output, a value after the other.
 *
 * Small enough to be its own: the tool has to build for a partition with a
 * bare cross compiler. A key is NULL inside an array and at the top.
 */
#ifndef _PSERIES_IDLE_JSON_H
#define _PSERIES_IDLE_JSON_H

#include <linux/types.h>

void json_begin(const char *key, char bracket);	/* '{' or '[' */
void json_end(void);
void json_text(const char *key, const char *text);	/* NULL: null */
void json_number(const char *key, u64 number);
void json_centi(const char *key, u64 hundredths);
void json_bool(const char *key, bool value);
void json_bytes(const char *key, const u8 *bytes, size_t size);

#endif
