# SPDX-License-Identifier: GPL-2.0
"""The machines that suites run on: user mode Linux, and emulated pseries."""

import dataclasses
import pathlib

from common import HERE, TOP

CORE_CASES = TOP / 'lib' / 'pseries_idle' / 'tests' / 'cases.list'
GLUE = TOP / 'drivers' / 'cpuidle' / 'tests'


@dataclasses.dataclass(frozen=True)
class Machine:
    """The last list of cases is of what only this machine can run."""
    name: str
    kunitconfig: pathlib.Path
    lists: tuple
    first_build: int            # objects of a kernel with nothing built
    speed: str = ''             # a filter, where not everything is fast enough
    options: tuple = ()         # of kunit.py

    def qualified(self, name):
        return f'{self.name}-{name}' if self.name else name


UML = Machine('', TOP / '.kunitconfig', (CORE_CASES,), 460)


def pseries(endian, compiler, cpu):
    """Each byte order gets a processor of its own, to see more of them."""
    name = f'pseries-{endian[0]}e'
    return Machine(
        name, GLUE / '.kunitconfig', (CORE_CASES, GLUE / 'cases.list'), 720,
        speed='speed>very_slow',
        options=(f'--qemu_config={HERE}/qemu-pseries.py',
                 f'--qemu_args=-cpu {cpu}',
                 f'--cross_compile={compiler}-linux-gnu-',
                 f'--kconfig_add=CONFIG_CPU_{endian.upper()}_ENDIAN=y'))


MACHINES = {machine.name or 'uml': machine for machine in (
    UML,
    pseries('big', 'powerpc64', 'power9'),
    pseries('little', 'powerpc64le', 'power10'),
)}
