# SPDX-License-Identifier: GPL-2.0
"""What another state table does to the choices of menu and teo."""

import statistics

from loop import MEASURES, SHOWN, Refused

GOVERNORS = 'menu', 'teo'


def effects(loop, changes):
    """Of each pair of tables the means over the standard sweep.

    A table is a tuple of (name, exit latency, target residency), in us.
    Yields old, new, and of each governor and kind of wake-up the values; none
    if one of the two is no table that a governor could be asked with.
    """
    for old, new in changes:
        try:
            before, after = means(loop, old), means(loop, new)
        except Refused:
            yield old, new, {}
        else:
            yield old, new, {at: (before[at], after[at]) for at in before}


def means(loop, table):
    rows = loop.rows('sweep', typed(table))
    return {(governor, pattern): [
        statistics.fmean(measure(row) for row in rows
                         if (row['governor'], row['pattern']) == (governor, pattern))
        for _, measure in MEASURES]
        for governor in GOVERNORS for pattern in SHOWN}


def typed(table):
    """As idle-loop takes it."""
    return ','.join('snooze' if name == 'snooze' and not residency else
                    f'{"stop" * (name == "stop0lite")}{latency}/{residency}'
                    for name, latency, residency in table)


def in_words(found):
    yield from ('', 'What the governors make of that, over sleeps of 5 us to 2 ms:')
    for old, new, values in found:
        yield (f'  {named(old)} -> {named(new)} us'
               + ('' if values else ': cannot be told, as one is out of range or snooze alone'))
        for (governor, pattern), (before, after) in values.items():
            yield (f'    {governor}, ended by {pattern}: ' + ', '.join(
                f'{heading} {changed(a, b)}'
                for (heading, _), a, b in zip(MEASURES, before, after)))


def as_markdown(found):
    headings = [heading for heading, _ in MEASURES]
    yield '| table | governor | sleeps ended by | ' + ' | '.join(headings) + ' |'
    yield '| --- ' * (3 + len(headings)) + '|'
    for old, new, values in found:
        for (governor, pattern), (before, after) in values.items():
            yield (f'| {named(old)} -> {named(new)} us | {governor} | {pattern} | '
                   + ' | '.join(map(changed, before, after)) + ' |')


def named(table):
    """What is so everywhere is not said each time."""
    states = [f'{name} {latency}/{residency}' for name, latency, residency in table]
    return ', '.join(states[1:] if states[0] == 'snooze 0/0' else states)


def changed(before, after):
    if f'{before:.2f}' == f'{after:.2f}':
        return f'{after:.2f}'
    return f'{before:.2f} -> {after:.2f}'
