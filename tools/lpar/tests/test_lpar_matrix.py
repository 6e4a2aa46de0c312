# SPDX-License-Identifier: GPL-2.0
"""The matrix: that it names what it is to name, and says what it is to say."""

import unittest

import matrix

FULL = {row.name: row for row in matrix.full()}


def cede(name, expected=matrix.expected):
    return expected(FULL[name]).states[1]


class MatrixTest(unittest.TestCase):

    def test_names_are_unique(self):
        self.assertEqual(len(FULL), len(matrix.full()))

    def test_default_is_part_of_full(self):
        for row in matrix.default():
            self.assertEqual(FULL[row.name], row)

    def test_little_endian_begins_with_power8(self):
        self.assertNotIn('POWER7 native, dedicated, no answer', FULL)
        self.assertIn('POWER7 native, dedicated, no answer, big endian', FULL)

    def test_expectations(self):
        self.assertEqual(cede('POWER9 native, dedicated, firmware 12/30 us'),
                         ('CEDE', 10, 100))
        self.assertEqual(cede('POWER11 native, dedicated, firmware 12/30 us'),
                         ('CEDE', 12, 120))
        self.assertEqual(cede('POWER10 native, shared, firmware 12/30 us'),
                         ('Shared Cede', 10, 100))

    def test_linux(self):
        name = 'POWER11 in POWER9 mode, dedicated, firmware 12/30 us'
        self.assertEqual(cede(name), ('CEDE', 12, 120))
        self.assertEqual(cede(name, matrix.linux_expected),
                         ('CEDE', 10, 100))
        length_0 = FULL['POWER10 native, dedicated, length 0']
        self.assertTrue(matrix.linux_expected(length_0).floods)
        self.assertFalse(matrix.expected(length_0).floods)

    def test_stop(self):
        name = 'POWER9 DD2.3 native, shared, no answer, stop vouched for'
        self.assertEqual(matrix.expected(FULL[name]).states,
                         (('snooze', 0, 0), ('stop0lite', 2, 20),
                          ('Shared Cede', 10, 100)))
        self.assertEqual(matrix.linux_expected(FULL[name]).states,
                         (('snooze', 0, 0), ('Shared Cede', 10, 100)))
        self.assertTrue(matrix.linux_expected(FULL[name]).agrees)
        old = matrix.expected(FULL[name.replace('2.3', '2.2')])
        self.assertEqual(old.states,
                         (('snooze', 0, 0), ('Shared Cede', 10, 100)))
        self.assertEqual(old.log[-1], 'pseries_idle: stop0lite: refused, '
                         'POWER9 before DD2.3 can miss wake-ups')
        self.assertIn('guest-stop: yes', old.capture)

    def test_stop_is_refused_for_each_reason(self):
        self.assertEqual({row.stop for row in matrix.with_stop()}, {
            matrix.STOPS, matrix.NOT_DEDICATED, matrix.NOT_BELOW_3_0,
            matrix.NOT_BEFORE_DD2_3})

    def test_select(self):
        rows = matrix.default()
        self.assertEqual(matrix.select(rows, []), rows)
        chosen = matrix.select(rows, ['POWER11*shared*', 'PPC970 *'])
        self.assertTrue(chosen)
        for row in chosen:
            self.assertIn(row.processor.name, ('POWER11', 'PPC970'))
        self.assertEqual(matrix.select(rows, ['POWER12*']), [])

    def test_answers(self):
        """One by hand; the length field does not count itself."""
        given = next(answer.given for answer in matrix.ANSWERS
                     if answer.name == 'firmware 12/30 us')
        self.assertEqual(given, ((0, bytes.fromhex(
            '0016' '09' '01' '0000000000001800' '01'
            '02' '0000000000003c00' '00' '00')),))
