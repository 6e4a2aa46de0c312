// SPDX-License-Identifier: GPL-2.0
/* "capture": the facts of this partition, as a file for the other commands. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "json.h"
#include "machine.h"

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
	json_bool("guest_stop", facts->guest_stop);
	json_running(running);
	json_end();
}

/* To where nothing can be lost. */
static void write_in_place(const char *path, const struct facts *facts)
{
	FILE *to = fopen(path, "w");

	if (!to)
		bad_input("%s: %s", path, strerror(errno));
	write_capture(to, facts);
	if (fclose(to))
		bad_input("%s: %s", path, strerror(errno));
}

/* Whoever may read the file that was there may read the new one, no other. */
static bool take_over(int file, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	if (!old)
		return !fchmod(file, 0666 & ~mask);
	/* Root writes for others. */
	return (geteuid() || !fchown(file, old->st_uid, old->st_gid)) &&
	       !fchmod(file, old->st_mode & 0777);
}

static bool write_whole(int file, const struct facts *facts)
{
	FILE *to = fdopen(file, "w");
	bool whole;

	if (!to)
		return false;
	write_capture(to, facts);
	whole = !fflush(to) && !fsync(file);
	return !fclose(to) && whole;
}

/*
 * What is there may be the only capture of its time: it stays until the new
 * one lies beside it, whole. Until then, no signal ends this half-way.
 */
static void replace_file(const char *path, const struct stat *old,
			 const struct facts *facts)
{
	/* A link goes on to lead to its file. */
	char *target = realpath(path, NULL) ?: strdup(path);
	char *copy = strdup(target);
	char beside[PATH_MAX];
	sigset_t all, before;
	int file, err = 0;

	snprintf(beside, sizeof(beside), "%s/.pseries-idle.XXXXXX",
		 dirname(copy));
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	file = mkstemp(beside);
	if (file < 0)
		bad_input("%s: no new file can be made where it is to lie: %s",
			  path, strerror(errno));
	if (!take_over(file, old) || !write_whole(file, facts) ||
	    rename(beside, target)) {
		err = errno;
		unlink(beside);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(target);
	free(copy);
	if (err)
		bad_input("%s: %s", path, strerror(err));
}

static void write_file(const char *path, const struct facts *facts)
{
	struct stat old;
	bool exists = !stat(path, &old);

	if (exists && !S_ISREG(old.st_mode))
		write_in_place(path, facts);
	else
		replace_file(path, exists ? &old : NULL, facts);
}

int capture_command(const struct arguments *arguments)
{
	static struct facts facts;
	struct pseries_idle_platform ignored;
	const char *path = arguments->capture ?: "-";
	bool to_stdout = !strcmp(path, "-");

	if (arguments->json && !to_stdout)
		bad_input("--json goes to standard output: leave out %s", path);
	/* First all of it is read: a half-written capture helps nobody. */
	read_machine(arguments->root ?: "", &facts);
	/* Nor does one that the other commands refuse. */
	to_platform(&facts, &ignored);
	if (arguments->json)
		json_facts(&facts);
	else if (to_stdout)
		write_capture(stdout, &facts);
	else
		write_file(path, &facts);
	return EXIT_SUCCESS;
}
