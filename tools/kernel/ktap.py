# SPDX-License-Identifier: GPL-2.0
"""Read the KTAP in a kernel log: what ran, and how it ended.

Stricter than kunit.py's reader, which takes what it finds as complete: here
whatever began has to end, and the kernel has to be quiet about it.
"""

import dataclasses
import re

INDENT = 4

PREFIX = re.compile(r'^(\[ *\d+\.\d+\] ?)(\[ *[CT]\d+\] ?)?')
START = re.compile(r'^( *)KTAP version \d+$')
PLAN = re.compile(r'^( *)1\.\.(\d+)$')
SUBTEST = re.compile(r'^( *)# Subtest: (.*)$')
RESULT = re.compile(r'^( *)(ok|not ok) \d+ (?:- )?(.*?)( # SKIP.*)?$')
CASE_SPEED = re.compile(r'^ *# \w+\.speed: (\w+)$')
SUITE_SPEED = re.compile(r'^ *# speed: (\w+)$')
VERIFIED = re.compile(r'^ *# \w+: verified (\d+ .*)$')
DIAGNOSTIC = re.compile(r'^ *# ')

COMPLAINT = re.compile(
    r'\b(BUG|WARNING|UBSAN|Oops)\b ?:|KASAN: |Kernel panic|'
    r'general protection fault|detected stall|Segfault with no mm')


@dataclasses.dataclass
class Result:
    """How one leaf ended: a case without rows, or a row."""
    name: str
    outcome: str                # passed, failed or skipped
    text: list
    speed: str = ''             # as the KTAP says; mostly nothing


@dataclasses.dataclass
class Group:
    """A suite, or a case with rows, that has begun."""
    name: str
    indent: int
    leaves: list = dataclasses.field(default_factory=list)
    speed: str = ''


@dataclasses.dataclass
class Report:
    results: list = dataclasses.field(default_factory=list)
    complaints: list = dataclasses.field(default_factory=list)
    lines: list = dataclasses.field(default_factory=list)
    verified: list = dataclasses.field(default_factory=list)


class Reader:
    """Takes the lines of a log one by one."""

    def __init__(self):
        self.report = Report()
        self.groups = []
        self.text = []
        self.case_speed = ''
        self.suites_planned = None
        self.suites_ended = 0
        self.last_line = ''

    def read(self, raw):
        line = PREFIX.sub('', raw.rstrip())
        self.last_line = line or self.last_line
        if self.report.lines or START.match(line):
            self.report.lines.append(line)
        if match := RESULT.match(line):
            self.result(len(match[1]), match[2] == 'ok', match[3], match[4])
        elif match := SUBTEST.match(line):
            self.close_groups(len(match[1]))
            self.groups.append(Group(match[2], len(match[1])))
            self.text = []
        elif match := PLAN.match(line):
            if not match[1]:
                self.suites_planned = int(match[2])
        elif match := CASE_SPEED.match(line):
            self.case_speed = match[1]
        elif (match := SUITE_SPEED.match(line)) and self.groups:
            self.groups[-1].speed = match[1]
        elif match := VERIFIED.match(line):
            self.report.verified.append(match[1])
        elif not START.match(line):
            self.text.append(line)
            # Before the tests, some trees warn about UML's own drivers.
            if (self.report.lines and COMPLAINT.search(line)
                    and not DIAGNOSTIC.match(line)):
                self.report.complaints.append(f'the kernel says: {line}')

    def result(self, indent, is_ok, name, skip):
        own = None
        if (self.groups and self.groups[-1].name == name
                and self.groups[-1].indent == indent + INDENT):
            own = self.groups.pop()
        self.close_groups(indent + 1)
        outcome = 'skipped' if skip else 'passed' if is_ok else 'failed'
        if own and not own.leaves and outcome == 'passed':
            outcome = 'failed'
            self.text.append('it ran nothing')
        below, own_speed = (own.leaves, own.speed) if own else ([], '')
        told = below and (outcome != 'failed' or
                          any(leaf.outcome == 'failed' for leaf in below))
        if not told:
            path = '.'.join([group.name for group in self.groups] + [name])
            leaf = Result(path, outcome, self.text)
            self.report.results.append(leaf)
            below.append(leaf)
        # A case says its speed after its rows, a suite before its cases.
        for leaf in below:
            leaf.speed = leaf.speed or self.case_speed or own_speed
        self.case_speed = ''
        if self.groups:
            self.groups[-1].leaves += below
        if indent == 0:
            self.suites_ended += 1
        self.text = []

    def close_groups(self, indent):
        """Groups at this depth or deeper should have ended by now."""
        while self.groups and self.groups[-1].indent >= indent:
            path = '.'.join(group.name for group in self.groups)
            self.report.complaints.append(
                f'{path} began and did not end: crashed or timed out')
            self.groups.pop()

    def finish(self):
        self.close_groups(0)
        if not self.report.lines:
            self.report.complaints.append('the log has no test results, its '
                                          f'end is: {self.last_line}')
        elif self.suites_planned != self.suites_ended:
            self.report.complaints.append(
                f'{self.suites_planned} suites should have run, '
                f'{self.suites_ended} ended: crashed or timed out')
        return self.report


def read(lines):
    reader = Reader()
    for line in lines:
        reader.read(line)
    return reader.finish()
