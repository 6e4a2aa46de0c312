# SPDX-License-Identifier: GPL-2.0
"""What a console says, and what is then found wrong."""

import dataclasses
import unittest

import matrix
import outcome
import partition

ROW = next(row for row in matrix.default()
           if row.name == 'POWER10 native, dedicated, firmware 12/30 us')
EXPECTED = matrix.expected(ROW)

CPU = """\
lpar: state|{0}|0|snooze|snooze|0|0|0
lpar: state|{0}|1|CEDE|CEDE|12|120|0
lpar: entered|{0}|0|180|19000|0
lpar: entered|{0}|1|21|24000|0
"""
BOTH = CPU.format(0) + CPU.format(1)
CONSOLE = """\
cpuidle: using governor menu
[    0.5] pseries_idle: firmware's CEDE latency settings: well-formed, \
extended states: 2, latencies: 12 to 30 us
[    0.5] pseries_idle: POWER10 (PVR 0x00800200), dedicated partition: CEDE \
latency 12 us, residency 120 us (firmware's lowest)
lpar: driver|pseries_idle
""" + BOTH + 'lpar: cycles|1\n' + BOTH + 'lpar: end\n'



def trace(*hypercalls, **waiting):
    before = {'hint': matrix.PLANTED_HINT, 'donate': 0, 'polling': False,
              'run latch': True, 'interrupts': False,
              'external interrupts': True}
    return {'instructions': 99, 'hypercalls': hypercalls, 'stops': 0,
            'before': before,
            'waiting': {**before, 'run latch': False, 'interrupts': True,
                        **waiting},
            'after': before}


SNOOZE = trace(polling=True)
CEDE = trace(matrix.H_CEDE, hint=0, donate=1)
TRACES = {'snooze': [SNOOZE], 'CEDE': [CEDE]}


def problems(console, ending=partition.SUCCEEDED, asked=1, expected=EXPECTED,
             **traces):
    inside = {'asked': asked, 'traces': {**TRACES, **traces}}
    return outcome.problems(outcome.read(console, ending, inside), expected,
                            cpus=2, cycles=1)


def after(trace_, **changed):
    return {**trace_, 'after': {**trace_['after'], **changed}}


