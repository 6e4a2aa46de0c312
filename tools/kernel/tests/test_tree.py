# SPDX-License-Identifier: GPL-2.0
"""The private copy of a kernel tree, made from small fake ones."""

import io
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from unittest import mock

import common
import kernel_tree
from common import Stop

SOURCES = {
    'Makefile': 'VERSION = 6\nPATCHLEVEL = 12\n',
    'Kbuild': '', 'Kconfig': '', 'COPYING': 'GPL',
    '.gitignore': '.*\n!.gitignore\n*.o\n/vmlinux\ntags\n'
                  '/include/config/\n/include/generated/\n',
    'include/linux/kernel.h': '/* kernel */',
    'lib/Kconfig': 'config A\n', 'lib/Makefile': 'obj-y += a.o\n',
    'lib/a.c': 'int a;', 'lib/.gitignore': '/table.h\n',
    'drivers/cpuidle/Kconfig': 'config B\n',
    'drivers/cpuidle/Makefile': 'obj-y += b.o\n',
    'drivers/cpuidle/cpuidle-pseries.c': 'their driver',
    'tools/testing/kunit/kunit.py': '',
    'tools/testing/selftests/arm64/tags/Makefile': 'all:\n',
}
GENERATED = ('.config', 'include/config/auto.conf', 'vmlinux', 'lib/a.o',
             'include/generated/autoconf.h', 'lib/.a.o.cmd', 'lib/table.h',
             'arch/um/include/generated/asm/x.h', 'System.map', '.tmp/x.c')


