# SPDX-License-Identifier: GPL-2.0
"""Find instructions in a kernel's ELF file."""

import re
import struct

EXECUTABLE = 4                  # SHF_EXECINSTR
NOBITS = 8                      # SHT_NOBITS
BIG_ENDIAN = 2                  # of EI_DATA

# Instructions as bytes of a big-endian kernel, with the pattern for each byte.
# mfspr RT,287: all but the five bits of RT, which straddle the first bytes.
PVR_READ = (rb'[\x7c-\x7f]', rb'[\x1f\x3f\x5f\x7f\x9f\xbf\xdf\xff]', rb'\x42',
            rb'\xa6')
STOP = (rb'\x4c', rb'\x00', rb'\x02', rb'\xe4')


def addresses(vmlinux, instruction):
    """Where an instruction stands in a 64-bit kernel."""
    image = vmlinux.read_bytes()
    big = image[5] == BIG_ENDIAN
    pattern = re.compile(b''.join(instruction if big else instruction[::-1]),
                         re.S)
    return [address + found.start()
            for address, start, end in code(image, '>' if big else '<')
            for found in pattern.finditer(image[start:end])
            if found.start() % 4 == 0]


def code(image, order):
    """Address, and start and end in the file, of each executable section."""
    table, = struct.unpack_from(order + 'Q', image, 40)
    size, count = struct.unpack_from(order + 'HH', image, 58)
    for number in range(count):
        _, kind, flags, address, offset, length = struct.unpack_from(
            order + 'IIQQQQ', image, table + number * size)
        if flags & EXECUTABLE and kind != NOBITS:
            yield address, offset, offset + length
