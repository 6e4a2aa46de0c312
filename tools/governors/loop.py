# SPDX-License-Identifier: GPL-2.0
"""idle-loop, built with the governors of a kernel tree."""

import csv
import hashlib
import os
import pathlib
import re
import signal
import subprocess

import kernel_tree
from common import UNUSABLE, Stop, replacing, say

HERE = pathlib.Path(__file__).resolve().parent
GOVERNORS = ('menu', 'teo', 'ladder')

# Who ends a sleep, in tables and plots; all six patterns are in the CSV.
SHOWN = ('a timer', 'a pipe')

# Of a row of the sweep, by sleep: heading, and value.
MEASURES = (
    ('ceded %', lambda row: 100 * row['ceded'] / row['sleeps']),
    ('too deep %', lambda row: 100 * row['above'] / row['sleeps']),
    ('too shallow %', lambda row: 100 * row['below'] / row['sleeps']),
    ('late us', lambda row: row['late_ns'] / row['sleeps'] / 1000),
    ('polled %', lambda row: 100 * row['polled_ns'] / row['idle_ns']),
)

# Columns that are no numbers.
NAMES = ('governor', 'table', 'pattern')

# A whole sweep takes a second.
MOST_SECONDS = 300

# What gcc says when a governor wants something that is not there.
WANTS = (
    re.compile(r"implicit declaration of function [‘'](\w+)"),
    re.compile(r"[‘'](\w+)[’'] undeclared"),
    re.compile(r"unknown type name [‘'](\w+)"),
    re.compile(r"has no member named [‘'](\w+)"),
    re.compile(r'fatal error: (\S+): No such file'),
    re.compile(r"undefined reference to [`'](\w+)"),
)
GOVERNOR = re.compile(r'(?:governor[-_]|governors/)(\w+)\.[co]\b')


class Refused(Stop):
    """The arguments are wrong, and not the governors."""


class Loop:
    """The program for one tree; a run gives CSV."""

    def __init__(self, build, tree, name):
        self.tree = pathlib.Path(tree)
        check_tree(self.tree, name)
        self.version = version_of(self.tree)
        objects = build / 'governors' / name
        objects.mkdir(parents=True, exist_ok=True)
        # Not by their times: those of an unpacked release can be any.
        stamp = objects / 'made-of'
        sources = fingerprint(self.tree)
        if not stamp.is_file() or stamp.read_text(encoding='ascii') != sources:
            forget(objects)
            # A link, as neither make nor a compiler's option stands a space.
            (objects / 'linux').symlink_to(self.tree.resolve())
            with replacing(stamp) as new:
                new.write_text(sources, encoding='ascii')
        self.program = objects / 'idle-loop'
        make(objects, name)

    def run(self, *arguments):
        try:
            done = subprocess.run([self.program, *map(str, arguments)], text=True,
                                  errors='replace', capture_output=True, check=False,
                                  timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            raise Stop(f'the governors of {self.tree} have not come to an end '
                       f'within {MOST_SECONDS} s') from None
        if done.returncode < 0:
            raise Stop(f'the governors of {self.tree} crash, by '
                       f'{signal.Signals(-done.returncode).name}: see '
                       f'gdb --args {self.program} {" ".join(map(str, arguments))}')
        if done.returncode:
            line = done.stderr.partition('\n')[0].removeprefix('idle-loop: ')
            if done.returncode == UNUSABLE:
                raise Refused(line)
            raise Stop(f'{self.tree}: '
                       + (line or f'idle-loop ended with status {done.returncode}'))
        return done.stdout

    def rows(self, *arguments):
        return [with_numbers(row)
                for row in csv.DictReader(self.run(*arguments).splitlines())]


def own_loop(build, kdir):
    """For the tree that everything here is for: its governors are only read."""
    if kdir:
        return Loop(build, os.path.abspath(os.path.expanduser(kdir)), 'KDIR')
    return Loop(build, kernel_tree.prepare(build, None), 'KDIR')


def with_numbers(row):
    return {name: text if name in NAMES else int(text)
            for name, text in row.items()}


def check_tree(tree, name):
    for governor in GOVERNORS:
        if not (tree / 'drivers/cpuidle/governors' / f'{governor}.c').is_file():
            raise Stop(f'{name}={tree} has no drivers/cpuidle/governors/'
                       f'{governor}.c: give the top of an unpacked kernel tree')


def version_of(tree):
    numbers = {}
    makefile = tree / 'Makefile'
    if makefile.is_file():
        with open(makefile, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                if match := re.fullmatch(r'(VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)\s*',
                                         line):
                    numbers[match[1]] = match[2]
    return '.'.join(numbers.values()) or 'unknown version'


def fingerprint(tree):
    """Of the governors, where they are and what is in them."""
    found = hashlib.sha256(os.fsencode(tree.resolve()))
    for path in sorted((tree / 'drivers/cpuidle/governors').glob('*.[ch]')):
        found.update(b'\0' + os.fsencode(path.name) + b'\0' + path.read_bytes())
    return found.hexdigest()


def forget(objects):
    for path in objects.iterdir():
        path.unlink()


def make(objects, name):
    relative = os.path.relpath(objects, HERE)
    if re.search(r'\s', relative):
        raise Stop(f'{relative}: make cannot build where a space is')
    done = subprocess.run(
        ['make', '--silent', '--no-print-directory', '-C', HERE, f'O={relative}',
         f'LINUX={relative}/linux'], text=True, capture_output=True, check=False,
        env={key: value for key, value in os.environ.items()
             if key in ('PATH', 'HOME', 'TMPDIR', 'CFLAGS')} | {'LC_ALL': 'C'})
    if not done.returncode:
        return
    for line in done.stderr.splitlines():
        for pattern in WANTS:
            if match := pattern.search(line):
                of = GOVERNOR.search(line)
                who = f"the tree's {of[1]}.c" if of else 'idle-loop'
                raise Stop(f'{name}: {who} needs {match[1]}, which lib/pseries_idle'
                           '/tests/governor_env.h does not replace')
    say(done.stderr.rstrip('\n'))
    raise Stop(f'{name}: idle-loop could not be built, see above')


ALL_TABLES = ('shared', 'stop0lite', 'dedicated', 'firmware-12', 'firmware-2')
# To a governor, "shared" is what "dedicated" is; stop0lite is for who asks.
DIFFERENT_TABLES = ALL_TABLES[2:]


def tables(environment):
    chosen = environment.get('TABLES')
    if chosen is None or chosen == '':
        return DIFFERENT_TABLES
    if not chosen.split():
        raise Stop('TABLES= names no table: see tools/governors/experiments --help')
    for table in chosen.split():
        if not table.isprintable() or table.startswith('-'):
            raise Stop(f'TABLES={table!r}: a name cannot begin with "-", and has '
                       'only what can be printed')
    return chosen.split()
