# SPDX-License-Identifier: GPL-2.0
"""Follows a CPU through an enter function, an instruction at a time.

What an idle state does to its CPU lasts from the first instruction of the
enter function to its return, and is gone when anything else could look. So
the CPU is stepped from the one to the other, and how things stand is noted at
the first instruction, where it waits, and after the last. It waits in a
hypercall, in a stop, or in a loop that reads the timebase.
"""

import gdb

# Instructions, as masks and values
HYPERCALL = (0xffffffff, 0x44000022)        # sc 1
STOP = (0xffffffff, 0x4c0002e4)
READ_TIMEBASE = (0xfc1fffff, 0x7c0c42a6)    # mfspr RT,268
BRANCH_BACK = ((0xfc000001, 0x48000000),    # b
               (0xfc000001, 0x40000000))    # bc
# To load and reserve, and to store if nobody else did: bytes.
RESERVE = {(0xfc0007fe, 0x7c0000a8): 8,     # ldarx
           (0xfc0007fe, 0x7c000028): 4}     # lwarx
STORE = {(0xfc0007ff, 0x7c0001ad): 8,       # stdcx.
         (0xfc0007ff, 0x7c00012d): 4}       # stwcx.
CR0_EQUAL = 1 << 29
CR0 = 0xf << 28

# Of struct lppaca, as PAPR has it
DONATE_DEDICATED_CPU = 0xb9
CEDE_LATENCY_HINT = 0xb0

# Of Linux, and not in its asm-offsets: the flags of thread_info stand in a
# cache line of their own, which is the second.
THREAD_FLAGS = 128
POLLING = 1 << 19               # TIF_POLLING_NRFLAG
RUNLATCH = 1 << 4               # TLF_RUNLATCH
SOFT_DISABLED = 1               # IRQS_DISABLED
EXTERNAL_INTERRUPTS = 1 << 15   # MSR_EE

# Where the kernel turns to an interrupt that came meanwhile: try again, then.
INTERRUPT = 'irq_enter'
TRIES = 20
LONG = 1 << 32                  # timebase ticks


class Tracer:
    """Traces enter functions of the guest."""

    def __init__(self, hypervisor, offsets, planted_hint):
        self.hypervisor = hypervisor
        self.guest = hypervisor.guest
        self.offsets = offsets
        self.planted_hint = planted_hint
        self.interrupt = self.guest.entry(INTERRUPT)

    def trace(self, function):
        """The next run through the function that goes straight, or None."""
        for _ in range(TRIES):
            self.run_to(self.guest.address(function))
            run = Run(self)
            if run.complete:
                return run.result()
        return None

    def run_to(self, address, thread=None):
        stop = gdb.Breakpoint(f'*{address:#x}', internal=True)
        if thread is not None:
            stop.thread = thread
        try:
            self.hypervisor.run()
        finally:
            stop.delete()

    def lppaca(self):
        # Its address comes first in the CPU's paca.
        return self.guest.number(self.guest.register('r13'), 8)

    def how_things_stand(self):
        guest, paca = self.guest, self.guest.register('r13')
        lppaca = self.lppaca()
        thread = guest.number(paca + self.offsets['PACACURRENT'], 8)
        soft_mask = guest.number(paca + self.offsets['PACAIRQSOFTMASK'], 1)
        flags = guest.number(thread + THREAD_FLAGS, 8)
        local_flags = guest.number(thread + self.offsets['TI_LOCAL_FLAGS'], 8)
        return {
            'hint': guest.number(lppaca + CEDE_LATENCY_HINT, 1),
            'donate': guest.number(lppaca + DONATE_DEDICATED_CPU, 1),
            'polling': bool(flags & POLLING),
            'run latch': bool(local_flags & RUNLATCH),
            'interrupts': not soft_mask & SOFT_DISABLED,
            'external interrupts':
                bool(guest.register('msr') & EXTERNAL_INTERRUPTS),
        }

    def plant_hint(self, hint):
        self.guest.write(self.lppaca() + CEDE_LATENCY_HINT, bytes([hint]))


