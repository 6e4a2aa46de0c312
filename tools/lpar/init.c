// SPDX-License-Identifier: GPL-2.0
/*
 * The only program of a partition in the lab: says what cpuidle shows, has
 * every CPU enter every idle state, takes CPUs off and on line, and powers
 * off. It judges nothing.
 *
 * It reports in lines of "lpar: <what>|<field>|...", each written at once, for
 * the kernel writes to the same console. The arguments are how many times the
 * CPUs go off and on line, and "tool" if pseries-idle is there to be run.
 */

#define SYSFS		"/sys"
#define CPUS		SYSFS "/devices/system/cpu/"
#define SLEEPS		20
#define MOST_SLEEPS	200
#define SLEEP_US	1000

/* N as soon as nobody from outside follows CPUs into idle states any more. */
#define FOLLOWED	SYSFS "/module/printk/parameters/console_suspend"
#define ROUNDS		1000
#define TEXT		128

/* Concatenates strings, the last of them NULL. Too long is cut. */
static void join(char *to, size_t size, va_list strings)
{
	const char *string;

	*to = '\0';
	while ((string = va_arg(strings, const char *)))
		strlcat(to, string, size);
}

static void path_of(char *to, ...)
{
	va_list strings;

	va_start(strings, to);
	join(to, TEXT, strings);
	va_end(strings);
}

static void report(const char *what, ...)
{
	char line[4 * TEXT] = "lpar: ", fields[3 * TEXT];
	va_list strings;

	va_start(strings, what);
	join(fields, sizeof(fields), strings);
	va_end(strings);

	strlcat(line, what, sizeof(line));
	strlcat(line, fields, sizeof(line));
	strlcat(line, "\n", sizeof(line));
	write(STDOUT_FILENO, line, strlen(line));
}

/* Reads a line of sysfs; false if there is no such file. */
static int get(const char *path, char *text)
{
	int file = open(path, O_RDONLY);
	ssize_t bytes;

	*text = '\0';
	if (file < 0)
		return 0;
	bytes = read(file, text, TEXT - 1);
	close(file);
	if (bytes < 1)
		return 0;
	text[text[bytes - 1] == '\n' ? bytes - 1 : bytes] = '\0';
	return 1;
}

static void set(const char *path, const char *value)
{
	int file = open(path, O_WRONLY);

	if (file < 0 || write(file, value, strlen(value)) < 0)
		report("error|", path, "|", value, NULL);
	close(file);
}

static int get_of_state(const char *cpu, int state, const char *name, char *text)
{
	char path[TEXT];

	path_of(path, CPUS "cpu", cpu, "/cpuidle/state", itoa(state), "/", name,
		NULL);
	return get(path, text);
}

static long count_of_state(const char *cpu, int state, const char *name)
{
	char text[TEXT];

	get_of_state(cpu, state, name, text);
	return atol(text);
}

static int states_of(const char *cpu)
{
	char text[TEXT];
	int count = 0;

	while (get_of_state(cpu, count, "name", text))
		count++;
	return count;
}

static void show_states(const char *cpu)
{
	char name[TEXT], desc[TEXT], latency[TEXT], residency[TEXT], off[TEXT];

	for (int state = 0; get_of_state(cpu, state, "name", name); state++) {
		get_of_state(cpu, state, "desc", desc);
		get_of_state(cpu, state, "latency", latency);
		get_of_state(cpu, state, "residency", residency);
		get_of_state(cpu, state, "disable", off);
		report("state|", cpu, "|", itoa(state), "|", name, "|", desc,
		       "|", latency, "|", residency, "|", off, NULL);
	}
}

/* A program that runs on a CPU is proof that the CPU is not idle. */
static void move_to(const char *cpu)
{
	unsigned long mask = 1UL << atol(cpu);

	if (my_syscall3(__NR_sched_setaffinity, 0, sizeof(mask), &mask) < 0)
		report("error|cannot run on CPU ", cpu, NULL);
}

/* All but one, or none with -1. */
static void disable_others(const char *cpu, int wanted)
{
	char path[TEXT];

	for (int state = 0; state < states_of(cpu); state++) {
		path_of(path, CPUS "cpu", cpu, "/cpuidle/state", itoa(state),
			"/disable", NULL);
		set(path, wanted >= 0 && state != wanted ? "1" : "0");
	}
}

static long usage_of_others(const char *cpu, int wanted)
{
	long usage = 0;

	for (int state = 0; state < states_of(cpu); state++)
		if (state != wanted)
			usage += count_of_state(cpu, state, "usage");
	return usage;
}

