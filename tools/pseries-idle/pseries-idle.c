// SPDX-License-Identifier: GPL-2.0
/*
 * pseries-idle: what idle states a pseries partition gets, and why.
 *
 * The numbers come from lib/pseries_idle, the very sources that the kernel is
 * built from. Here are the commands and their arguments.
 */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/array_size.h>

#include "commands.h"

enum operand { NO_OPERAND, ANSWER, CAPTURE, CAPTURE_TO_WRITE, LOGS };

/* Beyond what argp takes for letters of short options. */
enum {
	PVR = 0x100, CPU_VERSION = 0x200, LPAR = 0x400, TB_FREQ = 0x800,
	XCEDE = 0x1000, ROOT = 0x2000, GUEST_STOP = 0x4000,
	FIRMWARE_OF = 0x8000,
	FACTS = PVR | CPU_VERSION | LPAR | TB_FREQ | XCEDE | GUEST_STOP,
};

struct command {
	const char *name;
	const char *summary;
	int (*run)(const struct arguments *arguments);
	int options;
	enum operand operand;
	const char *operand_help;
	const char *more;
};

static const struct command commands[] = {
	{ "explain", "the state table of a partition, each number with its rule",
	  explain_command, FACTS, CAPTURE, "[CAPTURE]",
	  "The facts come from a capture, or from options:\n"
	  "  pseries-idle explain --pvr 0x800200 --cpu-version 0x0f000005 --lpar dedicated --xcede answer.bin\n"
	  "\vThe rules are listed at the top of lib/pseries_idle/states.c." },
	{ "decode", "firmware's CEDE latency settings, record by record",
	  decode_command, TB_FREQ, ANSWER, "FILE|HEX",
	  "The answer is system parameter 45, its 16-bit length first. What can be hexadecimal is not a file: say ./abcd.\n"
	  "\vExit status: 0 taken, 1 refused, 2 bad input." },
	{ "capture", "write the facts of this partition to a small text file",
	  capture_command, ROOT, CAPTURE_TO_WRITE, "[FILE]",
	  "To standard output without FILE, or where that is -.\n"
	  "What firmware says about CEDE is for root to read.\n" },
	{ "check", "does cpuidle agree with the policy for this partition?",
	  check_command, ROOT, CAPTURE, "[CAPTURE]",
	  "Without a capture, of the running kernel.\n"
	  "\vExit status: 0 it does, 1 it differs, 2 bad input." },
	{ "latency", "how long CPUs take to wake up, from logs of the kernel's suite",
	  latency_command, XCEDE | TB_FREQ | FIRMWARE_OF, LOGS, "LOG [LOG]",
	  "A LOG is a kernel log or KTAP with what the KUnit suite cpuidle_latency measured; - is standard input. Two are compared, by ministat. What is known of firmware's answer is set beside the measured.\n"
	  "\vThe 99th percentile of wake-ups by an interrupt supports the latency that it is nearer to, in proportion: the table's, or firmware's.\n"
	  "Exit status: 0 fine, 1 the logs differ or firmware's is supported, 2 bad input." },
	{ "table", "the whole decision table: what make policy writes",
	  table_command, 0, NO_OPERAND, "",
	  "Every processor, ISA level, kind of partition and answer.\n" },
};

static const struct argp_option all_options[] = {
	{ "pvr", PVR, "NUMBER", 0, "Processor Version Register", 0 },
	{ "cpu-version", CPU_VERSION, "NUMBER", 0,
	  "the device tree's cpu-version; the PVR without it", 0 },
	{ "lpar", LPAR, "KIND", 0, "shared, dedicated or \"no SPLPAR\"", 0 },
	{ "tb-freq", TB_FREQ, "HZ", 0,
	  "timebase frequency; 512000000 without it", 0 },
	{ "xcede", XCEDE, "FILE|HEX", 0,
	  "firmware's answer; none without it", 0 },
	{ "guest-stop", GUEST_STOP, NULL, 0,
	  "the administrator vouches that the hypervisor allows stop", 0 },
	{ "capture", FIRMWARE_OF, "FILE", 0,
	  "firmware's answer is in this capture", 0 },
	{ "root", ROOT, "DIR", 0, "look below DIR for /proc, /sys and /dev", 0 },
};

