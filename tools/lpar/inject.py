# SPDX-License-Identifier: GPL-2.0
"""Runs inside gdb: makes a partition look different to its kernel.

Neither QEMU nor the kernel is changed. The kernel is stopped where it takes a
fact from the machine, and another fact is put in its place:

 - processor: each instruction of the kernel that reads the PVR gives another
   one. (To set the register would do for the first CPU only: QEMU 7.2 shows
   gdb no such register of the others.)
 - dedicated: QEMU sets the shared-processor bit when a CPU registers its
   lppaca, and vpa_init() is what registers it; so the bit is cleared when that
   returns, before anything looks;
 - firmware: while the driver's initcall runs, a call of
   ibm,get-system-parameter for parameter 45 does not reach firmware, but
   returns with the answer asked for.

Once the initcall is over the partition runs on by itself.

The wishes come as JSON in the environment, see Partition.wishes(). How often
firmware was asked is written to the file that they name.
"""

import json
import os

import gdb

CEDE_LATENCY_SETTINGS = 45
LINEAR_MAP = 0xc000000000000000
OLD_STATUS = 9                  # of struct lppaca
SHARED_PROCESSOR = 2
ADDIS_R2_R12 = 0x3c4c0000       # how a function begins that sets up its TOC,
LIS_R2 = 0x3c400000             # and that is linked for a fixed address
TOC_SETUP = 8                   # bytes, which callers in the kernel skip


class Guest:
    """The partition that stands still."""

    def __init__(self, endian):
        self.endian = endian

    @staticmethod
    def register(name):
        return int(gdb.parse_and_eval(f'(unsigned long)${name}'))

    @staticmethod
    def set_register(name, value):
        gdb.execute(f'set ${name} = {value & (1 << 64) - 1:#x}')

    @staticmethod
    def read(address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    @staticmethod
    def write(address, data):
        gdb.selected_inferior().write_memory(address, data)

    def number(self, address, size):
        return int.from_bytes(self.read(address, size), self.endian)

    @staticmethod
    def address(symbol):
        return int(gdb.parse_and_eval(f'(unsigned long)&{symbol}'))

    def entry(self, symbol):
        """Where callers in the kernel arrive, arguments untouched."""
        address = self.address(symbol)
        first = self.number(address, 4) & 0xffff0000
        return address + (TOC_SETUP if first in (ADDIS_R2_R12, LIS_R2) else 0)

    def return_from_function(self, value):
        self.set_register('r3', value)
        self.set_register('pc', self.register('lr'))


class Injection:
    """What to do at which address, until there is nothing left to do."""

    def __init__(self, wishes):
        self.wishes = wishes
        self.guest = Guest(wishes['endian'])
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
            gdb.execute('continue')
            address = self.guest.register('pc')
            breakpoint_, action, once = self.stops[address]
            if once:
                breakpoint_.delete()
                del self.stops[address]
            action()
        for breakpoint_, _, _ in self.stops.values():
            breakpoint_.delete()
        gdb.execute('detach')

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
        self.stop_at(self.guest.register('lr'), self.driver_ends)
        self.stop_at(self.guest.entry('rtas_call'), self.rtas_call, False)

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
        self.over = True


def main():
    wishes = json.loads(os.environ['LPAR_WISHES'])
    for setting in ('pagination off', 'confirm off',
                    f'endian {wishes["endian"]}'):
        gdb.execute(f'set {setting}')
    gdb.execute(f'target remote {wishes["socket"]}')
    injection = Injection(wishes)
    injection.run()
    with open(wishes['seen'], 'w', encoding='ascii') as seen:
        json.dump({'asked': injection.asked}, seen)


main()
