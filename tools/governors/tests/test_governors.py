# SPDX-License-Identifier: GPL-2.0
"""With trees of made-up governors, whose choices can be told by hand."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
EXPERIMENTS = HERE.parent / 'experiments'
sys.path.append(str(HERE))

# pylint: disable=wrong-import-position
import effect
import loop
import plots
from common import Stop
from made_up_tree import GOVERNOR, make_tree


def experiments():
    """As a module, though the tool's name has no .py."""
    loader = importlib.machinery.SourceFileLoader('experiments', str(EXPERIMENTS))
    spec = importlib.util.spec_from_loader('experiments', loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class WithTree(unittest.TestCase):
    loop = None

    @classmethod
    def setUpClass(cls):
        if WithTree.loop:
            return
        place = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(place.cleanup)
        top = pathlib.Path(place.name)
        with unittest.mock.patch.dict(os.environ, {
                'CFLAGS': '-O1 -fsanitize=address,undefined'}):
            WithTree.loop = loop.Loop(top, make_tree(top / 'a tree'), 'KDIR')

    def refused(self, *arguments):
        done = subprocess.run([self.loop.program, *arguments], text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
        self.assertNotIn('runtime error', done.stderr)
        return done.stderr


class Counts(WithTree):
    """What comes out where the choice is known."""

    def test_version(self):
        self.assertEqual(self.loop.version, '7.2.0')

    def test_a_state_costs_its_exit_latency(self):
        rows = self.loop.rows('--times=50', 'sweep', 'snooze,7/40')
        by = {(row['governor'], row['pattern'], row['length_us']): row
              for row in rows}
        for pattern in ('a timer', 'a pipe'):
            # A known end or not, a sleep of 20 us in it is too short.
            ceded = by['teo', pattern, 20]
            self.assertEqual(
                (ceded['ceded'], ceded['above'], ceded['below'],
                 ceded['late_ns']), (50, 50, 0, 50 * 7000), pattern)
            # 40 us and the latency are no shorter than 40 us.
            self.assertEqual(by['teo', pattern, 40]['above'], 0)
            snoozed = by['menu', pattern, 30]
            self.assertEqual(
                (snoozed['ceded'], snoozed['below'], snoozed['late_ns']),
                (0, 0, 0), pattern)

    def test_misses_to_the_microsecond(self):
        """A stay counts with its exit latency, and may be as short as it pays."""
        rows = {(row['governor'], row['length_us']): row for row in
                self.loop.rows('--times=50', 'sweep', 'snooze,5/20')
                if row['pattern'] == 'a timer'}
        self.assertEqual(rows['teo', 12]['above'], 50)
        self.assertEqual(rows['teo', 15]['above'], 0)
        self.assertEqual(rows['menu', 18]['below'], 0)
        self.assertEqual(rows['menu', 20]['below'], 50)

    def test_snooze_that_is_asked_again(self):
        # 100 us of snooze that ends every 40 us: 40, 40 and 20.
        row = [row for row in self.loop.rows('--times=50', '--hz=10', 'sweep',
                                             'snooze,7/40')
               if (row['governor'], row['pattern'], row['length_us'])
               == ('menu', 'a pipe', 100)][0]
        # A tick in between adds one.
        self.assertIn(row['entries_0'], (150, 151))
        self.assertIn(row['below'], (100, 101))

    def test_ping_pong(self):
        for cpus in (2, 6):
            rows = self.loop.rows('--times=20', f'--cpus={cpus}', 'ping-pong',
                                  'own=snooze,7/40')
            for row in rows:
                self.assertEqual(row['table'], 'own')
                latency = 0 if row['governor'] == 'menu' else 7000
                # Rounds are not in step with the first.
                self.assertLessEqual(
                    abs(row['round_ns'] - cpus * (row['work_us'] * 1000 + latency)),
                    7000, row)

    def test_dwell(self):
        rows = self.loop.rows('--times=3', '--work=1500', '--cpus=2', 'dwell',
                              'snooze,7/40')
        self.assertEqual([row['round_ns'] for row in rows
                          if row['governor'] == 'ladder'], [17000] * 3)

    def test_table_with_a_number_for_a_name(self):
        rows = self.loop.rows('--times=1', 'sweep', '7=snooze,10/100')
        self.assertEqual({row['table'] for row in rows}, {'7'})

    def test_table_of_one_state(self):
        rows = self.loop.rows('--times=5', 'sweep', 'no-snooze=10/100')
        self.assertEqual({row['ceded'] for row in rows}, {5})

    def test_core_makes_the_policys_tables(self):
        rows = self.loop.rows('--times=1', 'sweep', *loop.ALL_TABLES)
        self.assertEqual(
            list(dict.fromkeys(row['table'] for row in rows)),
            ['shared 10/100', 'shared, stop0lite 2/20', 'dedicated 10/100', 'firmware 12/120',
             'firmware 2/20'])


class Refusals(WithTree):
    def test_tables(self):
        for table in ('', '=', ',', 'snooze,', 'snooze,10', 'snooze,10/', '10/100,snooze',
                      'snooze,100/10', 'snooze,-1/10', 'snooze,10/10000000',
                      'snooze,1/99999999999999999999', 'snooze,1/0x10',
                      '10/100,10/100', 'snooze,1/2,3/4,5/6,7/8', 'snooze,10/100 ',
                      'snooze;10/100', 'x' * 5000, 'stop', 'snooze,stop,10/100', '"=snooze,10/100',
                      'shared=', 'snooze,snooze', 'snooze', '0/0', '=snooze,10/100'):
            with self.subTest(table=table[:40]):
                self.refused('sweep', table)

    def test_arguments(self):
        self.refused('no-such', 'shared')
        self.refused('--hz=0', 'sweep', 'shared')
        self.refused('--cpus=7', 'ping-pong', 'shared')
        self.refused('--cpus=1', 'ping-pong', 'shared')
        self.refused('--times=0', 'ping-pong', 'shared')
        self.refused('--work=-1', 'dwell', 'shared')
        self.refused('sweep', *[f'{i}=10/100' for i in range(17)])

    def test_name_of_two_tables(self):
        for tables in (('shared', 'shared'), ('x=10/100', 'x=2/20'),
                       ('shared', 'shared 10/100=snooze,2/20'), ('10/100', '10/100')):
            with self.subTest(tables=tables):
                self.assertIn('two tables are called', self.refused('sweep', *tables))

    def test_name_that_cannot_be_shown(self):
        for name in ('\x1b[31m', 'a\udcff', 'a\u202e', '--help', '-t1'):
            with self.subTest(name=name), self.assertRaises(Stop):
                loop.tables({'TABLES': f'shared {name}=snooze,10/100'})

    def test_cut_in_a_character(self):
        with self.assertRaises(loop.Refused):
            self.loop.rows('sweep', 'x' * 59 + 'ü')

    def test_output_that_cannot_be_written(self):
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([self.loop.program, 'sweep', 'shared'],
                                  stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('No space left', done.stderr)


class Hangs(WithTree):
    def test_governor_without_end(self):
        with unittest.mock.patch('loop.MOST_SECONDS', 0.01), \
                self.assertRaises(Stop) as stopped:
            self.loop.run('--times=1000000', 'sweep', 'shared')
        self.assertIn('have not come to an end', str(stopped.exception))


class Results(unittest.TestCase):
    def test_only_of_one_run(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        results = pathlib.Path(place.name) / 'results' / 'governors'
        replacing_all = experiments().replacing_all
        with replacing_all(results) as new:
            (new / 'first').touch()
        with self.assertRaises(KeyboardInterrupt), replacing_all(results) as new:
            (new / 'second').touch()
            raise KeyboardInterrupt
        self.assertEqual(os.listdir(results), ['first'])
        with replacing_all(results) as new:
            (new / 'third').touch()
        self.assertEqual(os.listdir(results), ['third'])
        self.assertEqual(os.listdir(results.parent), ['governors'])


class Trees(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def stopped(self, tree):
        with self.assertRaises(Stop) as stopped:
            loop.Loop(self.place / 'build', tree, 'GOV_TREE')
        return str(stopped.exception)

    def test_symbol_that_is_not_replaced(self):
        for extra, wanted in (('sched_cpu_util(dev->cpu)', 'sched_cpu_util'),
                              ('*stop = overcommit', 'overcommit'),
                              ('dev->forced = 1', 'forced'),
                              ('extern int jiffies; *stop = jiffies', 'jiffies')):
            with self.subTest(wanted=wanted):
                tree = make_tree(self.place / wanted, extra)
                said = self.stopped(tree)
                self.assertIn(f"teo.c needs {wanted}, which", said)
                self.assertTrue(said.startswith('GOV_TREE: '))

    def test_header_that_is_not_there(self):
        tree = make_tree(self.place / 'tree')
        menu = tree / 'drivers/cpuidle/governors/menu.c'
        menu.write_text('#include <linux/energy_model.h>\n' + menu.read_text())
        self.assertIn('menu.c needs linux/energy_model.h', self.stopped(tree))

    def test_no_tree(self):
        self.assertIn('has no drivers/cpuidle', self.stopped(self.place / 'no'))

    def rows_of(self, extra):
        tree = make_tree(self.place / 'tree', extra)
        return loop.Loop(self.place / 'build', tree, 'GOV_TREE').rows(
            '--times=1', 'sweep', 'shared')

    def test_governor_that_crashes(self):
        with self.assertRaises(Stop) as stopped:
            self.rows_of('__builtin_trap()')
        self.assertNotIsInstance(stopped.exception, loop.Refused)
        self.assertRegex(str(stopped.exception), 'tree crash, by SIG(ILL|TRAP): see gdb ')

    def test_state_that_there_is_not(self):
        with self.assertRaises(Stop) as stopped:
            self.rows_of('static int once; if (once++ == 9) return once % 4 ? -22 : 2')
        self.assertNotIsInstance(stopped.exception, loop.Refused)
        self.assertIn('teo chose a state that "shared 10/100" does not have',
                      str(stopped.exception))

    def test_edited_under_an_old_time(self):
        build = self.place / 'build'
        tree = make_tree(self.place / 'tree')
        loop.Loop(build, tree, 'KDIR')
        menu = tree / 'drivers/cpuidle/governors/menu.c'
        menu.write_text(GOVERNOR.format(state=1, extra=''))
        os.utime(menu, (1, 1))
        edited = loop.Loop(build, tree, 'KDIR')
        self.assertEqual(edited.rows('--times=1', 'sweep', 'shared')[0]['ceded'], 1)

    def test_another_tree_in_the_same_place(self):
        build = self.place / 'build'
        first = loop.Loop(build, make_tree(self.place / 'first'), 'GOV_TREE')
        self.assertEqual(first.rows('--times=1', 'sweep', 'shared')[0]['ceded'], 0)
        other = make_tree(self.place / 'other')
        menu = other / 'drivers/cpuidle/governors/menu.c'
        menu.write_text(GOVERNOR.format(state=1, extra=''))
        second = loop.Loop(build, other, 'GOV_TREE')
        self.assertEqual(second.rows('--times=1', 'sweep', 'shared')[0]['ceded'], 1)


class Effects(WithTree):
    """Of a change of the table on menu, here always snooze, and teo, never."""

    OLD = ('snooze', 0, 0), ('CEDE', 10, 100)
    NEW = ('snooze', 0, 0), ('CEDE', 12, 120)

    def found(self):
        return list(effect.effects(self.loop, [(self.OLD, self.NEW)]))

    def test_values(self):
        (old, new, values), = self.found()
        self.assertEqual((old, new), (self.OLD, self.NEW))
        before, after = values['teo', 'a pipe']
        self.assertEqual((before[0], after[0]), (100, 100))
        self.assertEqual((before[3], after[3]), (10, 12))
        before, after = values['menu', 'a timer']
        self.assertEqual((before[0], after[0], after[3]), (0, 0, 0))

    def test_words(self):
        words = list(effect.in_words(self.found()))
        self.assertIn('  CEDE 10/100 -> CEDE 12/120 us', words)
        self.assertIn('late us 10.00 -> 12.00', words[-1])
        self.assertIn('ceded % 100.00,', words[-1])

    def test_table_that_cannot_be(self):
        wrapped = ('snooze', 0, 0), ('CEDE', 430000000, 5032704)
        found = list(effect.effects(self.loop, [(wrapped, self.NEW)]))
        self.assertIn('cannot be told', list(effect.in_words(found))[-1])
        self.assertEqual(len(list(effect.as_markdown(found))), 2)

    def test_markdown(self):
        lines = list(effect.as_markdown(self.found()))
        self.assertEqual(len({line.count('|') for line in lines}), 1)

    def test_table_without_snooze(self):
        self.assertEqual(effect.typed((('CEDE', 10, 100),)), '10/100')
        self.assertEqual(effect.named((('CEDE', 10, 100),)), 'CEDE 10/100')


class Plots(unittest.TestCase):
    def test_quoting(self):
        self.assertEqual(plots.quoted("o'clock"), "'o''clock'")

    def test_shares(self):
        row = {'entries_0': 30, 'entries_1': 10, 'above': 4}
        self.assertEqual(plots.ceded(row), 25)
        self.assertEqual(plots.share('above')(row), 10)


class CommandLine(unittest.TestCase):
    def test_help(self):
        done = subprocess.run([EXPERIMENTS, '--help'], text=True,
                              capture_output=True, check=True)
        self.assertIn('GOV_TREE', done.stdout)

    def test_unknown_command(self):
        done = subprocess.run([EXPERIMENTS, 'nonsense'], capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 2)


if __name__ == '__main__':
    sys.exit(unittest.main())
