# SPDX-License-Identifier: GPL-2.0
"""The boots of the lab, and what is expected of each: written by hand.

A row is a processor in a mode, a kind of partition, and what its firmware
says. What a partition then shall show in sysfs and in its log stands here in
so many words; nothing of it is computed by what is tested. Beside it stands
what Linux 6.12 does, where that is something else.

All at QEMU's timebase, which is that of real machines: 512 ticks are 1 us.
"""

import dataclasses
import fnmatch

MESSAGE = 'pseries_idle: '
SETTINGS = "firmware's CEDE latency settings: "


# What firmware says

SUCCESS = 0
BUSY = -2
HARDWARE_ERROR = -1
NOT_AUTHORISED = -9002
PARAMETER_ERROR = -9999
WAIT_1_MS = 9900


@dataclasses.dataclass(frozen=True)
class Answer:
    """What firmware says, and what has to come of it where it is asked.

    cede is exit latency and target residency. None for linux_cede means that
    Linux 6.12 comes to the same; FLOODS, that it prints without an end that
    one could wait for.
    """
    name: str
    given: tuple                # status and bytes, call after call
    cede: tuple
    why: str
    log: tuple
    linux_cede: object = None
    warns: bool = False         # the kernel itself complains about it
    common: bool = False        # for every processor, not only for POWER10


FLOODS = 'floods'
DEFAULT = (10, 100)


def record(specifier, ticks, irq=1):
    return bytes([specifier]) + ticks.to_bytes(8, 'big') + bytes([irq])


FIRST_12_US = record(1, 12 * 512)
SECOND_30_US = record(2, 30 * 512, 0)


def answer(*records, size=10, end=b'\0', length=None):
    body = bytes([size - 1]) + b''.join(records) + end
    length = len(body) if length is None else length
    return ((SUCCESS, length.to_bytes(2, 'big') + body),)


def status(*codes):
    return tuple((code, b'') for code in codes)


def well_formed(name, given, cede, latencies, *also, **other):
    """Taken: the log has number of states and range of latencies."""
    return Answer(name, given, cede, "firmware's lowest",
                  (taken(latencies), *also), **other)


def taken(latencies):
    states, lowest, highest = latencies
    return (f'{SETTINGS}well-formed, extended states: {states}, '
            f'latencies: {lowest} to {highest} us')


def unusable(name, given, why, latencies, *also, **other):
    """Well-formed, but no latency in it can be used."""
    return Answer(name, given, DEFAULT, f"default, {why}",
                  (taken(latencies), *also), **other)


def refused(name, given, why, **other):
    return Answer(name, given, DEFAULT, "default, firmware's answer refused",
                  (f'{SETTINGS}refused: {why}',), **other)


def none(name, given, why, **other):
    return Answer(name, given, DEFAULT, 'default, no answer from firmware',
                  (f'{SETTINGS}{why}',), **other)


def zero_skipped(count):
    return f'{SETTINGS}latencies of zero, skipped: {count}'


MISSING_NUL = f'{SETTINGS}the final NUL is missing, tolerated'

TOO_SHORT = 'too short for record size and NUL'
BYTES_AFTER = 'bytes after the last record'
TOO_SMALL = 'records too small for a latency'
BAD_SPECIFIERS = 'specifiers do not ascend by one'

# QEMU's own: it does not offer the parameter.
NO_ANSWER = none('no answer', (), 'not offered (error -95)', common=True)

