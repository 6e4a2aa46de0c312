/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the commands work on: the facts of a partition, from arguments, from a
 * capture file, or from the machine itself.
 *
 * Whatever is wrong with an input ends the program, with status 2 and one
 * line that says what and where.
 */
#ifndef _PSERIES_IDLE_INPUT_H
#define _PSERIES_IDLE_INPUT_H

#include <stdio.h>
#include <stdnoreturn.h>

#include <linux/compiler.h>
#include <linux/pseries_idle.h>
#include <linux/types.h>

#define MAX_ANSWER		4002	/* LoPAR: 4000 bytes, and their length */
#define MAX_STATES		10	/* cpuidle's */
#define NAME_SIZE		16	/* cpuidle's, for the name of a state */
#define DRIVER_SIZE		32

/* 0 fine, 1 what was looked at differs from what it should be. */
#define STATUS_DIFFERS		1
#define STATUS_BAD_INPUT	2

enum lpar {
	LPAR_NO_SPLPAR,
	LPAR_SHARED,
	LPAR_DEDICATED,
	LPARS,
};

extern const char * const lpar_names[LPARS];

struct firmware_answer {
	bool given;
	bool unknown;		/* nobody could ask */
	size_t size;
	u8 bytes[MAX_ANSWER];
};

/* An idle state as a running kernel shows it. */
struct shown_state {
	char name[NAME_SIZE];
	u32 exit_latency_us;
	u32 target_residency_us;
};

struct running {
	char driver[DRIVER_SIZE];	/* empty: not captured */
	unsigned int count;
	struct shown_state states[MAX_STATES];
};

struct facts {
	u32 pvr;
	u32 cpu_version;
	enum lpar lpar;
	bool guest_stop;	/* vouched for by the administrator */
	u64 tb_hz;
	struct firmware_answer answer;
	struct running running;
};

noreturn __printf(1, 2) void bad_input(const char *format, ...);

/* @what names the number in a complaint, @where the place it stands at. */
u64 parse_number(const char *text, u64 highest, const char *what,
		 const char *where);
enum lpar parse_lpar(const char *text, const char *where);
/* -1 for any other character. */
int hex_digit(char c);
/* Of a state or a driver, with room for @size bytes: what a capture can hold. */
void check_name(const char *text, size_t size, const char *whose,
		const char *where);

/* Reads up to @size bytes, of standard input if @path is "-"; refuses more. */
size_t read_file(const char *path, void *bytes, size_t size);

/* A file's name, "-" for standard input, or the bytes in hexadecimal. */
void read_answer(const char *text, struct firmware_answer *answer);

void read_capture(const char *path, struct facts *facts);
/* Separate, so that any bytes can be tried. */
void parse_capture(char *text, size_t size, const char *name,
		   struct facts *facts);

/* What parse_capture() makes the same facts of. */
void write_capture(FILE *to, const struct facts *facts);
/* Why there are no bytes to show; empty if there are. */
const char *no_answer_text(const struct firmware_answer *answer);

void to_platform(const struct facts *facts,
		 struct pseries_idle_platform *platform);

#define MAX_LOGS	2

/* What was given to a command; mostly instead of a capture. */
struct arguments {
	bool json;
	bool guest_stop;
	const char *pvr, *cpu_version, *lpar, *tb_hz, *xcede;
	const char *capture, *root;
	const char *logs[MAX_LOGS];
};

/* --tb-freq; 512 MHz without it. */
u64 timebase_from_arguments(const struct arguments *arguments);
void facts_from_arguments(const struct arguments *arguments,
			  struct facts *facts);

#endif
