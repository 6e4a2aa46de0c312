# SPDX-License-Identifier: GPL-2.0
"""Emulates the stop of a partition, as a hypervisor would that allows it.

QEMU has stop for hypervisors alone. So each stop of the kernel has a
breakpoint, from where the CPU is sent to cede, and behind that hypercall a
second one, from where it is sent on behind the stop, with its registers and
MSR as they were there. A cede takes the interrupt that ends it. A thread whose
PSSCR has ESL and EC cleared would leave it pending until the kernel enables
interrupts, which here becomes of those that come while gdb is at work.

(To confer, which leaves interrupts alone, does not do: QEMU 7.2 delivers what
is pending at that moment, though MSR has interrupts disabled.)
"""

import gdb

HYPERCALL = 0x44000022          # sc 1
# A function with one, which Linux calls before kexec, if at all.
CALLER = 'plpar_hcall_raw'
H_CEDE = 0xe0


class Hypervisor:
    """Lets the partition run."""

    def __init__(self, guest, stops):
        self.guest = guest
        self.stops = stops
        self.hypercall = None
        self.waiting = {}       # CPU: its registers at the stop

    def begin(self):
        """From now on; the kernel has to be where it belongs."""
        if not self.stops:
            return
        self.hypercall = self.guest.address(CALLER)
        while self.guest.number(self.hypercall, 4) != HYPERCALL:
            self.hypercall += 4
        for address in (*self.stops, self.hypercall + 4):
            gdb.Breakpoint(f'*{address:#x}', internal=True)
        # To put them in anew each time takes QEMU long.
        gdb.execute('set breakpoint always-inserted on')
        # Else a step of one CPU would let another run into a stop.
        gdb.execute('set scheduler-locking step')

    def run(self):
        """Until something happens that is not for the hypervisor."""
        while self.run_to_event():
            pass

    def wait(self):
        """The CPU is at a stop: until it is behind it."""
        cpu = this_cpu()
        self.stop(cpu)
        while cpu in self.waiting:
            self.run_to_event()

    def run_to_event(self):
        gdb.execute('continue', to_string=True)
        address, cpu = self.guest.register('pc'), this_cpu()
        if address in self.stops:
            self.stop(cpu)
        elif cpu in self.waiting:
            self.go_on(cpu)
        else:
            return False
        return True

    def stop(self, cpu):
        self.waiting[cpu] = {name: self.guest.register(name)
                             for name in ('pc', 'msr', 'r3')}
        self.guest.set_register('r3', H_CEDE)
        self.guest.set_register('pc', self.hypercall)

    def go_on(self, cpu):
        registers = self.waiting.pop(cpu)
        registers['pc'] += 4
        for name, value in registers.items():
            self.guest.set_register(name, value)


def this_cpu():
    return gdb.selected_thread().global_num