ANSWERS = (
    NO_ANSWER,

    # As published, all of them: POWER10, POWER9, POWER8.
    well_formed('firmware 12/30 us', answer(FIRST_12_US, SECOND_30_US),
                (12, 120), (2, 12, 30), common=True),
    well_formed('firmware 2 us/8 ms',
                answer(record(1, 0x400), record(2, 0x3e8000, 0)),
                (2, 20), (2, 2, 8000)),
    well_formed('firmware 30 us/10 ms',
                answer(record(1, 0x3c00), record(2, 0x4e2000, 0)),
                (30, 300), (2, 30, 10000)),

    # The lowest usable latency counts, rounded up, from zero to 1 ms.
    well_formed('firmware 0/12 us',
                answer(record(1, 0), record(2, 12 * 512, 0)),
                (12, 120), (2, 12, 12), zero_skipped(1)),
    well_formed('firmware 1 us', answer(record(1, 512)), (1, 10), (1, 1, 1)),
    well_formed('firmware 1 us and a tick', answer(record(1, 513)),
                (2, 20), (1, 2, 2), linux_cede=(1, 10)),
    well_formed('firmware 1 ms', answer(record(1, 512000)),
                (1000, 10000), (1, 1000, 1000)),
    unusable('firmware 1 ms and a tick', answer(record(1, 512001)),
             "firmware's latencies are above 1 ms", (1, 1001, 1001),
             linux_cede=(1000, 10000)),
    unusable('firmware 10 ms only', answer(record(1, 0x4e2000)),
             "firmware's latencies are above 1 ms", (1, 10000, 10000),
             linux_cede=(10000, 100000)),
    # Ten times this does not fit into 32 bits.
    unusable('firmware 430 s only', answer(record(1, 430_000_000 * 512)),
             "firmware's latencies are above 1 ms",
             (1, 430_000_000, 430_000_000),
             linux_cede=(430_000_000, 5_032_704)),
    unusable('firmware 0 only', answer(record(1, 0)),
             "firmware's latencies are zero", (1, 0, 0), zero_skipped(1)),
    unusable('firmware lists nothing', answer(),
             'firmware lists no state', (0, 0, 0)),

    # Uncommon, but by the rules.
    well_formed('firmware 12 us, final NUL missing',
                answer(FIRST_12_US, end=b''), (12, 120), (1, 12, 12),
                MISSING_NUL, linux_cede=DEFAULT),
    well_formed('firmware 12/30 us, fields added',
                answer(FIRST_12_US + b'\xaa\xbb', SECOND_30_US + b'\xcc\xdd',
                       size=12),
                (12, 120), (2, 12, 30), linux_cede=DEFAULT),
    well_formed('firmware 12/30 us, no interrupt flag',
                answer(FIRST_12_US[:9], SECOND_30_US[:9], size=9),
                (12, 120), (2, 12, 30), linux_cede=DEFAULT),
    # One more than Linux 6.12 has room for: it reads the last one from
    # behind its buffer.
    well_formed('firmware 17 records from 12 us',
                answer(*(record(n, (11 + n) * 512) for n in range(1, 18))),
                (12, 120), (17, 12, 28)),

    # Broken, each in a way of its own: taken whole or not at all.
    refused('length 0', answer(length=0), TOO_SHORT, linux_cede=FLOODS),
    refused('length 1', answer(length=1), TOO_SHORT, linux_cede=FLOODS),
    refused('length 65535',
            answer(FIRST_12_US, SECOND_30_US, length=0xffff), BYTES_AFTER,
            linux_cede=FLOODS, warns=True),
    refused('length ends in the second record',
            answer(FIRST_12_US, SECOND_30_US, length=17), BYTES_AFTER,
            linux_cede=(12, 120)),
    refused('two bytes after the records',
            answer(FIRST_12_US, SECOND_30_US, end=b'\0\0'), BYTES_AFTER,
            linux_cede=(12, 120)),
    refused('last byte is no NUL',
            answer(FIRST_12_US, SECOND_30_US, end=b'\xff'), BYTES_AFTER,
            linux_cede=(12, 120)),
    refused('records of 1 byte', answer(b'\1', size=1), TOO_SMALL),
    refused('records of 8 bytes',
            answer(FIRST_12_US[:8], SECOND_30_US[:8], size=8), TOO_SMALL),
    refused('records of 256 bytes, but shorter',
            answer(FIRST_12_US, SECOND_30_US, size=256), BYTES_AFTER),
    refused('a specifier left out',
            answer(FIRST_12_US, record(3, 30 * 512, 0)), BAD_SPECIFIERS,
            linux_cede=(12, 120)),
    refused('a specifier twice',
            answer(FIRST_12_US, record(1, 30 * 512, 0)), BAD_SPECIFIERS,
            linux_cede=(12, 120)),
    refused('latencies descend',
            answer(record(1, 30 * 512), record(2, 12 * 512, 0)),
            'latencies descend', linux_cede=(12, 120)),

    # No success.
    none('not authorised', status(NOT_AUTHORISED),
         'not for this partition to read (error -1)'),
    none('hardware error', status(HARDWARE_ERROR), 'not available (error -5)'),
    none('parameter error', status(PARAMETER_ERROR),
         'not available (error -22)'),
    well_formed('busy, then firmware 12/30 us',
                status(BUSY, WAIT_1_MS) + answer(FIRST_12_US, SECOND_30_US),
                (12, 120), (2, 12, 30), linux_cede=DEFAULT),
)


# What a partition is

