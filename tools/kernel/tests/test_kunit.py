# SPDX-License-Identifier: GPL-2.0
"""`make kunit` from its variables to its exit status, on a fake kunit.py."""

import contextlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from xml.etree import ElementTree

from common import HERE, Stop

LIST = ['pot.boils', 'pot.pours.a, b', 'pot.pours.<c>', 'pot.sweeps [very_slow]']

LOG = """\
KTAP version 1
1..1
    KTAP version 1
    # Subtest: pot
    1..3
    ok 1 boils
        KTAP version 1
        # Subtest: pours
        ok 1 a, b
        ok 2 <c>
    ok 2 pours
    # sweeps.speed: very_slow
    ok 3 sweeps
ok 1 pot
"""
PAN = '''\
    KTAP version 1
    # Subtest: pan
    1..1
    ok 1 fries
ok 2 pan
'''
WITHOUT_SLOW = LOG.replace('    # sweeps.speed: very_slow\n', '').replace(
    '    ok 3 sweeps\n', '').replace('1..3', '1..2')

# What it was called with goes to calls.json; $FAKE says what it does.
KUNIT_PY = r"""
import json, os, pathlib, signal, subprocess, sys, time
top = pathlib.Path(__file__).resolve().parents[3]
signal.signal(signal.SIGINT, lambda *_: print('Build interruption'))
fake = json.loads(os.environ['FAKE'])
option = dict(a.split('=', 1) for a in sys.argv if a.startswith('--') and '=' in a)
pathlib.Path(fake['calls']).write_text(json.dumps([sys.argv[2:], dict(os.environ)]))
build = pathlib.Path(option['--build_dir'])
print('Building KUnit Kernel')
(build / 'made.o').write_text('half')
if fake.get('sleep'):
    os.chdir(build)
    (build / 'torn.o').write_text('half')
    subprocess.run(['sleep', fake['sleep']])
if fake.get('fails'):
    sys.exit(1)
(build / 'made.o').write_text('whole')
core = build / 'lib/pseries_idle'
core.mkdir(parents=True, exist_ok=True)
(core / 'xcede.o').write_text(fake.get('object', '__asan_load8_noabort'))
print('Starting KUnit Kernel (1/1)...')
(build / 'test.log').write_text(fake['log'])
if '--json' in option:
    pathlib.Path(option['--json']).write_text('{}')
"""