class OutcomeTest(unittest.TestCase):

    def assert_problem(self, words, console=CONSOLE, **how):
        self.assertIn(words, '\n'.join(problems(console, **how)))

    def test_as_expected(self):
        self.assertEqual(problems(CONSOLE), [])
        self.assertEqual(problems(CONSOLE.replace('\n', '\r\n')), [])

    def test_no_end(self):
        self.assert_problem('ended before its time',
                            CONSOLE.replace('lpar: end\n', ''))
        self.assert_problem('time limit', '', ending=partition.TOO_LONG)
        self.assert_problem('output limit', ending=partition.TOO_MUCH)

    def test_another_state(self):
        self.assert_problem(
            'CPU 1: expected states snooze 0/0 us, CEDE 12/120 us, got '
            'snooze 0/0 us, CEDE 10/100 us',
            CONSOLE.replace('1|1|CEDE|CEDE|12|120', '1|1|CEDE|CEDE|10|100'))
        self.assert_problem('got CEDE 12/120 us described as Cede',
                            CONSOLE.replace('1|CEDE|CEDE', '1|CEDE|Cede')
                            .replace('lpar: state|0|0|snooze|snooze|0|0|0\n',
                                     ''))
        self.assert_problem('CPU 1: expected', CONSOLE.replace('|1|1|', '|2|1|'))

    def test_a_state_that_is_not_entered(self):
        self.assert_problem('was entered 3 times',
                            CONSOLE.replace('|21|', '|3|'))
        self.assert_problem('the others 4 times',
                            CONSOLE.replace('|24000|0', '|24000|4'))
        self.assert_problem('tried', CONSOLE.replace(
            'lpar: entered|1|1|21|24000|0\n', '', 1))

    def test_what_entering_does(self):
        for broken, words in (
                (after(CEDE, hint=0), 'after: hint is 0 instead of 90'),
                (after(CEDE, donate=1), 'after: donate is 1'),
                (after(CEDE, interrupts=True), 'after: interrupts is True'),
                (after(CEDE, **{'run latch': False}), 'not as before'),
                (trace(matrix.H_CEDE, hint=0), 'waiting: donate is 0'),
                (trace(matrix.H_CEDE, hint=90, donate=1), 'waiting: hint'),
                (trace(matrix.H_CEDE, hint=0, donate=1,
                       **{'run latch': True}), 'the run latch is set'),
                (trace(0xe4, hint=0, donate=1), 'expected hypercalls 0xe0, '
                                                'got 0xe4'),
                (None, 'no CPU could be followed')):
            with self.subTest(words):
                self.assert_problem(words, CEDE=[CEDE, broken])
        self.assert_problem('snooze, after: polling is True',
                            snooze=[after(SNOOZE, polling=True)])
        self.assert_problem('snooze, waiting: polling is False',
                            snooze=[trace()])

    def test_stop(self):
        stop = {**trace(**{'external interrupts': False}), 'stops': 1}
        entering = matrix.ENTERING['stop0lite']

        def found(seen):
            return list(outcome.one_trace_problems('stop0lite', seen, entering))

        self.assertEqual(found(stop), [])
        self.assertIn('expected 1 stop instructions, got 0',
                      found({**stop, 'stops': 0})[0])
        self.assertIn('after: external interrupts is False',
                      found(after(stop, **{'external interrupts': False}))[0])
        self.assertIn('expected hypercalls none',
                      found({**stop, 'hypercalls': [matrix.H_CEDE]})[0])

    def test_no_driver(self):
        row = next(row for row in matrix.default()
                   if row.kind == matrix.POWERSAVE_OFF)
        console = ('lpar: driver|none\nlpar: cycles|1\nlpar: end\n')
        expected = matrix.expected(row)
        self.assertEqual(problems(console, asked=0, expected=expected), [])
        self.assert_problem('expected driver none', expected=expected)
        self.assert_problem('expected states none', expected=expected)

    def test_tool(self):
        def console(check, capture=EXPECTED.capture):
            return CONSOLE.replace('lpar: end\n', '\n'.join(
                ('lpar: tool|begin|capture', '# a comment', *capture,
                 'lpar: tool|end|capture|0', 'lpar: tool|begin|check',
                 'words', f'lpar: tool|end|check|{check}', 'lpar: end', '')))

        def found(text, expected=EXPECTED):
            inside = {'asked': 1, 'traces': TRACES}
            return outcome.problems(
                outcome.read(text, partition.SUCCEEDED, inside), expected,
                cpus=2, cycles=1, tool=True)

        self.assertEqual(found(console(0)), [])
        self.assertIn('check: expected status 0', found(console(1))[0])
        differs = dataclasses.replace(EXPECTED, agrees=False)
        self.assertEqual(found(console(1), differs), [])
        self.assertIn('check: expected status 1', found(console(0), differs)[0])
        self.assertIn('"pvr: 0x00800200" is not in',
                      found(console(0, EXPECTED.capture[1:]))[0])
        self.assertIn('capture: None', found(CONSOLE)[0])

    def test_log(self):
        self.assert_problem('expected log',
                            CONSOLE.replace('12 to 30', '12 to 31'))
        self.assert_problem('expected log', 'xcede: more\n' + CONSOLE)

    def test_firmware(self):
        self.assert_problem('was not asked', asked=0)
        self.assertEqual(problems(CONSOLE, asked=3), [])
        shared = next(row for row in matrix.default()
                      if row.name == 'POWER10 native, shared, no answer')
        self.assert_problem('was asked, 2 times', asked=2,
                            expected=matrix.expected(shared))

    def test_complaints(self):
        warned = 'WARNING: CPU: 0 PID: 1 at init/main.c:1\n' + CONSOLE
        self.assert_problem('the kernel complains: WARNING', warned)
        self.assertEqual(problems(
            'WARNING: nvram corruption detected: 0-length partition\n'
            + CONSOLE), [])
        warns = next(row for row in matrix.default()
                     if row.name == 'POWER10 native, dedicated, length 65535')
        said = '\n'.join(problems(warned, expected=matrix.expected(warns)))
        self.assertNotIn('complain', said)
        self.assert_problem('does not complain',
                            expected=matrix.expected(warns))

    def test_errors_of_init(self):
        self.assert_problem('CPU 1 went 1, 1',
                            'lpar: error|CPU 1 went 1, 1\n' + CONSOLE)

    def test_a_damaged_line(self):
        self.assert_problem('the console has "lpar: state|0|\N{REPLACEMENT CHARACTER}|x|',
                            CONSOLE.replace('state|0|0|', 'state|0|\x01|x|'))

    def test_flood(self):
        floods = next(row for row in matrix.default()
                      if row.name == 'POWER10 native, dedicated, length 0')
        expected = matrix.linux_expected(floods)
        self.assertEqual(problems('', ending=partition.TOO_MUCH,
                                  expected=expected), [])
        self.assert_problem('no end of output', expected=expected)
