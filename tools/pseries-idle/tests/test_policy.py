# SPDX-License-Identifier: GPL-2.0
"""The decision table: written, compared, and a ref whose own is broken."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import linux_6_12
import matrix
from common import Stop, TOP

sys.path.append(str(TOP / 'tools/governors/tests'))
from made_up_tree import make_tree   # pylint: disable=wrong-import-position

PARTS = ('include', 'lib/pseries_idle', 'tools/governors', 'tools/kernel',
         'tools/pseries-idle')
POLICY = 'tools/pseries-idle/policy'


def load_policy():
    path = str(TOP / POLICY)
    loader = importlib.machinery.SourceFileLoader('policy', path)
    spec = importlib.util.spec_from_loader('policy', loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


policy = load_policy()


def setUpModule():
    # pylint: disable=global-statement
    global CHECKOUT, ROWS
    CHECKOUT = Checkout()
    CHECKOUT.commit('whole')
    assert CHECKOUT.run('check').returncode == 0
    ROWS = policy.read_rows(subprocess.run(
        [CHECKOUT.top / 'build/policy/here/pseries-idle', 'table', '--json'],
        check=True, capture_output=True, text=True).stdout)


def tearDownModule():
    CHECKOUT.scratch.cleanup()


class Checkout:
    """A copy of the project under git, with a space in its path."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix='policy-')
        self.top = pathlib.Path(self.scratch.name, 'a checkout')
        for part in PARTS:
            shutil.copytree(TOP / part, self.top / part)
        # Not the large one: its governors do for what is tested here.
        self.tree = make_tree(pathlib.Path(self.scratch.name, 'a tree'))
        self.git('init', '--quiet')

    def git(self, *arguments):
        subprocess.run(
            ['git', '-C', self.top, '-c', 'user.name=a', '-c', 'user.email=b',
             '-c', 'commit.gpgsign=false', *arguments], check=True)

    def commit(self, name):
        self.git('add', '--force', *PARTS)
        self.git('commit', '--quiet', '--message', name)
        self.git('tag', name)

    def commit_tool(self, name, script):
        """A ref whose make builds a tool that is a script."""
        room = self.top / 'tools/pseries-idle'
        kept = (room / 'Makefile').read_bytes()
        (room / 'Makefile').write_text(
            '$(O)/pseries-idle: tool\n\tcp tool $@\n', encoding='ascii')
        (room / 'tool').write_text(script, encoding='utf-8')
        (room / 'tool').chmod(0o755)
        self.commit(name)
        (room / 'tool').unlink()
        (room / 'Makefile').write_bytes(kept)

    def run(self, *arguments, redirect='', **environment):
        return subprocess.run(
            ['bash', '-c', f'{redirect}\nexec "$@"', 'bash', sys.executable,
             self.top / POLICY, *arguments], capture_output=True,
            text=True, check=False, timeout=300,
            env={**os.environ, 'TMPDIR': self.scratch.name,
                 'KDIR': str(self.tree), **environment})


class BrokenRefTest(unittest.TestCase):
    """One line that says so, and nothing left behind."""

    def assert_refused(self, words, base):
        ran = CHECKOUT.run('diff', BASE=base)
        self.assertEqual((ran.returncode, ran.stdout), (2, ''), ran.stderr)
        said = [line for line in ran.stderr.splitlines()
                if not line.startswith(('build:', 'policy: waiting'))]
        self.assertEqual(len(said), 1, ran.stderr)
        self.assertIn(words, said[0])
        left = {path.name for path
                in (CHECKOUT.top / 'build/policy').iterdir()}
        self.assertEqual(left, {'here'})
        return said[0]

    def test_tools(self):
        sh = '#!/bin/sh\n'
        rows = list(ROWS.values())
        for name, script, words in (
                ('crashes', sh + 'kill -SEGV $$', 'ended by SIGSEGV'),
                ('fails', sh + 'exit 3', 'status 3'),
                ('complains', sh + 'printf "bad\\033[2J core\\nmore" >&2\nexit 1',
                 'pseries-idle: bad?[2J core'),
                ('silent', sh, 'no JSON'),
                ('truncated', f'{sh}echo \'{json.dumps(rows[:3])[:-20]}\'',
                 'no JSON, or not all of it'),
                ('noise', sh + 'head -c 100000 /dev/urandom', 'no JSON'),
                ('deep', sh + 'head -c 100000 /dev/zero | tr "\\0" "["',
                 'no JSON'),
                ('empty', sh + 'echo "[]"', 'has no rows'),
                ('columns', sh + 'echo "[{\\"pvr\\": 1}]"',
                 'in row 1, "processor"'),
                ('no-program', 'what is this', 'pseries-idle: ')):
            with self.subTest(name):
                CHECKOUT.commit_tool(name, script)
                self.assertIn(f'BASE={name}: its table cannot be made: ',
                              self.assert_refused(words, name))

    def test_core_that_does_not_compile(self):
        source = CHECKOUT.top / 'lib/pseries_idle/states.c'
        kept = source.read_bytes()
        source.write_bytes(kept + b'x y z\n')
        CHECKOUT.commit('no-c')
        source.write_bytes(kept)
        self.assert_refused('states.c:', 'no-c')

    def test_no_ref(self):
        for base in ('nowhere', '-x', '^whole', 'a\nb', 'whole..whole',
                     'whole:Makefile', 'whole^{tree}', '@{9}'):
            with self.subTest(base):
                self.assert_refused('is no commit here', base)

    def test_too_old(self):
        CHECKOUT.git('rm', '--quiet', '-r', '--cached', 'tools/pseries-idle')
        CHECKOUT.git('commit', '--quiet', '--message', 'old')
        CHECKOUT.git('tag', 'old')
        self.assert_refused('older than tools/pseries-idle', 'old')


