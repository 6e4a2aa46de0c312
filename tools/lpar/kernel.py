# SPDX-License-Identifier: GPL-2.0
"""Build what the lab boots: a small kernel with a driver, and an init."""

import contextlib
import dataclasses
import os
import re
import shutil
import stat
import subprocess

import elf
import kernel_tree
import runner
from common import TOP, Stop, replacing
from machines import MACHINES
from partition import HERE, OFFSETS, Kernel

CONFIG = HERE / 'kernel.config'
DEBUG_CONFIG = HERE / 'kernel-debug.config'
FIRST_BUILD = 640               # objects of a kernel with nothing built

UNWANTED = ('MAKE', 'KBUILD_', 'KCONFIG_', 'MFLAGS', 'GNUMAKEFLAGS', 'KCFLAGS',
            'ARCH', 'SUBARCH', 'CROSS_COMPILE', 'LLVM')

# The kernel's, for programs: the same in both byte orders.
HEADERS = '/usr/powerpc64le-linux-gnu/include'
INIT_FLAGS = ('-Os', '-Wall', '-Wextra', '-Werror', '-static', '-nostdlib',
              '-nostdinc', '-fno-stack-protector', '-mno-vsx', '-mno-altivec')


@dataclasses.dataclass(frozen=True)
class Driver:
    """The functions by which a driver is begun, and its states entered."""
    initcall: str
    enter: dict


DRIVERS = {
    'ours': Driver('pseries_cpuidle_initcall',
                   {'snooze': 'pseries_cpuidle_snooze',
                    'CEDE': 'pseries_cpuidle_cede',
                    'Shared Cede': 'pseries_cpuidle_shared_cede',
                    'stop0lite': 'pseries_cpuidle_stop0lite'}),
    'linux': Driver('pseries_processor_idle_init',
                    {'snooze': 'snooze_loop',
                     'CEDE': 'dedicated_cede_loop',
                     'Shared Cede': 'shared_cede_loop'}),
}


@dataclasses.dataclass(frozen=True)
class Endian:
    name: str
    compiler: str
    config: tuple
    tool: bool = False          # is there a C library, to link it


ENDIANS = {
    'little': Endian('le', 'powerpc64le-linux-gnu-',
                     ('CONFIG_CPU_LITTLE_ENDIAN=y',), tool=True),
    # The same calling convention in both, for what looks at calls.
    'big': Endian('be', 'powerpc64-linux-gnu-',
                  ('CONFIG_CPU_BIG_ENDIAN=y',
                   'CONFIG_PPC64_BIG_ENDIAN_ELF_ABI_V2=y')),
}


