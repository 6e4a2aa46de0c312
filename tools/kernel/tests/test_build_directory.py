# SPDX-License-Identifier: GPL-2.0
"""Where build/ is, and that removing it removes nothing else."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from common import HERE


class BuildDirectoryTest(unittest.TestCase):

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)

    def checkout(self, name='project'):
        tools = self.scratch / name / 'tools/kernel'
        tools.mkdir(parents=True)
        shutil.copy(HERE / 'build-directory', tools)
        return self.scratch / name

    def run_tool(self, project, *arguments):
        return subprocess.run(
            [project / 'tools/kernel/build-directory', *arguments], text=True,
            capture_output=True, check=True,
            env={'PATH': '/usr/bin:/bin', 'TMPDIR': str(self.scratch)}
        ).stdout.rstrip('\n')

    def test_made_and_removed(self):
        project = self.checkout()
        build = pathlib.Path(self.run_tool(project))
        self.assertEqual(build, (project / 'build').resolve())
        (build / 'tree').mkdir()
        self.run_tool(project, '--remove')
        self.assertEqual([p.name for p in project.iterdir()], ['tools'])
        self.run_tool(project, '--remove')

    def test_elsewhere_when_kbuild_refuses_the_path(self):
        project = self.checkout('a b:c')
        build = pathlib.Path(self.run_tool(project))
        self.assertEqual(build.parent, self.scratch)
        (build / 'tree').mkdir()
        self.run_tool(project, '--remove')
        self.assertFalse(build.exists())
        self.assertEqual([p.name for p in project.iterdir()], ['tools'])

    def test_link_of_the_user_keeps_what_is_not_ours(self):
        project = self.checkout()
        disk = self.scratch / 'disk'
        (disk / 'obj/debian').mkdir(parents=True)
        (disk / 'thesis').touch()
        (project / 'build').symlink_to(disk)
        self.assertEqual(self.run_tool(project), str(disk))
        self.run_tool(project, '--remove')
        self.assertEqual([p.name for p in disk.iterdir()], ['thesis'])