def load_tool():
    loader = importlib.machinery.SourceFileLoader('kunit_tool', str(HERE / 'kunit'))
    spec = importlib.util.spec_from_loader('kunit_tool', loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


kunit = load_tool()


class WishesTest(unittest.TestCase):

    def wishes(self, machine='uml', **environment):
        return kunit.Wishes(environment, kunit.MACHINES[machine])

    def command(self, **environment):
        return self.wishes(**environment).command(
            pathlib.Path('tree'), 'objects', 'json')

    def test_filters(self):
        command = self.command(KUNIT_ARGS="'pot*.[bp]*' --filter 'speed>slow'")
        self.assertEqual(command[-1], 'pot*.[bp]*')
        self.assertIn('--filter=speed>slow', command)

    def test_sanitizers_leave_out_the_very_slow(self):
        command = self.command(SAN='1', KUNIT_ARGS='--filter speed!=slow')
        self.assertIn('--filter=speed!=slow,speed>very_slow', command)
        self.assertIn('--kconfig_add=CONFIG_KASAN=y', command)
        self.assertNotIn('--kconfig_add=CONFIG_KASAN=y', self.command(SAN='0'))
        division = '--kconfig_add=CONFIG_UBSAN_DIV_ZERO=y'
        self.assertIn(division, self.command(SAN='1'))
        self.assertNotIn(division, self.command(SAN='1', LLVM='1'))

    def test_llvm(self):
        for value, flavour in (('', 'gcc'), ('0', 'gcc'), ('1', 'llvm'),
                               ('-19', 'llvm-19'), ('/a b/', 'llvm_a_b_')):
            self.assertEqual(self.wishes(LLVM=value).flavour(), flavour)
        self.assertIn('--make_options=LLVM=-19', self.command(LLVM='-19'))

    def test_machines_differ(self):
        machines = [self.wishes(machine) for machine in kunit.MACHINES]
        for what in (kunit.Wishes.flavour, kunit.Wishes.results_name):
            self.assertEqual(len(set(map(what, machines))), len(machines))
        self.assertEqual(self.wishes('pseries-be').flavour(), 'pseries-be-gcc')
        self.assertEqual(self.wishes('pseries-be').results_name(),
                         'kunit-pseries-be')

    def test_machine_in_the_command(self):
        def command(machine):
            return self.wishes(machine).command(
                pathlib.Path('tree'), 'objects', 'json')

        for machine, compiler, config in (
                ('pseries-be', 'powerpc64', 'BIG'),
                ('pseries-le', 'powerpc64le', 'LITTLE')):
            for option in (f'--cross_compile={compiler}-linux-gnu-',
                           f'--kconfig_add=CONFIG_CPU_{config}_ENDIAN=y',
                           '--filter=speed>very_slow'):
                self.assertIn(option, command(machine))
        self.assertFalse([word for word in map(str, command('uml'))
                          if 'qemu' in word or 'cross' in word])

    def test_filter_makes_a_run_partial_and_a_machines_own_does_not(self):
        self.assertFalse(self.wishes('pseries-le').partial)
        self.assertTrue(self.wishes('pseries-le', KUNIT_ARGS='pot').partial)
        self.assertTrue(self.wishes(SAN='1').partial)
        self.assertFalse(self.wishes().partial)

    def test_one_filter(self):
        with self.assertRaisesRegex(Stop, 'have pan: one filter.*, pot'):
            self.wishes(KUNIT_ARGS='pot pan')

    def test_sanitizers_are_for_uml(self):
        with self.assertRaisesRegex(Stop, 'SAN='):
            self.wishes('pseries-le', SAN='1')

    def test_jobs(self):
        self.assertIn('--jobs=7', self.command(JOBS='7'))
        for value in ('0', 'many', '-1', '1.5'):
            with self.assertRaisesRegex(Stop, 'JOBS='):
                self.wishes(JOBS=value)

    def test_uml_needs_no_home(self):
        self.assertIn('--kernel_args=uml_dir=objects/uml', self.command())

    def test_timeout(self):
        self.assertIn('--timeout=600', self.command())
        self.assertIn('--timeout=5', self.command(KUNIT_ARGS='--timeout=5'))

    def test_what_would_take_the_verdict_away(self):
        for option in kunit.REFUSED:
            for text in (option, f'{option}=x', f'pot {option}'):
                with self.assertRaisesRegex(Stop, f'cannot have {option}: '):
                    self.wishes(KUNIT_ARGS=text)
        for text in ('--filt=speed>slow', '--unknown', "'open", '--timeout=x',
                     '--kernel_args=kunit.filter_glob=x', 'a b'):
            with self.assertRaises(Stop):
                self.wishes(KUNIT_ARGS=text)


class RunTest(unittest.TestCase):
    """Runs a copy of the tools in a project of its own."""

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.project = self.scratch / 'project'
        self.kdir = self.scratch / 'linux'
        shutil.copytree(HERE, self.project / 'tools/kernel',
                        ignore=shutil.ignore_patterns('tests', '__pycache__'))
        for path, text in {
                'include/linux/pseries_idle.h': '',
                'drivers/cpuidle/cpuidle-pseries.c': '',
                'drivers/cpuidle/cpuidle-pseries.h': '',
                'drivers/cpuidle/tests/Kconfig': '',
                'lib/pseries_idle/tests/cases.list': '\n'.join(LIST) + '\n'}.items():
            self.write(self.project / path, text)
        for path, text in {
                'Makefile': 'VERSION = 6\nPATCHLEVEL = 12\n', 'Kbuild': '',
                'lib/Kconfig': '', 'lib/Makefile': '',
                'drivers/cpuidle/Kconfig': '', 'drivers/cpuidle/Makefile': '',
                'drivers/cpuidle/cpuidle-pseries.c': '',
                'tools/testing/kunit/kunit.py': KUNIT_PY}.items():
            self.write(self.kdir / path, text)
        self.results = self.project / 'build/results'
        self.calls = self.scratch / 'calls.json'

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def start(self, *arguments, fake=None, **environment):
        fake = {'log': LOG, 'calls': str(self.calls), **(fake or {})}
        return subprocess.Popen(
            [sys.executable, self.project / 'tools/kernel/kunit', *arguments],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={'PATH': os.environ['PATH'], 'KDIR': str(self.kdir),
                 'FAKE': json.dumps(fake), **environment})

    def run_tool(self, status, *arguments, **keywords):
        process = self.start(*arguments, **keywords)
        out, err = process.communicate()
        self.assertEqual(process.returncode, status, out + err)
        return out + err

    def assert_not_running(self, *arguments):
        wanted = '\0'.join(arguments) + '\0'
        for path in pathlib.Path('/proc').glob('[0-9]*/cmdline'):
            with contextlib.suppress(OSError):
                self.assertNotEqual(path.read_text(errors='replace'), wanted)

    def objects(self):
        return next(self.project.glob('build/obj/linux-*/gcc'))

    def wait_for(self, path_of):
        for _ in range(200):
            try:
                if path_of().exists():
                    return
            except StopIteration:
                pass
            time.sleep(0.05)
        self.fail('it did not begin')

    def test_green(self):
        said = self.run_tool(0)
        self.assertIn('\n4 passed, 0 failed\n', said)
        self.assertEqual({path.name for path in self.results.iterdir()},
                         {'kunit.ktap', 'kunit.json', 'kunit.junit.xml'})
        xml = ElementTree.parse(self.results / 'kunit.junit.xml').getroot()
        self.assertEqual((xml.get('tests'), xml.get('failures')), ('4', '0'))
        self.assertEqual([case.get('name') for case in xml.iter('testcase')],
                         ['boils', 'pours.a, b', 'pours.<c>', 'sweeps'])

    def test_red(self):
        log = LOG.replace('        ok 2 <c>', '    # pours: EXPECTATION FAILED\n'
                          '    Expected \x1b 2 < 3 & got\n        not ok 2 <c>')
        said = self.run_tool(1, fake={'log': log})
        self.assertIn('kunit: pot.pours.<c> failed\n', said)
        self.assertIn('\n3 passed, 1 failed\n', said)
        xml = ElementTree.parse(self.results / 'kunit.junit.xml').getroot()
        self.assertIn('2 < 3 & got', xml.find('.//failure').text)

    def test_what_only_the_verdict_sees_is_in_the_junit(self):
        log = LOG.replace('        ok 2 <c>\n', '')
        said = self.run_tool(1, fake={'log': log})
        self.assertIn('kunit: pot.pours.<c> did not run\n', said)
        xml = ElementTree.parse(self.results / 'kunit.junit.xml').getroot()
        self.assertEqual(xml.get('failures'), '1')

    def test_many_problems_are_cut_short(self):
        self.write(self.project / 'lib/pseries_idle/tests/cases.list',
                   '\n'.join(LIST + [f'pot.x{n}' for n in range(90)]) + '\n')
        said = self.run_tool(1)
        self.assertLess(len(said.splitlines()), 35)
        self.assertIn('and 70 more', said)

    def test_build_fails_and_old_results_go(self):
        self.run_tool(0)
        said = self.run_tool(1, fake={'fails': True})
        self.assertIn('kunit: build failed', said)
        self.assertEqual(list(self.results.iterdir()), [])

    def test_filtered_run_expects_what_the_filter_selects(self):
        self.run_tool(0, fake={'log': WITHOUT_SLOW},
                      KUNIT_ARGS='--filter speed>very_slow')
        self.run_tool(1, fake={'log': WITHOUT_SLOW})
        self.run_tool(1, KUNIT_ARGS='pot.boils')
        said = self.run_tool(2, KUNIT_ARGS='pan')
        self.assertIn('selects nothing', said)

    def test_kasan_must_have_been_on(self):
        self.run_tool(0, fake={'log': WITHOUT_SLOW}, SAN='1')
        said = self.run_tool(1, fake={'log': WITHOUT_SLOW, 'object': 'plain'},
                             SAN='1')
        self.assertIn('KASAN was not on', said)

    def test_write_cases(self):
        path = self.project / 'lib/pseries_idle/tests/cases.list'
        path.unlink()
        self.assertIn('is missing', self.run_tool(2))
        self.run_tool(1, '--write-cases',
                      fake={'log': LOG.replace('ok 1 boils', 'not ok 1 boils')})
        self.assertFalse(path.exists())
        self.run_tool(2, '--write-cases', KUNIT_ARGS='pot')
        self.run_tool(0, '--write-cases')
        self.assertEqual([line for line in path.read_text().splitlines()
                          if not line.startswith('#')], LIST)

    def test_machines_give_one_verdict(self):
        glue = self.project / 'drivers/cpuidle/tests/cases.list'
        both = ('--machine', 'pseries-be', '--machine', 'pseries-le')
        log = WITHOUT_SLOW.replace('\n1..1\n', '\n1..2\n') + PAN
        self.write(glue, 'pan.fries\n')
        said = self.run_tool(0, *both, fake={'log': log})
        self.assertEqual(said.count('\n4 passed, 0 failed\n'), 2)
        self.assertIn('\n8 passed, 0 failed\n', said)
        self.assertEqual({path.name for path in self.results.iterdir()},
                         {f'kunit-pseries-{endian}.{kind}'
                          for endian in ('be', 'le')
                          for kind in ('ktap', 'json', 'junit.xml')})
        said = self.run_tool(1, *both, fake={'log': log.replace(
            'ok 1 fries', 'not ok 1 fries')})
        self.assertIn('\n6 passed, 2 failed\n', said)
        self.run_tool(1, *both, fake={'log': WITHOUT_SLOW})

    def test_write_cases_that_only_a_machine_has(self):
        glue = self.project / 'drivers/cpuidle/tests/cases.list'
        log = WITHOUT_SLOW.replace('\n1..1\n', '\n1..2\n') + PAN
        self.run_tool(0, '--machine', 'pseries-le', '--write-cases',
                      fake={'log': log})
        self.assertEqual([line for line in glue.read_text().splitlines()
                          if not line.startswith('#')], ['pan.fries'])

    def test_another_builds_settings_do_not_reach_kbuild(self):
        self.run_tool(0, ARCH='powerpc', CROSS_COMPILE='x-', MAKEFLAGS='n',
                      KBUILD_OUTPUT='/none', KUNIT_ARGS='--timeout=9')
        environment = json.loads(self.calls.read_text())[1]
        for name in ('ARCH', 'CROSS_COMPILE', 'MAKEFLAGS', 'KBUILD_OUTPUT',
                     'KDIR', 'KUNIT_ARGS'):
            self.assertNotIn(name, environment)

    def test_values_arrive_as_typed_through_make(self):
        shutil.copy(HERE.parents[1] / 'Makefile', self.project)
        self.write(self.project / 'tools/kernel/requirements', '#!/bin/sh\n')
        kdir = self.scratch / 'my $HOME "linux" $(x) \'tree\''
        self.kdir.rename(kdir)
        fake = {'log': LOG, 'calls': str(self.calls)}
        made = subprocess.run(
            ['make', '-C', self.project, f'KDIR={kdir}', 'JOBS=3', 'kunit',
             "KUNIT_ARGS=--kernel_args 'a=\"$x $$y\"'",
             f'PYTHON={sys.executable}'],
            text=True, capture_output=True, check=False,
            env={'PATH': os.environ['PATH'], 'FAKE': json.dumps(fake)})
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        arguments = json.loads(self.calls.read_text())[0]
        self.assertIn('--kernel_args=a="$x $$y"', arguments)
        self.assertIn('--jobs=3', arguments)

    def test_interrupted_build_ends_everything(self):
        process = self.start(fake={'sleep': '61.5'})
        self.wait_for(lambda: self.objects() / 'made.o')
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertFalse((self.objects() / '.building').exists())
        self.assert_not_running('sleep', '61.5')
        self.assertIn('\n4 passed', self.run_tool(0))

    def test_killed_build_is_not_trusted(self):
        self.run_tool(0)
        self.write(self.objects() / 'old.o', '')
        time.sleep(0.05)
        process = self.start(fake={'sleep': '62.5'})
        self.wait_for(lambda: self.objects() / 'torn.o')
        process.kill()
        process.communicate(timeout=120)
        said = self.run_tool(1, fake={'fails': True})
        self.assertIn('the last build was killed', said)
        self.assertTrue((self.objects() / 'old.o').exists())
        self.assertFalse((self.objects() / 'torn.o').exists())
        self.assert_not_running('sleep', '62.5')
        self.assertNotIn('killed', self.run_tool(0))

    def test_second_run_waits(self):
        first = self.start(fake={'sleep': '1'})
        self.wait_for(lambda: self.objects() / '.building')
        self.assertIn('waiting for another run', self.run_tool(0))
        self.assertEqual(first.wait(), 0)
        first.communicate()