class ReadTest(unittest.TestCase):
    """Every column of a row, as what it is not."""

    def test_columns(self):
        row = next(row for row in ROWS.values() if len(row['states']) == 2)
        self.assertEqual(row.keys(), policy.ROW.keys())
        wrong = {'number': (-1, True, 1.5, '1', None), 'words': (1, None, 'a\nb'),
                 'flag': (0, 'true', None), 'level': (3, '4.0', [], None)}
        kinds = {'pvr': 'number', 'processor': 'words', 'isa': 'level',
                 'lpar': 'words', 'answer': 'words', 'asked': 'flag',
                 'driver': 'flag', 'snooze_timeout_ticks': 'number',
                 'guest_stop': 'flag'}
        tries = [(name, value) for name, kind in kinds.items()
                 for value in wrong[kind]]
        tries += [('bytes', value) for value in ('0', 'xx', 'AB', None)]
        tries += [('native', '4.0'), ('why', 1), ('states', {}),
                  ('states', None), ('states', [1]), ('states', [{}])]
        tries += [('states', [{**row['states'][0], name: value}])
                  for name, value in (
                      ('name', None), ('how', None),
                      ('exit_latency_us', '1'), ('target_residency_us', -1))]
        for name, value in tries:
            with self.subTest(name=name, value=value):
                self.assert_unread(f'in row 2, "{name}" is', [
                    {**row, 'pvr': 1}, {**row, name: value}])
        for name in row.keys() - policy.SINCE.keys():
            self.assert_unread(f'"{name}"', [
                {key: value for key, value in row.items() if key != name}])

    def test_dump_older_than_a_column(self):
        row = next(row for row in ROWS.values() if not row['guest_stop'])
        older = {name: value for name, value in row.items()
                 if name not in policy.SINCE}
        self.assertEqual(list(policy.read_rows(json.dumps([older]))),
                         [policy.key(row)])

    def test_rows(self):
        row = next(iter(ROWS.values()))
        for words, dump in (('row 2 was there', [row, row]),
                            ('no rows', []), ('no rows', {}), ('no rows', 1),
                            ('all of it', [1]), ('all of it', [[row]])):
            self.assert_unread(words, dump)

    def assert_unread(self, words, dump):
        with self.assertRaises(Stop) as stopped:
            policy.read_rows(json.dumps(dump))
        self.assertIn(words, str(stopped.exception))

    def test_a_dump_without_end(self):
        for name, value, command, words in (
                ('MOST_OUTPUT', 1000, ['yes'], 'no end'),
                ('MOST_SECONDS', 0.5, ['sleep', '100'], 'within 0.5 s'),
                ('MOST_SECONDS', 0.5, ['sh', '-c', 'exec >&-; sleep 100'],
                 'within 0.5 s'),
                ('MOST_SECONDS', 0.5, ['sh', '-c', 'sleep 100 & wait'],
                 'within 0.5 s')):
            kept = getattr(policy, name)
            setattr(policy, name, value)
            try:
                with self.assertRaises(Stop) as stopped:
                    policy.run(command)
            finally:
                setattr(policy, name, kept)
            self.assertIn(words, str(stopped.exception))


