# SPDX-License-Identifier: GPL-2.0
"""`pseries-idle latency`: logs with what the KUnit suite measured."""

import json
import math
import os
import pathlib
import random
import statistics
import unittest
import unittest.mock

import test_pseries_idle as base

DATA = pathlib.Path(__file__).resolve().parent / 'data'
# Firmware's answer with records of 12 and 30 us, and of 2 us and 8 ms.
FIRMWARE_12_US = base.ANSWER
FIRMWARE_2_US = '001609010000000000000400010200000000003e80000000'


def setUpModule():
    base.setUpModule()


def tearDownModule():
    base.tearDownModule()


def hundredths(number):
    return f'{math.floor(number * 100) / 100:.2f}'


def rank(ordered, percent):
    return ordered[math.ceil(len(ordered) * percent / 100) - 1]


class Series:
    """Samples of a state, with the lines that the suite prints for them."""

    def __init__(self, state, exit_us, samples, source='IPI', cpu=1, dropped=0):
        self.state, self.exit_us, self.samples = state, exit_us, samples
        self.source, self.cpu, self.dropped = source, cpu, dropped

    def sample_lines(self, per_line=12):
        count = len(self.samples)
        for i in range(0, count, per_line):
            some = self.samples[i:i + per_line]
            yield (f'# wakeup: samples {i + 1} to {i + len(some)} of {count}, '
                   f'CPU {self.cpu}, {self.source}, {self.state}: '
                   + ' '.join(map(str, some)))

    def row(self):
        ordered = sorted(self.samples)
        deviation = statistics.stdev(ordered) if len(ordered) > 1 else 0
        fields = (self.exit_us, len(ordered), self.dropped, ordered[0],
                  rank(ordered, 50), hundredths(statistics.fmean(ordered)),
                  rank(ordered, 90), rank(ordered, 99), ordered[-1],
                  hundredths(deviation))
        return f'# {self.state:18} ' + ' '.join(f'{f:>7}' for f in fields)


def tables_of(series):
    previous = None
    for one in series:
        if (one.cpu, one.source) != previous:
            yield (f'# latency of wake-ups, CPU {one.cpu}, {one.source} '
                   '(ns, but exit latency in us)')
            yield '# state              exit us  N dropped  min  median ...'
        previous = one.cpu, one.source
        yield one.row()


def log_of(*series, prefix='    '):
    lines = [line for one in series for line in one.sample_lines()]
    return ''.join(f'{prefix}{line}\n' for line in
                   [*lines, *tables_of(series)])


def cede(samples, **how):
    return Series('1 CEDE', 10, samples, **how)


def around(middle, count=400, seed=0):
    generator = random.Random(seed)
    return [middle + generator.randrange(-90, 91) for _ in range(count)]


# Seed of the figures: 99 % within 9514 ns.
POWER9 = [9514] * 396 + [9698] * 4


class LatencyTest(base.ToolTest):

    def setUp(self):
        self.files = 0

    def file(self, content):
        self.files += 1
        path = pathlib.Path(base.SCRATCH.name, f'a log {self.files}')
        path.write_bytes(content if isinstance(content, bytes)
                         else content.encode())
        return path

    def verdicts(self, status, series, *arguments):
        got = self.json(status, 'latency', self.file(log_of(*series)),
                        *arguments)
        return [row['verdict'] for row in got['logs'][0]['wakeups']]