@dataclasses.dataclass(frozen=True)
class Processor:
    """A processor as QEMU offers it, or with another PVR than it has."""
    name: str                   # the driver's
    model: str                  # QEMU's
    pvr: int
    le_modes: tuple = ()        # a little-endian kernel needs POWER8 or later
    be_modes: tuple = ()
    injected: bool = False
    revision: str = ''
    asks: bool = False          # is firmware asked, in every mode
    linux_asks_in: tuple = ()   # the modes in which Linux 6.12 asks
    # Linux cannot flush the TLB of a CPU before POWER7 that comes on line
    # again, says so in a warning, and has been seen to hang.
    hotplug: bool = True


NATIVE = 'native'
POWER10_MODES = (NATIVE, 'POWER9', 'POWER8')

PROCESSORS = (
    Processor('PPC970', '970', 0x00390202, (), (NATIVE,), hotplug=False),
    Processor('PPC970MP', '970mp', 0x00440101, (), (NATIVE,), hotplug=False),
    Processor('POWER5+', 'power5+', 0x003b0201, (), (NATIVE,), hotplug=False),
    Processor('POWER7', 'power7', 0x003f0203, (), (NATIVE,)),
    Processor('POWER7+', 'power7+', 0x004a0201, (), (NATIVE,)),
    Processor('POWER8E', 'power8e', 0x004b0201, (NATIVE,), (NATIVE,)),
    Processor('POWER8NVL', 'power8nvl', 0x004c0100, (NATIVE,), (NATIVE,)),
    Processor('POWER8', 'power8', 0x004d0200, (NATIVE,),
              (NATIVE, 'POWER7')),
    Processor('POWER9', 'power9', 0x004e1200, (NATIVE, 'POWER8'),
              (NATIVE, 'POWER8', 'POWER7')),
    Processor('POWER10', 'power10', 0x00800200, POWER10_MODES, POWER10_MODES,
              asks=True, linux_asks_in=POWER10_MODES),
    Processor('POWER11', 'power10', 0x00820200, POWER10_MODES, POWER10_MODES,
              injected=True, asks=True, linux_asks_in=(NATIVE,)),
    Processor('unknown processor', 'power10', 0x00840100,
              (NATIVE, 'POWER9'), (), injected=True, asks=True,
              linux_asks_in=(NATIVE,)),
)

POWER8, POWER9, POWER10 = (
    next(processor for processor in PROCESSORS if processor.name == name)
    for name in ('POWER8', 'POWER9', 'POWER10'))
# QEMU's own is DD2.0. These are for rows with stop vouched for.
POWER9_DD2_2, POWER9_DD2_3 = (
    Processor('POWER9', 'power9', pvr, (NATIVE, 'POWER8'), (NATIVE,),
              injected=True, revision=revision)
    for pvr, revision in ((0x004e1202, 'DD2.2'), (0x004e1203, 'DD2.3')))

SHARED = 'shared'
DEDICATED = 'dedicated'
# Dedicated ones that have no driver, for the administrator or the firmware.
POWERSAVE_OFF = 'powersave=off'
NO_SPLPAR = 'no SPLPAR'
LITTLE = 'little'
BIG = 'big'


@dataclasses.dataclass(frozen=True)
class Expected:
    """What a boot has to show; of a log that is None nothing is said."""
    states: tuple               # name, exit latency, target residency
    asked: bool                 # was firmware asked
    log: tuple = None
    warns: bool = False
    floods: bool = False
    driver: str = 'pseries_idle'
    capture: tuple = ()         # lines of pseries-idle's, among others
    agrees: bool = True         # does it find that the policy is kept


# pseries-idle knows of neither powersave=off nor of a bit that was missing
# while the driver looked.
NO_DRIVER = Expected((), False, (), driver='none', agrees=False)


# What comes of stop where the administrator vouches for it: the log's words.
STOPS = ('vouched for, latency 2 us, residency 20 us; deadly if the '
         'hypervisor forbids it')
NOT_DEDICATED = 'refused, dedicated partition'
NOT_BELOW_3_0 = 'refused, ISA level below 3.0'
NOT_BEFORE_DD2_3 = 'refused, POWER9 before DD2.3 can miss wake-ups'