class DiffTest(unittest.TestCase):

    def test_nothing_changed(self):
        ran = CHECKOUT.run('diff', BASE='whole')
        self.assertEqual(ran.stdout.splitlines(), [
            f'0 of {len(ROWS)} rows differ from whole, {len(ROWS)} do not'])

    def test_residency_factor(self):
        """Exactly what is asked, and uses what firmware says."""
        source = CHECKOUT.top / 'lib/pseries_idle/states.c'
        kept = source.read_bytes()
        factor = b'RESIDENCY_PER_LATENCY\t'
        self.assertEqual(kept.count(factor + b'10\n'), 1)
        source.write_bytes(kept.replace(factor + b'10\n', factor + b'8\n'))
        try:
            ran = CHECKOUT.run('diff', BASE='whole')
            stale = CHECKOUT.run('check')
        finally:
            source.write_bytes(kept)
        usable = [row for row in ROWS.values()
                  if row['asked'] and row['why'] == "firmware's lowest"]
        self.assertTrue(all(row['lpar'] == 'dedicated' for row in usable))
        lines = ran.stdout.splitlines()
        self.assertIn(f'{len(usable)} of {len(ROWS)} rows differ '
                      f'from whole, {len(ROWS) - len(usable)} do not', lines)
        # What it does to a governor that always cedes: nothing, but misses.
        at = lines.index('  CEDE 12/120 -> CEDE 12/96 us')
        self.assertRegex(lines[at + 4], '^    teo, ended by a pipe: ceded % '
                         r'100\.00, too deep % \d+\.\d\d -> ')
        self.assertIn(
            'POWER10, POWER11, unknown processor in any mode, dedicated, '
            "firmware 12/30 us: CEDE 12/120 -> 12/96 us (firmware's lowest)",
            lines)
        self.assertEqual(stale.returncode, 1)
        self.assertIn('\n@@ ', stale.stdout)
        self.assertIn('\n-    firmware 12/30 us: snooze 0/0 us polls; '
                      'CEDE 12/120 us', stale.stdout)
        self.assertTrue(stale.stdout.endswith('\n0 passed, 1 failed\n'))

    def test_output_that_cannot_be_written(self):
        for redirect in ('exec >/dev/full', 'exec > >(exec true); wait $!'):
            ran = CHECKOUT.run('diff', BASE=policy.LINUX, redirect=redirect)
            self.assertEqual(ran.returncode, 2)
            self.assertIn('policy: standard output: could not be written',
                          ran.stderr)
            self.assertNotIn('Traceback', ran.stderr)

    def test_write(self):
        table = CHECKOUT.top / 'tools/pseries-idle/policy.txt'
        kept = table.read_bytes()
        self.assertIn('what it was', CHECKOUT.run('write').stderr)
        table.write_bytes(b'\xff')
        self.assertEqual(CHECKOUT.run('check').returncode, 1)
        self.assertIn('wrote', CHECKOUT.run('write').stderr)
        self.assertEqual(table.read_bytes(), kept)

    def test_names(self):
        """Two processors of one name are told apart."""
        names = set(policy.short_names(ROWS).values())
        self.assertEqual(len(names), len({row['pvr'] for row in ROWS.values()}))
        for name in ('RS64-III (0x34)', 'RS64-III (0x36)', 'POWER3 (630)',
                     'POWER3 (630+)', 'POWER10', 'unknown processor'):
            self.assertIn(name, names)

    def test_modes(self):
        below, *levels = policy.LEVELS
        for given, native, words in (
                (policy.LEVELS, '3.1', 'in any mode'),
                (['3.1'], '3.1', 'native'),
                (['3.1'], None, 'in POWER10 mode'),
                ([below], '3.1', 'in a mode older than POWER5+'),
                ([below, *levels[:5]], '3.1', 'in POWER9 mode or older'),
                ([below, '2.04'], '3.1', 'in POWER5+ mode or older'),
                (['2.07', '3.0'], '3.1', 'in POWER8 to POWER9 mode'),
                (['2.06', '3.0'], '3.1', 'in POWER7, POWER9 mode'),
                ([below, '3.0'], '3.1',
                 'in POWER9 mode, or older than POWER5+')):
            self.assertEqual(policy.mode(given, {'native': native}), words)

    def test_drawn_together(self):
        """Only if nothing is left out, and it is the same processors."""
        line = policy.Line(True, 'native', 'shared', 'a', False, 'old', 'new')
        both = {line: ['P'], line._replace(stop=True): ['P']}
        stops = {False, True}
        self.assertEqual(policy.drawn_together(both, 'stop', stops),
                         {line._replace(stop=None): ('P',)})
        for apart in ({line: ['P']}, {**both, line: ['P', 'Q']},
                      {line: ['P'], line._replace(stop=True, new='x'): ['P']}):
            drawn = policy.drawn_together(apart, 'stop', stops)
            self.assertEqual(drawn.keys(), apart.keys())

    def test_markdown(self):
        row = next(iter(ROWS.values()))
        change = policy.Change(policy.key(row), row, 'a|b', ('c|d', 'e'),
                               (None, None))
        self.assertRegex(policy.markdown([change], 'sum', []),
                         r'\| a\\\|b .* \| c\\\|d \| e \|\n')