static void enter_state(const char *cpu, int state)
{
	char number[TEXT], gained[TEXT], took[TEXT], else_gained[TEXT];
	long usage, others, time;

	disable_others(cpu, state);
	usage = count_of_state(cpu, state, "usage");
	time = count_of_state(cpu, state, "time");
	others = usage_of_others(cpu, state);

	/* On a slow machine time is up before some of them have begun. */
	for (int i = 0; i < SLEEPS ||
	     (i < MOST_SLEEPS &&
	      count_of_state(cpu, state, "usage") - usage < SLEEPS); i++)
		usleep(SLEEP_US);

	usage = count_of_state(cpu, state, "usage") - usage;
	time = count_of_state(cpu, state, "time") - time;
	others = usage_of_others(cpu, state) - others;
	disable_others(cpu, -1);

	itoa_r(state, number);
	itoa_r(usage, gained);
	itoa_r(time, took);
	itoa_r(others, else_gained);
	report("entered|", cpu, "|", number, "|", gained, "|", took, "|",
	       else_gained, NULL);
}

/* Goes into every state until it was seen there, or nobody comes to look. */
static void be_followed(const char *cpu)
{
	char followed[TEXT];

	for (int round = 0; round < ROUNDS; round++) {
		get(FOLLOWED, followed);
		if (!strcmp(followed, "N"))
			return;
		for (int state = 0; state < states_of(cpu); state++) {
			disable_others(cpu, state);
			usleep(SLEEP_US);
		}
		disable_others(cpu, -1);
	}
	report("error|nobody followed a CPU", NULL);
}

static void look_at(const char *cpu)
{
	show_states(cpu);
	move_to(cpu);
	for (int state = 0; state < states_of(cpu); state++)
		enter_state(cpu, state);
}

static int cpu_exists(const char *cpu)
{
	char path[TEXT];
	int directory;

	path_of(path, CPUS "cpu", cpu, NULL);
	directory = open(path, O_RDONLY);
	if (directory < 0)
		return 0;
	close(directory);
	return 1;
}

static void visit_cpus(int first, void (*visit)(const char *cpu))
{
	char cpu[TEXT];

	for (int number = first; ; number++) {
		itoa_r(number, cpu);
		if (!cpu_exists(cpu))
			return;
		visit(cpu);
	}
}

static void off_and_on(const char *cpu)
{
	char path[TEXT], off[TEXT], on[TEXT];

	path_of(path, CPUS "cpu", cpu, "/online", NULL);
	set(path, "0");
	get(path, off);
	usleep(SLEEP_US);
	set(path, "1");
	get(path, on);
	if (strcmp(off, "0") || strcmp(on, "1"))
		report("error|CPU ", cpu, " went ", off, ", ", on, NULL);
}

static void show_cpuidle(void)
{
	char driver[TEXT], governor[TEXT];

	get(CPUS "cpuidle/current_driver", driver);
	get(CPUS "cpuidle/current_governor", governor);
	report("driver|", driver, NULL);
	report("governor|", governor, NULL);
}

#define TOOL		"/pseries-idle"
#define SYSPARM		"/dev/papr-sysparm"

/* What a distribution's init would have done for the tool. */
static void make_ready_for_tool(void)
{
	char number[TEXT];
	unsigned int major, minor;

	mkdir("/proc", 0755);
	if (mount("proc", "/proc", "proc", 0, NULL) < 0)
		report("error|no /proc", NULL);
	if (!get(SYSFS "/class/misc/papr-sysparm/dev", number))
		return;
	major = atoi(number);
	minor = atoi(strchr(number, ':') + 1);
	/* nolibc's makedev() has room for 8 bits of the minor number. */
	mknod(SYSPARM, S_IFCHR | 0600,
	      (minor & 0xff) | major << 8 | (minor & ~0xffU) << 12);
}

/* Its output stands between two reports. */
static void run_tool(const char *command)
{
	const char * const arguments[] = { TOOL, command, NULL };
	static const char * const environment[] = { NULL };
	int status = -1;
	pid_t child;

	report("tool|begin|", command, NULL);
	child = fork();
	if (!child) {
		execve(TOOL, (char **)arguments, (char **)environment);
		exit(127);
	}
	waitpid(child, &status, 0);
	/* As a shell has it, if a signal killed it. */
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	report("tool|end|", command, "|", itoa(status), NULL);
}

int main(int argc, char **argv)
{
	int cycles = argc > 1 ? atoi(argv[1]) : 1;

	mkdir(SYSFS, 0755);
	mount("sysfs", SYSFS, "sysfs", 0, NULL);

	show_cpuidle();
	move_to("0");
	be_followed("0");
	visit_cpus(0, look_at);

	/* From the first CPU, which stays. */
	move_to("0");
	for (int cycle = 0; cycle < cycles; cycle++)
		visit_cpus(1, off_and_on);
	report("cycles|", itoa(cycles), NULL);

	visit_cpus(0, look_at);
	if (argc > 2 && !strcmp(argv[2], "tool")) {
		make_ready_for_tool();
		/* The first CPU is what it was made at boot. */
		move_to("0");
		run_tool("capture");
		run_tool("check");
	}
	report("end", NULL);
	reboot(LINUX_REBOOT_CMD_POWER_OFF);
	return 1;
}
