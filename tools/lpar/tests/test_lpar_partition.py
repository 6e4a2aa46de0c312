# SPDX-License-Identifier: GPL-2.0
"""How a boot is started and ended, with a shell in the place of QEMU."""

import dataclasses
import os
import pathlib
import tempfile
import time
import unittest

import matrix
import partition
from kernel import DRIVERS
from partition import Kernel, Limits, Partition

ROWS = {row.name: row for row in matrix.full()}
KERNEL = Kernel(pathlib.Path('/vmlinux'), pathlib.Path('/initrd'),
                DRIVERS['ours'], (0x10, 0x20), (0x30,),
                {'PACACURRENT': 8}, True)


class Shell(Partition):
    """Runs a script instead; $1 is the console."""

    def __init__(self, script, directory, limits):
        self.script = script
        super().__init__(ROWS['POWER10 native, shared, no answer'], KERNEL,
                         directory, limits)

    def qemu_command(self, *_):
        return ['sh', '-c', self.script, 'sh', self.console]


class EndTest(unittest.TestCase):

    def ends(self, script, seconds=60, size=1000):
        with tempfile.TemporaryDirectory() as directory:
            shell = Shell(script, pathlib.Path(directory),
                          Limits(seconds, size))
            while not shell.poll():
                time.sleep(0.01)
            self.assert_gone(shell.qemu.pid)
            return shell.ending, shell.text()

    def assert_gone(self, group):
        """What it started was killed with it, and takes a moment to go."""
        deadline = time.monotonic() + 30
        with self.assertRaises(ProcessLookupError):
            while time.monotonic() < deadline:
                os.killpg(group, 0)
                time.sleep(0.01)

    def test_by_itself(self):
        self.assertEqual(self.ends('echo bye >"$1"'),
                         (partition.SUCCEEDED, 'bye\n'))

    def test_time_limit(self):
        self.assertEqual(self.ends('sleep 300 & wait', seconds=0.2),
                         (partition.TOO_LONG, ''))

    def test_output_limit(self):
        ending, text = self.ends('yes >"$1"')
        self.assertEqual(ending, partition.TOO_MUCH)
        self.assertEqual(len(text), 1000)


class CommandTest(unittest.TestCase):

    def partition_of(self, name):
        # Nothing is run.
        lpar = Partition.__new__(Partition)
        lpar.row, lpar.kernel = ROWS[name], KERNEL
        lpar.traces = 1
        lpar.directory = pathlib.Path('/boot')
        lpar.console = lpar.seen = lpar.directory / 'file'
        return lpar

    def test_mode(self):
        command = ' '.join(map(str, self.partition_of(
            'POWER10 in POWER9 mode, shared, no answer')
            .qemu_command(2, 1)))
        self.assertIn(',max-cpu-compat=power9 -cpu power10 ', command)
        command = ' '.join(map(str, self.partition_of(
            'POWER10 native, shared, no answer').qemu_command(4, 7)))
        self.assertNotIn('max-cpu-compat', command)
        self.assertIn(' -smp 4 ', command)
        self.assertIn(' -- 7 tool ', command)

    def test_without_driver(self):
        off = self.partition_of('POWER10 native, powersave=off, no answer')
        self.assertIn(' powersave=off -- ',
                      ' '.join(map(str, off.qemu_command(2, 1))))
        self.assertEqual(off.wishes()['enter'], [])
        none = self.partition_of('POWER10 native, no SPLPAR, no answer')
        self.assertFalse(none.wishes()['splpar'])

    def test_stop(self):
        shared = 'POWER10 native, shared, no answer'
        vouched = self.partition_of(shared + ', stop vouched for')
        self.assertIn(' pseries_idle.guest_stop=1 -- ',
                      ' '.join(map(str, vouched.qemu_command(2, 1))))
        self.assertEqual(vouched.wishes()['stops'], (0x30,))
        self.assertIn(('stop0lite', 'pseries_cpuidle_stop0lite'),
                      vouched.wishes()['enter'])
        # A kernel that stops all the same is not helped over it.
        for name in (shared, 'POWER9 DD2.2 native, shared, no answer, '
                     'stop vouched for'):
            self.assertEqual(self.partition_of(name).wishes()['stops'], ())
        vouched.kernel = dataclasses.replace(KERNEL, driver=DRIVERS['linux'])
        self.assertEqual(len(vouched.wishes()['enter']), 2)
        self.assertEqual(vouched.wishes()['stops'], ())

    def test_wishes(self):
        wishes = self.partition_of(
            'POWER11 in POWER9 mode, dedicated, firmware 12/30 us, '
            'big endian').wishes()
        self.assertEqual(wishes['pvr'], 0x00820200)
        self.assertEqual(wishes['pvr_reads'], (0x10, 0x20))
        self.assertTrue(wishes['dedicated'])
        self.assertEqual(wishes['endian'], 'big')
        self.assertEqual(wishes['answers'][0]['status'], 0)
        self.assertEqual(wishes['enter'],
                         [('snooze', 'pseries_cpuidle_snooze'),
                          ('CEDE', 'pseries_cpuidle_cede')])
        wishes = self.partition_of(
            'POWER10 native, shared, no answer').wishes()
        self.assertFalse(wishes['dedicated'] or wishes['pvr_reads']
                         or wishes['answers'])