struct parse {
	const struct command *command;
	struct arguments arguments;
};

static const char **place_of_operand(struct parse *parse)
{
	struct arguments *arguments = &parse->arguments;

	switch (parse->command->operand) {
	case ANSWER:
		return &arguments->xcede;
	case CAPTURE:
	case CAPTURE_TO_WRITE:
		return &arguments->capture;
	case LOGS:
		return &arguments->logs[arguments->logs[0] ? 1 : 0];
	case NO_OPERAND:
		break;
	}
	return NULL;
}

static void take_operand(struct parse *parse, const char *text)
{
	const char **place = place_of_operand(parse);

	if (!place || *place)
		bad_input("%s: \"%.40s\" is one argument too many: see --help",
			  parse->command->name, text);
	if (!*text)
		bad_input("%s: an empty word is no file: see --help",
			  parse->command->name);
	*place = text;
}

static error_t take_option(const char **place, const char *text)
{
	if (*place)
		bad_input("\"%.40s\" and \"%.40s\": an option is given twice",
			  *place, text);
	*place = text;
	return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct parse *parse = state->input;
	struct arguments *arguments = &parse->arguments;

	switch (key) {
	case PVR:
		return take_option(&arguments->pvr, text);
	case CPU_VERSION:
		return take_option(&arguments->cpu_version, text);
	case LPAR:
		return take_option(&arguments->lpar, text);
	case TB_FREQ:
		return take_option(&arguments->tb_hz, text);
	case XCEDE:
		return take_option(&arguments->xcede, text);
	case FIRMWARE_OF:
		return take_option(&arguments->capture, text);
	case ROOT:
		return take_option(&arguments->root, text);
	case GUEST_STOP:
		arguments->guest_stop = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case ARGP_KEY_INIT:
		/* What is wrong with an option takes a line, not three. */
		state->err_stream = NULL;
		return 0;
	case ARGP_KEY_ARG:
		take_operand(parse, text);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct argp_option options[ARRAY_SIZE(all_options) + 2] = {};
	const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = command->operand_help,
		.doc = command->more,
	};
	struct parse parse = { .command = command };
	char name[64];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all_options); i++)
		if (command->options & all_options[i].key)
			options[count++] = all_options[i];
	options[count++] = (struct argp_option) {
		"json", 'j', NULL, 0, "as JSON", 0 };

	snprintf(name, sizeof(name), "pseries-idle %s", command->name);
	argv[0] = name;
	if (argp_parse(&argp, argc, argv, 0, NULL, &parse))
		return STATUS_BAD_INPUT;
	return command->run(&parse.arguments);
}

static void print_help(FILE *to)
{
	fputs("usage: pseries-idle COMMAND ...\n\n"
	      "What idle states a pseries partition gets, and why.\n\n", to);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(to, "  %-8s  %s\n", commands[i].name,
			commands[i].summary);
	fputs("\npseries-idle COMMAND --help tells more.\n"
	      "Exit status: 0 fine, 1 differs, 2 bad input.\n", to);
}

/* At exit: what could not be written must not pass for written. */
static void close_output(void)
{
	bool failed = ferror(stdout);

	/* The reason of an earlier failure may be lost. */
	errno = EIO;
	if (!fclose(stdout) && !failed)
		return;
	fprintf(stderr, "pseries-idle: standard output: could not be written: %s\n",
		strerror(errno));
	_exit(STATUS_BAD_INPUT);
}

int main(int argc, char **argv)
{
	/* What cannot be written is no reason to die without a word. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	atexit(close_output);
	if (argc < 2) {
		print_help(stderr);
		return STATUS_BAD_INPUT;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help(stdout);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return run_command(&commands[i], argc - 1, argv + 1);
	bad_input("there is no command \"%.40s\": see --help", argv[1]);
}
