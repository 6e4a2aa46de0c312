# SPDX-License-Identifier: GPL-2.0
"""A private copy of a kernel tree with this project put in.

The copy comes from Debian's source package, or from the user's own tree,
which is only ever read.  Files that did not change keep their times in the
copy, so that kbuild rebuilds what changed and nothing more.
"""

import contextlib
import filecmp
import hashlib
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile

from common import (Progress, Stop, TOP, only_one, replacing, require_space,
                    say)

DEBIAN_SOURCE = pathlib.Path('/usr/src/linux-source-6.12.tar.xz')
UNPACKED_SIZE = 1_900_000_000
OLDEST = (6, 12)

# What stands at the same place in the project and in the kernel tree.
OVERLAY = (
    'include/linux/pseries_idle.h',
    'lib/pseries_idle',
    'drivers/cpuidle/cpuidle-pseries.h',
    'drivers/cpuidle/tests',
)

# What takes the place of a file of the tree.  Theirs is kept in the copy, for
# whoever wants to build and compare it.
REPLACED = (
    'drivers/cpuidle/cpuidle-pseries.c',
)
KEPT = '.theirs'

# Lines that hook it up, appended because that needs no context in the tree.
APPENDED = {
    'lib/Kconfig': 'source "lib/pseries_idle/Kconfig"',
    'lib/Makefile': 'obj-$(CONFIG_PSERIES_IDLE) += pseries_idle/',
    'drivers/cpuidle/Kconfig': 'source "drivers/cpuidle/tests/Kconfig"',
    'drivers/cpuidle/Makefile': 'obj-y += tests/',
}
BLOCK = re.compile(r'\n# pseries_idle: begin\n.*?# pseries_idle: end\n', re.S)

# On top of what the tree's own .gitignore files call generated.  git lets the
# last pattern that matches decide.
SOURCES = (
    # Debian's tree ignores its whole top level: take directories, and the
    # files that are in capitals and not generated (System.map).
    '!/*/', '/.*/', '!/[A-Z]*', '/[A-Z]*.*',
    '!.gitignore', '!.kunitconfig',
    # Ignored as the file of ctags, but a selftest's directory.
    '!tags/',
    # Kbuild refuses to use a tree with these in it.
    '/.config', '/include/config/', '/include/generated/',
    '/arch/*/include/generated/',
)


def prepare(build, kdir):
    """The private tree for kdir (or Debian's if that is empty), up to date."""
    trees = build / 'tree'
    trees.mkdir(exist_ok=True)
    if kdir:
        origin = pathlib.Path(os.path.realpath(os.path.expanduser(kdir)))
        check_kernel_tree(origin, build)
        tree = trees / identity(origin)
        update_copy(tree, origin)
    else:
        tree = trees / 'debian'
        unpack(tree, DEBIAN_SOURCE)
        origin = tree
    put_in(tree, TOP, origin)
    return tree


def prepare_alone(build, kdir):
    """The same for who does not hold the build directory's lock."""
    with only_one(build):
        return prepare(build, kdir)


def objects_of(tree):
    """Where the kernels made of this tree are built."""
    return tree.parent.parent / 'obj' / tree.name


def identity(origin):
    name = re.sub(r'[^A-Za-z0-9._-]', '_', origin.name)
    return f'{name}-{hashlib.sha256(os.fsencode(origin)).hexdigest()[:8]}'


def check_kernel_tree(origin, build):
    if not origin.is_dir():
        raise Stop(f'KDIR={origin} is not a directory: give the path of a '
                   'Linux source tree')
    if build == origin or build in origin.parents:
        raise Stop(f'KDIR={origin} is in the build directory, which is '
                   "remade at will: give the path of a tree of your own")
    landmarks = ('Kbuild', *APPENDED, *REPLACED,
                 'tools/testing/kunit/kunit.py')
    version = version_of(origin)
    lacking = [name for name in landmarks if not (origin / name).is_file()]
    if not version or (lacking and version >= OLDEST):
        lacking = lacking or ['a version in its Makefile']
        raise Stop(f'KDIR={origin} is not a kernel source tree, it lacks '
                   f'{lacking[0]}: give the top directory of one')
    if version < OLDEST:
        raise Stop('KDIR={} is Linux {}.{}, and {}.{} or newer is needed'
                   .format(origin, *version, *OLDEST))


