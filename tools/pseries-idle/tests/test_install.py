# SPDX-License-Identifier: GPL-2.0
"""make install: where the tool goes."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from common import TOP

PARTS = ('include', 'lib/pseries_idle', 'tools/kernel', 'tools/pseries-idle')
ODD = 'a "b" $(c) \'d\' `e` $f'


class InstallTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix='install ')
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def environment(self, **variables):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(('MAKE', 'MFLAGS'))
                and name not in ('PREFIX', 'DESTDIR')}
        return {**kept, **variables}

    def install(self, status=0, **variables):
        program = self.scratch / 'program'
        program.write_text('whole', encoding='ascii')
        ran = subprocess.run(
            [TOP / 'tools/pseries-idle/install', program], text=True,
            cwd=self.scratch, env=self.environment(**variables), check=False,
            capture_output=True)
        self.assertEqual(ran.returncode, status, ran.stderr)
        self.assertEqual(ran.stderr.count('\n'), int(bool(status)))
        return ran.stderr if status else ran.stdout.removesuffix('\n')

    def assert_installed(self, where, to):
        self.assertEqual(os.path.normpath(to), os.path.normpath(
            where / 'bin/pseries-idle'))
        to = pathlib.Path(to)
        self.assertEqual(to.read_text(encoding='ascii'), 'whole')
        self.assertEqual(to.stat().st_mode & 0o7777, 0o755)
        self.assertEqual(list(to.parent.iterdir()), [to])

    def test_where(self):
        here, other = self.scratch, self.scratch / 'other'
        for variables, where in (
                ({'PREFIX': f'{here}/a'}, here / 'a'),
                ({'PREFIX': 'b'}, here / 'b'),
                ({'PREFIX': './b/c'}, here / './b/c'),
                ({'PREFIX': ODD}, here / ODD),
                ({'DESTDIR': f'{other}/a'}, other / 'a/usr/local'),
                ({'DESTDIR': f'{other}/a', 'PREFIX': ''}, other / 'a/usr/local'),
                ({'DESTDIR': 'd', 'PREFIX': '/usr'}, here / 'd/usr'),
                ({'DESTDIR': ODD, 'PREFIX': '/'}, here / f'{ODD}/')):
            with self.subTest(variables):
                for _ in ('new', 'over the old one'):
                    self.assert_installed(where, self.install(**variables))

    def test_refused(self):
        (self.scratch / 'file').write_text('')
        self.assertIn('Not a directory', self.install(2, PREFIX='file'))
        (self.scratch / 'd/bin/pseries-idle').mkdir(parents=True)
        self.assertIn('is a directory', self.install(2, PREFIX='d'))
        self.assertEqual(len(list((self.scratch / 'd/bin').iterdir())), 1)

    def test_make(self):
        """Relative to where make was called, quotes and all."""
        for part in PARTS:
            shutil.copytree(TOP / part, self.scratch / part)
        shutil.copy(TOP / 'Makefile', self.scratch)
        odd = ODD.replace('$', '$$')
        subprocess.run(['make', 'install', f'PREFIX={odd}', 'DESTDIR=out'],
                       cwd=self.scratch, check=True, capture_output=True,
                       env=self.environment())
        tool, = (self.scratch / 'out').rglob('pseries-idle')
        self.assertEqual(tool, pathlib.Path(
            f'{self.scratch}/out{self.scratch}/{odd}/bin/pseries-idle'))
        self.assertEqual(subprocess.run([tool, '--help'], check=False,
                                        capture_output=True).returncode, 0)


if __name__ == '__main__':
    unittest.main()
