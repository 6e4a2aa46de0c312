# SPDX-License-Identifier: GPL-2.0
"""What Linux 6.12's driver makes of the same facts: stated once more, by hand.

It has no reasons to give, so they play no part in a comparison.
"""

TICKS_PER_US = 512
RECORD_SIZE = 10
POWER10 = 0x80

DEFAULT = (10, 100)
# Of records that are not there it prints what stands beyond its buffer.
HANGS = 'never boots'
FLOODS = 'thousands of records from beyond the buffer'
BUFFER = 16                     # records


def outcome(row):
    """States as (name, exit latency, target residency), and what was asked."""
    if row['lpar'] == 'no SPLPAR':
        return {'driver': False, 'asked': False, 'states': []}
    if row['lpar'] == 'shared':
        return with_cede('Shared Cede', DEFAULT, False)
    asked = row['isa'] == '3.1' or row['pvr'] >> 16 == POWER10
    cede = cede_from(bytes.fromhex(row['bytes'])) if asked else DEFAULT
    if cede in (HANGS, FLOODS):
        return {'driver': cede, 'asked': True, 'states': []}
    return with_cede('CEDE', cede, asked)


def with_cede(name, cede, asked):
    return {'driver': True, 'asked': asked,
            'states': [('snooze', 0, 0), (name, *cede)],
            'snooze_timeout_ticks': cede[1] * TICKS_PER_US}


def cede_from(answer):
    if len(answer) < 3 or answer[2] + 1 != RECORD_SIZE:
        return DEFAULT
    length = int.from_bytes(answer[:2], 'big')
    count = (length - 2) % (1 << 32) // RECORD_SIZE
    if count > 1000 * BUFFER:
        return HANGS
    if RECORD_SIZE * count > len(answer):
        return FLOODS
    latencies = [microseconds(answer[3 + RECORD_SIZE * n:])
                 for n in range(count)]
    usable = [us for us in latencies if us]
    if not usable:
        return DEFAULT
    # Both are 32 bits in the state table.
    return min(usable) % (1 << 32), 10 * min(usable) % (1 << 32)


def microseconds(record):
    ticks = int.from_bytes(record[1:9], 'big')
    # By way of an even number of ns, rounded down; then up to us.
    ns = ticks * 1_000_000_000 // (TICKS_PER_US * 1_000_000) // 2 * 2
    return -(-ns // 1000)
