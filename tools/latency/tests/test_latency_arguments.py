# SPDX-License-Identifier: GPL-2.0
"""What tools/latency/latency refuses before it builds anything."""

import os
import pathlib
import subprocess
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[1] / 'latency'


class ArgumentsTest(unittest.TestCase):

    def run_tool(self, *arguments, **environment):
        return subprocess.run([TOOL, *arguments], text=True, check=False,
                              capture_output=True,
                              env={**os.environ, **environment})

    def test_refused(self):
        for words, environment in (
                ('ARCH=arm64 is not known: powerpc or x86_64',
                 {'ARCH': 'arm64'}),
                ('SAMPLES=0 is not 1 to 100000', {'SAMPLES': '0'}),
                ('SAMPLES=100001 is not', {'SAMPLES': '100001'}),
                ('SAMPLES=1e3 is not', {'SAMPLES': '1e3'}),
                ('SAMPLES=$(id) is not', {'SAMPLES': '$(id)'}),
                ('JOBS=no is not', {'JOBS': 'no'})):
            with self.subTest(words):
                ran = self.run_tool(**environment)
                self.assertEqual(ran.returncode, 2)
                self.assertIn(words, ran.stderr)
                self.assertEqual(ran.stderr.count('\n'), 1)

    def test_help(self):
        ran = self.run_tool('--help')
        self.assertEqual(ran.returncode, 0)
        self.assertIn('SAMPLES', ran.stdout)


if __name__ == '__main__':
    unittest.main()
