# SPDX-License-Identifier: GPL-2.0
"""Runs inside gdb: makes a partition look different to its kernel.

Neither QEMU nor the kernel is changed. The kernel is stopped where it takes a
fact from the machine, and another fact is put in its place:

 - processor: each instruction of the kernel that reads the PVR gives another
   one. (To set the register would do for the first CPU only: QEMU 7.2 shows
   gdb no such register of the others.)
 - dedicated: QEMU sets the shared-processor bit when a CPU registers its
   lppaca, and vpa_init() is what registers it; so the bit is cleared when that
   returns, before anything looks (a CPU that comes back on line later is of
   QEMU's kind);
 - SPLPAR: while the driver's initcall runs, the bit is gone from what the
   kernel knows of its firmware;
 - firmware: while the driver's initcall runs, a call of
   ibm,get-system-parameter for parameter 45 does not reach firmware, but
   returns with the answer asked for;
 - stop: from then on to the end it is what hypervisor.py makes of it.

Once the initcall is over, a CPU is followed through each enter function. Init
waits for that: to be followed takes time, and would disturb what it counts.
Then the partition runs on by itself, but for firmware's answer to pseries-idle.

The wishes come as JSON in the environment, see Partition.wishes(). How often
firmware was asked, and what the enter functions did, is written to the file
that they name.
"""

import json
import os
import pathlib
import sys

import gdb

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from guest import TOC_SETUP, Guest
from follow import Tracer
from hypervisor import Hypervisor

CEDE_LATENCY_SETTINGS = 45
LINEAR_MAP = 0xc000000000000000
OLD_STATUS = 9                  # of struct lppaca
SHARED_PROCESSOR = 2
FEATURE_SPLPAR = 1 << 20        # of the kernel's FW_FEATURE_*


class Injection:
    """What to do at which address, until there is nothing left to do."""

    def __init__(self, wishes):
        self.wishes = wishes
        self.guest = Guest(wishes['endian'])
        self.hypervisor = Hypervisor(self.guest, wishes['stops'])
        self.answers = list(wishes['answers'])
        self.asked = 0
        self.stops = {}
        self.over = False

    def stop_at(self, address, action, once=True):
        if address in self.stops:
            return
        self.stops[address] = (
            gdb.Breakpoint(f'*{address:#x}', internal=True), action, once)

    def run(self):
        # Memory cannot be read before the kernel is where it belongs; no
        # argument counts, so a little late is early enough.
        self.stop_at(self.guest.address('early_setup') + TOC_SETUP,
                     self.kernel_begins)
        for address in self.wishes['pvr_reads']:
            self.stop_at(address, self.read_pvr, False)
        while not self.over:
            self.hypervisor.run()
            address = self.guest.register('pc')
            breakpoint_, action, once = self.stops[address]
            if once:
                breakpoint_.delete()
                del self.stops[address]
            action()
        for breakpoint_, _, _ in self.stops.values():
            breakpoint_.delete()

    def kernel_begins(self):
        if self.wishes['dedicated']:
            self.stop_at(self.guest.entry('vpa_init'), self.vpa_init, False)
        self.stop_at(self.guest.entry(self.wishes['initcall']),
                     self.driver_begins)

    def read_pvr(self):
        instruction = self.guest.register('pc')
        target = self.guest.number(instruction, 4) >> 21 & 31
        self.guest.set_register(f'r{target}', self.wishes['pvr'])
        self.guest.set_register('pc', instruction + 4)

    def vpa_init(self):
        self.stop_at(self.guest.register('lr'), self.make_dedicated, False)

    def make_dedicated(self):
        # The lppaca's address comes first in the CPU's paca.
        lppaca = self.guest.number(self.guest.register('r13'), 8)
        status = self.guest.number(lppaca + OLD_STATUS, 1)
        self.guest.write(lppaca + OLD_STATUS,
                         bytes([status & ~SHARED_PROCESSOR]))

    def driver_begins(self):
        if not self.wishes['splpar']:
            self.toggle_splpar()
        self.hypervisor.begin()
        self.stop_at(self.guest.register('lr'), self.driver_ends)
        self.stop_at(self.guest.entry('rtas_call'), self.rtas_call, False)

    def stay_to_the_end(self):
        """For whoever else asks firmware, as the driver did, or stops."""
        self.stops.clear()
        if self.asks_again():
            self.stop_at(self.guest.entry('rtas_call'), self.rtas_call, False)
        try:
            while True:
                self.hypervisor.run()
                self.rtas_call()
        except gdb.error:
            pass                # it has powered off

    def asks_again(self):
        return self.wishes['tool'] and self.wishes['answers']

    def toggle_splpar(self):
        where = self.guest.address('powerpc_firmware_features')
        features = self.guest.number(where, 8) ^ FEATURE_SPLPAR
        self.guest.write(where, features.to_bytes(8, self.guest.endian))

    def rtas_call(self):
        arguments = [self.guest.register(f'r{n}') for n in range(4, 10)]
        inputs, outputs, _, parameter, buffer, size = arguments
        if (inputs, outputs, parameter) != (3, 1, CEDE_LATENCY_SETTINGS):
            return
        self.asked += 1
        if self.answers:
            # The last answer is given for good.
            answer = self.answers[0]
            self.answers = self.answers[1:] or self.answers
            # A buffer that is too small gets as much as fits.
            data = bytes.fromhex(answer['bytes'])[:size]
            if data:
                self.guest.write(buffer | LINEAR_MAP, data)
            self.guest.return_from_function(answer['status'])

    def driver_ends(self):
        if not self.wishes['splpar']:
            self.toggle_splpar()
        self.over = True


def main():
    wishes = json.loads(os.environ['LPAR_WISHES'])
    for setting in ('pagination off', 'confirm off',
                    f'endian {wishes["endian"]}'):
        gdb.execute(f'set {setting}')
    gdb.execute(f'target remote {wishes["socket"]}')
    injection = Injection(wishes)
    injection.run()
    seen = {'asked': injection.asked, 'traces': {}}
    save(seen, wishes['seen'])
    tracer = Tracer(injection.hypervisor, wishes['offsets'], wishes['hint'])
    for state, function in wishes['enter']:
        seen['traces'][state] = [tracer.trace(function)
                                 for _ in range(wishes['traces'])]
        save(seen, wishes['seen'])
    release(injection.guest)
    if injection.asks_again() or wishes['stops']:
        injection.stay_to_the_end()
    else:
        gdb.execute('detach')


def release(guest):
    """Tell init, which sees it in sysfs."""
    guest.write(guest.address('console_suspend_enabled'), b'\0')


def save(seen, path):
    with open(path + '.new', 'w', encoding='ascii') as new:
        json.dump(seen, new)
    os.replace(path + '.new', path)


main()