class Run:
    """One run through the function at whose first instruction the CPU is."""

    def __init__(self, tracer):
        self.tracer = tracer
        self.guest = tracer.guest
        self.path = []
        self.reserved = None
        self.hypercalls = []
        self.stops = 0
        self.waiting = None
        self.after = None
        self.complete = False

        own_hint = self.guest.number(tracer.lppaca() + CEDE_LATENCY_HINT, 1)
        tracer.plant_hint(tracer.planted_hint)
        self.before = tracer.how_things_stand()
        self.follow(self.guest.register('lr'))
        tracer.plant_hint(own_hint)

    def follow(self, end):
        address = self.guest.register('pc')
        while address != end:
            address = self.step(address)
            # Handling one makes hypercalls of its own.
            if address == self.tracer.interrupt or len(self.hypercalls) > 1:
                return
        self.after = self.tracer.how_things_stand()
        self.complete = self.waiting is not None

    def step(self, address):
        instruction = self.guest.number(address, 4)
        if is_a(instruction, HYPERCALL):
            self.hypercall(address)
        elif is_a(instruction, STOP):
            self.stop()
        elif size := size_of(instruction, RESERVE):
            self.reserve(address, instruction, size)
        elif size := size_of(instruction, STORE):
            self.store(address, instruction, size)
        elif is_a(instruction, READ_TIMEBASE) and not self.hypercalls:
            self.read_timebase(instruction)
        else:
            gdb.execute('stepi', to_string=True)
        after = self.guest.register('pc')
        self.path.append(address)
        if any(is_a(instruction, branch) for branch in BRANCH_BACK):
            self.count_loop_once(address, after)
        return after

    def hypercall(self, address):
        self.hypercalls.append(self.guest.register('r3'))
        self.waiting = self.tracer.how_things_stand()
        self.tracer.run_to(address + 4, gdb.selected_thread().global_num)

    def stop(self):
        self.stops += 1
        self.waiting = self.tracer.how_things_stand()
        self.tracer.hypervisor.wait()

    # gdb would let the CPU run from the one of these two to the other, and a
    # pending interrupt come between.
    def reserve(self, address, instruction, size):
        where = self.operand_address(instruction)
        self.reserved = where, self.guest.number(where, size)
        self.guest.set_register(f'r{instruction >> 21 & 31}', self.reserved[1])
        self.guest.set_register('pc', address + 4)

    def store(self, address, instruction, size):
        where = self.operand_address(instruction)
        equal = self.reserved == (where, self.guest.number(where, size))
        if equal:
            value = self.guest.register(f'r{instruction >> 21 & 31}')
            value &= (1 << 8 * size) - 1
            self.guest.write(where, value.to_bytes(size, self.guest.endian))
        self.reserved = None
        others = self.guest.register('cr') & ~CR0
        self.guest.set_register('cr', others | CR0_EQUAL * equal)
        self.guest.set_register('pc', address + 4)

    def operand_address(self, instruction):
        base, index = instruction >> 16 & 31, instruction >> 11 & 31
        start = self.guest.register(f'r{base}') if base else 0
        return start + self.guest.register(f'r{index}') & (1 << 64) - 1

    def read_timebase(self, instruction):
        """The second time, as if it had waited for as long as it wants to."""
        gdb.execute('stepi', to_string=True)
        if self.waiting:
            target = f'r{instruction >> 21 & 31}'
            self.guest.set_register(target, self.guest.register(target) + LONG)
        self.waiting = self.tracer.how_things_stand()

    def count_loop_once(self, address, target):
        """Of the rounds through a loop only the last stays in the path."""
        if target <= address and target in self.path:
            last = len(self.path) - 1 - self.path[::-1].index(target)
            del self.path[last:]

    def result(self):
        return {
            'instructions': len(self.path),
            'hypercalls': self.hypercalls,
            'stops': self.stops,
            'before': self.before,
            'waiting': self.waiting,
            'after': self.after,
        }


def size_of(instruction, kinds):
    sizes = [size for kind, size in kinds.items() if is_a(instruction, kind)]
    return sizes[0] if sizes else None


def is_a(instruction, kind):
    mask, value = kind
    return instruction & mask == value
