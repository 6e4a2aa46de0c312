# SPDX-License-Identifier: GPL-2.0
"""Find instructions in a kernel's ELF file."""

import re
import struct

EXECUTABLE = 4                  # SHF_EXECINSTR
NOBITS = 8                      # SHT_NOBITS
BIG_ENDIAN = 2                  # of EI_DATA

# mfspr RT,287: all but the five bits of RT, which straddle the first bytes.
PVR_READ = rb'[\x7c-\x7f][\x1f\x3f\x5f\x7f\x9f\xbf\xdf\xff]\x42\xa6'
PVR_READ_REVERSED = rb'\xa6\x42[\x1f\x3f\x5f\x7f\x9f\xbf\xdf\xff][\x7c-\x7f]'


def pvr_reads(vmlinux):
    """Addresses of the instructions in a 64-bit kernel that read the PVR."""
    image = vmlinux.read_bytes()
    big = image[5] == BIG_ENDIAN
    pattern = re.compile(PVR_READ if big else PVR_READ_REVERSED, re.S)
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
