// SPDX-License-Identifier: GPL-2.0
/* "capture": the facts of this partition, as a file for the other commands. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "machine.h"

static const char *no_answer_text(const struct firmware_answer *answer)
{
	if (answer->given)
		return "";
	return answer->unknown ? "unknown" : "none";
}

static void write_facts(FILE *to, const struct facts *facts)
{
	const struct running *running = &facts->running;

	fputs("# pseries-idle capture\n", to);
	fprintf(to, "pvr: 0x%08x\n", facts->pvr);
	fprintf(to, "cpu-version: 0x%08x\n", facts->cpu_version);
	fprintf(to, "lpar: %s\n", lpar_names[facts->lpar]);
	fprintf(to, "tb-freq: %llu\n", (unsigned long long)facts->tb_hz);
	fputs("xcede: ", to);
	for (size_t i = 0; i < facts->answer.size; i++)
		fprintf(to, "%02x", facts->answer.bytes[i]);
	fprintf(to, "%s\n", no_answer_text(&facts->answer));
	if (*running->driver)
		fprintf(to, "driver: %s\n", running->driver);
	for (unsigned int i = 0; i < running->count; i++)
		fprintf(to, "state: %s %u %u\n", running->states[i].name,
			running->states[i].exit_latency_us,
			running->states[i].target_residency_us);
}

static void json_facts(const struct facts *facts)
{
	const struct running *running = &facts->running;

	json_begin(NULL, '{');
	json_number("pvr", facts->pvr);
	json_number("cpu_version", facts->cpu_version);
	json_text("lpar", lpar_names[facts->lpar]);
	json_number("tb_freq", facts->tb_hz);
	if (facts->answer.given)
		json_bytes("xcede", facts->answer.bytes, facts->answer.size);
	else
		json_text("xcede", no_answer_text(&facts->answer));
	json_running(running);
	json_end();
}

int capture_command(const struct arguments *arguments)
{
	static struct facts facts;
	FILE *to = stdout;

	if (arguments->json && arguments->capture)
		bad_input("--json goes to standard output: leave out %s",
			  arguments->capture);
	/* First all of it is read: a half-written capture helps nobody. */
	read_machine(arguments->root ?: "", &facts);
	if (arguments->capture) {
		to = fopen(arguments->capture, "w");
		if (!to)
			bad_input("%s: %s", arguments->capture,
				  strerror(errno));
	}
	if (arguments->json)
		json_facts(&facts);
	else
		write_facts(to, &facts);
	if (to != stdout && fclose(to))
		bad_input("%s: %s", arguments->capture, strerror(errno));
	return EXIT_SUCCESS;
}
