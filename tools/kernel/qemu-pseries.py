# SPDX-License-Identifier: GPL-2.0
"""A pseries machine for kunit.py; byte order and processor are options."""

from qemu_config import QemuArchParams

QEMU_ARCH = QemuArchParams(
    linux_arch='powerpc', qemu_arch='ppc64', kernel_path='vmlinux',
    kconfig='CONFIG_PPC64=y', kernel_command_line='console=hvc0',
    extra_qemu_params=['-M', 'pseries'])
