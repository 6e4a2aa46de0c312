# SPDX-License-Identifier: GPL-2.0
"""Read what a partition printed, and compare it with what was expected."""

import dataclasses
import re

import partition
from matrix import ENTERING
from ktap import COMPLAINT, PREFIX
from results import printable

REPORT = 'lpar: '
TOOL = REPORT + 'tool|'
# Both drivers' own lines, and one of cpuidle's that begins alike.
DRIVER_LINE = re.compile(r'(pseries_idle|xcede|cpuidle): (?!using governor)')
# Without SLOF nobody has formatted the emulated NVRAM.
OF_THE_MACHINE = 'nvram corruption detected'
# Init sleeps 20 times, and on, if it was not entered as often.
LEAST_ENTERED = 10


@dataclasses.dataclass
class Observed:
    """What one boot showed."""
    ending: str = ''
    asked: int = None
    traces: dict = dataclasses.field(default_factory=dict)
    driver: str = None
    states: dict = dataclasses.field(default_factory=dict)
    entered: list = dataclasses.field(default_factory=list)
    log: list = dataclasses.field(default_factory=list)
    errors: list = dataclasses.field(default_factory=list)
    complaints: list = dataclasses.field(default_factory=list)
    cycles: int = 0
    tool: dict = dataclasses.field(default_factory=dict)
    tool_lines: dict = dataclasses.field(default_factory=dict)
    complete: bool = False


def read(text, ending, inside):
    seen = Observed(ending, inside.get('asked'), inside.get('traces', {}))
    running = None
    for line in text.splitlines():
        line = PREFIX.sub('', line.rstrip('\r'))
        if line.startswith(TOOL):
            running = read_tool(seen, line[len(TOOL):].split('|'))
        elif running:
            seen.tool_lines[running].append(line)
        elif line.startswith(REPORT):
            try:
                read_report(seen, line[len(REPORT):].split('|'))
            except ValueError:
                seen.errors.append(f'the console has "{printable(line)}"')
        elif DRIVER_LINE.match(line):
            seen.log.append(line)
        elif COMPLAINT.search(line) and OF_THE_MACHINE not in line:
            seen.complaints.append(line)
    return seen


def read_tool(seen, fields):
    """Which command's output follows, or None at its end."""
    what, command, *status = fields
    if what == 'begin':
        seen.tool_lines[command] = []
        return command
    seen.tool[command] = int(status[0])
    return None


def read_report(seen, fields):
    what, *values = fields
    if what == 'driver':
        seen.driver = values[0]
    elif what == 'state':
        cpu, _, name, desc, latency, residency, disabled = values
        seen.states.setdefault(int(cpu), []).append(
            (name, desc, int(latency), int(residency), disabled == '1'))
    elif what == 'entered':
        seen.entered.append(tuple(map(int, values)))
    elif what == 'cycles':
        seen.cycles = int(values[0])
    elif what == 'error':
        seen.errors.append(' '.join(values))
    elif what == 'end':
        seen.complete = True


def problems(seen, expected, cpus, cycles, tool=False):
    """What is not as expected, a line each."""
    if expected.floods:
        return list(flooding_problems(seen))
    found = list(course_problems(seen, expected, cycles))
    if seen.complete:
        found += state_problems(seen, expected, cpus)
        found += entering_problems(seen, expected, cpus)
        found += trace_problems(seen, expected)
        if tool:
            found += tool_problems(seen, expected)
    return found


def flooding_problems(seen):
    if seen.ending != partition.TOO_MUCH:
        yield f'expected no end of output, but it {seen.ending}'


