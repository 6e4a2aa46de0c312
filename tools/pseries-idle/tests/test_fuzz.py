# SPDX-License-Identifier: GPL-2.0
"""`make fuzz` from its variables to its exit status, on a fake libFuzzer."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from common import TOP

# A compiler whose programs do what $FAKE says, and note what they were told.
CLANG = r'''#!/usr/bin/python3
import os, pathlib, sys
if os.environ['FAKE'] == 'no build':
    sys.exit('no build')
program = pathlib.Path(sys.argv[sys.argv.index('-o') + 1])
program.write_text("""#!/usr/bin/python3
import json, os, pathlib, signal, sys, time
here = pathlib.Path(sys.argv[0]).parent
(here / 'told').write_text(json.dumps(sys.argv[1:]))
fake = os.environ['FAKE']
if fake == 'waits':
    def end(*_):
        (here / 'ended').touch()
        sys.exit(72)
    signal.signal(signal.SIGTERM, end)
    (here / 'waits').write_text(str(os.getpid()))
    time.sleep(100)
if fake == 'breaks':
    sys.exit('==1==ERROR: AddressSanitizer')
if fake != 'silent':
    print('stat::number_of_executed_units: ' + fake)
""")
program.chmod(0o755)
'''


class FuzzTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix='fuzz-')
        self.addCleanup(scratch.cleanup)
        self.top = pathlib.Path(scratch.name, 'project')
        for part in ('tools/kernel', 'tools/pseries-idle'):
            shutil.copytree(TOP / part, self.top / part)
        programs = pathlib.Path(scratch.name, 'bin')
        programs.mkdir()
        (programs / 'clang-19').write_text(CLANG, encoding='ascii')
        (programs / 'clang-19').chmod(0o755)
        self.environment = {**os.environ,
                            'PATH': f'{programs}:{os.environ["PATH"]}'}
        self.build = self.top / 'build'

    def start(self, fake, **variables):
        return subprocess.Popen(
            [sys.executable, self.top / 'tools/pseries-idle/fuzz'], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**self.environment, 'FAKE': fake, **variables})

    def run_tool(self, status, fake, **variables):
        with self.start(fake, **variables) as process:
            output, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, status, errors)
        return output + errors

    def told(self, name):
        return json.loads((self.build / 'fuzz' / name / 'told').read_text())

    def test_limits(self):
        for variables, option in (({}, '-max_total_time=60'),
                                  ({'SECONDS': '7'}, '-max_total_time=7'),
                                  ({'RUNS': '900', 'SECONDS': ''},
                                   '-runs=900')):
            said = self.run_tool(0, '900', **variables)
            self.assertIn('2 passed, 0 failed\n', said)
            for name in ('decode', 'capture'):
                self.assertIn(option, self.told(name))
                self.assertIn(f'{name}: 900 inputs, none broke it', said)

    def test_fewer_than_asked_for(self):
        for fake, words in (('899', 'ended after 899 inputs'),
                            ('silent', 'ended after 0 inputs')):
            said = self.run_tool(1, fake, RUNS='900')
            self.assertIn(words, said)
            self.assertIn('0 passed, 2 failed\n', said)
        self.run_tool(1, '0')

    def test_refused(self):
        for name in ('RUNS', 'SECONDS'):
            for value in ('0', '-1', '+1', ' 1', '1 ', '1e3', '0x10', 'x',
                          '1000000000', '١'):
                with self.subTest(value):
                    said = self.run_tool(2, '1', **{name: value})
                    self.assertEqual(said.count('\n'), 1)
                    self.assertIn(f'{name}={value} is not a number', said)
        self.assertIn('give one of them',
                      self.run_tool(2, '1', RUNS='1', SECONDS='1'))

    def test_broken(self):
        said = self.run_tool(1, 'breaks')
        self.assertIn('decode: broke, see', said)
        self.assertIn('0 passed, 2 failed\n', said)
        self.assertIn('did not build', self.run_tool(1, 'no build'))

    def test_one_at_a_time(self):
        with self.start('waits') as first:
            self.wait_for('waits')
            with self.start('5') as second:
                self.assertIn('waiting for another run',
                              second.stderr.readline())
                self.assertIsNone(second.poll())
                first.send_signal(signal.SIGINT)
                first.communicate(timeout=300)
                second.communicate(timeout=300)
        self.assertEqual((first.returncode, second.returncode), (130, 0))

    def test_interrupted(self):
        """libFuzzer may end what it writes at, and does not go on alone."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.start('waits') as process:
                child = self.wait_for('waits')
                process.send_signal(number)
                _, errors = process.communicate(timeout=300)
            self.assertEqual((process.returncode, errors),
                             (130, 'fuzz: interrupted\n'))
            self.wait_for('ended')
            self.assertFalse(pathlib.Path('/proc', child).exists())
        self.assertEqual([], list(self.build.rglob('*.new')))

    def wait_for(self, name):
        """What the program wrote; from then on it is gone."""
        path = self.build / 'fuzz/decode' / name
        deadline = time.monotonic() + 60
        while not path.exists() or (name == 'waits' and not path.read_text()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        text = path.read_text()
        path.unlink()
        return text


if __name__ == '__main__':
    unittest.main()