def version_of(origin):
    try:
        makefile = (origin / 'Makefile').read_text(errors='replace')
    except OSError:
        return None
    numbers = [re.search(rf'^{name} *= *(\d+) *$', makefile, re.M)
               for name in ('VERSION', 'PATCHLEVEL')]
    return tuple(int(n.group(1)) for n in numbers) if all(numbers) else None


# Debian's source package

def unpack(tree, tarball):
    """Unpack the tarball as tree, unless that was done."""
    of = tarball.stat()
    stamp = f'{tarball} {of.st_size} {of.st_mtime_ns}\n'
    stamp_file = tree / '.unpacked'
    if stamp_file.is_file() and stamp_file.read_text() == stamp:
        return
    partial = tree.with_name(tree.name + '.partial')
    remove_tree(partial)
    require_space(tree.parent, UNPACKED_SIZE)
    say(f'unpacking {tarball}')
    try:
        partial.mkdir()
        extract(tarball, partial)
        (partial / '.unpacked').write_text(stamp)
        # Times in a new release can be older than objects of the last.
        remove_tree(objects_of(tree))
        remove_tree(tree)
        partial.rename(tree)
    except BaseException:
        remove_tree(partial)
        raise


def extract(tarball, directory):
    progress = Progress()
    size = tarball.stat().st_size
    with tempfile.TemporaryFile() as errors, open(tarball, 'rb') as packed:
        tar = subprocess.Popen(
            ['tar', '--extract', '--xz', '--strip-components=1',
             '--no-same-owner', '--file=-', f'--directory={directory}'],
            stdin=subprocess.PIPE, stderr=errors)
        try:
            with contextlib.suppress(BrokenPipeError):
                with tar.stdin:
                    while chunk := packed.read(1 << 20):
                        tar.stdin.write(chunk)
                        if progress.due():
                            progress.show('unpacking, '
                                          f'{packed.tell() * 100 // size} %')
            tar.wait()
        finally:
            progress.clear()
            tar.kill()
            tar.wait()
        if tar.returncode:
            require_space(directory, 100_000_000)
            errors.seek(0)
            why = errors.readline().decode(errors='replace').strip()
            raise Stop(f'{tarball} could not be unpacked ({why}): install '
                       'linux-source-6.12 again')


# The user's tree

def update_copy(tree, origin):
    """Make tree's sources those of origin; it is never written to."""
    finished = tree / '.copied'
    wanted = sources_of(origin, tree.parent)
    have = files_below(tree)
    wanted_stats = {path: os.lstat(origin / path) for path in wanted}

    # An edited file may carry an old time (git stash, cp -p).  The first
    # copy keeps times, later ones give the time of copying, so that kbuild
    # sees each change.
    first = not finished.is_file()
    if first:
        remove_tree(objects_of(tree))
        tree.mkdir(exist_ok=True)
        missing = sum(s.st_size for path, s in wanted_stats.items()
                      if path not in have)
        require_space(tree, missing)
        say(f'copying the sources of {origin}')

    for path in have.keys() - wanted_stats.keys():
        remove_file(tree, path)
    progress = Progress()
    try:
        for number, (path, new) in enumerate(wanted_stats.items()):
            old = have.get(path)
            if old is None or differs(origin / path, new, tree / path, old):
                copy_file(origin / path, new, tree / path, keep_time=first)
            if progress.due():
                progress.show(f'copying, {number} of {len(wanted_stats)} files')
    finally:
        progress.clear()
    finished.touch()