@dataclasses.dataclass(frozen=True)
class Row:
    """One boot."""
    processor: Processor
    mode: str
    kind: str
    answer: Answer
    endian: str
    stop: str = None            # None: not vouched for

    @property
    def name(self):
        mode = self.mode if self.mode == NATIVE else f'in {self.mode} mode'
        processor = f'{self.processor.name} {self.processor.revision}'.strip()
        words = [f'{processor} {mode}', self.kind, self.answer.name]
        if self.stop:
            words.append('stop vouched for')
        if self.endian == BIG:
            words.append('big endian')
        return ', '.join(words)

    @property
    def dedicated(self):
        return self.kind != SHARED

    @property
    def idles(self):
        """Is there a driver."""
        return self.kind in (SHARED, DEDICATED)

    @property
    def splpar(self):
        return self.kind != NO_SPLPAR

    @property
    def stops(self):
        return self.stop == STOPS

    @property
    def kernel_arguments(self):
        return ((POWERSAVE_OFF,) * (self.kind == POWERSAVE_OFF)
                + ('pseries_idle.guest_stop=1',) * bool(self.stop))

    @property
    def asks(self):
        return self.dedicated and self.processor.asks

    @property
    def linux_asks(self):
        return self.dedicated and self.mode in self.processor.linux_asks_in


def state_names(row):
    if not row.idles:
        return ()
    return ('snooze', *(['stop0lite'] if row.stops else ()),
            'CEDE' if row.dedicated else 'Shared Cede')


def states(row, cede):
    numbers = {'snooze': (0, 0), 'stop0lite': (2, 20)}
    return tuple((name, *numbers.get(name, cede)) for name in state_names(row))


def expected(row):
    """What the driver of this project shall do."""
    if not row.idles:
        return NO_DRIVER
    cede, why, log = DEFAULT, 'fixed, shared partition', ()
    if row.asks:
        cede, why, log = row.answer.cede, row.answer.why, row.answer.log
    elif row.dedicated:
        why = 'default, processor precedes POWER10'
    table = (f'{row.processor.name} (PVR {row.processor.pvr:#010x}), '
             f'{row.kind} partition: {states(row, cede)[-1][0]} '
             f'latency {cede[0]} us, residency {cede[1]} us ({why})')
    stop = (f'stop0lite: {row.stop}',) if row.stop else ()
    return Expected(states(row, cede), row.asks,
                    tuple(MESSAGE + line for line in (*log, table, *stop)),
                    warns=row.asks and row.answer.warns,
                    capture=capture(row, states(row, cede)))


def capture(row, shown):
    """What pseries-idle has to find; a length beyond all bounds is clamped."""
    code, data = row.answer.given[-1] if row.answer.given else (-1, b'')
    lines = [f'pvr: {row.processor.pvr:#010x}', f'lpar: {row.kind}',
             'tb-freq: 512000000', 'driver: pseries_idle',
             f'guest-stop: {"yes" if row.stop else "no"}']
    lines += [f'state: {name} {latency} {residency}'
              for name, latency, residency in shown]
    if code != SUCCESS:
        lines.append('xcede: none')
    elif int.from_bytes(data[:2], 'big') == len(data) - 2:
        lines.append(f'xcede: {data.hex()}')
    return tuple(lines)


def linux_expected(row):
    """What Linux 6.12's driver is known to do: for one, it never stops."""
    row = dataclasses.replace(row, stop=None)
    if not row.idles:
        return NO_DRIVER
    cede = DEFAULT
    if row.linux_asks:
        cede = row.answer.linux_cede or row.answer.cede
    floods = cede is FLOODS
    shown = states(row, DEFAULT if floods else cede)
    return Expected(shown, row.linux_asks, floods=floods,
                    capture=capture(row, shown),
                    agrees=shown == expected(row).states)


# What entering a state does to the CPU

PLANTED_HINT = 0x5a             # found in the lppaca, and to be left in it
H_CEDE = 0xe0


@dataclasses.dataclass(frozen=True)
class Entering:
    """Hypercalls, and how things stand while the CPU waits, and at return.

    Interrupts are the kernel's own (soft) state, external interrupts the
    processor's.
    """
    hypercalls: tuple
    waiting: dict
    after: dict
    stops: int = 0


# Disabled for the kernel alone: the processor still takes and notes them.
LEFT = {'hint': PLANTED_HINT, 'donate': 0, 'polling': False,
        'interrupts': False, 'external interrupts': True}
# A cede takes interrupts as enabled, and the hypervisor enables them.
CEDED = {'polling': False, 'interrupts': True}

ENTERING = {
    'snooze': Entering(
        (), {'hint': PLANTED_HINT, 'donate': 0, 'polling': True,
             'interrupts': True, 'external interrupts': True}, LEFT),
    # Idle cycles are donated, and no extended state is asked for.
    'CEDE': Entering((H_CEDE,), {'hint': 0, 'donate': 1, **CEDED}, LEFT),
    'Shared Cede': Entering(
        (H_CEDE,), {'hint': PLANTED_HINT, 'donate': 0, **CEDED}, LEFT),
    # A stop does not enable them: what ends it is taken behind it.
    'stop0lite': Entering(
        (), {'hint': PLANTED_HINT, 'donate': 0, 'polling': False,
             'interrupts': True, 'external interrupts': False}, LEFT, stops=1),
}


