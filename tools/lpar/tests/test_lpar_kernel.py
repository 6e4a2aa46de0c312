# SPDX-License-Identifier: GPL-2.0
"""What is found in a kernel, and what is made for it."""

import pathlib
import struct
import tempfile
import unittest

import elf
import kernel
import kernel_tree

MFPVR_R9 = 0x7d3f42a6           # from the assembler
MFPVR_R31 = 0x7fff42a6
MFDEC_R9 = 0x7d3602a6
STOP = 0x4c0002e4


def image(order, sections):
    """As little of an ELF file as elf.py reads."""
    header = bytearray(64)
    header[5] = 2 if order == '>' else 1
    data, table = b'', b''
    for flags, address, words in sections:
        code = b''.join(struct.pack(order + 'I', word) for word in words)
        table += struct.pack(order + 'IIQQQQ', 0, 1, flags, address,
                             len(header) + len(data), len(code)) + bytes(24)
        data += code
    struct.pack_into(order + 'Q', header, 40, len(header) + len(data))
    struct.pack_into(order + 'HH', header, 58, 64, len(sections))
    return bytes(header) + data + table


class ElfTest(unittest.TestCase):

    def found(self, order, sections, instruction=elf.PVR_READ):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, 'vmlinux')
            path.write_bytes(image(order, sections))
            return elf.addresses(path, instruction)

    def test_found_in_code_only(self):
        sections = ((4, 0x1000, (MFDEC_R9, MFPVR_R9, 0, MFPVR_R31)),
                    (2, 0x2000, (MFPVR_R9,)),
                    (6, 0x3000, (MFPVR_R31,)))
        for order in '<>':
            with self.subTest(order=order):
                self.assertEqual(self.found(order, sections),
                                 [0x1004, 0x100c, 0x3000])

    def test_stop(self):
        sections = ((4, 0x1000, (MFDEC_R9, STOP, MFPVR_R9)),)
        for order in '<>':
            with self.subTest(order=order):
                self.assertEqual(self.found(order, sections, elf.STOP),
                                 [0x1004])

    def test_not_across_instructions(self):
        # The bytes of mfpvr are there, two bytes off.
        sections = ((4, 0x1000, (0x00007d3f, 0x42a60000)),)
        self.assertEqual(self.found('>', sections), [])


class CpioTest(unittest.TestCase):

    def entries(self, archive):
        """Name, mode and data: the format is text, in words of four bytes."""
        at = 0
        while at < len(archive):
            self.assertEqual(archive[at:at + 6], b'070701')
            fields = [int(archive[at + 6 + 8 * n:at + 14 + 8 * n], 16)
                      for n in range(13)]
            name_at, size, name_size = at + 110, fields[6], fields[11]
            data_at = -(-(name_at + name_size) // 4) * 4
            name = archive[name_at:name_at + name_size]
            self.assertEqual(name[-1:], b'\0')
            yield (name[:-1].decode(), fields[1],
                   archive[data_at:data_at + size])
            at = -(-(data_at + size) // 4) * 4

    def test_read_back(self):
        files = (('bin', 0o040755, (0, 0), b''),
                 ('bin/init', 0o100755, (0, 0), b'five!'))
        self.assertEqual(list(self.entries(kernel.cpio(files))), [
            ('bin', 0o040755, b''), ('bin/init', 0o100755, b'five!'),
            ('TRAILER!!!', 0, b'')])


class DriverTest(unittest.TestCase):

    def test_theirs_for_a_while(self):
        path = kernel_tree.REPLACED[0]
        with tempfile.TemporaryDirectory() as directory:
            tree = pathlib.Path(directory)
            kept = tree / kernel_tree.KEPT / path
            for file, text in ((tree / path, 'ours'), (kept, 'theirs')):
                file.parent.mkdir(parents=True)
                file.write_text(text)
            times = (tree / path).stat().st_mtime_ns
            with self.assertRaises(KeyboardInterrupt):
                with kernel_tree.theirs(tree):
                    self.assertEqual((tree / path).read_text(), 'theirs')
                    self.assertEqual((tree / path).stat().st_mtime_ns,
                                     kept.stat().st_mtime_ns)
                    raise KeyboardInterrupt
            self.assertEqual((tree / path).read_text(), 'ours')
            self.assertEqual((tree / path).stat().st_mtime_ns, times)
