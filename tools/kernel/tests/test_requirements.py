# SPDX-License-Identifier: GPL-2.0
"""What requirements does on machines that lack things."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from common import HERE

BASE = ('sh', 'cat', 'dirname', 'env', 'grep', 'mkdir', 'mktemp', 'ln', 'rm',
        'tail')
PROGRAMS = ('bc', 'bison', 'flex', 'gcc', 'git', 'make', 'perl', 'tar', 'xz')


class RequirementsTest(unittest.TestCase):

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.bin = self.scratch / 'bin'
        self.bin.mkdir()
        for name in BASE:
            (self.bin / name).symlink_to(shutil.which(name))
        tools = self.scratch / 'tools/kernel'
        tools.mkdir(parents=True)
        for name in ('requirements', 'build-directory'):
            shutil.copy(HERE / name, tools)
        self.tool = tools / 'requirements'
        self.program('id', 'echo 0')
        for name in PROGRAMS:
            self.program(name)

    def program(self, name, script=''):
        path = self.bin / name
        path.write_text(f'#!{shutil.which("sh")}\n{script}\n')
        path.chmod(0o755)

    def apt(self, script):
        self.program('apt-get', f'echo "$*" >>{self.scratch}/calls\n{script}')

    def calls(self):
        """What apt-get was called for, without its options."""
        log = self.scratch / 'calls'
        lines = log.read_text().splitlines() if log.exists() else []
        return [' '.join(word for word in line.split()
                         if not word.startswith('-') and '::' not in word)
                for line in lines]

    def run_tool(self, status, *purposes, **environment):
        done = subprocess.run(
            [self.tool, *purposes], text=True, capture_output=True, check=False,
            stdin=subprocess.DEVNULL,
            env={'PATH': str(self.bin), 'PYTHON': sys.executable,
                 'KDIR': '/some/linux', **environment})
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, '')
        return done.stderr

    def assert_one_line(self, text, *parts):
        lines = [line for line in text.splitlines()
                 if line.split(':')[1].split()[0] != 'installing']
        self.assertEqual(len(lines), 1, text)
        for part in parts:
            self.assertIn(part, lines[0])

    def lack(self, *names):
        for name in names:
            (self.bin / name).unlink()

    def test_nothing_missing_is_silent(self):
        self.assertEqual(self.run_tool(0, 'kunit'), '')
        self.assertFalse((self.scratch / 'build').exists())

    def test_installs_only_what_is_missing(self):
        self.lack('bc', 'flex')
        self.apt(f'ln -s {self.bin}/gcc {self.bin}/bc\n'
                 f'ln -s {self.bin}/gcc {self.bin}/flex')
        self.run_tool(0, 'kunit')
        self.assertEqual(self.calls(), ['install bc flex'])

    def test_updates_the_lists_only_if_it_must(self):
        self.lack('bc')
        self.apt(f'case "$*" in *update*) >{self.scratch}/fresh ;; esac\n'
                 f'[ -e {self.scratch}/fresh ] || exit 100\n'
                 f'ln -sf {self.bin}/gcc {self.bin}/bc')
        self.run_tool(0, 'kunit')
        self.assertEqual(self.calls(), ['install bc', 'update', 'install bc'])

    def test_pseries(self):
        self.apt('exit 100')
        said = self.run_tool(2, 'kunit', 'cross', 'pseries')
        self.assert_one_line(said, ' gcc-powerpc64-linux-gnu '
                             'gcc-powerpc64le-linux-gnu qemu-system-ppc')

    def test_llvm(self):
        self.apt('exit 100')
        said = self.run_tool(2, 'kunit', LLVM='-19')
        self.assert_one_line(said, 'clang-19 lld-19 llvm-19')
        said = self.run_tool(2, 'kunit', LLVM='1')
        self.assert_one_line(said, ' clang lld llvm:')

    def test_llvm_of_ones_own(self):
        said = self.run_tool(2, 'kunit', LLVM='/my own/bin/')
        self.assert_one_line(said, '/my own/bin/')
        self.assertEqual(self.calls(), [])

    def test_llvm_that_kbuild_does_not_know(self):
        said = self.run_tool(2, 'kunit', LLVM='clang')
        self.assert_one_line(said, 'LLVM=clang is not 1')
        self.assertEqual(self.calls(), [])

    def test_unknown_purpose(self):
        self.assert_one_line(self.run_tool(2, 'kunti'), 'no purpose kunti')

    def test_debian_source_unless_kdir(self):
        self.tool.write_text(self.tool.read_text().replace(
            '/usr/src/', f'{self.scratch}/'))
        self.apt('exit 100')
        said = self.run_tool(2, 'kunit', KDIR='')
        self.assert_one_line(said, 'linux-source-6.12')

    def test_why_apt_failed(self):
        self.lack('bc')
        for words, reason in (
                ("E: Failed to fetch http://x Could not resolve 'x'", 'network'),
                ('E: Could not connect to proxy:1', 'network'),
                ("E: You don't have enough free space in /var", 'disk is full'),
                ('dpkg: error: No space left on device', 'disk is full'),
                ('E: Unable to locate package bc', 'package sources'),
                ('E: Something else', 'E: Something else')):
            self.apt(f'echo "{words}" >&2; exit 100')
            self.assert_one_line(self.run_tool(2, 'kunit'), ' bc', reason,
                                 'build/log/apt.log')

    def test_apt_succeeds_without_bringing_it(self):
        self.lack('bc')
        self.apt('exit 0')
        self.assert_one_line(self.run_tool(2, 'kunit'), 'still missing', ' bc')

    def test_without_root(self):
        self.lack('bc', 'gcc')
        self.apt('exit 100')
        self.program('id', 'echo 1000')
        self.assert_one_line(self.run_tool(2, 'kunit'),
                             'apt-get install --no-install-recommends bc gcc')
        self.assertEqual(self.calls(), [])

    def test_with_sudo(self):
        self.lack('bc')
        self.apt(f'ln -s {self.bin}/gcc {self.bin}/bc')
        self.program('id', 'echo 1000')
        self.program('sudo', '[ "$1" = -n ] && exit\nexec "$@"')
        self.run_tool(0, 'kunit')
        self.assertEqual(self.calls(), ['install bc'])

    def test_without_apt(self):
        self.lack('bc', 'gcc')
        self.assert_one_line(self.run_tool(2, 'kunit'), 'missing: bc gcc',
                             "package manager")

    def test_without_python(self):
        self.apt('exit 100')
        self.assert_one_line(self.run_tool(2, 'kunit', PYTHON='/none/python3'),
                             'python3 python3-junitparser')
