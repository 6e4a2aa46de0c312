# SPDX-License-Identifier: GPL-2.0
"""A partition that gdb holds: its registers, memory and symbols."""

import gdb

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
