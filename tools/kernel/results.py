# SPDX-License-Identifier: GPL-2.0
"""What a run leaves in build/results/: KTAP, kunit.py's JSON, JUnit XML."""

from common import replacing


class Results:
    """The files of one kind of run; none survives from an earlier one.

    kunit.py itself writes the JSON.
    """

    def __init__(self, directory, name):
        directory.mkdir(parents=True, exist_ok=True)
        self.ktap = directory / f'{name}.ktap'
        self.json = directory / f'{name}.json'
        self.junit = directory / f'{name}.junit.xml'
        for path in (self.ktap, self.json, self.junit):
            path.unlink(missing_ok=True)

    def save(self, report, verdict, seconds):
        with replacing(self.ktap) as new:
            new.write_text('\n'.join(report.lines) + '\n', encoding='utf-8')
        with replacing(self.junit) as new:
            junit(report, verdict, seconds).write(str(new), pretty=True)


def junit(report, verdict, seconds):
    """KUnit's suites, and one of what only the verdict can tell."""
    # Not at the top, for the verdict can do without it.
    import junitparser   # pylint: disable=import-outside-toplevel

    suites = {}

    def add(suite, case, outcome=None):
        if suite not in suites:
            suites[suite] = junitparser.TestSuite(suite)
        test = junitparser.TestCase(case, classname=suite)
        if outcome:
            test.result = [outcome]
        suites[suite].add_testcase(test)

    for result in report.results:
        suite, _, case = result.name.partition('.')
        outcome = None
        if result.outcome == 'failed':
            outcome = junitparser.Failure(f'{result.name} failed')
            outcome.text = '\n'.join(map(printable, result.text))
        elif result.outcome == 'skipped':
            outcome = junitparser.Skipped(f'{result.name} skipped')
        add(suite, case or suite, outcome)
    told = {f'{r.name} {r.outcome}' for r in report.results}
    for problem in verdict.problems:
        if problem not in told:
            add('verdict', printable(problem),
                junitparser.Failure(printable(problem)))

    xml = junitparser.JUnitXml('kunit')
    for suite in suites.values():
        xml.add_testsuite(suite)
    xml.update_statistics()
    xml.time = round(seconds, 3)
    return xml


def printable(line):
    """XML has no way to hold most control characters."""
    return ''.join(c if c.isprintable() or c == '\t' else '\N{REPLACEMENT CHARACTER}'
                   for c in line)