# Which of them to boot

def rows(endian, answers_of):
    """The rows of a byte order; answers_of(processor, mode) are booted."""
    for processor in PROCESSORS:
        modes = processor.be_modes if endian == BIG else processor.le_modes
        for mode in modes:
            for kind in (SHARED, DEDICATED):
                for given in answers_of(processor, mode, kind):
                    yield Row(processor, mode, kind, given, endian)


def common_answers(*_):
    return [given for given in ANSWERS if given.common]


def default_answers(processor, mode, kind):
    """All answers where they matter, and where the two drivers ask."""
    if (processor.name == 'POWER10' and mode in (NATIVE, 'POWER9')
            and kind == DEDICATED):
        return ANSWERS
    return common_answers()


def without_driver():
    return [Row(POWER10, NATIVE, kind, NO_ANSWER, LITTLE)
            for kind in (POWERSAVE_OFF, NO_SPLPAR)]


def with_stop():
    """Stop vouched for: where it is used, and each reason why it is not."""
    return [Row(processor, mode, kind, NO_ANSWER, endian, stop)
            for processor, mode, kind, stop, *endians in (
                (POWER9_DD2_3, NATIVE, SHARED, STOPS, LITTLE, BIG),
                (POWER10, NATIVE, SHARED, STOPS, LITTLE, BIG),
                (POWER10, 'POWER9', SHARED, STOPS, LITTLE),
                (POWER10, 'POWER8', SHARED, NOT_BELOW_3_0, LITTLE),
                (POWER10, NATIVE, DEDICATED, NOT_DEDICATED, LITTLE),
                (POWER9_DD2_3, NATIVE, DEDICATED, NOT_DEDICATED, LITTLE),
                (POWER9_DD2_3, 'POWER8', SHARED, NOT_BELOW_3_0, LITTLE),
                (POWER9_DD2_2, NATIVE, SHARED, NOT_BEFORE_DD2_3, LITTLE, BIG),
                (POWER9, NATIVE, SHARED, NOT_BEFORE_DD2_3, LITTLE),
                (POWER8, NATIVE, SHARED, NOT_BELOW_3_0, LITTLE))
            for endian in endians]


def full():
    return [*rows(LITTLE, lambda *_: ANSWERS), *without_driver(), *with_stop(),
            *rows(BIG, lambda *_: ANSWERS)]


def default():
    """Little endian throughout, and a part of the big-endian ones."""
    big = [row for row in rows(BIG, common_answers)
           if row.kind == DEDICATED or row.answer is NO_ANSWER]
    return [*rows(LITTLE, default_answers), *without_driver(), *with_stop(),
            *big]


def few():
    """A part that takes half a minute, little endian: of each kind some."""
    return select(default(), (
        'POWER8 native, dedicated, no answer',
        'POWER9 native, dedicated, firmware 12/30 us',
        'POWER9 in POWER8 mode, shared, no answer',
        'POWER10 native, *, no answer',
        'POWER10 native, shared, no answer, stop vouched for',
        'POWER9 DD2.2 native, shared, no answer, stop vouched for',
        'POWER10 native, dedicated, firmware 12/30 us',
        'POWER10 native, dedicated, length [0-9]*',
        'POWER10 native, dedicated, latencies descend',
        'POWER10 in POWER9 mode, dedicated, busy, then *',
        'POWER11 in POWER9 mode, dedicated, firmware 12/30 us',
        'unknown processor in POWER9 mode, shared, firmware 12/30 us'))


def debug():
    """Radix throughout, which KASAN needs; answers that could lead astray."""
    answers = [given for given in ANSWERS if given.common or given.name in (
        'length 0', 'length 65535', 'firmware 17 records from 12 us',
        'records of 256 bytes, but shorter')]
    return [Row(POWER9, NATIVE, DEDICATED, NO_ANSWER, LITTLE),
            Row(POWER10, NATIVE, SHARED, NO_ANSWER, LITTLE),
            Row(POWER10, NATIVE, SHARED, NO_ANSWER, LITTLE, STOPS),
            *(Row(POWER10, NATIVE, DEDICATED, given, LITTLE)
              for given in answers)]


def select(all_rows, patterns):
    """The rows that match one of the patterns, or all without a pattern."""
    if not patterns:
        return all_rows
    return [row for row in all_rows
            if any(fnmatch.fnmatchcase(row.name, pattern)
                   for pattern in patterns)]