def may_stop(row):
    """By the words of the page's table of a state that Linux does not have."""
    pvr = row['pvr']
    old_power9 = pvr >> 16 == 0x4e and pvr & 0xfff < 0x203
    return (row['guest_stop'] and row['lpar'] == 'shared'
            and row['isa'] in ('3.0', '3.1') and not old_power9)


class PageTest(unittest.TestCase):
    """The differences from Linux that the page names are those there are."""

    PAGE = TOP / 'tools/lpar/differences.md'
    OF_ANSWERS = ('Answers that keep the rules and were refused',
                  'Answers that break the rules and were taken', 'Numbers')
    ASKED = 'Whether firmware is asked'
    NOT_SHOWN = 'What make policy-diff cannot show'

    def setUp(self):
        self.sections = {}
        for section in self.PAGE.read_text(encoding='ascii').split('\n## '):
            title, _, text = section.partition('\n')
            self.sections[title] = [
                (re.findall('`([^`]+)`', cells[1]), *cells[2:4])
                for line in text.splitlines() if line.startswith('| `')
                for cells in [line.split('|')]]
        self.answers = {answer.name: answer for answer in matrix.ANSWERS}

    def named(self):
        """Answers by bytes: what the page says of them."""
        found = {}
        for title in self.OF_ANSWERS:
            self.assertTrue(self.sections[title])
            for names, here, linux in self.sections[title]:
                for position, name in enumerate(names):
                    (_, data), = self.answers[name].given
                    found[data.hex()] = (number_of(here, position),
                                         number_of(linux, position))
        return found

    def changes(self):
        before = {at: linux_6_12.outcome(row) for at, row in ROWS.items()}
        return {change.at for change
                in policy.find_changes(before, ROWS, True)}

    def test_rows(self):
        (asked, *_), = self.sections[self.ASKED]
        asked = {re.split(' in ', name)[0] for name in asked}
        self.assertEqual(asked, {'POWER11', 'unknown processor'})
        names = policy.short_names(ROWS)
        answers = self.named()
        expected = set()
        for at, row in ROWS.items():
            name = names[row['pvr']]
            linux_asks = row['isa'] == '3.1' or name == 'POWER10'
            if row['lpar'] == 'dedicated' and (
                    row['bytes'] in answers if linux_asks else name in asked):
                expected.add(at)
            if may_stop(row):
                expected.add(at)
        self.assertEqual(self.changes(), expected)

    def test_numbers(self):
        for at, row in ROWS.items():
            if at[0] >> 16 != linux_6_12.POWER10 or row['lpar'] != 'dedicated':
                continue
            if row['bytes'] in (named := self.named()):
                here, linux = named[row['bytes']]
                _, cede = row['states']
                self.assertEqual(f'{cede["exit_latency_us"]}/'
                                 f'{cede["target_residency_us"]}', here)
                states = linux_6_12.outcome(row)['states']
                self.assertEqual(
                    '{1}/{2}'.format(*states[1]) if states else None, linux)

    def test_lab(self):
        """Where the lab expects another number of Linux, the page says so."""
        page = {name for title in self.OF_ANSWERS
                for names, *_ in self.sections[title] for name in names}
        not_shown = {name for names, *_ in self.sections[self.NOT_SHOWN]
                     for name in names}
        self.assertEqual(not_shown, {'busy, then firmware 12/30 us',
                                     'firmware 17 records from 12 us'})
        self.assertEqual(
            page | {'busy, then firmware 12/30 us'},
            {answer.name for answer in matrix.ANSWERS if answer.linux_cede})


def number_of(cell, position):
    numbers = re.findall(r'\b\d+/\d+\b', cell)
    if not numbers:
        return None
    return numbers[position] if len(numbers) > 1 else numbers[0]
