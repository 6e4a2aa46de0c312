# SPDX-License-Identifier: GPL-2.0
"""The verdict on small recorded logs."""

import unittest

import ktap
from verdict import judge

BOOT = 'Linux version 6.12\nkunit: boot\n'

GREEN = BOOT + """\
KTAP version 1
1..2
    KTAP version 1
    # Subtest: pot
    # module: pot_kunit
    1..3
    ok 1 boils
        KTAP version 1
        # Subtest: pours
        ok 1 POWER10, in POWER9 mode (dedicated)
        ok 2 N = 0.5
    # pours: pass:2 fail:0 skip:0 total:2
    ok 2 pours
    # sweeps.speed: very_slow
    ok 3 sweeps
# pot: pass:3 fail:0 skip:0 total:3
# Totals: pass:4 fail:0 skip:0 total:4
ok 1 pot
    KTAP version 1
    # Subtest: pan
    # speed: slow
    1..1
    ok 1 boils
ok 2 pan
reboot: System halted
"""

NAMES = ['pot.boils', 'pot.pours.POWER10, in POWER9 mode (dedicated)',
         'pot.pours.N = 0.5', 'pot.sweeps', 'pan.boils']


class VerdictTest(unittest.TestCase):

    def verdict(self, log, expected=None):
        return judge(ktap.read(log.splitlines()),
                     NAMES if expected is None else expected)

    def assert_red(self, problem, *edit, expected=None):
        log = GREEN
        for old, new in zip(edit[::2], edit[1::2]):
            self.assertIn(old, log)
            log = log.replace(old, new, 1)
        verdict = self.verdict(log, expected)
        self.assertFalse(verdict.green)
        self.assertIn(problem, '\n'.join(verdict.problems))
        return verdict

    def test_what_suites_say_they_verified_is_kept(self):
        log = GREEN.replace('ok 2 pan',
                            '    # pan: verified 65536 soups\nok 2 pan')
        self.assertEqual(ktap.read(log.splitlines()).verified,
                         ['65536 soups'])
        self.assertTrue(self.verdict(log).green)

    def test_exactly_the_listed_is_green(self):
        verdict = self.verdict(GREEN)
        self.assertEqual(verdict.problems, [])
        self.assertEqual(verdict.counts(), '5 passed, 0 failed')

    def test_timestamps_change_nothing(self):
        for prefix in ('[    0.060000] ', '[   12.345678][    T1] '):
            log = ''.join(f'{prefix}{line}\r\n' for line in GREEN.splitlines())
            self.assertEqual(self.verdict(log).problems, [])

    def test_speed_of_cases_rows_and_suites(self):
        log = GREEN.replace('    # pours: pass', '    # pours.speed: slow\n'
                                                 '    # pours: pass')
        speeds = {r.name: r.speed for r in ktap.read(log.splitlines()).results}
        self.assertEqual(list(speeds.values()),
                         ['', 'slow', 'slow', 'very_slow', 'slow'])

    def test_row_missing(self):
        verdict = self.assert_red('pot.pours.N = 0.5 did not run',
                                  '        ok 2 N = 0.5\n', '')
        self.assertEqual(verdict.counts(), '4 passed, 1 failed')

    def test_case_missing(self):
        self.assert_red('pot.boils did not run', '    ok 1 boils\n', '')

    def test_suite_missing(self):
        tail = GREEN[GREEN.index('ok 1 pot\n') + 9:GREEN.index('reboot')]
        self.assert_red('pan.boils did not run', tail, '', '1..2', '1..1')

    def test_row_unexpected(self):
        self.assert_red('pot.pours.new ran, but is not in the list',
                        '    # pours: pass', '        ok 3 new\n'
                                             '    # pours: pass')

    def test_row_skipped(self):
        self.assert_red('pot.pours.N = 0.5 skipped',
                        'ok 2 N = 0.5', 'ok 2 N = 0.5 # SKIP no time')

    def test_row_failed(self):
        verdict = self.assert_red('pot.pours.N = 0.5 failed',
                                  'ok 2 N = 0.5', 'not ok 2 N = 0.5',
                                  'ok 2 pours', 'not ok 2 pours',
                                  'ok 1 pot', 'not ok 1 pot')
        self.assertEqual(verdict.counts(), '4 passed, 1 failed')

    def test_failure_outside_of_rows(self):
        self.assert_red('pot.pours failed', 'ok 2 pours', 'not ok 2 pours')
        self.assert_red('pot failed', 'ok 1 pot', 'not ok 1 pot')

    def test_text_of_a_failure_is_its_own(self):
        log = GREEN.replace('        ok 2 N = 0.5',
                            '    # pours: EXPECTATION FAILED at pot.c:3\n'
                            '    Expected 2, got 3\n        not ok 2 N = 0.5')
        report = ktap.read(log.splitlines())
        texts = {r.name: '\n'.join(r.text) for r in report.results}
        self.assertIn('Expected 2, got 3', texts['pot.pours.N = 0.5'])
        self.assertNotIn('Expected', texts['pot.sweeps'])

    def test_row_twice(self):
        self.assert_red('pot.pours.N = 0.5 ran 2 times',
                        '        ok 2 N = 0.5\n', '        ok 2 N = 0.5\n'
                                                  '        ok 3 N = 0.5\n')

    def test_empty_table(self):
        rows = GREEN[GREEN.index('        ok 1 POWER10'):
                     GREEN.index('    # pours: pass')]
        self.assert_red('pot.pours skipped', rows, '',
                        'ok 2 pours', 'ok 2 pours # SKIP')
        # Even where a list says that the case has no rows.
        self.assert_red('pot.pours failed', rows, '', expected=[
            'pot.boils', 'pot.pours', 'pot.sweeps', 'pan.boils'])

    def test_crash_in_a_case(self):
        start = GREEN.index('        ok 2 N = 0.5')
        self.assert_red('pot.pours began and did not end', GREEN[start:], '')

    def test_crash_after_the_last_case_of_a_suite(self):
        start = GREEN.index('ok 2 pan')
        self.assert_red('pan began and did not end', GREEN[start:], '')

    def test_crash_between_suites(self):
        start = GREEN.index('    KTAP version 1\n    # Subtest: pan')
        self.assert_red('2 suites should have run, 1 ended', GREEN[start:], '',
                        expected=NAMES[:-1])

    def test_no_results_at_all(self):
        for log in ('', BOOT):
            verdict = self.verdict(log)
            self.assertIn('the log has no test results, its end is: '
                          + log.rpartition('\n')[0].rpartition('\n')[2],
                          verdict.problems)

    def test_kernel_complaints(self):
        for line in ('BUG: KASAN: slab-out-of-bounds in pot_boils+0x12/0x20',
                     'BUG: kernel NULL pointer dereference, address: 0',
                     'WARNING: CPU: 0 PID: 9 at lib/pot.c:3 pot_boils',
                     'UBSAN: shift-out-of-bounds in lib/pot.c:3:4',
                     'Oops: 0000 [#1]',
                     'Kernel panic - not syncing: Segfault with no mm'):
            self.assert_red(f'the kernel says: {line}',
                            '    ok 1 boils', f'{line}\n    ok 1 boils')
            self.assert_red(f'the kernel says: {line}',
                            'reboot: System halted', line)

    def test_complaints_before_the_tests_are_not_ours(self):
        log = GREEN.replace('kunit: boot', 'WARNING: CPU: 0 PID: 1 at x.c:5')
        self.assertTrue(self.verdict(log).green)

    def test_names_and_diagnostics_are_no_complaints(self):
        log = GREEN.replace('N = 0.5', 'BUG: none').replace(
            '    # pours: pass', '    # pours: BUG: none\n    # pours: pass')
        names = [name.replace('N = 0.5', 'BUG: none') for name in NAMES]
        self.assertTrue(self.verdict(log, names).green)
