# SPDX-License-Identifier: GPL-2.0
"""The list of cases, and what filters select of it."""

import pathlib
import tempfile
import unittest

import cases
from common import Stop
from ktap import Result

ALL = {'pot.boils': 'normal', 'pot.pours.a, b': 'normal',
       'pot.pours.0.5 [x]': 'normal', 'pot.sweeps': 'very_slow',
       'pan.boils': 'slow', 'Pan.boils': 'normal'}


class SelectTest(unittest.TestCase):

    def assert_selects(self, glob, speed, names):
        self.assertEqual(cases.select(ALL, glob, speed), names)

    def test_everything(self):
        self.assert_selects('', '', list(ALL))

    def test_suite(self):
        self.assert_selects('pan', '', ['pan.boils'])
        self.assert_selects('p?n', '', ['pan.boils'])
        self.assert_selects('[!P]a*', '', ['pan.boils'])
        self.assert_selects('*n', '', ['pan.boils', 'Pan.boils'])

    def test_suite_and_case(self):
        self.assert_selects('*.boils', '',
                            ['pot.boils', 'pan.boils', 'Pan.boils'])
        self.assert_selects('pot.p*', '',
                            ['pot.pours.a, b', 'pot.pours.0.5 [x]'])

    def test_speed(self):
        self.assert_selects('', 'speed=slow', ['pan.boils'])
        self.assert_selects('', 'speed<slow', ['pot.sweeps'])
        self.assert_selects('', 'speed<=slow', ['pot.sweeps', 'pan.boils'])
        self.assert_selects('pot', 'speed!=normal', ['pot.sweeps'])
        self.assert_selects('p*.boils', 'speed>slow', ['pot.boils'])
        self.assert_selects('', 'speed>very_slow, speed<normal', ['pan.boils'])

    def test_nothing_is_an_error(self):
        for glob, speed in (('po', ''), ('pot.', ''), ('.boils', ''),
                            ('', 'speed>normal'), ('pot.pours.a', '')):
            with self.subTest(glob=glob, speed=speed):
                with self.assertRaisesRegex(Stop, 'selects nothing'):
                    cases.select(ALL, glob, speed)

    def test_what_cannot_be_judged_is_refused(self):
        for glob, speed in (('a b', ''), ('a"', ''), ('a\\*', ''),
                            ('', 'module=pot'), ('', 'speed'),
                            ('', 'speed>fast'), ('', 'is_init=true')):
            with self.subTest(glob=glob, speed=speed):
                with self.assertRaises(Stop) as caught:
                    cases.select(ALL, glob, speed)
                self.assertNotIn('selects nothing', str(caught.exception))


class ListTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name) / 'cases.list'

    def test_comes_back_as_it_was_saved(self):
        cases.save([Result(name, 'passed', [], speed)
                    for name, speed in ALL.items()], self.path)
        self.assertEqual(cases.load(self.path), ALL)
        self.assertEqual(list(cases.load(self.path)), list(ALL))

    def test_missing_empty_or_double(self):
        for text, line in ((None, 'is missing'), ('# x\n', 'lists nothing'),
                           ('a.b\na.b [slow]\n', 'lists a.b twice')):
            if text is not None:
                self.path.write_text(text)
            with self.assertRaisesRegex(Stop, line):
                cases.load(self.path)