def sources_of(origin, scratch):
    """Paths in origin of all that its .gitignore files do not call generated.

    git reads the tree with an empty repository of ours: neither a repository
    in the tree nor the user's settings have a say, and nothing is written.
    """
    repository = scratch / 'empty.git'
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith('GIT_')}
    environment.update(GIT_DIR=str(repository), GIT_CONFIG_NOSYSTEM='1',
                       GIT_CONFIG_GLOBAL='/dev/null', GIT_OPTIONAL_LOCKS='0')
    try:
        subprocess.run(['git', 'init', '--quiet', '--bare', '--template='],
                       env=environment, check=True, capture_output=True)
        listing = subprocess.run(
            ['git', f'--work-tree={origin}', 'ls-files', '--others', '-z',
             '--exclude-per-directory=.gitignore',
             *(f'--exclude={pattern}' for pattern in SOURCES)],
            cwd=origin, env=environment, check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        why = error.stderr.decode(errors='replace').strip()
        raise Stop(f'git cannot list the files of {origin}: {why}') from None
    if listing.stderr:
        why = listing.stderr.decode(errors='replace').splitlines()[0]
        raise Stop(f'git cannot read all of {origin}: {why}')
    paths = os.fsdecode(listing.stdout).split('\0')
    # A name that ends in a slash is another repository inside the tree.
    return [path for path in paths
            if path and not path.endswith('/') and not is_ours(path)]


def is_ours(path):
    return path in APPENDED or any(
        path == room or path.startswith(room + '/')
        for room in (*OVERLAY, *REPLACED, KEPT))


def files_below(tree):
    """lstat() of each file in the copy that came from the user's tree."""
    found = {}

    def scan(directory, prefix):
        with os.scandir(directory) as entries:
            for entry in entries:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not is_ours(path):
                        scan(entry.path, path + '/')
                elif not is_ours(path) and path != '.copied':
                    found[path] = entry.stat(follow_symlinks=False)

    if tree.is_dir():
        scan(tree, '')
    return found


def differs(source, new, copy, old):
    if (stat.S_IFMT(new.st_mode) != stat.S_IFMT(old.st_mode)
            or new.st_size != old.st_size
            or (new.st_mode ^ old.st_mode) & stat.S_IXUSR):
        return True
    if new.st_mtime_ns == old.st_mtime_ns:
        return False
    if stat.S_ISLNK(new.st_mode):
        return os.readlink(source) != os.readlink(copy)
    return not filecmp.cmp(source, copy, shallow=False)


def copy_file(source, of, copy, keep_time):
    copy.parent.mkdir(parents=True, exist_ok=True)
    if copy.is_dir() and not copy.is_symlink():
        remove_tree(copy)
    with replacing(copy) as new:
        if stat.S_ISLNK(of.st_mode):
            os.symlink(os.readlink(source), new)
            return
        shutil.copyfile(source, new)
        new.chmod(stat.S_IMODE(of.st_mode) | stat.S_IRUSR | stat.S_IWUSR)
        if keep_time:
            os.utime(new, ns=(of.st_mtime_ns, of.st_mtime_ns))


def remove_file(tree, path):
    (tree / path).unlink()
    with contextlib.suppress(OSError):
        (tree / path).parent.rmdir()


def remove_tree(directory):
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(directory)


# The project in the tree

def put_in(tree, project, origin):
    """Add the project's files to tree and hook them up in origin's."""
    for path in REPLACED:
        keep_theirs(tree, origin, path)
    for room in (*OVERLAY, *REPLACED):
        mirror(project / room, tree / room)
    for path, line in APPENDED.items():
        theirs = BLOCK.sub('', (origin / path).read_text())
        block = f'\n# pseries_idle: begin\n{line}\n# pseries_idle: end\n'
        already = line in theirs.splitlines()
        write_if_changed(tree / path,
                         (theirs if already else theirs + block).encode())


def keep_theirs(tree, origin, path):
    kept = tree / KEPT / path
    # In a tree that is its own origin, ours is there after the first time.
    if origin != tree or not kept.exists():
        write_if_changed(kept, (origin / path).read_bytes())


@contextlib.contextmanager
def theirs(tree):
    """Have the tree's own files instead of ours, for a while.

    Both keep their times, for a kernel is made of the one or of the other.
    If this is killed, put_in() makes it good.
    """
    try:
        for path in REPLACED:
            os.replace(tree / path, aside(tree, path))
            shutil.copy2(tree / KEPT / path, tree / path)
        yield
    finally:
        for path in REPLACED:
            os.replace(aside(tree, path), tree / path)


def aside(tree, path):
    return tree / KEPT / (path + '.ours')


def mirror(source, copy):
    if source.is_dir():
        copy.mkdir(parents=True, exist_ok=True)
        names = set(os.listdir(source))
        for name in set(os.listdir(copy)) - names:
            remove(copy / name)
        for name in names:
            mirror(source / name, copy / name)
    else:
        write_if_changed(copy, source.read_bytes())


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def write_if_changed(path, content):
    """The content decides: a file that is right already keeps its time."""
    if path.is_dir() or not path.exists() or path.read_bytes() != content:
        if path.is_dir():
            shutil.rmtree(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as new:
            new.write_bytes(content)
