# SPDX-License-Identifier: GPL-2.0
"""How each of the tools ends when it cannot go on."""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

from common import HERE, TOP

TOOLS = sorted(path for room in ('kernel', 'lpar', 'pseries-idle')
               for path in (TOP / 'tools' / room).iterdir()
               if path.is_file() and os.access(path, os.X_OK)
               and b'python3' in path.read_bytes().partition(b'\n')[0])


def run(command, redirect='', **how):
    """With standard output or others elsewhere; fd 3 is a pipe nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        ['bash', '-c', f'exec 3>&{writing}; {redirect}\nexec "$@"', 'bash',
         *command], pass_fds=[writing], capture_output=True, text=True,
        check=False, timeout=300, **how)
    os.close(writing)
    return ran


class EndTest(unittest.TestCase):

    def assert_ends(self, ran, words):
        self.assertEqual((ran.returncode, ran.stderr.count('\n')), (2, 1),
                         ran.stderr)
        self.assertIn(words, ran.stderr)

    def assert_unwritten(self, ran, why):
        self.assert_ends(ran, f'standard output: could not be written: {why}')


class EveryToolTest(EndTest):

    def test_help(self):
        self.assertGreater(len(TOOLS), 10)
        for tool in TOOLS:
            with self.subTest(tool):
                ran = run([tool, '--help'])
                self.assertEqual((ran.returncode, ran.stderr), (0, ''))
                self.assertIn('usage: ' + tool.name, ran.stdout)
                self.assert_unwritten(
                    run([tool, '--help'], 'exec >/dev/full'), 'No space left')

    def test_output_that_cannot_be_written(self):
        command = [TOP / 'tools/lpar/lpar', '--list']
        for redirect, why in (('exec >/dev/full', 'No space left'),
                              ('exec >&3', 'Broken pipe'),
                              ('exec >&-', 'it is closed')):
            with self.subTest(redirect):
                self.assert_unwritten(run(command, redirect), why)

    def test_errors_that_cannot_be_written(self):
        """The status has to do; nothing of them goes elsewhere."""
        command = [TOP / 'tools/lpar/lpar', '--list']
        for redirect in ('exec 2>/dev/full', 'exec 2>&3', 'exec 2>&-',
                         'exec <&- 2>&-'):
            with self.subTest(redirect):
                ran = run(command, redirect,
                          env={**os.environ, 'ONLY': 'no such row'})
                self.assertEqual((ran.returncode, ran.stdout), (2, ''))
        ran = run(command, 'exec >&- 2>&-')
        self.assertEqual(ran.returncode, 2)


class ToolTest(EndTest):
    """A tool of its own, whose main() does what is tried."""

    def run_main(self, body, redirect=''):
        with tempfile.TemporaryDirectory() as scratch:
            tool = pathlib.Path(scratch, 'tool')
            tool.write_text(
                f'import errno, os, sys\nsys.path.insert(0, "{HERE}")\n'
                'from common import *\ndef main():\n'
                + textwrap.indent(body, '    ') + '\nrun_tool(main)\n',
                encoding='utf-8')
            return run([sys.executable, '-B', tool], redirect)

    def test_status(self):
        for body, status in (('return 0', 0), ('return 1', 1),
                             ('raise Stop("why", 1)', 1),
                             ('raise Stop("why")', 2), ('sys.exit(3)', 3),
                             ('raise KeyboardInterrupt', 130)):
            self.assertEqual(self.run_main(body).returncode, status)

    def test_much_output(self):
        for body in ('print("x" * 100000)',
                     'print("x" * 100000, flush=True)',
                     'sys.stdout.buffer.write(b"x" * 100000)'):
            self.assertEqual(self.run_main(body).stdout.strip(), 'x' * 100000)
            for redirect, why in (('exec >/dev/full', 'No space left'),
                                  ('exec >&3', 'Broken pipe')):
                self.assert_unwritten(self.run_main(body, redirect), why)

    def test_output_is_not_mistaken_for_a_file(self):
        """Closed, its number must not go to the next file that is opened."""
        ran = self.run_main('with open("/dev/null") as file:\n'
                            '    return file.fileno()', 'exec <&- 2>&-')
        self.assertGreater(ran.returncode, 2)

    def test_failing_calls(self):
        for error, words in (
                ('errno.ENOSPC, os.strerror(errno.ENOSPC)',
                 'make room there'),
                ('errno.EACCES, "denied", "/here"',
                 'denied: /here: is it yours to use?'),
                ('errno.EIO, "bad disk", "/here"', 'bad disk: /here'),
                ('errno.EPIPE, "Broken pipe"', 'Broken pipe'),
                ('"no number"', 'no number')):
            self.assert_ends(self.run_main(f'raise OSError({error})'), words)

    def test_names_with_control_characters(self):
        self.assert_ends(self.run_main('raise Stop("a\\nb\\x1b[2J\\x9b")'),
                         'tool: a?b?[2J?\n')

    def test_faults_of_a_tool_are_not_hidden(self):
        self.assertIn('Traceback', self.run_main('return 1 / 0').stderr)


if __name__ == '__main__':
    unittest.main()