class TablesTest(LatencyTest):

    def test_figures(self):
        """Each is what Python makes of the samples."""
        samples = around(7500, 401)
        got = self.json(0, 'latency', self.file(log_of(
            Series('busy', '-', [800, 801, 799]), cede(samples, dropped=7))))
        busy, row = got['logs'][0]['wakeups']
        ordered = sorted(samples)
        self.assertEqual(row.pop('verdict'), 'is within the table\'s')
        self.assertAlmostEqual(row.pop('mean_ns'),
                               statistics.fmean(samples), delta=0.011)
        self.assertAlmostEqual(row.pop('stddev_ns'),
                               statistics.stdev(samples), delta=0.011)
        self.assertEqual(row, {
            'cpu': 1, 'source': 'IPI', 'state': '1 CEDE',
            'exit_latency_us': 10, 'count': 401, 'dropped': 7,
            'min_ns': ordered[0], 'median_ns': ordered[200],
            'percentile_90_ns': ordered[360], 'percentile_99_ns': ordered[396],
            'max_ns': ordered[400]})
        self.assertIsNone(busy['exit_latency_us'])

    def test_text(self):
        text = self.output(0, 'latency', self.file(log_of(cede([3, 1, 2]))))
        self.assertRegex(text, r'1 CEDE +10 +3 +0 +1 +2 +2\.00 +3 +3 +3 +1\.00')
        self.assertIn('1 CEDE: 99 % within 3 ns, table 10 us: is within', text)

    def test_whatever_is_in_front_and_between(self):
        plain = log_of(Series('0 snooze', 0, [5, 4]), cede(around(9000)))
        expected = self.json(0, 'latency', self.file(plain))['logs'][0]
        noise = 'random: crng init done\nwatchdog: # of CPUs\n'
        for text in (
                log_of(Series('0 snooze', 0, [5, 4]), cede(around(9000)),
                       prefix='[    1.234567][    T1]     '),
                plain.replace('\n', '\r\n'),
                plain.replace('    # wakeup', noise + '    # wakeup', 1),
                plain.replace('    # 1 CEDE', noise[:23] + '    # 1 CEDE'),
                b'\0\xff\x1b[0m\n'.decode('latin-1') * 99 + plain):
            got = self.json(0, 'latency', self.file(text.encode('latin-1')))
            self.assertEqual(got['logs'][0]['wakeups'], expected['wakeups'])

    def test_standard_input(self):
        text = log_of(cede([5, 6, 7]))
        ran = base.run('latency', '-', '--json', input=text.encode())
        self.assertEqual(json.loads(ran.stdout)['logs'][0]['wakeups'][0]
                         ['median_ns'], 6)

    def test_nothing_kept(self):
        text = ('    # latency of wake-ups, CPU 0, IPI (ns)\n    # 1 C1   1   '
                '0  400   0  0  0.00  0  0  0  0.00\n')
        got = self.json(0, 'latency', self.file(text))
        self.assertEqual(got['logs'][0]['wakeups'][0]['dropped'], 400)

    def test_log_of_the_lab(self):
        """By hand, from its table."""
        got = self.json(0, 'latency', DATA / 'pseries-under-qemu.ktap')
        rows = got['logs'][0]['wakeups']
        self.assertEqual([(row['source'], row['state']) for row in rows],
                         [(source, state) for source in ('timer', 'IPI')
                          for state in ('busy', '0 snooze', '1 Shared Cede')])
        self.assertEqual(
            [(row['exit_latency_us'], row['count'], row['dropped'],
              row['percentile_99_ns'], row['mean_ns']) for row in rows[3:]],
            [(None, 100, 0, 16615664, 6472086.71),
             (0, 71, 29, 23334955, 3931759.19),
             (10, 56, 44, 10950659, 2584957.98)])

    def test_limits(self):
        highest = [999999999, 0]
        got = self.json(0, 'latency', self.file(log_of(cede(highest)).replace(
            hundredths(statistics.stdev(highest)), '707106780.00')))
        self.assertEqual(got['logs'][0]['wakeups'][0]['max_ns'], 999999999)
        self.json(0, 'latency', self.file(log_of(cede([7] * 100000))))


