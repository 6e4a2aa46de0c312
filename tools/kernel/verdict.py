# SPDX-License-Identifier: GPL-2.0
"""Green means complete: exactly what should have passed did, by name."""

import collections
import dataclasses


@dataclasses.dataclass
class Verdict:
    """The problems are lines for people, most telling first."""
    passed: int
    problems: list

    @property
    def green(self):
        return not self.problems

    def counts(self):
        return f'{self.passed} passed, {len(self.problems)} failed'


def judge(report, expected):
    """Compare what a log says with the names that had to pass."""
    times_run = collections.Counter(r.name for r in report.results)
    passed = {r.name for r in report.results if r.outcome == 'passed'}
    expected = dict.fromkeys(expected)

    problems = [f'{r.name} {r.outcome}' for r in report.results
                if r.outcome != 'passed']
    problems += report.complaints
    problems += [f'{name} did not run' for name in expected
                 if not times_run[name]]
    problems += [f'{name} ran, but is not in the list' for name in times_run
                 if name not in expected]
    problems += [f'{name} ran {count} times' for name, count
                 in times_run.items() if count > 1]
    return Verdict(len(passed & expected.keys()), problems)