class Builder:
    """Builds in the private tree, with the driver asked for."""

    def __init__(self, tree, driver, jobs, debug=False):
        self.tree = tree
        self.driver = driver
        self.jobs = jobs
        self.debug = debug

    def directory(self, endian, driver):
        name = f'lpar-{endian.name}'
        name += '-debug' if self.debug else ''
        name += '-linux' if driver == 'linux' else ''
        return runner.ObjectDirectory(
            kernel_tree.objects_of(self.tree) / name, FIRST_BUILD)

    def build(self, endian):
        wanted = ENDIANS[endian]
        objects = self.directory(wanted, self.driver)
        if self.driver == 'linux':
            self.begin_with_ours(objects, wanted)
        with self.driver_in_place():
            self.configure(objects.path, wanted)
            self.make(objects, wanted, 'vmlinux')
        objects.remember_complete()
        return self.kernel(objects.path, wanted, wanted.tool)

    def kernel(self, objects, endian, tool, *arguments):
        vmlinux = objects / 'vmlinux'
        return Kernel(vmlinux, self.initrd(objects, endian, tool),
                      DRIVERS[self.driver],
                      tuple(elf.addresses(vmlinux, elf.PVR_READ)),
                      tuple(elf.addresses(vmlinux, elf.STOP)),
                      offsets(objects), tool, arguments)

    def kernel_of_kunit(self):
        """The one that the suites were run in, with none of them run."""
        machine = MACHINES['pseries-le']
        objects = (kernel_tree.objects_of(self.tree) /
                   machine.qualified('gcc'))
        if not (objects / 'vmlinux').exists():
            raise Stop('there is no kernel with KUnit yet: make kunit-pseries')
        # It has no /proc, where the tool would look.
        return self.kernel(objects, ENDIANS['little'], False, 'kunit.enable=0')

    def begin_with_ours(self, objects, endian):
        """Only one object differs: copy the others, if they are there."""
        ours = self.directory(endian, 'ours')
        if any(objects.path.iterdir()) or ours.marker.exists() or \
                not (ours.path / 'vmlinux').exists():
            return
        # A copy that was interrupted must not be taken for whole.
        partial = objects.path.with_name(objects.path.name + '.partial')
        kernel_tree.remove_tree(partial)
        shutil.copytree(ours.path, partial, symlinks=True)
        # Newer than their source, but not made of it.
        for path in kernel_tree.REPLACED:
            (partial / path).with_suffix('.o').unlink()
        partial.rename(objects.path)

    def driver_in_place(self):
        if self.driver == 'linux':
            return kernel_tree.theirs(self.tree)
        return contextlib.nullcontext()

    def command(self, objects, endian, *goals):
        return ['make', '--silent', '--no-print-directory', '-C', self.tree,
                f'O={objects}', 'ARCH=powerpc',
                f'CROSS_COMPILE={endian.compiler}', f'-j{self.jobs}', *goals]

    def configure(self, objects, endian):
        """Unchanged if it is right already, so that nothing is built again."""
        wanted = [*endian.config]
        for config in (CONFIG, DEBUG_CONFIG) if self.debug else (CONFIG,):
            wanted += [line for line in config.read_text().splitlines()
                       if line.startswith('CONFIG_')]
        fragment = '\n'.join(wanted) + '\n'
        kept = objects / 'wanted.config'
        if (kept.exists() and kept.read_text() == fragment
                and (objects / '.config').exists()):
            return
        with replacing(kept) as new:
            new.write_text(fragment)
            run(self.command(objects, endian, f'KCONFIG_ALLCONFIG={new}',
                             'allnoconfig'))
            have = (objects / '.config').read_text().splitlines()
            lacking = [line for line in wanted if line not in have]
            if lacking:
                raise Stop(f'{lacking[0]} is not to be had in this kernel '
                           'tree: see tools/lpar/kernel.config')

    def make(self, objects, endian, goal):
        status, _ = runner.run(self.command(objects.path, endian, goal),
                               environment(), objects)
        if status:
            raise Stop('the kernel did not build, see above')

    def initrd(self, objects, endian, tool):
        """The init and what it needs, as an archive that the kernel unpacks."""
        init = objects / 'lpar-init'
        gcc = endian.compiler + 'gcc'
        own = subprocess.run([gcc, '-print-file-name=include'], text=True,
                             capture_output=True, check=True).stdout.strip()
        run([gcc, *INIT_FLAGS, '-isystem', own,
             '-isystem', HEADERS,
             '-include', self.tree / 'tools/include/nolibc/nolibc.h',
             '-o', init, HERE / 'init.c'])
        files = [('dev', stat.S_IFDIR | 0o755, (0, 0), b''),
                 ('dev/console', stat.S_IFCHR | 0o600, (5, 1), b''),
                 ('init', stat.S_IFREG | 0o755, (0, 0), init.read_bytes())]
        if tool:
            files.append(('pseries-idle', stat.S_IFREG | 0o755, (0, 0),
                          self.tool(objects, endian).read_bytes()))
        archive = objects / 'lpar-initrd'
        archive.write_bytes(cpio(files))
        return archive

    @staticmethod
    def tool(objects, endian):
        """pseries-idle for a partition, without libraries."""
        sources = TOP / 'tools' / 'pseries-idle'
        # Relative, for make ends a name at a space.
        where = os.path.relpath(objects / 'pseries-idle', sources)
        run(['make', '--silent', '--no-print-directory', '-C', sources,
             f'O={where}', f'CROSS_COMPILE={endian.compiler}',
             'LDFLAGS=-static'])
        return objects / 'pseries-idle' / 'pseries-idle'


def offsets(objects):
    """What kbuild made for the kernel's own assembler files."""
    text = (objects / 'include/generated/asm-offsets.h').read_text()
    found = dict(re.findall(r'^#define (\w+) (\d+)', text, re.M))
    return {name: int(found[name]) for name in OFFSETS}


def environment():
    return {name: value for name, value in os.environ.items()
            if not name.startswith(UNWANTED)}


def run(command):
    """Run something short; what it says is shown if it fails."""
    ran = subprocess.run(command, env=environment(), text=True, check=False,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, errors='backslashreplace')
    if ran.returncode:
        print(ran.stdout, end='', flush=True)
        raise Stop(f'{command[0]} failed, see above')


def cpio(files):
    """An archive in the kernel's "newc" format."""
    archive = bytearray()
    for number, (name, mode, (major, minor), data) in enumerate(
            (*files, ('TRAILER!!!', 0, (0, 0), b''))):
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, major, minor,
                  len(name) + 1, 0)
        archive += b'070701' + b''.join(b'%08X' % field for field in fields)
        archive += name.encode() + b'\0'
        archive += bytes(-len(archive) % 4)
        archive += data
        archive += bytes(-len(archive) % 4)
    return bytes(archive)