def course_problems(seen, expected, cycles):
    if seen.ending != partition.SUCCEEDED:
        yield f'it {seen.ending}'
    elif not seen.complete:
        yield 'it ended before its time'
    elif seen.cycles != cycles:
        yield f'CPUs went off and on {seen.cycles} times instead of {cycles}'
    if seen.asked is not None and bool(seen.asked) != expected.asked:
        yield ('firmware was not asked' if expected.asked else
               f'firmware was asked, {seen.asked} times')
    if expected.log is not None and tuple(seen.log) != expected.log:
        yield (f'expected log "{" / ".join(expected.log)}", '
               f'got "{" / ".join(seen.log)}"')
    if seen.complaints and not expected.warns:
        yield f'the kernel complains: {seen.complaints[0]}'
    if expected.warns and not seen.complaints:
        yield 'the kernel does not complain, and it should'
    yield from seen.errors


def state_problems(seen, expected, cpus):
    if seen.driver != expected.driver:
        yield f'expected driver {expected.driver}, got {seen.driver}'
    # Everything is shown twice: before and after the CPUs were off line.
    wanted = [(name, name, *numbers, False)
              for name, *numbers in expected.states] * 2
    for cpu in range(cpus):
        got = seen.states.get(cpu, [])
        if got != wanted:
            yield (f'CPU {cpu}: expected states {words(wanted)}, '
                   f'got {words(got)}')


def words(states):
    """Names and numbers; what comes twice alike is said once."""
    half = len(states) // 2
    if states[:half] == states[half:]:
        states = states[:half]
    return ', '.join(
        f'{name} {latency}/{residency} us'
        + (f' described as {desc}' if desc != name else '')
        + (' disabled' if disabled else '')
        for name, desc, latency, residency, disabled in states) or 'none'


def entering_problems(seen, expected, cpus):
    tried = [(cpu, state) for cpu, state, *_ in seen.entered]
    wanted = [(cpu, state) for cpu in range(cpus)
              for state in range(len(expected.states))] * 2
    if tried != wanted:
        yield f'expected to enter (CPU, state) {wanted}, tried {tried}'
    for cpu, state, times, microseconds, others in seen.entered:
        if times < LEAST_ENTERED or microseconds <= 0 or others:
            yield (f'CPU {cpu}: state {state} was the only one enabled and '
                   f'was entered {times} times for {microseconds} us, '
                   f'the others {others} times')


def trace_problems(seen, expected):
    """What an enter function does to its CPU, and undoes."""
    for name, *_ in expected.states:
        traces = seen.traces.get(name, [None])
        if None in traces:
            yield f'{name}: no CPU could be followed through it'
            continue
        for trace in traces:
            yield from one_trace_problems(name, trace, ENTERING[name])


def one_trace_problems(name, trace, entering):
    if tuple(trace['hypercalls']) != entering.hypercalls:
        yield (f'{name}: expected hypercalls {hexadecimal(entering.hypercalls)}'
               f', got {hexadecimal(trace["hypercalls"])}')
    if trace['stops'] != entering.stops:
        yield (f'{name}: expected {entering.stops} stop instructions, '
               f'got {trace["stops"]}')
    for when, wanted in (('waiting', entering.waiting),
                         ('after', entering.after)):
        for what, value in wanted.items():
            if trace[when][what] != value:
                yield (f'{name}, {when}: {what} is {trace[when][what]} '
                       f'instead of {value}')
    if trace['waiting']['run latch']:
        yield f'{name}, waiting: the run latch is set'
    if trace['after']['run latch'] != trace['before']['run latch']:
        yield f'{name}, after: the run latch is not as before'


def hexadecimal(numbers):
    return ' '.join(map(hex, numbers)) or 'none'


def tool_problems(seen, expected):
    """Does pseries-idle see on the partition what it was made to be."""
    if seen.tool.get('capture') != 0:
        yield f'capture: {seen.tool_lines.get("capture")}'
        return
    captured = [line for line in seen.tool_lines['capture']
                if not line.startswith('#')]
    for line in expected.capture:
        if line not in captured:
            yield f'capture: "{line}" is not in {captured}'
    status = 0 if expected.agrees else 1
    if seen.tool.get('check') != status:
        yield (f'check: expected status {status}, got '
               f'{seen.tool.get("check")}: {seen.tool_lines.get("check")}')
