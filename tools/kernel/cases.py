# SPDX-License-Identifier: GPL-2.0
"""The list of cases that must pass, and what KUnit's filters select of it."""

import fnmatch
import operator
import re

from common import Stop, TOP, replacing

SPEEDS = ('unset', 'very_slow', 'slow', 'normal')
MARKED = re.compile(r'^(.*) \[(very_slow|slow)\]$')
OPERATORS = {'<=': operator.le, '>=': operator.ge, '!=': operator.ne,
             '<': operator.lt, '>': operator.gt, '=': operator.eq}
SPEED_FILTER = re.compile(r'speed(<=|>=|!=|<|>|=)(\w+)')

HEADER = """\
# SPDX-License-Identifier: GPL-2.0
# What a run must see pass: suite.case, or suite.case.row for each row of a
# table, in the order they run.  Written by `make cases`.
"""


def load(*paths):
    """{name: speed} of all cases and rows in these lists."""
    cases = {}
    for path in paths:
        cases.update(load_one(path))
    return cases


def load_one(path):
    try:
        lines = path.read_text(encoding='utf-8').splitlines()
    except FileNotFoundError:
        raise Stop(f'{path} is missing: `make cases` writes it') from None
    cases = {}
    for line in lines:
        if not line or line.startswith('#'):
            continue
        marked = MARKED.match(line)
        name, speed = marked.groups() if marked else (line, 'normal')
        if name in cases:
            raise Stop(f'{path} lists {name} twice: remove one')
        cases[name] = speed
    if not cases:
        raise Stop(f'{path} lists nothing: `make cases` writes it')
    return cases


def save(results, path):
    def line(result):
        slow = result.speed in ('very_slow', 'slow')
        return result.name + (f' [{result.speed}]' if slow else '') + '\n'

    with replacing(path) as new:
        new.write_text(HEADER + ''.join(map(line, results)), encoding='utf-8')


def names_of(paths):
    return ' and '.join(str(path.relative_to(TOP)) for path in paths)


def select(cases, glob='', speed_filter=''):
    """The names that the kernel would run, as lib/kunit/executor.c decides."""
    glob_selects = glob_filter(glob)
    speed_selects = speed_filters(speed_filter)
    names = [name for name, speed in cases.items()
             if glob_selects(name) and speed_selects(speed)]
    if not names:
        hint = (' (KUnit selects by suite.case, not by row)'
                if glob.count('.') > 1 else '')
        raise Stop(f'{" ".join(filter(None, (glob, speed_filter)))} selects '
                   f'nothing of the listed cases{hint}')
    return names


def glob_filter(glob):
    if not re.fullmatch(r'[\w*?\[\]!.-]*', glob):
        raise Stop(f'the filter {glob!r} cannot be passed to a kernel: use '
                   'letters, digits, and * ? [ ] ! . -')
    suite_glob, dot, case_glob = glob.partition('.')

    def selects(name):
        suite, case = name.split('.')[:2]
        return ((not glob or fnmatch.fnmatchcase(suite, suite_glob))
                and (not dot or fnmatch.fnmatchcase(case, case_glob)))
    return selects


def speed_filters(text):
    tests = []
    for part in filter(None, re.split(r', *', text)):
        match = SPEED_FILTER.fullmatch(part)
        if not match or match[2] not in SPEEDS:
            raise Stop(f'the filter {part!r} cannot be judged, as the list of '
                       'cases knows only their speed: use speed, one of '
                       f'{" ".join(OPERATORS)}, and one of '
                       f'{" ".join(SPEEDS[1:])}')
        tests.append((OPERATORS[match[1]], SPEEDS.index(match[2])))
    return lambda speed: all(compare(SPEEDS.index(speed), limit)
                             for compare, limit in tests)
