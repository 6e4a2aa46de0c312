# SPDX-License-Identifier: GPL-2.0
"""Say what came of the boots: a table, JUnit XML, JSON."""

import dataclasses
import json

from common import replacing
from partition import TOO_MUCH
from results import printable

TAIL = 40


@dataclasses.dataclass
class Boot:
    """One row, booted."""
    row: object
    expected: object
    seen: object
    problems: list
    seconds: float
    text: str
    tools: str

    @property
    def passed(self):
        return not self.problems

    def tail(self):
        """The console's last lines, and what the tools say went wrong."""
        lines = list(map(printable, self.text.splitlines()[-TAIL:]))
        if self.seen.asked is None and self.seen.ending != TOO_MUCH:
            lines += self.tools.splitlines()
        return '\n'.join(lines)


def brief(states):
    """All states but snooze, as name and numbers; each once."""
    texts = dict.fromkeys(f'{name} {latency}/{residency}'
                          for name, latency, residency in states)
    texts.pop('snooze 0/0', None)
    return ', '.join(texts) or '-'


def shown(boot):
    if boot.seen.complete:
        return brief((name, *numbers) for name, _, *numbers, _
                     in boot.seen.states.get(0, ()))
    return boot.seen.ending


def asked(seen):
    return {None: '?', 0: 'no'}.get(seen.asked, 'yes')


def table(boots):
    """What each boot came to, a line each."""
    width = max(len(boot.row.name) for boot in boots)
    yield f'{"boot":{width}}  {"asked":5}  {"states, us":34} {"s":>5}'
    for boot in boots:
        verdict = 'as expected' if boot.passed else 'NOT AS EXPECTED'
        yield (f'{boot.row.name:{width}}  {asked(boot.seen):5}  '
               f'{shown(boot):34} {boot.seconds:5.1f}  {verdict}')


def differences(boots, wanted):
    """Where what was seen is not what this project's driver has to show."""
    width = max(len(boot.row.name) for boot in boots)
    yield f'{"boot":{width}}  {"this driver":34} here'
    for boot in boots:
        ours = wanted(boot.row)
        ours_text = brief(ours.states)
        notes = []
        if bool(boot.seen.asked) != ours.asked and boot.seen.complete:
            notes.append('firmware not asked' if ours.asked
                         else 'firmware asked')
        if shown(boot) != ours_text or notes:
            yield (f'{boot.row.name:{width}}  {ours_text:34} '
                   + ', '.join([shown(boot), *notes]))


def save(directory, name, boots, seconds):
    """Write JSON and JUnit XML; none survives from an earlier run."""
    directory.mkdir(parents=True, exist_ok=True)
    with replacing(directory / f'{name}.json') as new:
        new.write_text(json.dumps(as_json(boots, seconds), indent=1),
                       encoding='utf-8')
    with replacing(directory / f'{name}.junit.xml') as new:
        junit(name, boots, seconds).write(str(new), pretty=True)
    return directory / f'{name}.junit.xml'


def as_json(boots, seconds):
    return {
        'seconds': round(seconds, 1),
        'boots': [{
            'name': boot.row.name,
            'passed': boot.passed,
            'problems': boot.problems,
            'seconds': round(boot.seconds, 1),
            'expected': dataclasses.asdict(boot.expected),
            'seen': dataclasses.asdict(boot.seen),
            'tail': [] if boot.passed else boot.tail().splitlines(),
        } for boot in boots],
    }


def junit(name, boots, seconds):
    # Not at the top, for the tests can do without it.
    import junitparser   # pylint: disable=import-outside-toplevel

    suite = junitparser.TestSuite(name)
    for boot in boots:
        case = junitparser.TestCase(boot.row.name, classname=name,
                                    time=round(boot.seconds, 1))
        if not boot.passed:
            failure = junitparser.Failure(printable(boot.problems[0]))
            failure.text = '\n'.join(
                [*map(printable, boot.problems), boot.tail()])
            case.result = [failure]
        suite.add_testcase(case)
    xml = junitparser.JUnitXml(name)
    xml.add_testsuite(suite)
    xml.update_statistics()
    xml.time = round(seconds, 3)
    return xml