class SupportTest(LatencyTest):
    """Which latency the 99th percentile of wake-ups by IPI speaks for."""

    def test_without_firmware(self):
        series = (Series('0 snooze', 0, [700, 700]), cede([9514, 9514]),
                  cede([9514], source='timer'), Series('2 C2', 9, [9514] * 3))
        self.assertEqual(self.verdicts(0, series), [
            "is above the table's", "is within the table's", None,
            "is above the table's"])

    def test_power9(self):
        """Measured 9.5 us, table 10 us, firmware 2 us."""
        self.assertEqual(self.verdicts(0, [cede(POWER9)], '--xcede',
                                       FIRMWARE_2_US), ["supports the table's"])

    def test_power10_that_disbelieved(self):
        self.assertEqual(self.verdicts(1, [cede([12400] * 9)], '--xcede',
                                       FIRMWARE_12_US), ["supports firmware's"])

    def test_nearer_in_proportion(self):
        """Between 10 and 12 us, the border is at 10.954 us."""
        for ns, verdict in ((10954, "supports the table's"),
                            (10955, "supports firmware's")):
            self.assertEqual(self.verdicts(int(ns == 10955), [cede([ns])],
                                           '--xcede', FIRMWARE_12_US),
                             [verdict])

    def test_both(self):
        self.assertEqual(
            self.verdicts(0, [Series('1 CEDE', 12, [5])], '--xcede',
                          FIRMWARE_12_US), ['supports both alike'])

    def test_only_cede_is_firmwares(self):
        series = [Series('1 stop0lite', 2, [12000]),
                  Series('2 Shared Cede', 10, [12000])]
        self.assertEqual(self.verdicts(1, series, '--xcede', FIRMWARE_12_US),
                         ["is above the table's", "supports firmware's"])

    def test_timebase_and_capture(self):
        # At 256 MHz, the 6144 ticks are 24 us.
        self.assertEqual(
            self.verdicts(1, [cede([17000])], '--xcede', FIRMWARE_12_US,
                          '--tb-freq', '256000000'), ["supports firmware's"])
        self.assertEqual(
            self.verdicts(1, [cede([12000])], '--capture', base.POWER10),
            ["supports firmware's"])

    def test_unusable_answer(self):
        text = self.output(0, 'latency', self.file(log_of(cede([5]))),
                           '--xcede', '0000')
        self.assertIn("firmware's: default, firmware's answer refused",
                      text)


class CompareTest(LatencyTest):

    def changes(self, status, before, after):
        got = self.json(status, 'latency', self.file(log_of(*before)),
                        self.file(log_of(*after)))
        return [(row['state'], row['change']) for row in got['changes']]

    def test_difference(self):
        busy = Series('busy', '-', around(800))
        self.assertEqual(
            self.changes(1, [busy, cede(around(7500))],
                         [busy, cede(around(5600, seed=1))]),
            [('busy', 'no difference proven'), ('1 CEDE', 'differs')])

    def test_same(self):
        self.assertEqual(
            self.changes(0, [cede(around(7500))], [cede(around(7500))]),
            [('1 CEDE', 'no difference proven')])

    def test_words_of_ministat(self):
        path = self.file(log_of(cede([1, 2, 3])))
        other = self.file(log_of(cede([11, 12, 13])))
        text = self.output(1, 'latency', path, other)
        self.assertIn('Difference at 95.0% confidence\n\t10 +/- ', text)
        self.assertRegex(text, r'x +3 +1 +3 +2 +2 +1\n\+ +3 +11 +13 +12 +12')

    def test_too_few(self):
        self.assertEqual(self.changes(0, [cede([1, 2])], [cede([8, 9])]),
                         [('1 CEDE', 'too few to compare')])

    def test_only_in_one(self):
        other = Series('1 Shared Cede', 10, [1, 2, 3])
        for before, after in (([other], []), ([], [other])):
            self.assertEqual(
                self.changes(1, [*before, cede([1, 2, 3])],
                             [*after, cede([1, 2, 3])]),
                [('1 Shared Cede', 'only in one log'),
                 ('1 CEDE', 'no difference proven')][::1 if before else -1])

    def test_without_ministat(self):
        path = self.file(log_of(cede([1, 2, 3])))
        with unittest.mock.patch.dict(os.environ, PATH='/nowhere'):
            self.assert_refused('apt-get install ministat', 'latency', path,
                                path)