PROJECT = {
    'include/linux/pseries_idle.h': '/* idle */',
    'lib/pseries_idle/core.c': 'int core;',
    'lib/pseries_idle/tests/core_kunit.c': '',
    'drivers/cpuidle/cpuidle-pseries.c': 'our driver',
    'drivers/cpuidle/cpuidle-pseries.h': '/* driver */',
    'drivers/cpuidle/tests/driver_kunit.c': '',
}
DRIVER = 'drivers/cpuidle/cpuidle-pseries.c'


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def snapshot(root):
    """All of a tree that a change would show in; reading it is allowed."""
    def facts(path):
        stat = path.lstat()
        return (stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return {path: facts(path) for path in [root, *root.rglob('*')]}


class TreeTest(unittest.TestCase):

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.build = self.scratch / 'build'
        self.build.mkdir()
        self.kdir = self.scratch / 'my linux'
        write(self.kdir, SOURCES)
        self.project = self.scratch / 'project'
        write(self.project, PROJECT)
        for target, name, value in ((kernel_tree, 'TOP', self.project),
                                    (kernel_tree, 'say', mock.Mock())):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def prepare(self):
        return kernel_tree.prepare(self.build, str(self.kdir))

    def assert_has_just_the_sources(self, tree, sources=None):
        sources = dict(sources or SOURCES)
        found = {str(path.relative_to(tree)) for path in tree.rglob('*')
                 if not path.is_dir()}
        ours = {*PROJECT, '.copied', f'.theirs/{DRIVER}'}
        self.assertEqual(found, ours | sources.keys())
        for path in sources.keys() - kernel_tree.APPENDED.keys() - {DRIVER}:
            self.assertEqual((tree / path).read_text(), sources[path])
        self.assert_replaced(tree, sources[DRIVER])
        for path, line in kernel_tree.APPENDED.items():
            text = (tree / path).read_text()
            self.assertTrue(text.startswith(sources[path]), text)
            self.assertEqual(text.splitlines().count(line), 1, text)


    def assert_replaced(self, tree, theirs):
        self.assertEqual((tree / DRIVER).read_text(), 'our driver')
        self.assertEqual((tree / '.theirs' / DRIVER).read_text(), theirs)


class CopyTest(TreeTest):

    def test_plain_tree(self):
        self.assert_has_just_the_sources(self.prepare())

    def test_built_in_place(self):
        write(self.kdir, dict.fromkeys(GENERATED, 'generated'))
        self.assert_has_just_the_sources(self.prepare())

    def test_debian_ignores_the_top(self):
        sources = {**SOURCES, '.gitignore': SOURCES['.gitignore'] + '/*\n'}
        write(self.kdir, sources)
        write(self.kdir, dict.fromkeys(GENERATED, 'generated'))
        self.assert_has_just_the_sources(self.prepare(), sources)

    def test_git_checkout_with_opinions(self):
        run = ['git', '-C', self.kdir]
        subprocess.run([*run, 'init', '--quiet'], check=True)
        subprocess.run([*run, 'add', 'Makefile'], check=True)
        write(self.kdir, {'.git/info/exclude': '*.c\n', 'nested/b.c': ''})
        subprocess.run(['git', 'init', '--quiet', self.kdir / 'nested'],
                       check=True)
        home = self.scratch / 'home'
        write(home, {'.gitconfig': '[core]\nexcludesFile = ~/ignore\n',
                     'ignore': '*.h\n', '.config/git/ignore': '*.h\n'})
        before = snapshot(self.kdir)
        with mock.patch.dict(os.environ, HOME=str(home), GIT_DIR='/none',
                             GIT_INDEX_FILE=str(self.kdir / '.git/index')):
            self.assert_has_just_the_sources(self.prepare())
        self.assertEqual(snapshot(self.kdir), before)

    def test_tree_is_only_read(self):
        write(self.kdir, dict.fromkeys(GENERATED, 'generated'))
        for path in self.kdir.rglob('*'):
            path.chmod(path.stat().st_mode & ~0o222)
        self.kdir.chmod(0o555)
        before = snapshot(self.kdir)
        for _ in range(2):
            tree = self.prepare()
            self.assert_has_just_the_sources(tree)
        self.assertEqual(snapshot(self.kdir), before)
        for path in tree.rglob('*'):
            self.assertEqual(path.stat().st_mode & 0o600, 0o600, path)

    def test_symlinks_and_modes(self):
        (self.kdir / 'lib/run.sh').write_text('')
        (self.kdir / 'lib/run.sh').chmod(0o755)
        (self.kdir / 'lib/link.c').symlink_to('a.c')
        tree = self.prepare()
        self.assertTrue(os.access(tree / 'lib/run.sh', os.X_OK))
        self.assertEqual(os.readlink(tree / 'lib/link.c'), 'a.c')

    def test_second_run_writes_nothing(self):
        tree = self.prepare()
        before = {path: facts for path, facts in snapshot(tree).items()
                  if path.name != '.copied'}
        self.prepare()
        after = snapshot(tree)
        self.assertEqual({path: after[path] for path in before}, before)

    def test_follows_changes(self):
        write(self.kdir, {'lib/gone.c': '', 'old/deep/gone.c': ''})
        tree = self.prepare()
        (self.kdir / 'lib/gone.c').unlink()
        shutil.rmtree(self.kdir / 'old')
        write(self.kdir, {'old': 'now a file'})
        write(self.kdir, {'lib/a.c': 'int b;'})
        self.prepare()
        self.assert_has_just_the_sources(
            tree, {**SOURCES, 'lib/a.c': 'int b;', 'old': 'now a file'})

    def test_old_time_with_new_content_is_new_to_make(self):
        tree = self.prepare()
        built = (tree / 'lib/a.c').stat().st_mtime_ns + 1
        write(self.kdir, {'lib/a.c': 'int b;'})
        os.utime(self.kdir / 'lib/a.c', (1, 1))
        self.prepare()
        self.assertEqual((tree / 'lib/a.c').read_text(), 'int b;')
        self.assertGreater((tree / 'lib/a.c').stat().st_mtime_ns, built)

    def test_touched_without_a_change_is_not_new(self):
        tree = self.prepare()
        before = (tree / 'lib/a.c').stat().st_mtime_ns
        (self.kdir / 'lib/a.c').touch()
        self.prepare()
        self.assertEqual((tree / 'lib/a.c').stat().st_mtime_ns, before)

    def test_interrupted_copy_is_completed(self):
        done = []

        def copy_some(*args, **kwargs):
            if len(done) == 4:
                raise KeyboardInterrupt
            done.append(args)
            copy_file(*args, **kwargs)

        copy_file = kernel_tree.copy_file
        with mock.patch.object(kernel_tree, 'copy_file', copy_some):
            with self.assertRaises(KeyboardInterrupt):
                self.prepare()
        self.assert_has_just_the_sources(self.prepare())

    def test_copy_interrupted_in_a_file(self):
        def half(source, new):
            new.write_bytes(source.read_bytes()[:3])
            raise KeyboardInterrupt

        with mock.patch.object(shutil, 'copyfile', half):
            with self.assertRaises(KeyboardInterrupt):
                self.prepare()
        self.assert_has_just_the_sources(self.prepare())

    def test_new_copy_forgets_old_objects(self):
        tree = self.prepare()
        objects = kernel_tree.objects_of(tree)
        write(objects, {'gcc/a.o': ''})
        self.prepare()
        self.assertTrue((objects / 'gcc/a.o').exists())
        shutil.rmtree(tree)
        self.prepare()
        self.assertFalse(objects.exists())


class PutInTest(TreeTest):

    def test_block_in_the_users_tree_is_not_doubled(self):
        tree = self.prepare()
        for path in kernel_tree.APPENDED:
            shutil.copy(tree / path, self.kdir / path)
            with open(self.kdir / path, 'a', encoding='ascii') as file:
                file.write('# a line of theirs\n')
        self.prepare()
        for path, line in kernel_tree.APPENDED.items():
            text = (tree / path).read_text()
            self.assertEqual(text.splitlines().count(line), 1, text)
            self.assertIn('# a line of theirs\n', text)

    def test_merged_in_the_users_tree(self):
        lines = kernel_tree.APPENDED
        write(self.kdir, {path: f'{lines[path]}\n' for path in lines})
        write(self.kdir, {'lib/pseries_idle/old.c': ''})
        tree = self.prepare()
        self.assertFalse((tree / 'lib/pseries_idle/old.c').exists())
        for path, line in lines.items():
            self.assertEqual((tree / path).read_text(), f'{line}\n')

    def test_stale_block_is_replaced(self):
        tree = self.prepare()
        with mock.patch.dict(kernel_tree.APPENDED, {'lib/Makefile': 'obj-y'}):
            kernel_tree.put_in(tree, self.project, tree)
        text = (tree / 'lib/Makefile').read_text()
        self.assertEqual(text, SOURCES['lib/Makefile'] + '\n# pseries_idle: '
                         'begin\nobj-y\n# pseries_idle: end\n')

    def test_users_change_to_an_appended_file(self):
        tree = self.prepare()
        write(self.kdir, {'lib/Makefile': 'obj-y += b.o\n'})
        self.prepare()
        self.assert_has_just_the_sources(
            tree, {**SOURCES, 'lib/Makefile': 'obj-y += b.o\n'})

    def test_users_change_to_a_replaced_file(self):
        self.prepare()
        write(self.kdir, {DRIVER: 'their new driver'})
        self.assert_replaced(self.prepare(), 'their new driver')

    def test_replaced_in_a_tree_that_is_its_own_origin(self):
        for _ in range(2):
            kernel_tree.put_in(self.kdir, self.project, self.kdir)
            self.assert_replaced(self.kdir, 'their driver')

    def test_projects_changes(self):
        tree = self.prepare()
        kept = (tree / 'lib/pseries_idle/tests/core_kunit.c').stat().st_mtime_ns
        (self.project / 'lib/pseries_idle/tests/core_kunit.c').touch()
        (self.project / 'lib/pseries_idle/core.c').unlink()
        write(self.project, {'lib/pseries_idle/new.c': 'int new;'})
        self.prepare()
        self.assertEqual((tree / 'lib/pseries_idle/new.c').read_text(),
                         'int new;')
        self.assertFalse((tree / 'lib/pseries_idle/core.c').exists())
        self.assertEqual((tree / 'lib/pseries_idle/tests/core_kunit.c')
                         .stat().st_mtime_ns, kept)


class RefusedTest(TreeTest):

    def assert_refused(self, kdir, why):
        with self.assertRaisesRegex(Stop, why):
            kernel_tree.prepare(self.build, str(kdir))

    def test_no_directory(self):
        self.assert_refused(self.scratch / 'none', 'is not a directory')
        self.assert_refused(self.kdir / 'Makefile', 'is not a directory')

    def test_no_kernel_tree(self):
        self.assert_refused(self.project, 'not a kernel source tree')
        (self.kdir / 'Kbuild').unlink()
        self.assert_refused(self.kdir, 'lacks Kbuild')

    def test_old_kernel(self):
        write(self.kdir, {'Makefile': 'VERSION = 6\nPATCHLEVEL = 11\n'})
        self.assert_refused(self.kdir, r'is Linux 6\.11, and 6\.12 or newer')
        write(self.kdir, {'Makefile': 'VERSION = 7\nPATCHLEVEL = 0\n'})
        self.prepare()

    def test_our_own_tree(self):
        tree = self.prepare()
        self.assert_refused(tree, 'in the build directory')
        link = self.scratch / 'link'
        link.symlink_to(tree)
        self.assert_refused(link, 'in the build directory')

    def test_no_space(self):
        with mock.patch.object(shutil, 'disk_usage',
                               return_value=mock.Mock(free=10)):
            self.assert_refused(self.kdir, 'no space left')


class UnpackTest(TreeTest):

    def setUp(self):
        super().setUp()
        self.tarball = self.scratch / 'linux.tar.xz'
        self.tree = self.build / 'tree/debian'
        self.tree.parent.mkdir()
        for name, value in (('UNPACKED_SIZE', 1), ('Progress', mock.Mock())):
            patch = mock.patch.object(kernel_tree, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def pack(self, text):
        with tarfile.open(self.tarball, 'w:xz') as tar:
            member = tarfile.TarInfo('linux-6.12/lib/a.c')
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))

    def unpack(self):
        kernel_tree.unpack(self.tree, self.tarball)
        return (self.tree / 'lib/a.c').read_text()

    def test_once_and_again_when_it_changed(self):
        self.pack('one')
        self.assertEqual(self.unpack(), 'one')
        (self.tree / 'lib/a.c').write_text('kept')
        self.assertEqual(self.unpack(), 'kept')
        write(kernel_tree.objects_of(self.tree), {'gcc/a.o': ''})
        self.pack('three')
        self.assertEqual(self.unpack(), 'three')
        self.assertFalse(kernel_tree.objects_of(self.tree).exists())

    def test_interrupted(self):
        self.pack('one')

        def interrupted(tarball, directory):
            extract(tarball, directory)
            raise KeyboardInterrupt

        extract = kernel_tree.extract
        with mock.patch.object(kernel_tree, 'extract', interrupted):
            with self.assertRaises(KeyboardInterrupt):
                self.unpack()
        self.assertEqual(list(self.tree.parent.iterdir()), [])
        self.assertEqual(self.unpack(), 'one')

    def test_left_by_a_killed_run(self):
        self.pack('one')
        write(self.tree.with_name('debian.partial'), {'lib/b.c': ''})
        self.assertEqual(self.unpack(), 'one')
        self.assertFalse((self.tree / 'lib/b.c').exists())

    def test_damaged(self):
        self.tarball.write_bytes(b'this is no tar')
        with self.assertRaisesRegex(Stop, 'could not be unpacked'):
            self.unpack()

    def test_no_space(self):
        self.pack('one')
        with mock.patch.object(shutil, 'disk_usage',
                               return_value=mock.Mock(free=0)):
            with self.assertRaisesRegex(Stop, 'no space left'):
                self.unpack()


class BuildDirectoryTest(TreeTest):

    def build_directory(self, checkout, **environment):
        (checkout / 'tools/kernel').mkdir(parents=True)
        script = checkout / 'tools/kernel/build-directory'
        shutil.copy(common.HERE / 'build-directory', script)
        return subprocess.run([script], env={**os.environ, **environment},
                              text=True, capture_output=True, check=True)

    def test_ordinary_path(self):
        checkout = self.scratch / 'checkout'
        said = self.build_directory(checkout)
        self.assertEqual(said.stdout, f'{checkout}/build\n')
        self.assertEqual(said.stderr, '')

    def test_path_that_kbuild_refuses(self):
        for name in ('a b', 'a:b'):
            checkout = self.scratch / name
            said = self.build_directory(checkout, TMPDIR=str(self.scratch))
            away = pathlib.Path(said.stdout[:-1])
            self.assertEqual(away.parent, self.scratch)
            self.assertEqual((checkout / 'build').resolve(), away)
            self.assertEqual(len(said.stderr.splitlines()), 1)
