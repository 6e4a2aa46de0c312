# SPDX-License-Identifier: GPL-2.0
"""A partition: QEMU with the kernel, and gdb that makes it what it is to be."""

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import time

import matrix

HERE = pathlib.Path(__file__).resolve().parent

# TCG has no mitigations to offer, and warns unless none is asked for.
MACHINE = ('pseries', 'x-vof=on', 'cap-cfpc=broken', 'cap-sbbc=broken',
           'cap-ibs=broken', 'cap-ccf-assist=off')
# A panic ends the boot.
KERNEL_ARGUMENTS = 'console=hvc0 panic=-1 loglevel=7'

SUCCEEDED = 'ended'
TOO_LONG = 'ran into its time limit'
TOO_MUCH = 'ran into its output limit'
NOT_INJECTED = 'could not be injected into'


# Where the kernel keeps what is looked at while a CPU enters a state.
OFFSETS = ('PACACURRENT', 'PACAIRQSOFTMASK', 'TI_LOCAL_FLAGS')


@dataclasses.dataclass(frozen=True)
class Limits:
    seconds: float
    bytes: int


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel to boot, and what has to be known of it."""
    vmlinux: pathlib.Path
    initrd: pathlib.Path
    driver: object              # a kernel.Driver
    pvr_reads: tuple            # addresses
    stops: tuple                # those of stop instructions
    offsets: dict               # of asm-offsets, those in OFFSETS
    tool: bool = False          # is pseries-idle in the initrd
    arguments: tuple = ()


class Partition:
    """One boot of one row. It is there as long as the object is running."""

    def __init__(self, row, kernel, directory, limits, cpus=2, cycles=1,
                 traces=1):
        self.row = row
        self.kernel = kernel
        self.limits = limits
        self.traces = traces
        self.directory = directory
        self.console = directory / 'console.log'
        self.gdb_log = directory / 'gdb.log'
        self.seen = directory / 'seen.json'
        self.ending = None
        self.start = time.monotonic()
        self.seconds = 0.0
        self.processes = []
        self.qemu = self.run(self.qemu_command(cpus, cycles),
                             directory / 'qemu.log')
        self.gdb = None

    @property
    def socket(self):
        return self.directory / 'gdb.socket'

    def qemu_command(self, cpus, cycles):
        row, kernel = self.row, self.kernel
        compatible = ([] if row.mode == matrix.NATIVE else
                      [f'max-cpu-compat={row.mode.lower()}'])
        return ['qemu-system-ppc64',
                '-M', ','.join([*MACHINE, *compatible]),
                '-cpu', row.processor.model, '-smp', str(cpus), '-m', '512',
                '-nodefaults', '-display', 'none', '-no-reboot',
                '-serial', f'file:{self.console}',
                '-kernel', kernel.vmlinux, '-initrd', kernel.initrd,
                '-append', ' '.join([KERNEL_ARGUMENTS, *kernel.arguments,
                                     *row.kernel_arguments, '--',
                                     str(cycles)]
                                    + ['tool'] * kernel.tool),
                '-S', '-gdb', 'chardev:gdb', '-chardev',
                f'socket,id=gdb,path={self.socket},server=on,wait=off']

    def wishes(self):
        """What inject.py reads."""
        row = self.row
        enter = [(name, self.kernel.driver.enter[name])
                 for name in matrix.state_names(row)
                 if name in self.kernel.driver.enter]
        return {
            'socket': str(self.socket),
            'seen': str(self.seen),
            'endian': row.endian,
            'pvr': row.processor.pvr,
            'pvr_reads': (self.kernel.pvr_reads if row.processor.injected
                          else ()),
            'dedicated': row.dedicated,
            'splpar': row.splpar,
            'stops': (self.kernel.stops if 'stop0lite' in dict(enter)
                      else ()),
            'tool': self.kernel.tool,
            'initcall': self.kernel.driver.initcall,
            'enter': enter,
            'traces': self.traces,
            'hint': matrix.PLANTED_HINT,
            'offsets': self.kernel.offsets,
            'answers': [{'status': status, 'bytes': data.hex()}
                        for status, data in row.answer.given],
        }

    def run(self, command, log, **environment):
        """Start what ends with us, however we end."""
        with open(log, 'wb') as output:
            process = subprocess.Popen(
                ['setpriv', '--pdeathsig', 'KILL', *command],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={**os.environ, **environment}, start_new_session=True)
        self.processes.append(process)
        return process

    def inject(self):
        self.gdb = self.run(
            ['gdb-multiarch', '--nx', '--batch', '-x', HERE / 'inject.py',
             self.kernel.vmlinux], self.gdb_log,
            LPAR_WISHES=json.dumps(self.wishes()))

    def poll(self):
        """True when it is over."""
        if not self.gdb and self.socket.exists():
            self.inject()
        self.seconds = time.monotonic() - self.start
        if self.qemu.poll() is not None:
            self.ending = SUCCEEDED
        elif self.gdb and self.gdb.poll():
            self.ending = NOT_INJECTED
        elif self.output_size() > self.limits.bytes:
            self.ending = TOO_MUCH
        elif self.seconds > self.limits.seconds:
            self.ending = TOO_LONG
        if self.ending:
            self.end()
        return bool(self.ending)

    def output_size(self):
        with contextlib.suppress(FileNotFoundError):
            return self.console.stat().st_size
        return 0

    def end(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def text(self):
        """What it printed, up to the limit."""
        with contextlib.suppress(FileNotFoundError):
            with open(self.console, 'rb') as console:
                return console.read(self.limits.bytes).decode(
                    'ascii', errors='backslashreplace')
        return ''

    def seen_inside(self):
        """What inject.py saw; nothing if it did not come so far."""
        with contextlib.suppress(FileNotFoundError):
            return json.loads(self.seen.read_text(encoding='ascii'))
        return {}

    def complaints_of_tools(self):
        """What QEMU and gdb said, for a boot that did not come far."""
        logs = (self.directory / 'qemu.log', self.gdb_log)
        return '\n'.join(log.read_text(errors='backslashreplace').rstrip()
                         for log in logs if log.exists())