class BadLogTest(LatencyTest):

    def refused(self, words, content, *more):
        self.assert_refused(words, 'latency', self.file(content), *more)

    def test_cut_off(self):
        """After any byte: refused, or what is left is whole without it."""
        text = log_of(cede([10, 20, 30, 40]), Series('busy', '-', [1, 2]))
        whole = self.json(0, 'latency', self.file(text))
        for end in range(0, len(text) - 1, 37):
            ran = base.run('latency', self.file(text[:end]), '--json')
            with self.subTest(end):
                self.assertIn(ran.returncode, (0, 2), ran.stderr)
                if not ran.returncode:
                    self.assertEqual(json.loads(ran.stdout)['logs'][0]
                                     ['wakeups'],
                                     whole['logs'][0]['wakeups'])

    def test_numbers(self):
        text = log_of(cede([10, 20, 30, 40]))
        for old, new, words in (
                (': 10 ', ': 11 ', 'do not come to its row'),
                (' 40\n', ' 1000000000\n', 'is above 999999999'),
                (' 40\n', ' 99999999999999999999\n', 'is above 999999999'),
                (' 40\n', ' -4\n', 'is not a number'),
                (' 40\n', ' 40 50\n', 'is left over'),
                (' 40\n', '\n', 'is missing'),
                ('1 to 4', '1 to 400000', 'is above 100000'),
                ('1 to 4 of 4', '2 to 4 of 4', 'cannot follow'),
                ('1 to 4 of 4', '1 to 4 of 3', 'cannot follow'),
                ('1 to 4 of 4', '1 to 0 of 4', 'cannot follow'),
                ('CPU 1, IPI, 1', 'CPU 99999, IPI, 1', 'is above 65535'),
                ('CPU 1, IPI, 1', 'CPU 1, bell, 1', 'nothing wakes up by'),
                ('CPU 1, IPI (', 'CPU 1, bell (', 'nothing wakes up by'),
                ('1 CEDE: ', '1 ' + 'C' * 30 + ': ', 'name of a state'),
                ('1 CEDE: ', '2 CEDE: ', 'samples are in the log'),
                ('1 CEDE: ', ': ', 'name of a state'),
                ('1 CEDE: ', '1 CEDE ', '":" is missing'),
                (' 25.00 ', ' 25.01 ', 'do not come to'),
                (' 25.00 ', ' 25.0 ', 'has not two decimals'),
                (' 12.90', ' 12.88', 'do not come to'),
                ('     20 ', '     30 ', 'do not come to')):
            with self.subTest(new):
                self.assertEqual(text.count(old), 1, old)
                self.refused(words, text.replace(old, new))

    def test_percentile_of_an_unsorted_list(self):
        samples = [50, 10, 40, 20, 30]
        text = log_of(cede(samples))
        row = cede(samples).row()
        wrong = row.replace('     10      30   30.00      50      50      50',
                            '     50      40   30.00      30      30      30')
        self.assertNotEqual(row, wrong)
        self.refused('do not come to', text.replace(row, wrong))

    def test_twice(self):
        text = log_of(cede([10, 20, 30]))
        self.refused('two runs', text + text)
        table = text[text.index('    # latency'):]
        self.refused('in two tables', text + table)

    def test_no_log(self):
        for content, words in (
                (b'', 'no table'), (b'\n\n', 'no table'),
                (bytes(range(256)) * 999, 'no table'),
                (log_of(cede([1])).split('# latency')[0], 'no table with'),
                (b'# wakeup: samples ', 'is not a number'),
                (b'# latency of wake-ups, CPU ', 'is not a number')):
            self.refused(words, content)
        self.assert_refused('longer than', 'latency', '/dev/zero')
        self.assert_refused('No such file', 'latency', '/nowhere')
        self.assert_refused('Is a directory', 'latency', base.SCRATCH.name)

    def test_noise_in_a_log(self):
        """Whatever bytes change, the tool ends, and not by a sanitizer."""
        text = bytearray(log_of(cede(around(7500, 30)),
                                Series('busy', '-', [3, 2, 1])).encode())
        generator = random.Random(1)
        for _ in range(40):
            noisy = bytearray(text)
            for _ in range(generator.randrange(1, 6)):
                noisy[generator.randrange(len(noisy))] = generator.randrange(256)
            ran = base.run('latency', self.file(bytes(noisy)))
            self.assertIn(ran.returncode, (0, 2), (ran.stderr, noisy))

    def test_arguments(self):
        path = self.file(log_of(cede([1])))
        for words, *arguments in (
                ('latency needs a log',),
                ('one argument too many', path, path, path),
                ('leave out --xcede', path, '--capture', base.POWER10,
                 '--xcede', '00'),
                ('leave out --xcede', path, '--capture', base.POWER10,
                 '--tb-freq', '512000000'),
                ('No such file', path, '--capture', '/nowhere'),
                ('a timebase of', path, '--tb-freq', '7')):
            self.assert_refused(words, 'latency', *arguments)
        self.assertIn('Usage: pseries-idle latency',
                      self.output(0, 'latency', '--help'))


if __name__ == '__main__':
    unittest.main()
